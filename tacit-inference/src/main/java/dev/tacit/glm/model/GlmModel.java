package dev.tacit.glm.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.family.MultinomialLogit;
import dev.tacit.glm.family.SeveralPredictors;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A generalised linear model: a design in natural units, a family, a prior.
 *
 * @param targetLow declared lower bound of the target, if the family needs one
 * @param targetHigh declared upper bound
 */
public record GlmModel(GlmDesign design, GlmFamily family, double targetLow, double targetHigh, GlmPrior prior)
        implements PredictiveModel, Serializable {
    /** Columns and levels of groups together: what is solved are dense systems of this size. */
    private static final int MOST_COORDINATES = 600;

    public GlmModel {
        if (family.standardisesTarget()
                && !(targetLow < targetHigh && Double.isFinite(targetLow) && Double.isFinite(targetHigh))) {
            throw new IllegalArgumentException("the family " + family.name() + " needs declared bounds of the target");
        }
        family = family.within(targetLow, targetHigh);
        requireGroups(design);
        requirePredictors(design, family);
        if (design.rowsPerUnit() != 1) {
            throw new IllegalArgumentException(
                    "a private likelihood needs one record for each person: records of one person depend on each other, and"
                            + " nothing that is released says how much; keep one record of each, or sum them up in one"
                            + " (counts with an offset)");
        }
    }

    private static void requireGroups(GlmDesign design) {
        GroupLayout layout = new GroupLayout(design);
        if (layout.isEmpty()) {
            return;
        }
        if (layout.size() > MOST_COORDINATES) {
            throw new IllegalArgumentException("the formula has " + layout.columns + " columns and "
                    + (layout.size() - layout.columns) + " declared levels of groups, and together at most "
                    + MOST_COORDINATES + " are fitted; declare fewer levels, or other: true for the rest");
        }
        for (GroupEffects term : layout.terms) {
            boolean centred = layout.terms.stream()
                    .anyMatch(other -> other.slope() == 0 && other.name().equals(term.name()));
            if (!centred) {
                throw new IllegalArgumentException("slopes that differ between groups are fitted beside intercepts that"
                        + " do; write (" + term.slopeName() + " || " + term.name() + ")");
            }
        }
        long divided = java.util.Arrays.stream(layout.outer)
                .filter(outer -> outer >= 0)
                .distinct()
                .count();
        if (divided
                < java.util.Arrays.stream(layout.outer)
                        .filter(outer -> outer >= 0)
                        .count()) {
            throw new IllegalArgumentException(
                    "a grouping is divided by one other, as in (1 | g/h); not by two, as in g:h and g:k");
        }
    }

    private static void requirePredictors(GlmDesign design, GlmFamily family) {
        int predictors = family.predictors();
        if (!(family instanceof SeveralPredictors)) {
            return;
        }
        if (!design.groups().isEmpty()) {
            throw new IllegalArgumentException(
                    "effects of groups are not fitted for a response of unordered levels: every"
                            + " level would have its own; leave out (1 | g), or fit one level against all others as bernoulli");
        }
        if (design.offset().isPresent()) {
            throw new IllegalArgumentException(
                    "an offset is not fitted for a response of unordered levels: nothing says"
                            + " to which level it belongs; leave out offset()");
        }
        if (predictors * design.size() > MOST_COORDINATES) {
            throw new IllegalArgumentException("the formula has " + design.size() + " columns and the response "
                    + predictors + " levels beside its reference, which is " + predictors * design.size()
                    + " coefficients, and at most " + MOST_COORDINATES
                    + " are fitted; put levels together, or leave columns out");
        }
    }

    /** The names of the coefficients: those of the columns, for each linear predictor of the family. */
    public List<String> coefficientNames() {
        return family.coefficientNames(design.names());
    }

    /** How many coefficients and effects of groups there are. */
    public int coordinates() {
        return (family.predictors() - 1) * design.size() + new GroupLayout(design).size();
    }

    /** Columns, the logarithms of extra parameters, effects of groups, their standard deviations. */
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>(coefficientNames());
        family.extraNames().forEach(name -> names.add("log(" + name + ")"));
        for (GroupEffects term : design.groups()) {
            for (int level = 0; level < term.levels().size(); level++) {
                names.add(term.effectName(level));
            }
        }
        design.groups().forEach(term -> names.add(term.deviationName()));
        return names;
    }

    /** Where the effects of each group term begin. */
    private int[] firstEffects() {
        int[] first = new int[design.groups().size()];
        int next = design.size() + family.extraNames().size();
        for (int t = 0; t < first.length; t++) {
            first[t] = next;
            next += design.groups().get(t).levels().size();
        }
        return first;
    }

    /** The linear predictors of a row without groups and offset. */
    public double[] predictors(double[] parameters, double[] x) {
        int d = design.size();
        double[] eta = new double[family.predictors()];
        for (int k = 0; k < eta.length; k++) {
            for (int j = 0; j < d; j++) {
                eta[k] += x[j] * parameters[k * d + j];
            }
        }
        return eta;
    }

    /** The covariance of these. */
    public double[] predictorCovariance(GaussianPosterior posterior, double[] x) {
        int d = design.size();
        int q = family.predictors();
        int all = posterior.dimension();
        double[] covariance = posterior.covariance();
        double[] result = new double[q * q];
        for (int k = 0; k < q; k++) {
            for (int l = 0; l <= k; l++) {
                double sum = 0;
                for (int i = 0; i < d; i++) {
                    for (int j = 0; j < d; j++) {
                        sum += x[i] * x[j] * covariance[(k * d + i) * all + l * d + j];
                    }
                }
                result[k * q + l] = sum;
                result[l * q + k] = sum;
            }
        }
        return result;
    }

    private Predictor severalPredictors(GaussianPosterior posterior) {
        RowReader reader = new RowReader(design);
        double[] mean = posterior.mean();
        return (block, row) -> {
            reader.read(block, row);
            return family.predict(predictors(mean, reader.x), predictorCovariance(posterior, reader.x), new double[0]);
        };
    }

    @Override
    public Predictor predictor(Posterior posterior) {
        int d = design.size();
        Optional<GroupedPosterior> grouped =
                posterior instanceof GroupedPosterior value ? Optional.of(value) : Optional.empty();
        Posterior linear = grouped.isPresent() ? grouped.get().linear() : posterior;
        if (!(linear instanceof GaussianPosterior gaussian)
                || posterior.dimension() != parameterNames().size()
                || grouped.map(value -> value.deviations().size()).orElse(0)
                        != design.groups().size()) {
            throw new IllegalArgumentException("the posterior is not one of this regression");
        }
        if (family instanceof SeveralPredictors) {
            return severalPredictors(gaussian);
        }
        double[] mean = gaussian.mean();
        double[] covariance = gaussian.covariance();
        int all = gaussian.dimension();
        double[] extra = new double[family.extraNames().size()];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(mean[d + k]);
        }
        RowReader reader = new RowReader(design);
        int[] first = firstEffects();
        int[] places = new int[d + first.length];
        double[] values = new double[places.length];
        return (block, row) -> {
            reader.read(block, row);
            int used = d;
            double variance = 0;
            for (int j = 0; j < d; j++) {
                places[j] = j;
                values[j] = reader.x[j];
            }
            for (int t = 0; t < first.length; t++) {
                double value = reader.x[design.groups().get(t).slope()];
                if (reader.levels[t] >= 0) {
                    places[used] = first[t] + reader.levels[t];
                    values[used++] = value;
                } else {
                    GroupedPosterior.Deviation deviation =
                            grouped.orElseThrow().deviations().get(t);
                    double off = design.groups().get(t).slope() == 0 ? 1 : value - deviation.centre();
                    variance += off * off * deviation.meanSquare();
                }
            }
            double eta = reader.offset();
            for (int i = 0; i < used; i++) {
                eta += values[i] * mean[places[i]];
                double line = 0;
                for (int j = 0; j < used; j++) {
                    line += covariance[places[i] * all + places[j]] * values[j];
                }
                variance += values[i] * line;
            }
            return family.predict(eta, Math.max(0, variance), extra);
        };
    }

    /**
     * The mean of a row's target for given parameters, in the target's own units; of classes with an order, that of their
     * indices; of those without, the probability of another one than the reference; of times to an event, the probability that
     * it is seen.
     */
    public double expected(double[] parameters, RecordBlock block, int row) {
        RowReader reader = new RowReader(design);
        reader.read(block, row);
        if (family instanceof MultinomialLogit levels) {
            return 1 - levels.probabilities(predictors(parameters, reader.x))[levels.reference()];
        }
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
        if (family instanceof SeveralPredictors) {
            return family.simulate(predictors(parameters, reader.x), new double[0], random);
        }
        double eta = reader.offset();
        for (int j = 0; j < design.size(); j++) {
            eta += reader.x[j] * parameters[j];
        }
        int[] first = firstEffects();
        for (int t = 0; t < first.length; t++) {
            if (reader.levels[t] >= 0) {
                eta += reader.x[design.groups().get(t).slope()] * parameters[first[t] + reader.levels[t]];
            }
        }
        double[] extra = new double[family.extraNames().size()];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(parameters[design.size() + k]);
        }
        return family.simulate(eta, extra, random);
    }
}
