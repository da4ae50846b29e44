package dev.tacit.accounting.exact.closed;

import dev.tacit.door.unit.PrivacyBudget;

/**
 * The exact (epsilon, delta) curve of several releases that are each epsilon₀-DP.
 *
 * <pre>
 *   delta(ε) = Σ_{i: ℓ_i &gt; ε} C(k, i) p^i (1 − p)^{k−i} (1 − e^{ε − ℓ_i})
 *   ℓ_i = (2i − k)·epsilon₀,   p = e^epsilon₀ / (1 + e^epsilon₀)
 * </pre>
 *
 * Kairouz, Oh, Viswanath 2015, Theorem 3.3: no bound that knows only epsilon₀ and k can be smaller. Summed from the far
 * tail inwards, all terms positive:
 *
 * <pre>
 *   E_i = P_i + e^{−2·epsilon₀} E_{i+1},    delta(ℓ_i − x) = delta(ℓ_i) + (1 − e^{−x}) E_i   for 0 ≤ x ≤ 2·epsilon₀
 * </pre>
 *
 * so the inverse needs one pass and a logarithm. The first term is a binomial probability by Loader's saddle-point
 * expansion (Loader 2000), the others follow by ratios; the relative rounding error is bounded by a multiple of the
 * number of terms and added. Beyond {@link #MOST_RELEASES} releases {@link #applies} is false and the caller composes
 * on a grid instead.
 */
public final class PureClosedForm {
    /** The most releases for which the sum is exact to about 1e-11. */
    public static final long MOST_RELEASES = 1L << 20;

    private static final double SMALLEST_DELTA = 1e-300;
    private static final double UNIT = Math.ulp(1.0);

    /** Terms smaller than this share of delta (as a logarithm) are not summed; a bound on them is added. */
    private static final double NEGLIGIBLE = -50;

    private PureClosedForm() {}

    /** Whether the sum can be evaluated. */
    public static boolean applies(double epsilonOfEach, long releases) {
        return releases >= 0 && releases <= MOST_RELEASES && epsilonOfEach >= 0 && epsilonOfEach < 1e200;
    }

    /** An epsilon that holds at this delta. */
    public static double epsilonUpper(double epsilonOfEach, long releases, double delta) {
        return epsilon(epsilonOfEach, releases, delta, true);
    }

    /** An epsilon below the smallest that holds at this delta for all such releases. */
    public static double epsilonLower(double epsilonOfEach, long releases, double delta) {
        return epsilon(epsilonOfEach, releases, delta, false);
    }

    /** A delta that holds at this epsilon. */
    public static double deltaUpper(double epsilonOfEach, long releases, double epsilon) {
        return delta(epsilonOfEach, releases, epsilon, true);
    }

    /** A delta below the smallest that holds at this epsilon for all such releases. */
    public static double deltaLower(double epsilonOfEach, long releases, double epsilon) {
        return delta(epsilonOfEach, releases, epsilon, false);
    }

    private static double epsilon(double each, long releases, double delta, boolean upper) {
        require(each, releases);
        PrivacyBudget.requireDelta(delta);
        double largest = each * releases * (1 + 2 * UNIT);
        if (each == 0 || releases == 0 || delta < SMALLEST_DELTA) {
            return upper ? largest : 0;
        }
        Scan scan = new Scan(each, releases, Math.log(delta), NEGLIGIBLE, upper);
        while (scan.loss() > 0) {
            double target = upper ? 1 / (1 + scan.slack()) : 1 / (1 - scan.slack());
            if (scan.deltaOneCellBelow() >= target) {
                double share = (target - scan.delta) / scan.weight;
                double x = share > 0 ? -Math.log1p(-share) : 0;
                double rounding = 4 * UNIT * (scan.loss() + x);
                double epsilon = scan.loss() - x + (upper ? rounding : -rounding);
                return Math.max(0, upper ? Math.min(largest, epsilon) : epsilon);
            }
            scan.next();
        }
        return 0;
    }

    private static double delta(double each, long releases, double epsilon, boolean upper) {
        require(each, releases);
        if (!(epsilon >= 0)) {
            throw new IllegalArgumentException("epsilon must be 0 or more");
        }
        if (epsilon > each * releases * (1 + 2 * UNIT) || each == 0 || releases == 0) {
            return 0;
        }
        long last = Math.min(releases, (long) Math.floor(0.5 * (releases + epsilon / each)) + 1);
        while (last > 0 && (2 * (last - 1) - releases) * each > epsilon) {
            last--;
        }
        long mode = (long) Math.floor((releases + 1) / (1 + Math.exp(-each)));
        double scale = logProbability(each, releases, Math.min(releases, Math.max(last, mode)));
        Scan scan = new Scan(each, releases, scale, 2 * NEGLIGIBLE, upper);
        while (scan.index > last) {
            scan.next();
        }
        double rounding = 4 * UNIT * scan.loss();
        double x = Math.max(0, scan.loss() - epsilon + (upper ? rounding : -rounding));
        double scaled = scan.delta - Math.expm1(-x) * scan.weight;
        double slack = scan.slack() + 4 * UNIT * Math.abs(scale);
        double delta = Math.exp(scale + Math.log(scaled)) * (upper ? 1 + slack : 1 - slack);
        return upper ? Math.min(1, delta + 8 * Double.MIN_VALUE) : Math.max(0, delta - 8 * Double.MIN_VALUE);
    }

    private static void require(double each, long releases) {
        if (!applies(each, releases)) {
            throw new IllegalArgumentException(
                    "the closed form is for 0 to " + MOST_RELEASES + " releases of finite epsilon");
        }
    }

    /** Walks the losses from the top; all quantities are multiplied by e^−scale. */
    private static final class Scan {
        private final double each;
        private final long releases;
        private final double decay;
        private final double anchorError;
        private long index;
        private long terms;
        private double probability;
        private double weight;
        private double delta;

        Scan(double each, long releases, double scale, double negligible, boolean upper) {
            this.each = each;
            this.releases = releases;
            this.decay = Math.exp(-each);
            this.index = top(each, releases, scale + negligible);
            double anchor = logProbability(each, releases, index);
            double spread = Math.abs(index - releases / (1 + decay));
            this.anchorError = UNIT * (128 + 8 * (Math.abs(anchor) + Math.abs(scale) + spread));
            this.probability = Math.exp(anchor - scale);
            this.weight = probability;
            this.delta = upper && index < releases ? Math.exp(negligible) : 0;
        }

        double loss() {
            return (2 * index - releases) * each;
        }

        double deltaOneCellBelow() {
            return delta - Math.expm1(-2 * each) * weight;
        }

        /** Bounds the relative error of delta and weight: four roundings per term. */
        double slack() {
            return anchorError + 4 * UNIT * terms;
        }

        void next() {
            delta = deltaOneCellBelow();
            probability *= (double) index / (releases - index + 1) * decay;
            index--;
            weight = probability + weight * decay * decay;
            terms++;
        }
    }

    /** The smallest index, at or above the mode, beyond which all probabilities together are below e^bound. */
    private static long top(double each, long releases, double bound) {
        long high = releases;
        if (each > 700) {
            return high;
        }
        long low = Math.min(releases, (long) Math.floor((releases + 1) / (1 + Math.exp(-each))));
        double single = bound - Math.log1p((double) releases);
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (logProbability(each, releases, middle) < single) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high;
    }

    /** log of C(n, i) p^i (1−p)^{n−i} by Loader's expansion. */
    static double logProbability(double each, long n, long i) {
        double odds = Math.exp(-each);
        if (i == n) {
            return -n * Math.log1p(odds);
        }
        if (i == 0) {
            return -n * (each + Math.log1p(odds));
        }
        double success = 1 / (1 + odds);
        double failure = odds / (1 + odds);
        double core = stirlingError(n)
                - stirlingError(i)
                - stirlingError(n - i)
                - deviance((double) i, n * success)
                - deviance((double) (n - i), n * failure);
        return core - 0.5 * (Math.log(2 * Math.PI) + Math.log((double) i) + Math.log1p(-(double) i / n));
    }

    /** log n! − log(√(2πn) (n/e)^n). */
    private static double stirlingError(long n) {
        if (n < 16) {
            double factorial = 1;
            for (long j = 2; j <= n; j++) {
                factorial *= j;
            }
            return Math.log(factorial) - (n + 0.5) * Math.log((double) n) + n - 0.5 * Math.log(2 * Math.PI);
        }
        double square = (double) n * n;
        return (1.0 / 12
                        - (1.0 / 360
                                        - (1.0 / 1260
                                                        - (1.0 / 1680 - (1.0 / 1188 - 691.0 / 360360 / square) / square)
                                                                / square)
                                                / square)
                                / square)
                / n;
    }

    /** x log(x/mean) + mean − x, without cancellation. */
    private static double deviance(double x, double mean) {
        double difference = x - mean;
        if (Math.abs(difference) < 0.1 * (x + mean)) {
            double v = difference / (x + mean);
            double sum = difference * v;
            double term = 2 * x * v;
            for (int j = 1; j < 1000; j++) {
                term *= v * v;
                double next = sum + term / (2 * j + 1);
                if (next == sum) {
                    break;
                }
                sum = next;
            }
            return sum;
        }
        return x * Math.log(x / mean) - difference;
    }
}
