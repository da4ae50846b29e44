package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.BatchKey;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.sampling.SamplingScheme;
import java.util.Optional;

/** The releases of one session in the order of its plan, whatever is summed. */
interface Releases {
    /** What is summed: given the grid, the planned sampling and the key of the batch, the exact integer sums. */
    @FunctionalInterface
    interface Sums {
        long[] sum(SumGrid grid, SamplingScheme sampling, BatchKey batch);
    }

    NoisySum release(int dimension, double l2Bound, Sums sums);

    ReleasePlan plan();

    PrivacyEvent event();

    Provenance provenance();

    long released();

    long lostReleases();

    Optional<RunPosition> position();

    static void requirePlanned(int dimension, ReleasePlan.Phase phase) {
        if (dimension != phase.dimension()) {
            throw new IllegalArgumentException("the plan has a release of " + phase.dimension() + " numbers (\""
                    + phase.label() + "\") here, and the query has " + dimension);
        }
    }
}
