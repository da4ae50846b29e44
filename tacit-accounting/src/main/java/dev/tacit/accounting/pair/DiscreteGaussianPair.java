package dev.tacit.accounting.pair;

import dev.tacit.accounting.numerics.NormalInterval;
import dev.tacit.accounting.numerics.NormalInterval.Point;
import java.util.OptionalDouble;

/**
 * Two discrete Gaussian distributions at an integer distance.
 *
 * <pre>
 *   Q(x) = f(x)/Z,   P(x) = f(x − shift)/Z,   f(x) = exp(−x²/(2s²)),   Z = Σ f
 *   L(x) = (2x − shift)·h,   h = shift/(2s²)
 * </pre>
 *
 * Canonne, Kamath, Steinke 2020, Section 2.1. Up to s = 2000 masses are sums of exact terms, tabulated on first use
 * from the far tail inwards. Beyond, they are normal probabilities with the first three Euler-Maclaurin corrections of
 * the midpoint rule; at s ≥ 2000 and within 39 standard deviations the next correction is below 1e-19 of the mass, and
 * Z differs from s√(2π) by less than exp(−2π²s²).
 */
public final class DiscreteGaussianPair implements DominatingPair {
    private static final double LARGEST_TABLE = 2000;
    private static final double FARTHEST = 38.7;
    private static final long SUMMED_DIRECTLY = 256;

    private final double noiseMultiplier;
    private final int shift;
    private final double halfSpacing;
    private final long farthest;

    /**
     * f(x) and Σ_{y ≥ x} f(y) for x = 0, 1, ...; written once by whichever thread comes first, always with the same
     * values.
     */
    private volatile Tables tables;

    private static final class Tables {
        private final double[] terms;
        private final double[] tails;

        Tables(double[] terms, double[] tails) {
            this.terms = terms;
            this.tails = tails;
        }
    }

    /**
     * The pair at a distance.
     *
     * @param noiseMultiplier the parameter s of the noise
     * @param shift how far the integer moves
     */
    public DiscreteGaussianPair(double noiseMultiplier, int shift) {
        if (!(noiseMultiplier > 0) || !(noiseMultiplier <= 1e12) || shift < 1) {
            throw new IllegalArgumentException(
                    "a discrete Gaussian pair has a noise multiplier up to 1e12 and a shift of at least 1");
        }
        this.noiseMultiplier = noiseMultiplier;
        this.shift = shift;
        this.halfSpacing = 0.5 * shift / noiseMultiplier / noiseMultiplier;
        this.farthest = (long) Math.ceil(FARTHEST * noiseMultiplier) + 2;
    }

    @Override
    public double massOfP(double lowerLoss, double upperLoss) {
        return mass(firstAbove(lowerLoss) - shift, firstAbove(upperLoss) - 1 - shift);
    }

    @Override
    public double massOfQ(double lowerLoss, double upperLoss) {
        return mass(firstAbove(lowerLoss), firstAbove(upperLoss) - 1);
    }

    /** The smallest integer whose loss is above this, kept within reach. */
    private long firstAbove(double loss) {
        long limit = farthest + 2L * shift + 2;
        double estimate = Math.floor(0.5 * (loss / halfSpacing + shift));
        long x = (long) Math.max((double) -limit, Math.min((double) limit, estimate));
        while (x > -limit && (2 * (x - 1) - shift) * halfSpacing > loss) {
            x--;
        }
        while (x < limit && (2 * x - shift) * halfSpacing <= loss) {
            x++;
        }
        return x;
    }

    /** The probability of the integers from first to last, inclusive. */
    private double mass(long first, long last) {
        long from = Math.max(first, -farthest);
        long to = Math.min(last, farthest);
        if (from > to) {
            return 0;
        }
        return noiseMultiplier <= LARGEST_TABLE ? tabulated(from, to) : corrected(from, to);
    }

    private double tabulated(long from, long to) {
        Tables sums = tables();
        double total = sums.tails[0] + sums.tails[1];
        if (to - from < SUMMED_DIRECTLY) {
            double sum = 0;
            double lost = 0;
            for (long x = from; x <= to; x++) {
                double term = sums.terms[(int) Math.abs(x)] - lost;
                double next = sum + term;
                lost = (next - sum) - term;
                sum = next;
            }
            return sum / total;
        }
        if (from > 0) {
            return (sums.tails[(int) from] - sums.tails[(int) to + 1]) / total;
        }
        if (to < 0) {
            return (sums.tails[(int) -to] - sums.tails[(int) -from + 1]) / total;
        }
        return (total - sums.tails[(int) -from + 1] - sums.tails[(int) to + 1]) / total;
    }

    private Tables tables() {
        Tables known = tables;
        if (known == null) {
            int size = (int) farthest + 2;
            double[] terms = new double[size];
            double[] tails = new double[size];
            double variance = noiseMultiplier * noiseMultiplier;
            double varianceRest = Math.fma(noiseMultiplier, noiseMultiplier, -variance);
            double sum = 0;
            double lost = 0;
            for (int x = size - 2; x >= 0; x--) {
                double square = 0.5 * x * x;
                double exponent = square / variance;
                double rest = Math.fma(-exponent, variance, square) / variance - exponent * (varianceRest / variance);
                terms[x] = Math.exp(-exponent) * (1 - rest);
                double term = terms[x] - lost;
                double next = sum + term;
                lost = (next - sum) - term;
                sum = next;
                tails[x] = sum;
            }
            known = new Tables(terms, tails);
            tables = known;
        }
        return known;
    }

    private double corrected(long from, long to) {
        Point lower = Point.quotientPlus(from - 0.5, noiseMultiplier, 0);
        Point upper = Point.quotientPlus(to + 0.5, noiseMultiplier, 0);
        return NormalInterval.between(lower, upper) + correction(upper) - correction(lower);
    }

    /** −f'/24 + 7f'''/5760 − 31f⁽⁵⁾/967680, over Z. */
    private double correction(Point point) {
        double t = point.value();
        double square = t * t;
        double step = 1 / noiseMultiplier / noiseMultiplier;
        double first = t / 24;
        double third = 7 * t * (3 - square) / 5760;
        double fifth = 31 * t * (square * (square - 10) + 15) / 967680;
        return NormalInterval.density(point) * step * (first + step * (third + step * fifth));
    }

    @Override
    public double lossInfimum() {
        return Double.NEGATIVE_INFINITY;
    }

    @Override
    public double lossSupremum() {
        return Double.POSITIVE_INFINITY;
    }

    @Override
    public boolean symmetric() {
        return true;
    }

    @Override
    public OptionalDouble lossLattice() {
        return OptionalDouble.of(shift % 2 == 0 ? 2 * halfSpacing : halfSpacing);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DiscreteGaussianPair pair
                && pair.noiseMultiplier == noiseMultiplier
                && pair.shift == shift;
    }

    @Override
    public int hashCode() {
        return 31 * Double.hashCode(noiseMultiplier) + shift;
    }

    @Override
    public String toString() {
        return "DiscreteGaussianPair[noiseMultiplier=" + noiseMultiplier + ", shift=" + shift + "]";
    }
}
