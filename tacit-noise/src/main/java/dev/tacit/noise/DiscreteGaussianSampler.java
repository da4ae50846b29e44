package dev.tacit.noise;

import dev.tacit.door.noise.RandomBits;
import java.math.BigInteger;

/**
 * The discrete Gaussian on the integers, sampled exactly.
 *
 * <pre>
 *   P(k) = ρ(k) / Σ_j ρ(j),   ρ(k) = exp(−k² / 2σ²),   σ the exact rational value of the double standardDeviation
 * </pre>
 *
 * Canonne, Kamath, Steinke 2020, Definition 1, for the law. Differs from their Algorithm 3, which is the oracle of the
 * tests, to be some hundred times faster: rejection from a staircase above ρ, as in the ziggurat of Marsaglia and Tsang
 * 2000 but with columns of whole numbers.
 *
 * <p><b>Method.</b> The numbers 0, 1, 2, … are cut into columns of w = 2^j numbers, w ≤ max(1, σ/32). Column b has an
 * integer weight W_b ≥ S ρ(bw), S an integer; a last column with weight W_T stands for all numbers from K = Bw on. An
 * integer u is drawn uniformly below 2^62 and rejected unless it is below the sum of weights. It selects a column and,
 * by what is left of it, a height: y uniform on 0 … W_b − 1. A number k is drawn uniformly from the column, a fraction
 * f uniformly on [0, 1), and k is accepted if y + f &lt; S ρ(k). A fair coin gives the sign; −0 is rejected.
 *
 * <p><b>Exactness.</b> Given a column, k is proposed with probability 1/w and y + f is uniform on [0, W_b), so each k
 * in the columns is proposed and accepted with probability (W_b/2^62)(1/w)(S ρ(k)/W_b) = S ρ(k)/(2^62 w). In the last
 * column, t is geometric, P(t) = 2^−(t+1), k is uniform on the 32w numbers from K + 32wt on, and k is accepted if y + f
 * &lt; 2^(t+6) S ρ(k): with probability S ρ(k)/(2^62 w) again. (The right side is at most W_T ≥ 64 S ρ(K), because K ≥
 * 2σ and 32w ≥ σ/2 make ρ(K + 32wt) ≤ e^−t ρ(K).) The constant is the same for all k, so accepted numbers have the law
 * above; with the sign and the rejected −0 the law is ρ on all integers.
 *
 * <p><b>No rounding.</b> Weights only need to be upper bounds and are rounded up by 2^−40. For the comparison, f is
 * never drawn unless needed: S ρ(k) is confined by its value in the next column, and then by floating point (1 ulp of
 * {@link StrictMath#exp}, a few ulps of its argument below 2^6; in all less than 2^−43, 2^−40 is allowed for). If the
 * confined value is above y + 1 or below y, no f can change the answer. Otherwise (probability about 2^−45) bits of f
 * are drawn one word at a time and compared with an {@link Enclosure} of S ρ(k) for the exact rational σ² until the
 * answer is certain.
 *
 * <p>Running time depends on the value drawn; no attempt is made to hide it (see SECURITY.md). Tables take some 20 µs
 * to build and are immutable, so a sampler may be shared between threads that have their own {@link RandomBits}.
 */
public final class DiscreteGaussianSampler {
    /** The smallest standard deviation that is accepted. */
    public static final double SMALLEST_STANDARD_DEVIATION = 0x1p-20;

    /** The largest standard deviation that is accepted; 2^12 standard deviations then still fit into a long. */
    public static final double LARGEST_STANDARD_DEVIATION = 0x1p50;

    private static final int COLUMNS_PER_DEVIATION_LOG = 5;
    private static final double ERROR = 0x1p-40;
    private static final int GUIDE_BITS = 11;

    /** A run asks for the same sampler at every step. Samplers are immutable, so it does not matter who sees which. */
    private static volatile DiscreteGaussianSampler latest;

    private final double standardDeviation;
    private final double halfPrecision;
    private final BigInteger precisionNumerator;
    private final BigInteger precisionDenominator;
    private final double relativeError;
    private final int heightBits;
    private final short[] guide;

    // Seen by the tests, which check the tables against exact arithmetic.
    final int widthLog;
    final int tail;
    final long scale;
    /**
     * Column b has the u from starts[b] up to, not including, starts[b + 1]; after the tail column comes the rejected
     * rest.
     */
    final long[] starts;
    /** A height below this is under ρ for every number of the column. */
    final long[] safeHeights;

    /** A sampler for the given standard deviation σ (the parameter of ρ), between 2^−20 and 2^50. */
    public static DiscreteGaussianSampler of(double standardDeviation) {
        DiscreteGaussianSampler previous = latest;
        if (previous != null && previous.standardDeviation == standardDeviation) {
            return previous;
        }
        DiscreteGaussianSampler sampler = new DiscreteGaussianSampler(standardDeviation, 62, 9, ERROR);
        latest = sampler;
        return sampler;
    }

    /**
     * For tests: fewer bits of height, a nearer tail and a larger alleged error make the rare branches frequent, and
     * must not change the law.
     *
     * @param heightBits u is drawn below 2^heightBits
     * @param reach the tail starts at this many standard deviations, at least 2
     * @param relativeError what floating point is trusted to
     */
    DiscreteGaussianSampler(double standardDeviation, int heightBits, double reach, double relativeError) {
        if (!(standardDeviation >= SMALLEST_STANDARD_DEVIATION && standardDeviation <= LARGEST_STANDARD_DEVIATION)) {
            throw new IllegalArgumentException("a standard deviation is a number from 2^-20 to 2^50");
        }
        this.standardDeviation = standardDeviation;
        this.heightBits = heightBits;
        this.relativeError = relativeError;
        halfPrecision = 0.5 / (standardDeviation * standardDeviation);
        // σ = mantissa · 2^(e − 52), so 1/2σ² = 2^(103 − 2e) / mantissa².
        int exponent = Math.getExponent(standardDeviation);
        BigInteger mantissa = BigInteger.valueOf((long) Math.scalb(standardDeviation, 52 - exponent));
        precisionNumerator = BigInteger.ONE.shiftLeft(103 - 2 * exponent);
        precisionDenominator = mantissa.pow(2);

        widthLog = Math.max(0, exponent - COLUMNS_PER_DEVIATION_LOG);
        tail = (int) Math.ceil(Math.scalb(reach * standardDeviation, -widthLog));
        double[] densities = new double[tail + 1];
        for (int column = 0; column <= tail; column++) {
            densities[column] = density(first(column));
        }
        scale = largestScale(densities);
        starts = new long[tail + 3];
        safeHeights = new long[tail + 2];
        for (int column = 0; column < tail; column++) {
            starts[column + 1] = starts[column] + weight(scale * densities[column]);
            double smallest = widthLog == 0 ? densities[column] : densities[column + 1];
            safeHeights[column] = (long) (scale * smallest * (1 - relativeError));
        }
        starts[tail + 1] = starts[tail] + weight(64 * (scale * densities[tail]));
        starts[tail + 2] = Long.MAX_VALUE;
        if (starts[tail + 1] > 1L << heightBits) {
            throw new IllegalStateException("the weights of a discrete Gaussian do not fit their bits");
        }
        guide = guide();
    }

    /**
     * The parameter σ; the standard deviation of the law is at most this, and equal to it to all digits of a double for
     * σ above 2.
     */
    public double standardDeviation() {
        return standardDeviation;
    }

    /** One sample. */
    public long next(RandomBits noise) {
        while (true) {
            long word = noise.nextLong();
            long u = word >>> (Long.SIZE - heightBits);
            int column = guide[(int) (u >>> (heightBits - GUIDE_BITS))];
            while (u >= starts[column + 1]) {
                column++;
            }
            long height = u - starts[column];
            long magnitude = first(column);
            if (widthLog > 0) {
                magnitude += noise.nextLong() >>> (Long.SIZE - widthLog);
            }
            if (height >= safeHeights[column]) {
                magnitude = considered(column, magnitude, height, noise);
            }
            long sign = -(word & 1);
            if (magnitude > 0 || (magnitude | sign) == 0) {
                return (magnitude ^ sign) - sign;
            }
        }
    }

    /** Adds one independent sample to each number; additions wrap around. */
    public void addTo(long[] sums, RandomBits noise) {
        for (int index = 0; index < sums.length; index++) {
            sums[index] += next(noise);
        }
    }

    /** Fills {@code samples} with independent samples. */
    public void fill(long[] samples, RandomBits noise) {
        for (int index = 0; index < samples.length; index++) {
            samples[index] = next(noise);
        }
    }

    /** The proposed number, that of the tail if the column is the tail, or −1 if it is rejected. */
    private long considered(int column, long proposed, long height, RandomBits noise) {
        if (column < tail) {
            return isUnder(height, 0, proposed, noise) ? proposed : -1;
        }
        if (column > tail) {
            return -1;
        }
        int steps = 0;
        long coins = noise.nextLong();
        while (coins == 0) {
            steps += Long.SIZE;
            coins = noise.nextLong();
        }
        steps += Long.numberOfTrailingZeros(coins);
        int logWidth = widthLog + COLUMNS_PER_DEVIATION_LOG;
        long number = first(tail) + ((long) steps << logWidth) + (noise.nextLong() >>> (Long.SIZE - logWidth));
        return isUnder(height, steps + 1 + COLUMNS_PER_DEVIATION_LOG, number, noise) ? number : -1;
    }

    /** Whether height + f is below 2^power S ρ(number), f a fresh uniform fraction. */
    private boolean isUnder(long height, int power, long number, RandomBits noise) {
        double estimate = Math.scalb(scale * density(number), power);
        if (height + 1 <= estimate * (1 - relativeError)) {
            return true;
        }
        // At height 0 the estimate may have underflowed.
        if (height > 0 && height >= estimate * (1 + relativeError)) {
            return false;
        }
        BigInteger square = BigInteger.valueOf(number).pow(2);
        LazyReal lazyHeight = new LazyReal(height, heightBits, noise);
        return lazyHeight.isBelow(
                bits -> Enclosure.expOfMinus(square.multiply(precisionNumerator), precisionDenominator, bits + power)
                        .scaledBy(BigInteger.valueOf(scale), power - heightBits)
                        .toBits(bits));
    }

    private long first(int column) {
        return (long) column << widthLog;
    }

    /** ρ in floating point, relative error below 2^−43 where it is above 2^−1000. */
    private double density(long number) {
        double magnitude = number;
        return StrictMath.exp(-(magnitude * magnitude) * halfPrecision);
    }

    private long weight(double height) {
        return (long) (height * (1 + relativeError)) + 2;
    }

    /** The largest S, up to a few units, for which all weights fit into the bits of a height. */
    private long largestScale(double[] densities) {
        double total = 64 * densities[tail];
        for (int column = 0; column < tail; column++) {
            total += densities[column];
        }
        double room = Math.scalb(1.0, heightBits) - 2 * (tail + 2);
        return (long) (room / (total * (1 + 2 * relativeError)) * (1 - ERROR));
    }

    private short[] guide() {
        short[] firstColumns = new short[1 << GUIDE_BITS];
        int column = 0;
        for (int slot = 0; slot < firstColumns.length; slot++) {
            while (starts[column + 1] <= (long) slot << (heightBits - GUIDE_BITS)) {
                column++;
            }
            firstColumns[slot] = (short) column;
        }
        return firstColumns;
    }
}
