package dev.tacit.experiments.objective;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.experiments.objective.PerturbedMinimum.GaussianTerm;
import dev.tacit.ledger.PaidReleases;
import dev.tacit.noise.DiscreteGaussianSampler;
import dev.tacit.noise.ReplayNoise;

/**
 * One release of a {@link PerturbedMinimum}.
 *
 * <pre>
 *   ledger: charged and announced (fsync)  →  draw b  →  minimise  →  round to the grid, add noise  →  out
 * </pre>
 *
 * <b>Why the charged event holds.</b> Let b be continuous. The exact minimiser θ* for b is the event's first part. What is
 * computed belongs to b̂ on a grid of 2^−48 standard deviations or finer, where b̂ given b does not look at the data
 * (theorem of {@link DiscreteGaussianMechanism}, c = 64), and ‖b̂ − b‖ ≤ 40·8·√d grid steps but for a probability below
 * 10^−300. Strong convexity bounds the distance of the computed point from θ* by (‖∇J‖ + ‖b̂ − b‖)/Λ ≤ tolerance. So given
 * θ*, the points of two neighbours differ by at most two tolerances and by the rounding of both to the grid, and the
 * discrete Gaussian noise at the end is a Gaussian release of that difference.
 */
public final class MinimumRelease {
    private static final long LINEAR_TERM = 0;
    private static final long TOLERANCE = 1;

    /** log2 of grid steps to a standard deviation of b. */
    private static final int STEPS_LOG = 48;

    /** Room for the rounding of both points to the grid, over two tolerances. */
    private static final double GRID_ROOM = 1 + 0x1p-18;

    private final PerturbedMinimum request;
    private final RecordSource records;

    public MinimumRelease(PerturbedMinimum request, RecordSource records) {
        this.request = request;
        this.records = records;
    }

    public NoisyMinimum make(PrivacyUnit unit, long publicSize, PrivacyLedger ledger, NoiseSource noise)
            throws BudgetExhausted {
        requireAllowed(unit, ledger, noise);
        int columns = records.columns();
        double l2Bound = 2 * GRID_ROOM * request.tolerance(columns, publicSize);
        LedgerEntry entry = ledger.charge(request.label(), request.event());
        entry = ledger.advance(entry, PaidReleases.of(entry.event()));

        double[] linearTerm = linearTerm(columns, noise.fork(LINEAR_TERM));
        LogisticObjective objective =
                new LogisticObjective(records, request.rowNormBound(), request.regularisation(), linearTerm);
        double[] point = objective.minimiser(request.gradientTolerance(columns, publicSize) / 2);

        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(PerturbedMinimum.TOLERANCE_NOISE);
        SumGrid grid = mechanism.grid(l2Bound, columns);
        long[] steps = new long[columns];
        for (int j = 0; j < columns; j++) {
            steps[j] = (long) Math.rint(point[j] / grid.granularity());
        }
        mechanism.addNoise(steps, l2Bound, noise.fork(TOLERANCE));
        return new NoisyMinimum(
                grid.numbers(steps), mechanism.noiseStandardDeviation(l2Bound), entry.event(), noise.provenance());
    }

    private void requireAllowed(PrivacyUnit unit, PrivacyLedger ledger, NoiseSource noise) {
        if (!ledger.unit().equals(unit)) {
            throw new IllegalArgumentException("the ledger protects another unit than the data set declares");
        }
        if (unit.neighbours() != Neighbours.ADD_REMOVE || unit.maxRecords() != 1) {
            throw new IllegalArgumentException(
                    "a perturbed minimum is accounted for one record that is added or removed");
        }
        if (noise.forRelease() && !(request.linearTerm().forRelease() && ledger.durable())) {
            throw new IllegalArgumentException(
                    "a release needs a linear term that is sampled exactly and a ledger that survives a crash");
        }
        if (!records.labelled()) {
            throw new IllegalArgumentException("a perturbed minimum needs records with labels");
        }
    }

    private double[] linearTerm(int columns, NoiseSource noise) {
        double deviation =
                request.linearTerm().noiseMultiplier(columns) * request.rowNormBound() * (1 + PerturbedMinimum.SLACK);
        double[] term = new double[columns];
        if (request.linearTerm() instanceof GaussianTerm) {
            double step = Math.scalb(1.0, Math.getExponent(deviation) - STEPS_LOG);
            DiscreteGaussianSampler sampler = DiscreteGaussianSampler.of(deviation / step);
            for (int j = 0; j < columns; j++) {
                term[j] = sampler.next(noise) * step;
            }
            return term;
        }
        ReplayNoise replayed = (ReplayNoise) noise;
        GaussianSampler.fill(term, replayed);
        double square = 0;
        double radius = 0;
        for (double number : term) {
            square += number * number;
            radius -= Math.log(((replayed.nextLong() >>> 11) + 0.5) * 0x1p-53);
        }
        double factor = radius * deviation / Math.sqrt((columns + 1.0) * square);
        for (int j = 0; j < columns; j++) {
            term[j] *= factor;
        }
        return term;
    }
}
