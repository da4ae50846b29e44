package dev.tacit.model.network;

import dev.tacit.model.PrivateStart;
import dev.tacit.numerics.RandomStream;
import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.NoisySum;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;

/**
 * Centre and spread of every column, from one full pass that is paid for.
 *
 * <pre>
 *   u ∈ [−1, 1]: an encoded input, or the target by its declared bounds
 *   released   Σ_n clip((u_j, u_j² − 0.3)_j, √(0.45 · columns)) + noise
 *   centre_j = mean of u_j,   spread_j² = mean of u_j² − centre_j²,  at least 0.1² and at least the noise in a mean
 * </pre>
 *
 * The square is centred at 0.3, about that of a uniform column, to be short; a column has 0.45 of squared norm on average,
 * so few records are clipped, in L2 and jointly; here as well as by the door, so that a run without noise is the same
 * algorithm. The start of {@link NeuralNetwork}.
 */
final class ColumnMoments implements PrivateStart {
    private static final double SQUARE_CENTRE = 0.3;
    private static final double SQUARED_NORM = 0.45;
    private static final double LEAST_SPREAD = 0.1;

    private final NetworkInputs inputs;
    private final double budgetShare;

    ColumnMoments(NetworkInputs inputs, double budgetShare) {
        this.inputs = inputs;
        this.budgetShare = budgetShare;
    }

    private int columns() {
        return inputs.size() + (inputs.numericTarget() ? 1 : 0);
    }

    @Override
    public String label() {
        return "centre and spread of columns";
    }

    @Override
    public int releases() {
        return 1;
    }

    @Override
    public int dimension() {
        return 2 * columns();
    }

    @Override
    public double l2Bound() {
        return Math.sqrt(SQUARED_NORM * columns());
    }

    @Override
    public double budgetShare() {
        return budgetShare;
    }

    @Override
    public double[] begin(RandomStream random) {
        return inputs.publicScales();
    }

    @Override
    public RecordSum query(double[] constants, int release) {
        return new RecordSum() {
            @Override
            public int dimension() {
                return ColumnMoments.this.dimension();
            }

            @Override
            public Worker worker() {
                return new MomentWorker();
            }
        };
    }

    private final class MomentWorker implements RecordSum.Worker {
        private final double[] encoded = new double[inputs.size()];
        private final double[] moments = new double[2 * columns()];

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            inputs.encoded(block, row, encoded);
            for (int j = 0; j < columns(); j++) {
                double u = j < encoded.length ? encoded[j] : inputs.boundedTarget(block.label(row));
                moments[2 * j] = u;
                moments[2 * j + 1] = u * u - SQUARE_CENTRE;
            }
            double squares = 0;
            for (double moment : moments) {
                squares += moment * moment;
            }
            double kept = l2Bound() / Math.sqrt(squares);
            for (int i = 0; kept < 1 && i < moments.length; i++) {
                moments[i] *= kept;
            }
            contribution.addAll(0, moments, 0, moments.length);
        }
    }

    @Override
    public double[] constants(double[] before, int release, NoisySum released) {
        double[] scales = before.clone();
        double noise = released.noiseStandardDeviation() / released.expectedBatchSize();
        for (int j = 0; j < columns(); j++) {
            double centre = Math.max(-1, Math.min(1, released.value()[2 * j] / released.expectedBatchSize()));
            double square = released.value()[2 * j + 1] / released.expectedBatchSize() + SQUARE_CENTRE;
            double variance = Math.max(square - centre * centre, Math.max(LEAST_SPREAD * LEAST_SPREAD, noise));
            scales[2 * j] = centre;
            scales[2 * j + 1] = Math.min(1, Math.sqrt(variance));
        }
        return scales;
    }
}
