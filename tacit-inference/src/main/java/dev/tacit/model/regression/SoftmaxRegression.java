package dev.tacit.model.regression;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.RowBounded;
import dev.tacit.model.prediction.PosteriorDraws;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bayesian softmax regression of one of several classes.
 *
 * <pre>
 *   P(y = c | x) = exp(xᵀw_c) / Σ_b exp(xᵀw_b),     w_c ~ N(0, I / priorPrecision)
 *   gradient of one record: (1[y = c] − P(c | x)) x for each class, at most √2 ‖x‖ in L2
 * </pre>
 *
 * Bishop 2006, Section 4.3.4. All classes have weights, so none is special; the prior takes care of what they have in
 * common. A label that is not the place of a class contributes nothing.
 *
 * @param columnNames one for each column
 * @param classes their names, in the order of labels 0, 1, …
 * @param rowNormBound public bound on the L2 norm of a record
 * @param priorPrecision of each weight
 */
public record SoftmaxRegression(
        List<String> columnNames, List<String> classes, double rowNormBound, double priorPrecision)
        implements LinearPredictorModel, PredictiveModel, RowBounded, Serializable {
    public static final String NAME = "softmax-regression";

    public SoftmaxRegression {
        columnNames = List.copyOf(columnNames);
        classes = List.copyOf(classes);
        GaussianPrior.require(columnNames, rowNormBound, priorPrecision);
        if (classes.size() < 2) {
            throw new IllegalArgumentException("softmax regression needs at least two classes");
        }
    }

    /** {@code class: column}, all classes of a column side by side. */
    @Override
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>();
        for (String column : columnNames) {
            for (String category : classes) {
                names.add(category + ": " + column);
            }
        }
        return names;
    }

    @Override
    public int dimension() {
        return columns() * predictors();
    }

    @Override
    public int columns() {
        return columnNames.size();
    }

    @Override
    public int predictors() {
        return classes.size();
    }

    @Override
    public Response response() {
        int count = classes.size();
        double[] scores = new double[count];
        return (label, predictors, at, others, othersAt, slopes, otherSlopes) -> {
            int observed = place(label, count);
            if (observed < 0) {
                Arrays.fill(slopes, at, at + count, 0);
                return 0;
            }
            System.arraycopy(predictors, at, scores, 0, count);
            double density = scores[observed] - SpecialFunctions.logSumExp(scores, count);
            SpecialFunctions.softmax(scores, scores, count);
            for (int c = 0; c < count; c++) {
                slopes[at + c] = (c == observed ? 1 : 0) - scores[c];
            }
            return density;
        };
    }

    /** The class of a label, −1 if it is none. */
    public static int place(double label, int classes) {
        return label >= 0 && label < classes && label == Math.rint(label) ? (int) label : -1;
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        return GaussianPrior.logDensity(priorPrecision, parameters, gradient);
    }

    @Override
    public double[] start() {
        return new double[dimension()];
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        double[][] draws = PosteriorDraws.of(posterior, dimension());
        int count = classes.size();
        double[] scores = new double[count];
        return (block, row) -> {
            double[] probabilities = new double[count];
            for (double[] draw : draws) {
                Arrays.fill(scores, 0);
                LinearPredictorModel.addPredictors(block, row, count, draw, scores);
                SpecialFunctions.softmax(scores, scores, count);
                for (int c = 0; c < count; c++) {
                    probabilities[c] += scores[c] / draws.length;
                }
            }
            return new Prediction.Classes(probabilities);
        };
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        double[] scores = new double[classes.size()];
        LinearPredictorModel.addPredictors(block, row, scores.length, parameters, scores);
        SpecialFunctions.softmax(scores, scores, scores.length);
        return drawn(scores, scores.length, random);
    }

    /** A place with these probabilities. */
    public static int drawn(double[] probabilities, int count, RandomStream random) {
        double rest = random.uniform();
        for (int c = 0; c < count - 1; c++) {
            rest -= probabilities[c];
            if (rest < 0) {
                return c;
            }
        }
        return count - 1;
    }
}
