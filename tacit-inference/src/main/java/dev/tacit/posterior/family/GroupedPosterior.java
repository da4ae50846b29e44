package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Effects of groups and the standard deviations that they are drawn with: effects are Gaussian, deviations have their own
 * distributions on a grid, and a Gaussian copula holds them together.
 *
 * <pre>
 *   (θ, s_1 … s_K) ~ N(μ, Σ),  s_k standard normal each;      sd_k = F_k⁻¹(Φ(s_k))
 *   F_k    log sd uniform in each cell of an even logarithmic grid, cells with given weights
 * </pre>
 *
 * Coordinates are θ, then the deviations. θ are coefficients, then the effects of groups, term after term.
 */
public final class GroupedPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "grouped-gaussian";

    private static final double LEAST_WEIGHT = 1e-12;

    /**
     * The standard deviation of one term's effects.
     *
     * @param firstEffect the coordinate of the first group's effect
     * @param centre where deviations of intercepts and slopes are independent: of the number that slopes are of; 0 for
     *     intercepts
     * @param values grid, ascending, with a constant ratio
     * @param weights of its cells
     */
    public record Deviation(int firstEffect, double centre, double[] values, double[] weights) {
        public Deviation {
            values = Checks.positive(values, values.length, "grid");
            weights = Checks.finite(weights, values.length, "weight");
            if (values.length < 2 || firstEffect < 0 || !Double.isFinite(centre)) {
                throw new IllegalArgumentException("a standard deviation of groups needs a grid and a place");
            }
            double sum = 0;
            for (int k = 0; k < weights.length; k++) {
                if (weights[k] < 0 || (k > 0 && !(values[k] > values[k - 1]))) {
                    throw new IllegalArgumentException("a grid ascends and has weights that are not negative");
                }
                sum += weights[k];
            }
            if (!(sum > 0)) {
                throw new IllegalArgumentException("the weights of a grid are not all zero");
            }
            // weights that were divided before stay as they are, bit for bit
            if (Math.abs(sum - 1) > 1e-9) {
                for (int k = 0; k < weights.length; k++) {
                    weights[k] /= sum;
                }
            }
        }

        private double logStep() {
            return Math.log(values[1] / values[0]);
        }

        /** E sd^p. */
        double moment(int p) {
            double half = p * logStep() / 2;
            double sum = 0;
            for (int k = 0; k < values.length; k++) {
                sum += weights[k] * Math.pow(values[k], p);
            }
            return sum * Math.sinh(half) / half;
        }

        /** E sd², the variance of a new group's effect. */
        public double meanSquare() {
            return moment(2);
        }

        double quantile(double probability) {
            double below = 0;
            int last = values.length - 1;
            while (last > 0 && !(weights[last] > LEAST_WEIGHT)) {
                last--;
            }
            for (int k = 0; k <= last; k++) {
                if (weights[k] > LEAST_WEIGHT && (probability <= below + weights[k] || k == last)) {
                    double share = Math.max(0, Math.min(1, (probability - below) / weights[k]));
                    return values[k] * Math.exp((share - 0.5) * logStep());
                }
                below += weights[k];
            }
            throw new AssertionError("unreachable");
        }

        /** P(sd ≤ value). */
        double probability(double value) {
            double sum = 0;
            for (int k = 0; k < values.length; k++) {
                double share = Math.log(value / values[k]) / logStep() + 0.5;
                sum += weights[k] * Math.max(0, Math.min(1, share));
            }
            return sum;
        }

        double logDensity(double value) {
            for (int k = 0; k < values.length; k++) {
                double share = Math.log(value / values[k]) / logStep() + 0.5;
                if (share >= 0 && share <= 1) {
                    return Math.log(weights[k] / logStep() / value);
                }
            }
            return Double.NEGATIVE_INFINITY;
        }

        /** The score of the middle of each cell. */
        public double[] scores() {
            double[] scores = new double[values.length];
            double below = 0;
            for (int k = 0; k < scores.length; k++) {
                double middle = Math.max(1e-9, Math.min(1 - 1e-9, below + weights[k] / 2));
                scores[k] = SpecialFunctions.normalQuantile(middle);
                below += weights[k];
            }
            return scores;
        }
    }

    private final GaussianPosterior scores;
    private final List<Deviation> deviations;

    /**
     * From a Gaussian of effects and scores.
     *
     * @param scores names of all coordinates; the last ones are the scores of the deviations
     */
    public GroupedPosterior(GaussianPosterior scores, List<Deviation> deviations) {
        this.scores = scores;
        this.deviations = List.copyOf(deviations);
        for (Deviation deviation : deviations) {
            if (deviation.firstEffect >= effects()) {
                throw new IllegalArgumentException("the effects of a group term stand before its standard deviation");
            }
        }
        if (deviations.isEmpty() || effects() < 1) {
            throw new IllegalArgumentException("a posterior with groups has effects and standard deviations");
        }
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return scores.parameterNames();
    }

    /** How many coordinates are not standard deviations: those come first. */
    public int effects() {
        return scores.dimension() - deviations.size();
    }

    /** The standard deviations, in the order of their coordinates. */
    public List<Deviation> deviations() {
        return deviations;
    }

    /** Effects, and in place of deviations their normal scores: for sums of effects. */
    public GaussianPosterior linear() {
        return scores;
    }

    /**
     * The same around the same means and medians, wider by a factor for each coordinate; deviations on their logarithmic
     * scale.
     */
    public GroupedPosterior stretched(double[] factors) {
        int n = dimension();
        double[] covariance = scores.covariance();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                covariance[i * n + j] *= (i < effects() ? factors[i] : 1) * (j < effects() ? factors[j] : 1);
            }
        }
        List<Deviation> wider = new ArrayList<>();
        for (int k = 0; k < deviations.size(); k++) {
            Deviation deviation = deviations.get(k);
            double median = deviation.quantile(0.5);
            double[] values = deviation.values.clone();
            for (int i = 0; i < values.length; i++) {
                values[i] = median * Math.pow(values[i] / median, factors[effects() + k]);
            }
            wider.add(new Deviation(deviation.firstEffect, deviation.centre, values, deviation.weights));
        }
        return new GroupedPosterior(new GaussianPosterior(parameterNames(), scores.mean(), covariance), wider);
    }

    @Override
    public double[] mean() {
        double[] mean = scores.mean();
        for (int k = 0; k < deviations.size(); k++) {
            mean[effects() + k] = deviations.get(k).moment(1);
        }
        return mean;
    }

    @Override
    public double[] standardDeviation() {
        double[] found = scores.standardDeviation();
        for (int k = 0; k < deviations.size(); k++) {
            double mean = deviations.get(k).moment(1);
            found[effects() + k] = Math.sqrt(Math.max(0, deviations.get(k).moment(2) - mean * mean));
        }
        return found;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.probability(probability);
        Checks.coordinate(coordinate, dimension());
        return coordinate < effects()
                ? scores.quantile(coordinate, probability)
                : deviations.get(coordinate - effects()).quantile(probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        scores.sample(random, draw);
        for (int k = 0; k < deviations.size(); k++) {
            double score = draw[effects() + k];
            draw[effects() + k] = deviations.get(k).quantile(SpecialFunctions.normalCdf(score));
        }
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, dimension(), "point");
        double[] moved = point.clone();
        double sum = 0;
        for (int k = 0; k < deviations.size(); k++) {
            double value = point[effects() + k];
            double density = value > 0 ? deviations.get(k).logDensity(value) : Double.NEGATIVE_INFINITY;
            if (density == Double.NEGATIVE_INFINITY) {
                return density;
            }
            double below =
                    Math.max(1e-300, Math.min(1 - 1e-16, deviations.get(k).probability(value)));
            double score = SpecialFunctions.normalQuantile(below);
            moved[effects() + k] = score;
            sum += density + 0.5 * score * score + 0.5 * Math.log(2 * Math.PI);
        }
        return sum + scores.logDensity(moved);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("mean", PosteriorFields.list(scores.mean()));
        json.put("covarianceLower", PosteriorFields.list(PosteriorFields.lower(dimension(), scores.covariance())));
        List<Object> list = new ArrayList<>();
        for (Deviation deviation : deviations) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("firstEffect", deviation.firstEffect);
            one.put("centre", deviation.centre);
            one.put("values", PosteriorFields.list(deviation.values));
            one.put("weights", PosteriorFields.list(deviation.weights));
            list.add(one);
        }
        json.put("deviations", list);
        return json;
    }
}
