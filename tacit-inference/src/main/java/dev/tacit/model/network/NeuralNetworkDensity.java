package dev.tacit.model.network;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.model.prediction.PosteriorDraws;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.model.regression.GaussianPrior;
import dev.tacit.model.regression.SoftmaxRegression;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.TransformedPosterior;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A Bayesian neural network with one hidden layer, for a number, one of two classes, or one of several.
 *
 * <pre>
 *   a_h = activation(xᵀw_h + b_h),   h = 1 … H        f_o = Σ_h v_oh a_h + c_o,   o = 1 … O
 *   number      t ~ N(f₁, v), v = softplus(ρ) ~ InverseGamma(2, 0.05), t the target scaled to [−1, 1]
 *   two         P(y = 1) = sigmoid(f₁)
 *   several     P(y = c) = softmax(f)_c
 *   priors      w ~ N(0, 1 / inputPrecision),   v ~ N(0, 1 / outputPrecision),   b, c ~ N(0, 1)
 * </pre>
 *
 * Neal 1996, Chapter 2; with {@link Head.Classes} of two classes and {@link Activation#RELU} the network of Heikkilä et
 * al. 2023, Section 5. Parameters: w, unit after unit for each column; then b, v (output after output), c, and ρ. A
 * label that is not a class, or not a number, contributes nothing.
 *
 * @param columnNames one for each column
 * @param hiddenUnits H
 * @param head what is predicted
 * @param activation of the hidden units
 * @param inputPrecision prior precision of w
 * @param outputPrecision prior precision of v
 */
public record NeuralNetworkDensity(
        List<String> columnNames,
        int hiddenUnits,
        Head head,
        Activation activation,
        double inputPrecision,
        double outputPrecision)
        implements LinearPredictorModel, PredictiveModel, Serializable {
    public static final String NAME = "neural-network";

    private static final String NOISE = "noise-variance";
    private static final double NOISE_SHAPE = 2;
    private static final double NOISE_RATE = 0.05;
    private static final double START_NOISE = 0.0625;
    private static final long START_SEED = 1996;

    /** What a network predicts. */
    public sealed interface Head {
        /** A number between declared bounds. */
        record Numeric(double low, double high) implements Head, Serializable {}

        /** One of two classes: label above one half, or not. */
        record Binary() implements Head, Serializable {}

        /** One of several classes, labels 0, 1, … */
        record Classes(List<String> classes) implements Head, Serializable {
            public Classes {
                classes = List.copyOf(classes);
            }
        }
    }

    /** What a hidden unit does to its input. */
    public enum Activation {
        /** tanh. */
        TANH,
        /** The positive part. */
        RELU;

        double value(double input) {
            return this == TANH ? 2 * SpecialFunctions.sigmoid(2 * input) - 1 : Math.max(0, input);
        }

        /** The derivative, from input and value. */
        double slope(double input, double value) {
            return this == TANH ? 1 - value * value : input > 0 ? 1 : 0;
        }
    }

    public NeuralNetworkDensity {
        columnNames = List.copyOf(columnNames);
        GaussianPrior.require(columnNames, 1, inputPrecision);
        ConjugatePair.requirePositive(outputPrecision, "outputPrecision");
        if (hiddenUnits < 1) {
            throw new IllegalArgumentException("hiddenUnits is a number from 1");
        }
        if (head instanceof Head.Classes classes && classes.classes().size() < 2) {
            throw new IllegalArgumentException("a network that tells classes apart has at least two");
        }
        if (head instanceof Head.Numeric number
                && !(number.low() < number.high() && Double.isFinite(number.high() - number.low()))) {
            throw new IllegalArgumentException("the bounds of the target are two numbers, the lower one first");
        }
    }

    private int outputs() {
        return head instanceof Head.Classes classes ? classes.classes().size() : 1;
    }

    private boolean hasNoise() {
        return head instanceof Head.Numeric;
    }

    @Override
    public int columns() {
        return columnNames.size();
    }

    @Override
    public int predictors() {
        return hiddenUnits;
    }

    @Override
    public int dimension() {
        return columns() * hiddenUnits + hiddenUnits + outputs() * (hiddenUnits + 1) + (hasNoise() ? 1 : 0);
    }

    @Override
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>();
        for (String column : columnNames) {
            for (int h = 1; h <= hiddenUnits; h++) {
                names.add("unit " + h + ": " + column);
            }
        }
        for (int h = 1; h <= hiddenUnits; h++) {
            names.add("unit " + h + ": bias");
        }
        for (int o = 0; o < outputs(); o++) {
            for (int h = 1; h <= hiddenUnits; h++) {
                names.add(output(o) + ": unit " + h);
            }
        }
        for (int o = 0; o < outputs(); o++) {
            names.add(output(o) + ": bias");
        }
        if (hasNoise()) {
            names.add(NOISE);
        }
        return names;
    }

    private String output(int place) {
        return head instanceof Head.Classes classes ? classes.classes().get(place) : "output";
    }

    @Override
    public Optional<ParameterSpace> space() {
        return hasNoise()
                ? Optional.of(ParameterSpace.of("weights", Transforms.real(dimension() - 1))
                        .and(NOISE, Transforms.softplus(1)))
                : Optional.empty();
    }

    @Override
    public List<String> reportedNames() {
        return parameterNames();
    }

    // ---- the density -----------------------------------------------------------------------------------------------

    @Override
    public Response response() {
        return new Network();
    }

    /** One thread's layers. */
    private final class Network implements Response {
        private final double[] activations = new double[hiddenUnits];
        private final double[] scores = new double[outputs()];

        /** Where v and c begin behind b. */
        private final int weightsAt = hiddenUnits;

        private final int biasesAt = hiddenUnits + outputs() * hiddenUnits;

        /** Writes a and f. */
        void forward(double[] predictors, int at, double[] others, int othersAt) {
            for (int h = 0; h < hiddenUnits; h++) {
                activations[h] = activation.value(predictors[at + h] + others[othersAt + h]);
            }
            for (int o = 0; o < scores.length; o++) {
                double sum = others[othersAt + biasesAt + o];
                int line = othersAt + weightsAt + o * hiddenUnits;
                for (int h = 0; h < hiddenUnits; h++) {
                    sum += others[line + h] * activations[h];
                }
                scores[o] = sum;
            }
        }

        @Override
        public double logDensity(
                double label,
                double[] predictors,
                int at,
                double[] others,
                int othersAt,
                double[] slopes,
                double[] otherSlopes) {
            forward(predictors, at, others, othersAt);
            int noiseAt = othersAt + biasesAt + 1;
            double density = head instanceof Head.Numeric number
                    ? number(scaled(number, label), others[noiseAt], otherSlopes, noiseAt)
                    : head instanceof Head.Binary ? binary(label) : classes(label);
            // scores now holds ∂f/∂f_o
            Arrays.fill(slopes, at, at + hiddenUnits, 0);
            for (int o = 0; o < scores.length; o++) {
                int line = othersAt + weightsAt + o * hiddenUnits;
                for (int h = 0; h < hiddenUnits; h++) {
                    otherSlopes[line + h] = scores[o] * activations[h];
                    slopes[at + h] += scores[o] * others[line + h];
                }
                otherSlopes[othersAt + biasesAt + o] = scores[o];
            }
            for (int h = 0; h < hiddenUnits; h++) {
                slopes[at + h] *= activation.slope(predictors[at + h] + others[othersAt + h], activations[h]);
                otherSlopes[othersAt + h] = slopes[at + h];
            }
            return density;
        }

        private double number(double target, double link, double[] otherSlopes, int noiseAt) {
            double variance = SpecialFunctions.softplus(link);
            double residual = target - scores[0];
            double square = residual * residual / variance;
            scores[0] = residual / variance;
            otherSlopes[noiseAt] = SpecialFunctions.sigmoid(link) * (square - 1) / (2 * variance);
            return -0.5 * (Math.log(variance) + square);
        }

        private double binary(double label) {
            double logit = scores[0];
            scores[0] = (label > 0.5 ? 1 : 0) - SpecialFunctions.sigmoid(logit);
            return SpecialFunctions.logSigmoid(label > 0.5 ? logit : -logit);
        }

        private double classes(double label) {
            int observed = SoftmaxRegression.place(label, scores.length);
            if (observed < 0) {
                Arrays.fill(scores, 0);
                return 0;
            }
            double density = scores[observed] - SpecialFunctions.logSumExp(scores, scores.length);
            SpecialFunctions.softmax(scores, scores, scores.length);
            for (int o = 0; o < scores.length; o++) {
                scores[o] = (o == observed ? 1 : 0) - scores[o];
            }
            return density;
        }
    }

    private static double scaled(Head.Numeric number, double target) {
        double clamped = Math.max(number.low(), Math.min(number.high(), target));
        return 2 * (clamped - number.low()) / (number.high() - number.low()) - 1;
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        int inputs = columns() * hiddenUnits;
        int outputsFrom = inputs + hiddenUnits;
        int outputsTo = outputsFrom + outputs() * hiddenUnits;
        int last = hasNoise() ? parameters.length - 1 : parameters.length;
        double sum = 0;
        for (int i = 0; i < last; i++) {
            double precision = i < inputs ? inputPrecision : i >= outputsFrom && i < outputsTo ? outputPrecision : 1;
            gradient[i] = -precision * parameters[i];
            sum -= 0.5 * precision * parameters[i] * parameters[i];
        }
        if (hasNoise()) {
            double link = parameters[last];
            double variance = SpecialFunctions.softplus(link);
            double slope = SpecialFunctions.sigmoid(link);
            gradient[last] = slope * (NOISE_RATE / variance - NOISE_SHAPE - 1) / variance + 1 - slope;
            sum += -(NOISE_SHAPE + 1) * Math.log(variance) - NOISE_RATE / variance + SpecialFunctions.logSigmoid(link);
        }
        return sum;
    }

    /** Public draws from half the prior's width: at zero all hidden units would stay alike for ever. */
    @Override
    public double[] start() {
        RandomStream random = RandomStream.ofSeed(START_SEED);
        double[] start = new double[dimension()];
        int inputs = columns() * hiddenUnits;
        int outputsFrom = inputs + hiddenUnits;
        double inputScale = 0.5 / Math.sqrt(inputPrecision);
        double outputScale = 0.5 / Math.sqrt(outputPrecision);
        for (int i = 0; i < inputs; i++) {
            start[i] = inputScale * random.normal();
        }
        for (int i = outputsFrom; i < outputsFrom + outputs() * hiddenUnits; i++) {
            start[i] = outputScale * random.normal();
        }
        if (hasNoise()) {
            start[start.length - 1] = SpecialFunctions.inverseSoftplus(START_NOISE);
        }
        return start;
    }

    // ---- predictions -----------------------------------------------------------------------------------------------

    /** Averages over draws of the parameters. */
    @Override
    public Predictor predictor(Posterior posterior) {
        double[][] draws = PosteriorDraws.of(TransformedPosterior.freeOf(posterior), dimension());
        Network network = new Network();
        double[] predictors = new double[hiddenUnits];
        return (block, row) -> {
            double[] sums = new double[outputs()];
            double squares = 0;
            double noise = 0;
            for (double[] draw : draws) {
                forward(network, block, row, draw, predictors);
                if (head instanceof Head.Numeric) {
                    squares += network.scores[0] * network.scores[0] / draws.length;
                    noise += SpecialFunctions.softplus(draw[draw.length - 1]) / draws.length;
                } else {
                    toProbabilities(network.scores);
                }
                for (int o = 0; o < sums.length; o++) {
                    sums[o] += network.scores[o] / draws.length;
                }
            }
            if (head instanceof Head.Numeric number) {
                double halfWidth = (number.high() - number.low()) / 2;
                double variance = Math.max(0, squares - sums[0] * sums[0]) + noise;
                return new Prediction.Numeric(
                        number.low() + halfWidth * (1 + sums[0]), halfWidth * Math.sqrt(variance));
            }
            return head instanceof Head.Binary ? new Prediction.Probability(sums[0]) : new Prediction.Classes(sums);
        };
    }

    private void forward(Network network, RecordBlock block, int row, double[] parameters, double[] predictors) {
        Arrays.fill(predictors, 0);
        LinearPredictorModel.addPredictors(block, row, hiddenUnits, parameters, predictors);
        network.forward(predictors, 0, parameters, columns() * hiddenUnits);
    }

    private void toProbabilities(double[] scores) {
        if (head instanceof Head.Binary) {
            scores[0] = SpecialFunctions.sigmoid(scores[0]);
        } else {
            SpecialFunctions.softmax(scores, scores, scores.length);
        }
    }

    @Override
    public boolean identifiable() {
        return false;
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        Network network = new Network();
        forward(network, block, row, parameters, new double[hiddenUnits]);
        if (head instanceof Head.Numeric number) {
            double halfWidth = (number.high() - number.low()) / 2;
            double noise = random.normal() * Math.sqrt(parameters[parameters.length - 1]);
            return number.low() + halfWidth * (1 + network.scores[0] + noise);
        }
        toProbabilities(network.scores);
        return head instanceof Head.Binary
                ? (random.uniform() < network.scores[0] ? 1 : 0)
                : SoftmaxRegression.drawn(network.scores, network.scores.length, random);
    }
}
