package dev.tacit.posterior.family;

import dev.tacit.json.PackedNumbers;
import dev.tacit.numerics.Quantiles;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.AbstractList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Several distributions over the same categories, such as topics over words, each a vector of Gamma numbers divided by
 * their sum:
 *
 * <pre>
 *   g_ki ~ Gamma(shape a_ki, rate b_ki) independent,   x_ki = g_ki / Σ_j g_kj
 *   density of x_k: Γ(A) / Π Γ(a_i) · Π b_i^(a_i) x_i^(a_i − 1) · (Σ b_i x_i)^(−A),   A = Σ a_i
 * </pre>
 *
 * Equal rates within a group are a Dirichlet distribution with concentration a_k. Unequal ones let some categories be
 * less certain than their counts say, as after privacy noise: a count of mean m and variance m + v, v from the noise, has
 * a = m² / (m + v) and b = m / (m + v). (The scaled Dirichlet distribution, Aitchison 1986.)
 *
 * <p>Means, standard deviations and quantiles are exact for equal rates. Otherwise they are those of a Beta distribution
 * with mean E g / E Σ g and the variance that follows from it to first order.
 */
public final class ScaledDirichletPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "scaled-dirichlet";

    private static final double ON_THE_SIMPLEX = 1e-9;
    private static final double LEAST_CONCENTRATION = 1e-3;

    private final List<String> groups;
    private final List<String> categories;
    private final double[] shape;
    private final double[] rate;

    /** E Σ_i g_ki for each group, and the variance of that sum. */
    private final double[] totals;

    private final double[] totalVariances;

    /**
     * From the Gamma numbers.
     *
     * @param shape group after group
     * @param rate group after group
     */
    public ScaledDirichletPosterior(List<String> groups, List<String> categories, double[] shape, double[] rate) {
        this.groups = Checks.names(groups);
        this.categories = Checks.names(categories);
        if (groups.isEmpty() || categories.size() < 2) {
            throw new IllegalArgumentException("a scaled Dirichlet posterior needs a group and two categories");
        }
        int dimension = Math.multiplyExact(groups.size(), categories.size());
        this.shape = Checks.positive(shape, dimension, "shape");
        this.rate = Checks.positive(rate, dimension, "rate");
        this.totals = new double[groups.size()];
        this.totalVariances = new double[groups.size()];
        for (int i = 0; i < dimension; i++) {
            totals[i / categories.size()] += shape[i] / rate[i];
            totalVariances[i / categories.size()] += shape[i] / (rate[i] * rate[i]);
        }
        for (double total : totals) {
            Checks.positive(total, "sum of a group");
        }
    }

    /** Dirichlet distributions: all rates are 1. */
    public static ScaledDirichletPosterior dirichlets(
            List<String> groups, List<String> categories, double[] concentration) {
        double[] ones = new double[concentration.length];
        java.util.Arrays.fill(ones, 1);
        return new ScaledDirichletPosterior(groups, categories, concentration, ones);
    }

    @Override
    public String family() {
        return FAMILY;
    }

    /** What the distributions are called. */
    public List<String> groups() {
        return groups;
    }

    /** What they are distributions over. */
    public List<String> categories() {
        return categories;
    }

    /** {@code group.category}, group after group. */
    @Override
    public List<String> parameterNames() {
        return new Names(groups, categories);
    }

    /** Names made when they are asked for: there can be hundreds of thousands. */
    private static final class Names extends AbstractList<String> {
        private final List<String> groups;
        private final List<String> categories;

        Names(List<String> groups, List<String> categories) {
            this.groups = groups;
            this.categories = categories;
        }

        @Override
        public String get(int index) {
            return groups.get(index / categories.size()) + "." + categories.get(index % categories.size());
        }

        @Override
        public int size() {
            return groups.size() * categories.size();
        }
    }

    /** E g_ki: the count that a category has, group after group. */
    public double[] counts() {
        double[] counts = shape.clone();
        for (int i = 0; i < counts.length; i++) {
            counts[i] /= rate[i];
        }
        return counts;
    }

    /** E Σ_i g_ki: the count that a group has. */
    public double[] groupCounts() {
        return totals.clone();
    }

    /** E log x_ki; exact for equal rates, otherwise with the sum of a group as one Gamma number of the same moments. */
    public double[] meanLogarithm() {
        double[] means = shape.clone();
        SpecialFunctions.digamma(means, means, means.length);
        for (int k = 0; k < groups.size(); k++) {
            double rateOfTotal = totals[k] / totalVariances[k];
            double ofTotal = SpecialFunctions.digamma(totals[k] * rateOfTotal) - Math.log(rateOfTotal);
            for (int i = k * categories.size(); i < (k + 1) * categories.size(); i++) {
                means[i] -= (rate[i] == 1 ? 0 : Math.log(rate[i])) + ofTotal;
            }
        }
        return means;
    }

    private double mean(int coordinate) {
        return shape[coordinate] / rate[coordinate] / totals[coordinate / categories.size()];
    }

    private double variance(int coordinate) {
        int group = coordinate / categories.size();
        double mean = mean(coordinate);
        double own = shape[coordinate] / (rate[coordinate] * rate[coordinate]);
        double others = totalVariances[group] - own;
        double square = totals[group] * totals[group];
        return ((1 - mean) * (1 - mean) * own + mean * mean * others) / (square + totalVariances[group]);
    }

    @Override
    public double[] mean() {
        double[] means = new double[shape.length];
        for (int i = 0; i < means.length; i++) {
            means[i] = mean(i);
        }
        return means;
    }

    @Override
    public double[] standardDeviation() {
        double[] deviations = new double[shape.length];
        for (int i = 0; i < deviations.length; i++) {
            deviations[i] = Math.sqrt(variance(i));
        }
        return deviations;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, shape.length);
        double mean = mean(coordinate);
        // first-order variances can exceed what any number between 0 and 1 has
        double concentration = Math.max(LEAST_CONCENTRATION, mean * (1 - mean) / variance(coordinate) - 1);
        return Quantiles.beta(mean * concentration, (1 - mean) * concentration, probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, shape.length, "draw");
        double[] group = new double[categories.size()];
        for (int start = 0; start < draw.length; start += group.length) {
            for (int i = 0; i < group.length; i++) {
                group[i] = random.logGamma(shape[start + i]) - Math.log(rate[start + i]);
            }
            SpecialFunctions.softmax(group, group, group.length);
            System.arraycopy(group, 0, draw, start, group.length);
        }
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, shape.length, "point");
        double result = 0;
        for (int start = 0; start < shape.length; start += categories.size()) {
            double sum = 0;
            double weighted = 0;
            double total = 0;
            for (int i = start; i < start + categories.size(); i++) {
                if (Double.isNaN(point[i])) {
                    return Double.NaN;
                }
                if (!(point[i] > 0)) {
                    return Double.NEGATIVE_INFINITY;
                }
                sum += point[i];
                weighted += rate[i] * point[i];
                total += shape[i];
                result += (shape[i] - 1) * Math.log(point[i])
                        + shape[i] * Math.log(rate[i])
                        - SpecialFunctions.logGamma(shape[i]);
            }
            if (Math.abs(sum - 1) > ON_THE_SIMPLEX) {
                return Double.NEGATIVE_INFINITY;
            }
            result += SpecialFunctions.logGamma(total) - total * Math.log(weighted);
        }
        return result;
    }

    /** With the names of groups and categories in place of those of all coordinates, and packed numbers. */
    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("family", FAMILY);
        json.put("groups", groups);
        json.put("categories", categories);
        json.put("shape", PackedNumbers.write(shape));
        json.put("rate", PackedNumbers.write(rate));
        return json;
    }
}
