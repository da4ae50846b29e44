package dev.tacit.model.network;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.NetworkPosterior;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A Bayesian neural network of rectified units for a number or one of two classes.
 *
 * <pre>
 *   w ~ N(0, 1/priorPrecision of its layer),   y | x, w ~ N(f_w(x), s²),   or  P(y = 1 | x, w) = Φ(f_w(x))
 *   log Z   of N(y; m, v + s²) or Φ(±m/√(1 + v)), (m, v) from {@link MomentPropagation}
 *   extras  t = min((y − m)²/(v + s²), 4) − 2:  log s² ← log s² + 0.1 (mean of t + 2 over κ − 1),  κ = E min(χ²₁, 4)
 *   start   centres and spreads of columns, and their correlations for a number, {@link ColumnMoments}
 * </pre>
 *
 * Hernández-Lobato, Adams 2015, as a model for expectation propagation with fixed precision (Vinaroz, Park 2022). Differs:
 * the Gamma distribution of the noise is replaced by a variance that makes residuals as large as predicted, because its
 * update is not a sum of bounded numbers; the precision of weights is public and does not grow with the number of records,
 * so it only sets the length of steps, and intervals of single weights mean nothing. Predictions use it.
 *
 * <p>Clipped: the gradient by means, the output layer's weighted by {@code outputWeight}, in L2; t is bounded by 2.
 */
public final class NeuralNetwork implements TiltedMomentModel, PredictiveModel, Serializable {
    private static final long serialVersionUID = 1;

    /** The name on the command line. */
    public static final String NAME = "neural-network";

    private static final double LARGEST_SQUARE = 4;
    private static final double SQUARE_CENTRE = 2;

    /** E min(χ²₁, 4) = P(|z| &lt; 2) − 4 φ(2) + 4 P(|z| &gt; 2). */
    private static final double EXPECTED_SQUARE = 1
            - 2 * SpecialFunctions.normalCdf(-2)
            - 4 * SpecialFunctions.normalDensity(2)
            + 8 * SpecialFunctions.normalCdf(-2);

    private static final double NOISE_RATE = 0.1;
    private static final double MOST_CHANGE = 0.3;
    private static final double LEAST_NOISE = 0.003;
    private static final double MOST_NOISE = 1;

    /** A variance that is not 0, which has no moments of rectified units, and that no one sees. */
    private static final double CERTAIN = 1e-20;

    /**
     * Public constants.
     *
     * @param hiddenUnits of one or two hidden layers
     * @param hiddenPriorPrecision of weights into hidden units
     * @param outputPriorPrecision of weights into the output
     * @param hiddenPrecision what all records add to the precision of a weight into a hidden unit
     * @param outputPrecision the same for the output
     * @param outputWeight factor on the output's gradient before it is clipped
     * @param startDeviation of the first means
     * @param scaleShare part of the budget for centres, spreads and correlations of columns
     * @param noiseShare part of the clip bound for the noise variance
     */
    public record Design(
            List<Integer> hiddenUnits,
            double hiddenPriorPrecision,
            double outputPriorPrecision,
            double hiddenPrecision,
            double outputPrecision,
            double outputWeight,
            double startDeviation,
            double scaleShare,
            double noiseShare)
            implements Serializable {
        public Design {
            hiddenUnits = List.copyOf(hiddenUnits);
            requirePositive(hiddenPriorPrecision, "hiddenPriorPrecision");
            requirePositive(outputPriorPrecision, "outputPriorPrecision");
            requirePositive(hiddenPrecision, "hiddenPrecision");
            requirePositive(outputPrecision, "outputPrecision");
            requirePositive(outputWeight, "outputWeight");
            requirePositive(startDeviation, "startDeviation");
            requireShare(scaleShare, "scaleShare");
            requireShare(noiseShare, "noiseShare");
        }

        /** Fifty hidden units and constants that suit a few thousand records. */
        public static Design standard() {
            return new Design(List.of(50), 5, 1, 75, 300, 0.5, 0.5, 0.1, 0.1);
        }

        /** The same with weights that are known better and an output that moves faster, for more records. */
        public static Design forManyRecords() {
            return new Design(List.of(50), 5, 1, 300, 300, 0.5, 0.5, 0.1, 0.1);
        }

        private static void requirePositive(double value, String name) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(name + " is a positive number");
            }
        }

        private static void requireShare(double value, String name) {
            if (!(value > 0 && value < 1)) {
                throw new IllegalArgumentException(name + " is a number between 0 and 1");
            }
        }
    }

    private final NetworkInputs inputs;
    private final NetworkShape network;
    private final Design design;

    private NeuralNetwork(NetworkInputs inputs, Design design) {
        this.inputs = inputs;
        this.design = Objects.requireNonNull(design, "design");
        this.network = new NetworkShape(inputs.size(), design.hiddenUnits);
    }

    /** For a target between declared bounds. */
    public static NeuralNetwork regression(List<String> columns, double targetLow, double targetHigh, Design design) {
        return new NeuralNetwork(new NetworkInputs(columns, true, targetLow, targetHigh), design);
    }

    /** For one of two classes, the label of the positive one above one half. */
    public static NeuralNetwork classification(List<String> columns, Design design) {
        return new NeuralNetwork(new NetworkInputs(columns, false, 0, 1), design);
    }

    /** The names of all encoded columns. */
    public List<String> columns() {
        return inputs.encodedColumns();
    }

    /** Whether the target is a number; otherwise it is one of two classes. */
    public boolean numericTarget() {
        return inputs.numericTarget();
    }

    /** The declared lower bound of a numeric target. */
    public double targetLow() {
        return inputs.targetLow();
    }

    /** The declared upper bound of a numeric target. */
    public double targetHigh() {
        return inputs.targetHigh();
    }

    public Design design() {
        return design;
    }

    /** Where weights stand. */
    public NetworkShape network() {
        return network;
    }

    @Override
    public GaussianBlocks shape() {
        return new GaussianBlocks(network.size(), 1);
    }

    @Override
    public double[] priorMean() {
        return new double[network.size()];
    }

    @Override
    public double[] priorPrecision() {
        return byLayer(design.hiddenPriorPrecision, design.outputPriorPrecision);
    }

    @Override
    public double[] fixedPrecision(double[] constants) {
        return byLayer(design.hiddenPrecision, design.outputPrecision);
    }

    @Override
    public double[] meanWeights() {
        return byLayer(1, design.outputWeight);
    }

    private double[] byLayer(double hidden, double output) {
        double[] numbers = new double[network.size()];
        Arrays.fill(numbers, hidden);
        Arrays.fill(numbers, network.offset(network.layers() - 1), numbers.length, output);
        return numbers;
    }

    @Override
    public Optional<PrivateStart> privateStart() {
        return Optional.of(new ColumnMoments(inputs, design.scaleShare));
    }

    @Override
    public double[] startMean(double[] constants, RandomStream random) {
        double[] mean = new double[network.size()];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = design.startDeviation * random.normal();
        }
        return mean;
    }

    @Override
    public Optional<Extras> extras() {
        return inputs.numericTarget() ? Optional.of(new NoiseVariance()) : Optional.empty();
    }

    /** How large residuals are, over what is predicted. */
    private final class NoiseVariance implements Extras {
        @Override
        public int dimension() {
            return 1;
        }

        @Override
        public double l2Bound() {
            return SQUARE_CENTRE;
        }

        @Override
        public double boundShare() {
            return design.noiseShare;
        }

        @Override
        public double[] constants(double[] before, double[] noisyMeans) {
            double[] next = before.clone();
            int place = inputs.noisePlace();
            double change = NOISE_RATE * ((noisyMeans[0] + SQUARE_CENTRE) / EXPECTED_SQUARE - 1);
            double moved = before[place] + Math.max(-MOST_CHANGE, Math.min(MOST_CHANGE, change));
            next[place] = Math.max(Math.log(LEAST_NOISE), Math.min(Math.log(MOST_NOISE), moved));
            return next;
        }
    }

    @Override
    public TiltedMoments tiltedMoments(double[] constants) {
        return new NetworkMoments(constants, false);
    }

    /**
     * The same with E log N(y; f, s²) in place of log Z, f ~ N(m, v): what variational inference climbs, with moments in place
     * of draws. Only for a target that is a number; extras stay as they are.
     */
    public TiltedMoments expectedLogLikelihood(double[] constants) {
        if (!inputs.numericTarget()) {
            throw new IllegalStateException("the expected log-likelihood is that of a target that is a number");
        }
        return new NetworkMoments(constants, true);
    }

    private final class NetworkMoments implements TiltedMoments {
        private final double[] scales;
        private final double noise;
        private final boolean expected;
        private final MomentPropagation propagation = new MomentPropagation(network);
        private final double[] scratch = new double[inputs.size()];
        private double[] mean = {};
        private double[] variance = {};
        private double squaredResidual;
        private double byMean;
        private double byVariance;

        NetworkMoments(double[] constants, boolean expected) {
            scales = constants;
            this.expected = expected;
            noise = inputs.numericTarget() ? StrictMath.exp(constants[inputs.noisePlace()]) : 0;
        }

        @Override
        public void cavity(double[] cavityMean, double[] cavityVariance) {
            mean = cavityMean;
            variance = cavityVariance;
        }

        @Override
        public double gradient(RecordBlock block, int row, double[] gradient) {
            double logZ = forward(block, row);
            propagation.backwardByMeans(byMean, byVariance, mean, variance);
            System.arraycopy(propagation.weightMeanGradient(), 0, gradient, 0, gradient.length);
            return logZ;
        }

        @Override
        public double derivatives(RecordBlock block, int row, double[] gradient, double[] curvature) {
            double logZ = forward(block, row);
            propagation.backward(byMean, byVariance, mean, variance);
            System.arraycopy(propagation.weightMeanGradient(), 0, gradient, 0, gradient.length);
            double[] byVariances = propagation.weightVarianceGradient();
            for (int i = 0; i < gradient.length; i++) {
                curvature[i] = gradient[i] * gradient[i] - 2 * byVariances[i];
            }
            return logZ;
        }

        private double forward(RecordBlock block, int row) {
            inputs.scaled(block, row, scales, scratch, propagation.input());
            propagation.forward(mean, variance);
            double outputMean = propagation.outputMean();
            double outputVariance = propagation.outputVariance();
            if (!inputs.numericTarget()) {
                ProbitMoments probit = ProbitMoments.of(Rows.signedLabel(block, row), outputMean, outputVariance);
                byMean = probit.byMean();
                byVariance = probit.byVariance();
                return probit.logZ();
            }
            double total = outputVariance + noise;
            double residual = inputs.scaledTarget(block.label(row), scales) - outputMean;
            squaredResidual = residual * residual / total;
            if (expected) {
                byMean = residual / noise;
                byVariance = -0.5 / noise;
                return -0.5 * (Math.log(noise) + (residual * residual + outputVariance) / noise);
            }
            byMean = residual / total;
            byVariance = 0.5 * (byMean * byMean - 1 / total);
            return -0.5 * (Math.log(total) + squaredResidual);
        }

        @Override
        public void extras(double[] statistics) {
            statistics[0] = Math.min(squaredResidual, LARGEST_SQUARE) - SQUARE_CENTRE;
        }
    }

    @Override
    public Posterior posterior(double[] mean, double[] covariance, double[] constants) {
        double[] scales = constants.clone();
        if (inputs.numericTarget()) {
            scales[inputs.noisePlace()] = Math.exp(scales[inputs.noisePlace()]);
        }
        return new NetworkPosterior(inputs.names(), design.hiddenUnits, mean, covariance, scales);
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        NetworkPosterior fitted = (NetworkPosterior) posterior;
        double[] mean = fitted.weightMean();
        double[] variance = fitted.weightVariance();
        double[] scales = fitted.scales();
        if (mean.length != network.size() || scales.length != inputs.scaleCount()) {
            throw new IllegalArgumentException("the posterior is that of a network of another shape");
        }
        MomentPropagation propagation = new MomentPropagation(network);
        double[] scratch = new double[inputs.size()];
        return (block, row) -> {
            inputs.scaled(block, row, scales, scratch, propagation.input());
            propagation.forward(mean, variance);
            double output = propagation.outputMean();
            double spread = propagation.outputVariance();
            return inputs.numericTarget()
                    ? new Prediction.Numeric(
                            inputs.targetOf(output, scales),
                            inputs.targetUnit(scales) * Math.sqrt(spread + scales[inputs.noisePlace()]))
                    : new Prediction.Probability(SpecialFunctions.normalCdf(output / Math.sqrt(1 + spread)));
        };
    }

    @Override
    public boolean identifiable() {
        return false;
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        double[] scales = Arrays.copyOfRange(parameters, network.size(), parameters.length);
        MomentPropagation propagation = new MomentPropagation(network);
        inputs.scaled(block, row, scales, new double[inputs.size()], propagation.input());
        double[] certain = new double[network.size()];
        Arrays.fill(certain, CERTAIN);
        propagation.forward(parameters, certain);
        double output = propagation.outputMean();
        return inputs.numericTarget()
                ? inputs.targetOf(output + Math.sqrt(scales[inputs.noisePlace()]) * random.normal(), scales)
                : random.uniform() < SpecialFunctions.normalCdf(output) ? 1 : 0;
    }
}
