package dev.tacit.accounting.exact.jumps;

import dev.tacit.accounting.exact.contour.MomentCurve;
import java.util.Arrays;
import java.util.List;

/**
 * The part of a composition in which the number of large losses, over all its phases together, lies in a range.
 *
 * <pre>
 *   M(z) = Σ_{from ≤ k ≤ to} [x^k] Π_j (A_j(z) + x·B_j(z))^{T_j},   A_j small losses, B_j large losses of one release of phase j
 *        = Π_j A_j^{T_j} · Σ_k λ^k Σ_{k_1+…+k_J = k} Π_j C(T_j, k_j) (B_j / (λ A_j))^{k_j},   λ = Σ_j T_j B_j(θ) / A_j(θ)
 * </pre>
 *
 * All terms are moment functions of positive measures, so the sum is one, and |M(θ+it)| is at most the same sum of the bounds of its factors. The
 * error of a term is at most its size with every factor enlarged by that factor's error, less its size.
 */
final class JumpCount implements MomentCurve {
    /**
     * One phase: the moments of its small losses, for all its releases, and those of one large loss.
     *
     * @param small curve whose number of releases is that of the phase
     * @param large curve of one release
     */
    record Split(MomentCurve small, MomentCurve large) {
        double times() {
            return small.times();
        }
    }

    private static final double UNIT = 0x1p-53;

    private final List<Split> phases;
    private final int from;
    private final int to;

    JumpCount(List<Split> phases, int from, int to) {
        this.phases = List.copyOf(phases);
        this.from = from;
        this.to = to;
    }

    /** What the factors are at one real order. */
    private final class At {
        /** times·(K, K′, K″, rounding) of the small losses, and the same for one large loss. */
        private final double[][] small = new double[phases.size()][4];

        private final double[][] large = new double[phases.size()][4];
        private final double[] logRatio = new double[phases.size()];
        private double logSmall;
        private double logJumps;
        /** Share of each number of large losses, from 0 to the last; 0 outside the range. */
        private final double[] shares = new double[to + 1];

        /** log of the sum over the range, without the factor Π A_j^{T_j}. */
        private double logRange;

        private double rounding;

        At(double theta) {
            double largest = Double.NEGATIVE_INFINITY;
            for (int j = 0; j < phases.size(); j++) {
                phases.get(j).small().addCumulants(theta, small[j]);
                phases.get(j).large().addCumulants(theta, large[j]);
                double times = phases.get(j).times();
                logRatio[j] = large[j][0] - small[j][0] / times;
                logSmall += small[j][0];
                rounding += small[j][3] + to * (large[j][3] + small[j][3] / times + 4 * UNIT * Math.abs(logRatio[j]));
                largest = Math.max(largest, logRatio[j] + Math.log(times));
            }
            double sum = 0;
            for (int j = 0; j < phases.size(); j++) {
                sum += Math.exp(logRatio[j] + Math.log(phases.get(j).times()) - largest);
            }
            logJumps = largest + Math.log(sum);
            double[] product = {1};
            for (int j = 0; j < phases.size(); j++) {
                product = product(product, coefficients(j));
            }
            double peak = Double.NEGATIVE_INFINITY;
            for (int k = from; k <= to; k++) {
                peak = Math.max(peak, k * logJumps + Math.log(product[k]));
            }
            double total = 0;
            for (int k = from; k <= to; k++) {
                shares[k] = Math.exp(k * logJumps + Math.log(product[k]) - peak);
                total += shares[k];
            }
            for (int k = from; k <= to; k++) {
                shares[k] /= total;
            }
            logRange = peak + Math.log(total);
            rounding += UNIT * (8.0 * to * phases.size() + 8 + 4 * to * Math.abs(logJumps) + 2 * Math.abs(logRange));
        }

        /** C(T_j, k) (B_j / (λ A_j))^k for k = 0, 1, ..., to. */
        double[] coefficients(int phase) {
            double[] c = new double[to + 1];
            double times = phases.get(phase).times();
            double ratio = Math.exp(logRatio[phase] - logJumps);
            c[0] = 1;
            for (int k = 1; k <= to && k <= times; k++) {
                c[k] = c[k - 1] * ((times - k + 1) / k) * ratio;
            }
            return c;
        }

        /** The factor of the k-th coefficient of a product that makes it a share. */
        double scale(int k) {
            return k < from ? 0 : Math.exp(k * logJumps - logRange);
        }
    }

    private double[] product(double[] a, double[] b) {
        double[] product = new double[to + 1];
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < b.length && i + k <= to; k++) {
                product[i + k] += a[i] * b[k];
            }
        }
        return product;
    }

    /**
     * log of a bound of the terms with more than {@code to} large losses at this order: C(T, k) ≤ T^k/k! makes their sum at most
     * Π A_j^{T_j} λ^{to+1}/(to+1)! / (1 − λ/(to+2)).
     */
    double logBeyond(double theta) {
        At at = new At(theta);
        double ratio = Math.exp(at.logJumps) / (to + 2);
        double logTerm = at.logSmall;
        for (int k = 1; k <= to + 1; k++) {
            logTerm += at.logJumps - Math.log(k);
        }
        return ratio < 0.9 ? logTerm - Math.log1p(-ratio) + at.rounding + 1e-9 : Double.POSITIVE_INFINITY;
    }

    /** The expected number of large losses under the tilt, were it not restricted. */
    double expectedJumps(double theta) {
        return Math.exp(new At(theta).logJumps);
    }

    /** Whether no more than so many large losses are possible. */
    boolean covers(double releases) {
        return to >= releases;
    }

    @Override
    public double times() {
        return 1;
    }

    @Override
    public double lostMass() {
        return 0;
    }

    @Override
    public int lawUpTo(double order) {
        for (Split phase : phases) {
            phase.small().lawUpTo(order);
            phase.large().lawUpTo(order);
        }
        return law();
    }

    @Override
    public int law() {
        int laws = 0;
        for (Split phase : phases) {
            laws += phase.small().law() + phase.large().law();
        }
        return laws;
    }

    @Override
    public void addCumulants(double theta, double[] sums) {
        At at = new At(theta);
        double[] zeroth = {1};
        double[] first = {0};
        double[] second = {0};
        for (int j = 0; j < phases.size(); j++) {
            double[] c = at.coefficients(j);
            double[] mean = new double[to + 1];
            double[] square = new double[to + 1];
            double times = phases.get(j).times();
            for (int k = 0; k <= to; k++) {
                double m = (1 - k / times) * at.small[j][1] + k * at.large[j][1];
                double v = (1 - k / times) * at.small[j][2] + k * at.large[j][2];
                mean[k] = c[k] * m;
                square[k] = c[k] * (v + m * m);
            }
            double[] cross = product(first, mean);
            second = sum(product(second, c), product(zeroth, square));
            for (int k = 0; k <= to; k++) {
                second[k] += 2 * cross[k];
            }
            first = sum(product(first, c), product(zeroth, mean));
            zeroth = product(zeroth, c);
        }
        double mean = 0;
        double square = 0;
        for (int k = from; k <= to; k++) {
            mean += at.scale(k) * first[k];
            square += at.scale(k) * second[k];
        }
        sums[0] += at.logSmall + at.logRange;
        sums[1] += mean;
        sums[2] += Math.max(0, square - mean * mean);
        sums[3] += at.rounding;
    }

    private static double[] sum(double[] a, double[] b) {
        double[] sum = a.clone();
        for (int k = 0; k < sum.length; k++) {
            sum[k] += b[k];
        }
        return sum;
    }

    @Override
    public double work(double theta, double step, int count) {
        double products = 4 * ((phases.size() - 1) * (to + 1.0) + 1) * (to + 1.0);
        double work = count * products;
        for (Split phase : phases) {
            work += phase.small().work(theta, step, count) + phase.large().work(theta, step, count);
        }
        return work;
    }

    @Override
    public void addLogCharacteristic(
            double theta,
            double step,
            int count,
            double[] real,
            double[] imaginary,
            double[] rounding,
            double[] quadrature) {
        At at = new At(theta);
        int n = phases.size();
        double[][][] small = new double[n][4][count];
        double[][][] large = new double[n][4][count];
        double[][] coefficients = new double[n][];
        for (int j = 0; j < n; j++) {
            addTo(phases.get(j).small(), theta, step, count, small[j]);
            addTo(phases.get(j).large(), theta, step, count, large[j]);
            coefficients[j] = at.coefficients(j);
        }
        double[] scales = new double[to + 1];
        for (int k = from; k <= to; k++) {
            scales[k] = at.scale(k);
        }
        for (int i = 0; i < count; i++) {
            double[] re = {1};
            double[] im = {0};
            double[] size = {1};
            double[] largest = {1};
            double relative = at.rounding;
            for (int j = 0; j < n; j++) {
                double[] phaseRe = new double[to + 1];
                double[] phaseIm = new double[to + 1];
                double[] phaseSize = new double[to + 1];
                double[] phaseLargest = new double[to + 1];
                double times = phases.get(j).times();
                double smallError = small[j][2][i] + small[j][3][i];
                double largeError = Math.log1p(large[j][2][i] + large[j][3][i]);
                for (int k = 0; k <= to && coefficients[j][k] > 0; k++) {
                    double kept = 1 - k / times;
                    double logSize = kept * small[j][0][i] + k * large[j][0][i];
                    phaseSize[k] = coefficients[j][k] * Math.exp(logSize);
                    phaseLargest[k] = coefficients[j][k] * Math.exp(logSize + kept * smallError + k * largeError);
                    double angle = kept * small[j][1][i] + k * large[j][1][i];
                    phaseRe[k] = phaseSize[k] * Math.cos(angle);
                    phaseIm[k] = phaseSize[k] * Math.sin(angle);
                }
                double angles = Math.abs(small[j][1][i]) + to * Math.abs(large[j][1][i]);
                double exponents = Math.abs(small[j][0][i]) + to * Math.abs(large[j][0][i]);
                relative += UNIT * (6.0 * to + 12 + 4 * angles + 4 * Math.min(1e15, exponents));
                double[] productRe = product(re, phaseRe);
                double[] crossRe = product(im, phaseIm);
                double[] productIm = sum(product(re, phaseIm), product(im, phaseRe));
                for (int k = 0; k <= to; k++) {
                    productRe[k] -= crossRe[k];
                }
                re = productRe;
                im = productIm;
                size = product(size, phaseSize);
                largest = product(largest, phaseLargest);
            }
            double sumRe = 0;
            double sumIm = 0;
            double error = 0;
            for (int k = from; k <= to; k++) {
                sumRe += scales[k] * re[k];
                sumIm += scales[k] * im[k];
                error += scales[k] * (Math.max(0, largest[k] - size[k]) + 2 * relative * largest[k]);
            }
            // A value below its error is replaced by one as large as the error, which at most doubles it.
            double modulus = Math.hypot(sumRe, sumIm);
            boolean lost = !(modulus > error);
            double kept = lost ? Math.max(1e-300, error) : modulus;
            real[i] += Math.log(kept);
            imaginary[i] += Math.atan2(sumIm, sumRe);
            rounding[i] += lost ? 2 : error / kept;
        }
    }

    private static void addTo(MomentCurve curve, double theta, double step, int count, double[][] parts) {
        curve.addLogCharacteristic(theta, step, count, parts[0], parts[1], parts[2], parts[3]);
    }

    @Override
    public DecayBound decay(double theta) {
        DecayBound[] small = new DecayBound[phases.size()];
        DecayBound[] large = new DecayBound[phases.size()];
        for (int j = 0; j < small.length; j++) {
            small[j] = phases.get(j).small().decay(theta);
            large[j] = phases.get(j).large().decay(theta);
        }
        return new Decay(this, new At(theta), small, large);
    }

    @Override
    public DecayBound sharperDecay(double theta, DecayBound bound) {
        Decay decay = (Decay) bound;
        DecayBound[] small = decay.small.clone();
        DecayBound[] large = decay.large.clone();
        for (int j = 0; j < small.length; j++) {
            small[j] = phases.get(j).small().sharperDecay(theta, small[j]);
            large[j] = phases.get(j).large().sharperDecay(theta, large[j]);
        }
        return new Decay(this, decay.at, small, large);
    }

    /** The sum of the terms, each bounded by its factors. */
    private static final class Decay implements DecayBound {
        private final JumpCount curve;
        private final At at;
        private final DecayBound[] small;
        private final DecayBound[] large;

        Decay(JumpCount curve, At at, DecayBound[] small, DecayBound[] large) {
            this.curve = curve;
            this.at = at;
            this.small = small;
            this.large = large;
        }

        @Override
        public double logAbsolute(double t) {
            double[] product = {1};
            for (int j = 0; j < small.length; j++) {
                double times = curve.phases.get(j).times();
                double logSmall = small[j].logAbsolute(t);
                double logLarge = large[j].logAbsolute(t);
                double[] c = at.coefficients(j);
                for (int k = 0; k <= curve.to; k++) {
                    c[k] *= Math.exp(Math.max(0, 1 - k / times) * logSmall + k * logLarge);
                }
                product = curve.product(product, c);
            }
            double[] terms = new double[curve.to + 1];
            for (int k = curve.from; k <= curve.to; k++) {
                terms[k] = at.scale(k) * product[k];
            }
            return Math.min(0, Math.log(Arrays.stream(terms).sum() * (1 + 1e-9) + 1e-300));
        }
    }
}
