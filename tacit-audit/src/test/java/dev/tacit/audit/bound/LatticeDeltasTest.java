package dev.tacit.audit.bound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deltas on the lattice lie above the exact ones, and hardly. */
class LatticeDeltasTest {
    @ParameterizedTest
    @CsvSource({
        "0.8, 0.02, 1, ADD_REMOVE",
        "1.1, 0.01, 300, ADD_REMOVE",
        "3, 0.3, 6, ADD_REMOVE",
        "3, 0.3, 6, REPLACE_ONE",
        "1, 1, 4, ADD_REMOVE"
    })
    void deltasAreUpperEnds(double noise, double rate, long times, Neighbours neighbours) {
        PrivacyEvent once = new PrivacyEvent.Release(PrivacyProfile.gaussian(noise));
        PrivacyEvent event = ReleasePlan.times(rate == 1 ? once : once.poissonSampled(rate), times);
        LatticeDeltas deltas = new LatticeDeltas(event, neighbours);
        for (double epsilon : new double[] {0, 0.1, 0.5, 1, 2}) {
            double exact =
                    new ExactAccountant().delta(event, epsilon, neighbours).upper();
            assertThat(deltas.at(epsilon)).isBetween(exact * (1 - 1e-9), exact * 1.01 + 1e-8);
        }
    }
}
