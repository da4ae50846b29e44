package dev.tacit.privacy.data;

import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.PrivacyLedger;
import dev.tacit.privacy.mechanism.NoiseMechanism;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.OptionalDouble;

/** Private records that can be asked for noisy sums and for nothing else. */
public interface PrivateDataset extends AutoCloseable {
    /** Who is protected, and against which neighbours. */
    PrivacyUnit unit();

    /** The declared number of units; what the data say is private. */
    long publicSize();

    /** How many numbers a record has; declared, hence public. */
    int columns();

    /** The declared largest L2 norm of a row, if there is one; a plan for shorter rows is refused before the charge. */
    default OptionalDouble largestRowNorm() {
        return OptionalDouble.empty();
    }

    /**
     * Charges a plan and opens the door for it.
     *
     * @param run what to do, and its name if it may be resumed
     * @param mechanism noise of the phases whose relative noise is 1
     * @param ledger charged with the whole plan before this returns; durable if the noise is for release
     * @param noise batches and noise; release k uses fork k, so a replayed run can be resumed anywhere
     */
    PrivateSession open(RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted;

    /** The same door without noise and without a ledger: its event is not private and its epsilon unbounded. */
    PrivateSession openNotPrivate(RunRequest run, NoiseSource batches);

    @Override
    void close();
}
