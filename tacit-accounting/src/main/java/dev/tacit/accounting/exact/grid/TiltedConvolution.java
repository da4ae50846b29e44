package dev.tacit.accounting.exact.grid;

import java.util.List;
import org.jtransforms.fft.DoubleFFT_1D;
import org.visnow.jlargearrays.ConcurrencyUtils;

/**
 * The law of a sum of independent lattice losses by FFT under an exponential tilt, with bounds on the errors of the delta read off it.
 *
 * <pre>
 *   p̃_j ∝ p_j e^{θl_j},   δ(ε) = e^{K(θ) − θε} Σ_{l_j &gt; ε} p̃_j e^{−θ(l_j−ε)} (1 − e^{−(l_j−ε)})
 * </pre>
 *
 * The tilt makes all errors relative to delta. Wrap-around of the circular convolution is bounded by Chernoff bounds at other orders; rounding by
 * the backward error of the FFT in the 2-norm against the 2-norm of the weights, where a transform that is smaller than its own error counts as large as
 * that. Of each law the heaviest point is taken out before the FFT, which then
 * carries only deviations from 1, so that a law raised to the power 1e9 keeps its digits.
 */
final class TiltedConvolution {
    /** So many releases with this law. */
    record Factor(LatticeLaw law, double times) {}

    static final double[] ORDER_FACTORS = {0.3, 0.6, 0.85, 1.15, 1.5, 2.2};

    private static final double UNIT = 0x1p-53;

    static {
        ConcurrencyUtils.setNumberOfThreads(1);
    }

    private final double theta;
    private final double step;
    private final double base;
    private final double shortfall;
    private final double logMoment;
    private final double releases;
    private final double magnitude;
    private final double binError;
    private final double wrappedBelow;
    private final double wrappedAbove;
    /** Suffix sums of p̃ e^{−θl} and p̃ e^{−(θ+1)l}, each relative to its own first point. */
    private final double[] suffix;

    private final double[] suffixAbove;

    /** @param middle a loss in the middle of the window of {@code size} lattice points to keep */
    TiltedConvolution(List<Factor> factors, double theta, double step, int size, double middle) {
        this.theta = theta;
        this.step = step;
        double[] real = new double[size / 2 + 1];
        double[] imaginary = new double[size / 2 + 1];
        double[] largest = new double[size / 2 + 1];
        double[] error = new double[size / 2 + 1];
        DoubleFFT_1D fft = new DoubleFFT_1D(size);
        double log = 0;
        double count = 0;
        double origin = 0;
        double totalShortfall = 0;
        double totalMagnitude = 0;
        for (Factor factor : factors) {
            double[] sums = new double[3];
            factor.law().addCumulants(theta, 1, sums);
            int heaviest = heaviest(factor.law());
            addTransform(factor, sums[0], heaviest, fft, real, imaginary, largest, error);
            log += factor.times() * sums[0];
            count += factor.times();
            origin += factor.times() * factor.law().loss(heaviest);
            totalShortfall += factor.times() * factor.law().shortfall();
            totalMagnitude += factor.times() * (Math.abs(factor.law().loss(heaviest)) + Math.abs(sums[0]));
        }
        this.logMoment = log;
        this.releases = count;
        this.shortfall = totalShortfall;
        this.magnitude = totalMagnitude;
        double[] spectrum = new double[size];
        this.binError = fill(spectrum, real, imaginary, largest, error);
        fft.realInverse(spectrum, true);
        long firstIndex = Math.round((middle - origin) / step) - size / 2;
        this.base = origin + firstIndex * step;
        double[] tilted = new double[size];
        for (int i = 0; i < size; i++) {
            tilted[i] = spectrum[(int) Math.floorMod(firstIndex + i, (long) size)];
        }
        this.suffix = suffixSums(tilted, Math.exp(-theta * step));
        this.suffixAbove = suffixSums(tilted, Math.exp(-(theta + 1) * step));
        this.wrappedBelow = wrapped(factors, base, true);
        this.wrappedAbove = wrapped(factors, base + size * step, false);
    }

    private int heaviest(LatticeLaw law) {
        int best = 0;
        double most = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < law.size(); i++) {
            double weight = law.mass(i) > 0 ? Math.log(law.mass(i)) + theta * law.loss(i) : Double.NEGATIVE_INFINITY;
            if (weight > most) {
                most = weight;
                best = i;
            }
        }
        return best;
    }

    /** Adds times·log of the transform of one tilted law, its heaviest point at index 0. */
    private void addTransform(
            Factor factor,
            double logMoment,
            int heaviest,
            DoubleFFT_1D fft,
            double[] real,
            double[] imaginary,
            double[] largest,
            double[] error) {
        LatticeLaw law = factor.law();
        int size = 2 * (real.length - 1);
        double[] values = new double[size];
        double others = 0;
        double square = 0;
        for (int i = 0; i < law.size(); i++) {
            if (i != heaviest && law.mass(i) > 0) {
                double weight = Math.exp(Math.log(law.mass(i)) + theta * law.loss(i) - logMoment);
                values[Math.floorMod(i - heaviest, size)] += weight;
                others += weight;
                square += weight * weight;
            }
        }
        fft.realForward(values);
        double peak = Math.exp(Math.log(law.mass(heaviest)) + theta * law.loss(heaviest) - logMoment);
        double transformError = UNIT * (4 * Math.log(size) / Math.log(2) * Math.sqrt(square) + 8);
        for (int k = 0; k < real.length; k++) {
            boolean end = k == 0 || k == size / 2;
            double transform = end ? values[k == 0 ? 0 : 1] : values[2 * k];
            double x = transform - others;
            double y = end ? 0 : values[2 * k + 1];
            // Near 1 the deviation from 1 has the digits, elsewhere the transform itself has.
            boolean near = x * x + y * y < 0.25;
            double logModulus = near
                    ? 0.5 * Math.log1p(2 * x + x * x + y * y)
                    : Math.log(Math.max(Math.hypot(peak + transform, y), Double.MIN_NORMAL));
            double argument = Math.atan2(y, near ? 1 + x : peak + transform);
            double modulus = Math.exp(logModulus) + transformError;
            real[k] += factor.times() * logModulus;
            imaginary[k] += factor.times() * argument;
            largest[k] += factor.times() * Math.log(modulus);
            error[k] += factor.times()
                    * (transformError / modulus + 4 * UNIT * (Math.abs(logModulus) + Math.abs(argument)));
        }
    }

    /** Writes the spectrum of the sum in the FFT's layout and returns a bound on the 2-norm of the error after the inverse. */
    private static double fill(double[] spectrum, double[] real, double[] imaginary, double[] largest, double[] error) {
        int size = spectrum.length;
        double errorSquare = 0;
        double sizeSquare = 0;
        for (int k = 0; k < real.length; k++) {
            double modulus = Math.exp(real[k]);
            double re = modulus * Math.cos(imaginary[k]);
            double bound = Math.exp(largest[k]) * (Math.min(2, error[k]) + 4 * UNIT);
            boolean end = k == 0 || k == size / 2;
            errorSquare += (end ? 1 : 2) * bound * bound;
            sizeSquare += (end ? 1 : 2) * modulus * modulus;
            if (end) {
                spectrum[k == 0 ? 0 : 1] = re;
            } else {
                spectrum[2 * k] = re;
                spectrum[2 * k + 1] = modulus * Math.sin(imaginary[k]);
            }
        }
        double inverse = 4 * UNIT * Math.log(size) / Math.log(2) * Math.sqrt(sizeSquare / size);
        return Math.sqrt(errorSquare / size) + inverse;
    }

    private static double[] suffixSums(double[] tilted, double decay) {
        double[] sums = new double[tilted.length + 1];
        for (int i = tilted.length - 1; i >= 0; i--) {
            sums[i] = tilted[i] + decay * sums[i + 1];
        }
        return sums;
    }

    /** A Chernoff bound on the tilted mass beyond one end of the window; 0 if the sum cannot get there. */
    private double wrapped(List<Factor> factors, double end, boolean below) {
        double extreme = 0;
        for (Factor factor : factors) {
            extreme +=
                    factor.times() * factor.law().loss(below ? 0 : factor.law().size() - 1);
        }
        if (below ? extreme >= end : extreme < end) {
            return 0;
        }
        double best = below ? Math.min(1, Math.exp(theta * end - logMoment)) : 1;
        for (double orderFactor : ORDER_FACTORS) {
            if (below == orderFactor < 1) {
                double order = orderFactor * theta;
                double[] sums = new double[3];
                for (Factor factor : factors) {
                    factor.law().addCumulants(order, factor.times(), sums);
                }
                best = Math.min(best, Math.exp(sums[0] - logMoment - (order - theta) * end));
            }
        }
        return best * (1 + 1e-6);
    }

    private double factor(double epsilon) {
        return Math.exp(logMoment - theta * epsilon);
    }

    private double sum(double epsilon) {
        double position = Math.floor((epsilon - base) / step) + 1;
        int from = (int) Math.max(0, Math.min(suffix.length - 1, position));
        double distance = base + from * step - epsilon;
        return Math.exp(-theta * distance) * suffix[from] - Math.exp(-(theta + 1) * distance) * suffixAbove[from];
    }

    /** Σ_{l &gt; ε} p(l)(1 − e^{ε−l}), as computed. */
    double value(double epsilon) {
        return factor(epsilon) * sum(epsilon);
    }

    /** A bound on the rounding error of {@link #value}. */
    double rounding(double epsilon) {
        double kernel = kernel();
        double weights = kernel * kernel + 2 / (2 * theta * (2 * theta + 1) * (2 * theta + 2) * step);
        double exponent = magnitude
                + Math.abs(logMoment)
                + theta * (Math.abs(epsilon) + Math.abs(base))
                + releases * (1 + theta)
                + 50;
        double sums = UNIT * 4 * (exponent + (theta + 2) / Math.min(1, step * suffix.length)) * Math.abs(sum(epsilon));
        return factor(epsilon) * (binError * Math.sqrt(weights) + sums);
    }

    /** A bound on what wrap-around adds or hides. */
    double wrapping(double epsilon) {
        return factor(epsilon) * (wrappedBelow + wrappedAbove) * kernel();
    }

    /** The largest value of e^{−θx}(1 − e^{−x}). */
    private double kernel() {
        return Math.exp(-theta * Math.log1p(1 / theta) - Math.log1p(theta));
    }

    double deltaAtMost(double epsilon) {
        return (value(epsilon) + rounding(epsilon) + wrapping(epsilon)) * (1 + 1e-14);
    }

    double deltaAtLeast(double epsilon) {
        double shifted = epsilon + shortfall;
        return (value(shifted) - rounding(shifted) - wrapping(shifted)) * (1 - 1e-14);
    }

    /** The last loss of the window. */
    double end() {
        return base + (suffix.length - 1) * step;
    }
}
