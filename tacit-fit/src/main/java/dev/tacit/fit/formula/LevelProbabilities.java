package dev.tacit.fit.formula;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.glm.family.MultinomialLogit;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The probability of each level of an unordered response, with its interval, and the most probable level.
 *
 * <pre>
 *   η ~ N(m, V),  p = softmax(m);     d logit p_k/dη_j = (1(j = k) − p_j)/(1 − p_k) = c_j,    σ(logit p_k ± z √(cᵀ V c))
 * </pre>
 */
public final class LevelProbabilities implements MarginalPredictions.Expected {
    private static final double LEAST = 1e-12;

    private final GlmModel model;
    private final MultinomialLogit family;
    private final GaussianPosterior posterior;
    private final Predictor predictor;
    private final double reach;

    private LevelProbabilities(GlmModel model, MultinomialLogit family, GaussianPosterior posterior, double level) {
        this.model = model;
        this.family = family;
        this.posterior = posterior;
        this.predictor = model.predictor(posterior);
        this.reach = -SpecialFunctions.normalQuantile((1 - level) / 2);
    }

    /** The family of a fit of unordered levels; empty for others. */
    static Optional<MultinomialLogit> family(StoredPosterior fitted) {
        return Family.ofModel(fitted.model()).equals(Optional.of(Family.MULTINOMIAL))
                        && fitted.use() instanceof GlmModel model
                        && model.family() instanceof MultinomialLogit found
                ? Optional.of(found)
                : Optional.empty();
    }

    /** For a fit of unordered levels; empty for others. */
    public static Optional<LevelProbabilities> of(StoredPosterior fitted, double level) {
        return family(fitted).isPresent() && fitted.posterior() instanceof GaussianPosterior posterior
                ? Optional.of(new LevelProbabilities(
                        (GlmModel) fitted.use(), family(fitted).get(), posterior, level))
                : Optional.empty();
    }

    @Override
    public List<String> outcomes() {
        return family.levels();
    }

    /** Three columns for each level. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (String level : family.levels()) {
            for (String what : List.of("probability", "lower", "upper")) {
                names.add(what + "_" + level);
            }
        }
        return names;
    }

    /** The probability of each level, averaged over the posterior, and the ends of its interval. */
    public double[] of(RecordBlock block, int record) {
        double[] probabilities = ((Prediction.Classes) predictor.predict(block, record)).probabilities();
        double[] numbers = at(block, record);
        for (int k = 0; k < probabilities.length; k++) {
            double lower = numbers[3 * k];
            numbers[3 * k] = probabilities[k];
            numbers[3 * k + 1] = lower;
        }
        return numbers;
    }

    /** The most probable level, from the numbers of a record; the first of equals. */
    public String mostProbable(double[] numbers) {
        int best = 0;
        for (int k = 1; k < family.levels().size(); k++) {
            best = numbers[3 * k] > numbers[3 * best] ? k : best;
        }
        return family.levels().get(best);
    }

    @Override
    public double[] at(RecordBlock block, int record) {
        double[] row = new double[block.columns()];
        Rows.addTo(block, record, 1, row, 0);
        double[] p = family.probabilities(model.predictors(posterior.mean(), row));
        double[] covariance = model.predictorCovariance(posterior, row);
        List<String> compared = family.compared();
        int q = compared.size();
        double[] numbers = new double[3 * p.length];
        for (int k = 0; k < p.length; k++) {
            double[] gradient = new double[q];
            double others = Math.max(1 - p[k], LEAST);
            for (int j = 0; j < q; j++) {
                int place = family.levels().indexOf(compared.get(j));
                gradient[j] = ((place == k ? 1 : 0) - p[place]) / others;
            }
            double variance = 0;
            for (int i = 0; i < q; i++) {
                for (int j = 0; j < q; j++) {
                    variance += gradient[i] * gradient[j] * covariance[i * q + j];
                }
            }
            double logit = Math.log(Math.max(p[k], LEAST) / others);
            double half = reach * Math.sqrt(Math.max(0, variance));
            numbers[3 * k] = SpecialFunctions.sigmoid(logit - half);
            numbers[3 * k + 1] = p[k];
            numbers[3 * k + 2] = SpecialFunctions.sigmoid(logit + half);
        }
        return numbers;
    }
}
