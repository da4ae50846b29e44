package dev.tacit.experiments.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.experiments.MinimumFixtures;
import dev.tacit.experiments.objective.PerturbedMinimum.GammaTerm;
import dev.tacit.experiments.objective.PerturbedMinimum.GaussianTerm;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.PaidReleases;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PerturbedMinimumTest {
    private static final double[][] ROWS = MinimumFixtures.rows(300, 4, new Random(20_261));

    private static NoisyMinimum minimum(
            PerturbedMinimum request, PrivacyUnit unit, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        return new MinimumRelease(request, MinimumFixtures.source(ROWS, 64, true))
                .make(unit, ROWS.length, ledger, noise);
    }

    private static PerturbedMinimum request(PerturbedMinimum.LinearTerm term) {
        return new PerturbedMinimum("weights", 2, 3, term);
    }

    @Test
    void theEventIsChargedOnceAndHandedOut() throws BudgetExhausted {
        InMemoryLedger ledger = MinimumFixtures.ledger(MinimumFixtures.RECORD);
        PerturbedMinimum request = request(new GaussianTerm(5));
        NoisyMinimum minimum = minimum(request, MinimumFixtures.RECORD, ledger, ReplayNoise.ofSeed(1));
        assertThat(ledger.entries().get(0).event()).isEqualTo(request.event());
        assertThat(ledger.entries().get(0).released())
                .isEqualTo(PaidReleases.of(ledger.entries().get(0).event()));
        assertThat(minimum.event()).isEqualTo(request.event());
        assertThat(minimum.provenance().forRelease()).isFalse();
    }

    /** With next to no noise the release is the minimiser. */
    @Test
    void withoutNoiseItIsTheMinimiser() throws BudgetExhausted {
        double[] exact =
                new LogisticObjective(MinimumFixtures.source(ROWS, 64, true), 2, 3, new double[4]).minimiser(1e-9);
        InMemoryLedger free = new InMemoryLedger(
                LedgerTerms.of(MinimumFixtures.RECORD, new PrivacyBudget(1e9, 0.5)), MinimumFixtures.ACCOUNTING);
        NoisyMinimum minimum =
                minimum(request(new GaussianTerm(0x1p-20)), MinimumFixtures.RECORD, free, ReplayNoise.ofSeed(2));
        for (int j = 0; j < 4; j++) {
            assertThat(minimum.value()[j]).isCloseTo(exact[j], within(6 * minimum.noiseStandardDeviation() + 1e-5));
        }
    }

    @Test
    void nothingIsDoneWithoutBudget() {
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(MinimumFixtures.RECORD, new PrivacyBudget(1, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        PerturbedMinimum dear = request(new GaussianTerm(0.01));
        assertThatThrownBy(() -> minimum(dear, MinimumFixtures.RECORD, ledger, ReplayNoise.ofSeed(1)))
                .isInstanceOf(BudgetExhausted.class);
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void whatIsNotAccountedForIsRefused() {
        PerturbedMinimum request = request(new GaussianTerm(5));
        PrivacyUnit replaced = PrivacyUnit.record(Neighbours.REPLACE_ONE);
        PrivacyUnit person = new PrivacyUnit("person", 3, Neighbours.ADD_REMOVE);
        for (PrivacyUnit unit : List.of(replaced, person)) {
            assertThatThrownBy(() -> minimum(request, unit, MinimumFixtures.ledger(unit), ReplayNoise.ofSeed(1)))
                    .hasMessageContaining("one record that is added or removed");
        }
        assertThatThrownBy(() -> minimum(
                        request, MinimumFixtures.RECORD, MinimumFixtures.ledger(replaced), ReplayNoise.ofSeed(1)))
                .hasMessageContaining("another unit");
        assertThatThrownBy(() -> minimum(
                        request,
                        MinimumFixtures.RECORD,
                        MinimumFixtures.ledger(MinimumFixtures.RECORD),
                        SecureNoise.create()))
                .hasMessageContaining("survives a crash");
        assertThatThrownBy(() -> new PerturbedMinimum("weights", 2, 1e-12, new GaussianTerm(5)))
                .hasMessageContaining("regularisation");
    }

    /** Above the curvature, delta of the exact minimiser is that of the Gaussian mechanism at what is left. */
    @Test
    void theCostIsTheCurvatureAndAGaussian() {
        PerturbedMinimum request = request(new GaussianTerm(4));
        assertThat(request.curvature()).isCloseTo(Math.log1p(1.0 / 3), within(1e-6));
        double epsilon = new ExactAccountant()
                .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                .upper();
        double left = epsilon - request.curvature();
        GaussianPair gaussian = new GaussianPair(1 / 4.0);
        double delta = gaussian.massOfP(left, Double.POSITIVE_INFINITY)
                - Math.exp(left) * gaussian.massOfQ(left, Double.POSITIVE_INFINITY);
        // The tolerance costs the difference.
        assertThat(delta).isBetween(0.95e-5, 1e-5);
    }

    /** Between them these events need transforms far below 1, where the lattice's convolution once lost all digits. */
    @Test
    void theToleranceCostsLittle() {
        for (double regularisation : new double[] {1, 30}) {
            for (double noiseMultiplier : new double[] {5, 10, 20}) {
                PerturbedMinimum request =
                        new PerturbedMinimum("weights", 2, regularisation, new GaussianTerm(noiseMultiplier));
                double exact = new ExactAccountant()
                        .epsilon(request.exactEvent(), 1e-5, Neighbours.ADD_REMOVE)
                        .upper();
                double released = new ExactAccountant()
                        .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                        .upper();
                assertThat(released).isBetween(exact, exact + 1e-4);
            }
        }
    }

    @Test
    void thePublishedNoiseIsPure() {
        PerturbedMinimum request = request(new GammaTerm(0.5));
        double epsilon = new ExactAccountant()
                .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                .upper();
        assertThat(epsilon).isBetween(0.5 + Math.log1p(1.0 / 3), 0.505 + Math.log1p(1.0 / 3));
        assertThat(new GammaTerm(0.5).forRelease()).isFalse();
    }
}
