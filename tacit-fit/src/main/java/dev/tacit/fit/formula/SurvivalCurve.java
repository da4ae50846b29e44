package dev.tacit.fit.formula;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.text.Rounded;
import dev.tacit.glm.family.PiecewiseExponential;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The probability that a record has had no event by given times, with its interval.
 *
 * <pre>
 *   log Λ(t) = η + log Σ_j b_j d_j(t) − mean log b,   d_j the time in interval j before t;   S(t) = exp(−Λ(t))
 *   its variance by the gradient: x for the coefficients, (b_k d_k/Σ b d) − 1/J for log b_k
 * </pre>
 */
public final class SurvivalCurve {
    private final PiecewiseExponential family;
    private final double[] mean;
    private final double[] covariance;
    private final int columns;
    private final boolean hasOffset;
    private final double reach;
    private final double[] times;

    private SurvivalCurve(
            GlmModel model, PiecewiseExponential family, GaussianPosterior posterior, double[] times, double level) {
        this.family = family;
        this.mean = posterior.mean();
        this.covariance = posterior.covariance();
        this.columns = model.design().size();
        this.hasOffset = model.design().offset().isPresent();
        this.reach = -SpecialFunctions.normalQuantile((1 - level) / 2);
        this.times = times;
    }

    private static Optional<PiecewiseExponential> family(StoredPosterior fitted) {
        boolean survival = Family.ofModel(fitted.model()).equals(Optional.of(Family.PIECEWISE_EXPONENTIAL));
        return survival
                        && fitted.use() instanceof GlmModel model
                        && model.family() instanceof PiecewiseExponential found
                ? Optional.of(found)
                : Optional.empty();
    }

    /** The ends of the intervals of a fit's baseline; empty for other fits. */
    static double[] ends(StoredPosterior fitted) {
        return family(fitted).map(PiecewiseExponential::ends).orElseGet(() -> new double[0]);
    }

    /**
     * For a fit of times to an event; empty for others.
     *
     * @param at times; empty for the ends of the intervals
     */
    public static Optional<SurvivalCurve> of(StoredPosterior fitted, List<Double> at, double level) {
        if (family(fitted).isEmpty() || !(fitted.posterior() instanceof GaussianPosterior posterior)) {
            if (!at.isEmpty()) {
                throw FitException.usage(
                        "--at asks for survival at a time, which only fits of Surv() have; leave it out.");
            }
            return Optional.empty();
        }
        PiecewiseExponential family = family(fitted).get();
        double[] ends = family.ends();
        double last = ends[ends.length - 1];
        if (!at.stream().allMatch(time -> time > 0 && time <= last)) {
            throw FitException.usage(
                    "--at takes times above 0 and at most " + Rounded.brief(last) + ", separated by commas.");
        }
        double[] times = at.isEmpty()
                ? ends
                : at.stream().mapToDouble(Double::doubleValue).toArray();
        return Optional.of(new SurvivalCurve((GlmModel) fitted.use(), family, posterior, times, level));
    }

    /** Three columns for each time. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (double time : times) {
            for (String what : List.of("survival", "lower", "upper")) {
                names.add(what + "_" + Rounded.brief(time));
            }
        }
        return names;
    }

    /** Survival at each time and the ends of its interval. */
    public double[] of(RecordBlock block, int record) {
        double[] row = new double[block.columns()];
        Rows.addTo(block, record, 1, row, 0);
        double[] numbers = new double[3 * times.length];
        int parameters = mean.length;
        for (int k = 0; k < times.length; k++) {
            double[] gradient = new double[parameters];
            double log = (hasOffset ? row[row.length - 1] : 0) + logBaseline(times[k], gradient);
            for (int j = 0; j < columns; j++) {
                gradient[j] = row[j];
                log += row[j] * mean[j];
            }
            double variance = 0;
            for (int i = 0; i < parameters; i++) {
                for (int j = 0; j < parameters && gradient[i] != 0; j++) {
                    variance += gradient[i] * gradient[j] * covariance[i * parameters + j];
                }
            }
            double half = reach * Math.sqrt(Math.max(0, variance));
            numbers[3 * k] = Math.exp(-Math.exp(log));
            numbers[3 * k + 1] = Math.exp(-Math.exp(log + half));
            numbers[3 * k + 2] = Math.exp(-Math.exp(log - half));
        }
        return numbers;
    }

    private double logBaseline(double time, double[] gradient) {
        double[] ends = family.ends();
        double[] parts = new double[ends.length];
        double sum = 0;
        double logs = 0;
        for (int j = 0; j < ends.length; j++) {
            double log = j == 0 ? 0 : mean[columns + j - 1];
            double start = j == 0 ? 0 : ends[j - 1];
            parts[j] = Math.exp(log) * Math.max(0, Math.min(time, ends[j]) - start);
            sum += parts[j];
            logs += log / ends.length;
        }
        for (int j = 1; j < ends.length; j++) {
            gradient[columns + j - 1] = parts[j] / sum - 1.0 / ends.length;
        }
        return Math.log(sum) - logs;
    }
}
