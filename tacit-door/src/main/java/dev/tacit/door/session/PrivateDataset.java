package dev.tacit.door.session;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sum.Summation;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import java.util.Objects;
import java.util.OptionalDouble;

/** Private records that can be asked for noisy sums and for nothing else, wherever they are. */
public final class PrivateDataset implements AutoCloseable {
    private final Summation records;
    private final PrivacyUnit unit;
    private final long publicSize;
    private final OptionalDouble largestRowNorm;

    private PrivateDataset(Summation records, PrivacyUnit unit, long publicSize, OptionalDouble largestRowNorm) {
        this.records = Objects.requireNonNull(records, "records");
        this.unit = Objects.requireNonNull(unit, "unit");
        if (publicSize < 1) {
            throw new IllegalArgumentException("the public size is at least 1");
        }
        this.publicSize = publicSize;
        this.largestRowNorm = largestRowNorm;
    }

    /**
     * Records behind a seam.
     *
     * @param records where they are; closed with this data set
     * @param unit who is protected; records of a unit beyond its {@code maxRecords} are not looked at
     * @param publicSize the declared number of units
     */
    public static PrivateDataset of(Summation records, PrivacyUnit unit, long publicSize) {
        return new PrivateDataset(records, unit, publicSize, OptionalDouble.empty());
    }

    /** The same records, whose encoder declares that no row is longer than this. */
    public PrivateDataset withRowNorm(double largestNorm) {
        return new PrivateDataset(records, unit, publicSize, OptionalDouble.of(largestNorm));
    }

    /** Who is protected, and against which neighbours. */
    public PrivacyUnit unit() {
        return unit;
    }

    /** The declared number of units; what the data say is private. */
    public long publicSize() {
        return publicSize;
    }

    /** How many numbers a record has; declared, hence public. */
    public int columns() {
        return records.columns();
    }

    /** The declared largest L2 norm of a row, if there is one; a plan for shorter rows is refused before the charge. */
    public OptionalDouble largestRowNorm() {
        return largestRowNorm;
    }

    /**
     * Charges a plan and opens the door for it.
     *
     * @param run what to do, and its name if it may be resumed
     * @param mechanism noise of the phases whose relative noise is 1
     * @param ledger charged with the whole plan before this returns; durable if the noise is for release
     * @param noise batches and noise; release k uses fork k, so a replayed run can be resumed anywhere
     */
    public PrivateSession open(RunRequest run, NoiseMechanism mechanism, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        require(run.plan(), true);
        return ChargedReleases.charge(this, sums(run.plan()), run, mechanism, ledger, noise);
    }

    /** The same door without noise and without a ledger: its event is not private and its epsilon unbounded. */
    public PrivateSession openNotPrivate(RunRequest run, NoiseSource batches) {
        require(run.plan(), false);
        return new UnprotectedReleases(this, sums(run.plan()), run, batches);
    }

    /** Before the charge: a view that these records cannot be seen through must not cost anything. */
    private ReleaseView.Sums sums(ReleasePlan plan) {
        return plan.view().map(view -> view.over(records)).orElse((release, request) -> records.sum(request));
    }

    private void require(ReleasePlan plan, boolean forAccounting) {
        if (plan.view().isPresent()) {
            plan.view().get().require(plan, unit);
        } else {
            requireSampling(plan, forAccounting);
        }
        requireRows(plan);
    }

    /**
     * Batches of fixed size are drawn from the declared number of units, which is public under replace-one. Under
     * add/remove no accountant bounds them, and the number of units must not decide whether this throws.
     */
    private void requireSampling(ReleasePlan plan, boolean forAccounting) {
        for (ReleasePlan.Phase phase : plan.phases()) {
            if (!(phase.sampling() instanceof FixedSizeSampling fixed)) {
                continue;
            }
            if (forAccounting && unit.neighbours() != Neighbours.REPLACE_ONE) {
                throw new IllegalArgumentException(
                        "batches of fixed size need replace-one neighbours: under add/remove the number of "
                                + "units is private; use Poisson sampling");
            }
            if (fixed.population() != publicSize || records.units() > publicSize) {
                throw new IllegalArgumentException("batches of fixed size are drawn from the declared number of units, "
                        + "which the data set must not exceed; correct the declaration");
            }
        }
    }

    /** Both numbers are declared, so comparing them says nothing about a record. */
    private void requireRows(ReleasePlan plan) {
        if (plan.rowNormBound().isEmpty() || largestRowNorm.isEmpty()) {
            return;
        }
        double assumed = plan.rowNormBound().getAsDouble();
        double declared = largestRowNorm.getAsDouble();
        if (!(declared <= assumed * (1 + 1e-9))) {
            throw new IllegalArgumentException("the model is for rows of norm up to " + assumed
                    + ", and those of the data set reach " + declared + "; give the model the data set's bound");
        }
    }

    @Override
    public void close() {
        records.close();
    }
}
