package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.numerics.MixtureRatio;

/**
 * The tilted integrand on the lines Im u = ±b, bounded cell by cell.
 *
 * <pre>
 *   |r(u+ib)| = r √(1 − 2p(1−p)(1−cos ab)),   arg r(u+ib) = atan2(p sin ab, 1 − p + p cos ab),   p = rate·e^ℓ / r
 *   |w(u+ib)| ≤ min(e^{b²/ω²} w(u), 1 + e^{b²/ω²} (1 − w(u)))
 * </pre>
 *
 * p and arg r₊ grow with u, so their extremes over a cell are at its ends. On one side of the real axis the phase enlarges the integrand, which
 * bounds the error of the trapezoid rule; on the other side it shrinks it, which bounds the characteristic function itself.
 */
final class StripBound {
    static final int STRIPS = 14;
    private static final int CELLS = 160;

    private final double theta;
    private final double[] strips = new double[STRIPS];
    private final double[][] logMass = new double[STRIPS][CELLS];
    private final double[][] mostPhase = new double[STRIPS][CELLS];
    private final double[][] leastPhase = new double[STRIPS][CELLS];

    StripBound(PoissonGaussianMoments curve, double theta, double logMoment) {
        this.theta = theta;
        double from = curve.left(theta);
        double cell = (curve.right(theta) - from) / CELLS;
        double widest = Math.min(4, (curve.direction == Direction.REMOVE ? 2.8 : 1.5) / curve.shift);
        double[] logTilted = new double[CELLS + 1];
        double[] logCut = new double[CELLS + 1];
        double[] logRest = new double[CELLS + 1];
        double[] plus = new double[CELLS + 1];
        double[] minus = new double[CELLS + 1];
        for (int i = 0; i <= CELLS; i++) {
            double u = from + i * cell;
            double logRatio = MixtureRatio.log(curve.shift, curve.rate, u);
            logCut[i] = curve.logCut(u);
            logRest[i] = curve.logRest(u);
            logTilted[i] = curve.logDensity(u, logRatio) - logCut[i] + theta * curve.loss(u, logRatio);
            plus[i] = MixtureRatio.share(curve.shift, curve.rate, u);
            minus[i] = MixtureRatio.share(curve.shift, curve.rate, -u);
        }
        boolean replace = curve.direction == Direction.REPLACE;
        boolean add = curve.direction == Direction.ADD;
        for (int j = 0; j < STRIPS; j++) {
            double strip = widest * Math.pow(0.7, j);
            double angle = strip * curve.shift;
            double sharpest =
                    curve.start == Double.NEGATIVE_INFINITY ? curve.cutWidth : PoissonGaussianMoments.SPLIT_WIDTH;
            double cutGrowth = strip * strip / (sharpest * sharpest);
            strips[j] = strip;
            for (int i = 0; i < CELLS; i++) {
                double largestCut = Math.max(logCut[i], logCut[i + 1]);
                double cut = cutGrowth + largestCut;
                if (curve.start == Double.NEGATIVE_INFINITY) {
                    double logBeyond = cutGrowth + Math.max(logRest[i], logRest[i + 1]);
                    cut = Math.min(cut, logBeyond > 40 ? logBeyond + 1e-9 : Math.log1p(Math.exp(logBeyond)));
                }
                double plusModulus = logModulus(plus[i], plus[i + 1], angle, !add);
                double modulus = add ? -theta * plusModulus : (theta + 1) * plusModulus;
                if (replace) {
                    modulus -= theta * logModulus(minus[i + 1], minus[i], angle, false);
                }
                double tilted = Math.max(logTilted[i], logTilted[i + 1]);
                logMass[j][i] = tilted
                        + Math.log(2 * cell)
                        - PoissonGaussianMoments.LOG_SQRT_TWO_PI
                        - logMoment
                        + 0.5 * strip * strip
                        + cut
                        + modulus;
                mostPhase[j][i] = argument(plus[i + 1], angle) + (replace ? argument(minus[i], angle) : 0);
                leastPhase[j][i] = argument(plus[i], angle) + (replace ? argument(minus[i + 1], angle) : 0);
            }
        }
    }

    double theta() {
        return theta;
    }

    double strip(int index) {
        return strips[index];
    }

    /** log of the integral of the modulus on the enlarging side, over M(θ). */
    double logGrowth(double frequency, int index) {
        return logSum(logMass[index], mostPhase[index], frequency);
    }

    /** log|φ(t)| is at most this. */
    double logDecay(double frequency) {
        double best = 0;
        for (int j = 0; j < STRIPS; j++) {
            best = Math.min(best, logSum(logMass[j], leastPhase[j], -frequency));
        }
        return best;
    }

    private static double logSum(double[] logMass, double[] phase, double frequency) {
        double peak = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < logMass.length; i++) {
            peak = Math.max(peak, logMass[i] + frequency * phase[i]);
        }
        double sum = 0;
        for (int i = 0; i < logMass.length; i++) {
            sum += Math.exp(logMass[i] + frequency * phase[i] - peak);
        }
        return peak + Math.log(sum);
    }

    /** log(|r(u+ib)| / r(u)) for shares between two values: its largest value, or its smallest. */
    private static double logModulus(double shareFrom, double shareTo, double angle, boolean largest) {
        double atFrom = shareFrom * (1 - shareFrom);
        double atTo = shareTo * (1 - shareTo);
        double variance =
                largest ? Math.min(atFrom, atTo) : shareFrom < 0.5 && shareTo > 0.5 ? 0.25 : Math.max(atFrom, atTo);
        double half = Math.sin(0.5 * angle);
        return 0.5 * Math.log1p(-4 * variance * half * half);
    }

    private static double argument(double share, double angle) {
        return Math.atan2(share * Math.sin(angle), 1 - share + share * Math.cos(angle));
    }
}
