package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Checks;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A mixture of Gaussians on the line, Σ_k w_k N(m_k, v_k).
 *
 * @param weights positive; they are divided by their sum
 * @param means m_k
 * @param variances v_k
 */
public record ScalarGaussianMixture(double[] weights, double[] means, double[] variances) {
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    /** Checks and normalises. */
    public ScalarGaussianMixture {
        weights = Checks.positive(weights, weights.length, "weight");
        means = Checks.finite(means, weights.length, "mean");
        variances = Checks.positive(variances, weights.length, "variance");
        if (weights.length == 0) {
            throw new IllegalArgumentException("a mixture needs at least one component");
        }
        double sum = 0;
        for (double weight : weights) {
            sum += weight;
        }
        // weights that were divided before stay as they are, bit for bit
        if (Math.abs(sum - 1) > 1e-9) {
            for (int k = 0; k < weights.length; k++) {
                weights[k] /= sum;
            }
        }
    }

    /** How many components there are. */
    public int components() {
        return weights.length;
    }

    /** Σ w_k m_k. */
    public double mean() {
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            sum += weights[k] * means[k];
        }
        return sum;
    }

    /** Σ w_k (v_k + (m_k − mean)²). */
    public double variance() {
        double mean = mean();
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            double gap = means[k] - mean;
            sum += weights[k] * (variances[k] + gap * gap);
        }
        return sum;
    }

    /** The probability of a number below x. */
    public double cdf(double x) {
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            sum += weights[k] * SpecialFunctions.normalCdf((x - means[k]) / Math.sqrt(variances[k]));
        }
        return sum;
    }

    /** The probability of a number above x, without cancellation. */
    private double upperTail(double x) {
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            sum += weights[k] * SpecialFunctions.normalCdf((means[k] - x) / Math.sqrt(variances[k]));
        }
        return sum;
    }

    /**
     * The number that a draw is below with this probability: Newton steps between the quantiles of the components, each kept inside the
     * bracket that the signs so far leave, with a bisection wherever a step would leave it or the bracket does not halve.
     */
    public double quantile(double probability) {
        Checks.probability(probability);
        double z = SpecialFunctions.normalQuantile(probability);
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < weights.length; k++) {
            double own = means[k] + z * Math.sqrt(variances[k]);
            low = Math.min(low, own);
            high = Math.max(high, own);
        }
        double at = 0.5 * (low + high);
        double lastMove = high - low;
        while (at > low && at < high) {
            // the smaller tail, so that nothing cancels
            double excess = probability <= 0.5 ? cdf(at) - probability : (1 - probability) - upperTail(at);
            if (excess == 0) {
                return at;
            }
            if (excess < 0) {
                low = at;
            } else {
                high = at;
            }
            double next = at - excess / density(at);
            boolean newton = next > low && next < high && Math.abs(next - at) <= 0.5 * lastMove;
            if (!newton) {
                next = 0.5 * (low + high);
            }
            lastMove = Math.abs(next - at);
            if (lastMove <= 2 * Math.ulp(at)) {
                return next;
            }
            at = next;
        }
        return high;
    }

    private double density(double x) {
        double sum = 0;
        for (int k = 0; k < weights.length; k++) {
            double deviation = Math.sqrt(variances[k]);
            sum += weights[k] * SpecialFunctions.normalDensity((x - means[k]) / deviation) / deviation;
        }
        return sum;
    }

    /** The logarithm of the density. */
    public double logDensity(double x) {
        double[] terms = new double[weights.length];
        for (int k = 0; k < terms.length; k++) {
            double gap = x - means[k];
            terms[k] =
                    Math.log(weights[k]) - 0.5 * (Math.log(variances[k]) + gap * gap / variances[k]) - HALF_LOG_TWO_PI;
        }
        return SpecialFunctions.logSumExp(terms, terms.length);
    }

    /** One draw. */
    public double sample(RandomStream random) {
        double u = random.uniform();
        int k = 0;
        for (; k < weights.length - 1; k++) {
            u -= weights[k];
            if (u < 0) {
                break;
            }
        }
        return means[k] + Math.sqrt(variances[k]) * random.normal();
    }

    /**
     * The continuous ranked probability score at y, E|X − y| − ½ E|X − X′|, in closed form.
     *
     * <pre>
     *   Σ_k w_k A(y − m_k, v_k) − ½ Σ_kl w_k w_l A(m_k − m_l, v_k + v_l),   A(d, v) = d (2Φ(d/√v) − 1) + 2 √v φ(d/√v)
     * </pre>
     *
     * Grimit, Gneiting, Berrocal, Johnson 2006, equation 5.
     */
    public double crps(double y) {
        double distance = 0;
        double spread = 0;
        for (int k = 0; k < weights.length; k++) {
            distance += weights[k] * absolute(y - means[k], variances[k]);
            spread += 0.5 * weights[k] * weights[k] * absolute(0, 2 * variances[k]);
            for (int l = 0; l < k; l++) {
                spread += weights[k] * weights[l] * absolute(means[k] - means[l], variances[k] + variances[l]);
            }
        }
        return distance - spread;
    }

    /** E|N(d, v)|. */
    private static double absolute(double d, double v) {
        double deviation = Math.sqrt(v);
        double z = d / deviation;
        return d * (2 * SpecialFunctions.normalCdf(z) - 1) + 2 * deviation * SpecialFunctions.normalDensity(z);
    }

    /**
     * A smaller mixture with the same mean and variance: components whose variances differ by a factor below
     * e^tolerance and whose means differ by less than tolerance standard deviations are merged, and weights below 10⁻¹³
     * are dropped.
     */
    public ScalarGaussianMixture reduced(double tolerance) {
        Map<Long, double[]> cells = new LinkedHashMap<>();
        for (int k = 0; k < weights.length; k++) {
            if (weights[k] > 1e-13) {
                long row = (long) Math.floor(Math.log(variances[k]) / tolerance);
                long column = (long) Math.floor(means[k] / (tolerance * Math.exp(0.5 * row * tolerance)));
                double[] sums = cells.computeIfAbsent(row << 40 ^ column, key -> new double[4]);
                // means are summed around the first one of the cell
                double gap = sums[0] == 0 ? 0 : means[k] - sums[3];
                sums[3] = sums[0] == 0 ? means[k] : sums[3];
                sums[0] += weights[k];
                sums[1] += weights[k] * gap;
                sums[2] += weights[k] * (variances[k] + gap * gap);
            }
        }
        double[] newWeights = new double[cells.size()];
        double[] newMeans = new double[cells.size()];
        double[] newVariances = new double[cells.size()];
        int at = 0;
        for (double[] sums : cells.values()) {
            double shift = sums[1] / sums[0];
            newWeights[at] = sums[0];
            newMeans[at] = sums[3] + shift;
            newVariances[at++] = sums[2] / sums[0] - shift * shift;
        }
        return new ScalarGaussianMixture(newWeights, newMeans, newVariances);
    }
}
