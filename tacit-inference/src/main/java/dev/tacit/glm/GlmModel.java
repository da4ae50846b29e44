package dev.tacit.glm;

import dev.tacit.model.Prediction;
import dev.tacit.model.PredictiveModel;
import dev.tacit.model.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.GaussianPosterior;
import dev.tacit.posterior.Posterior;
import dev.tacit.privacy.data.RecordBlock;
import java.util.ArrayList;
import java.util.List;

/**
 * A generalised linear model: a design in natural units, a family, a prior.
 *
 * @param targetLow declared lower bound of the target, if the family needs one
 * @param targetHigh declared upper bound
 */
public record GlmModel(GlmDesign design, GlmFamily family, double targetLow, double targetHigh, GlmPrior prior)
        implements PredictiveModel {
    public GlmModel {
        if (family.standardisesTarget()
                && !(targetLow < targetHigh && Double.isFinite(targetLow) && Double.isFinite(targetHigh))) {
            throw new IllegalArgumentException("the family " + family.name() + " needs declared bounds of the target");
        }
        family = family.within(targetLow, targetHigh);
        if (design.groups().isPresent()) {
            throw new IllegalArgumentException("group effects are not served yet");
        }
        if (design.rowsPerUnit() != 1) {
            throw new IllegalArgumentException(
                    "a private likelihood needs one record for each person: records of one person depend on each other, and"
                            + " nothing that is released says how much; keep one record of each, or sum them up in one"
                            + " (counts with an offset)");
        }
    }

    /** Columns, then the logarithms of extra parameters. */
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>(design.names());
        family.extraNames().forEach(name -> names.add("log(" + name + ")"));
        return names;
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        int d = design.size();
        if (!(posterior instanceof GaussianPosterior gaussian)
                || posterior.dimension() != parameterNames().size()) {
            throw new IllegalArgumentException("the posterior is not one of this regression");
        }
        double[] mean = gaussian.mean();
        double[] covariance = gaussian.covariance();
        int all = gaussian.dimension();
        double[] extra = new double[all - d];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(mean[d + k]);
        }
        RowReader reader = new RowReader(design);
        return (block, row) -> {
            reader.read(block, row);
            double eta = reader.offset();
            double variance = 0;
            for (int i = 0; i < d; i++) {
                eta += reader.x[i] * mean[i];
                double line = 0;
                for (int j = 0; j < d; j++) {
                    line += covariance[i * all + j] * reader.x[j];
                }
                variance += reader.x[i] * line;
            }
            return family.predict(eta, Math.max(0, variance), extra);
        };
    }

    /**
     * The mean of a row's target for given parameters, in the target's own units; of classes, that of their indices; of times
     * to an event, the probability that it is seen.
     */
    public double expected(double[] parameters, RecordBlock block, int row) {
        RowReader reader = new RowReader(design);
        reader.read(block, row);
        double eta = reader.offset();
        for (int j = 0; j < design.size(); j++) {
            eta += reader.x[j] * parameters[j];
        }
        double[] extra = new double[family.extraNames().size()];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(parameters[design.size() + k]);
        }
        Prediction prediction = family.predict(eta, 0, extra);
        if (prediction instanceof Prediction.Probability one) {
            return one.probability();
        }
        if (prediction instanceof Prediction.Numeric number) {
            return number.mean();
        }
        if (prediction instanceof Prediction.Survival survival) {
            return -Math.expm1(-survival.cumulativeHazard(Double.POSITIVE_INFINITY));
        }
        double mean = 0;
        double[] probabilities = ((Prediction.Classes) prediction).probabilities();
        for (int k = 0; k < probabilities.length; k++) {
            mean += k * probabilities[k];
        }
        return mean;
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        RowReader reader = new RowReader(design);
        reader.read(block, row);
        double eta = reader.offset();
        for (int j = 0; j < design.size(); j++) {
            eta += reader.x[j] * parameters[j];
        }
        double[] extra = new double[family.extraNames().size()];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(parameters[design.size() + k]);
        }
        return family.simulate(eta, extra, random);
    }
}
