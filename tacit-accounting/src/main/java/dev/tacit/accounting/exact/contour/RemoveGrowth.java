package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.numerics.MixtureRatio;

/**
 * How much the tilted integrand of the remove direction grows off the real axis, in closed form: what the spacing of the trapezoid rule rests on.
 *
 * <p>On Im u = b, with α = ab, the share p of the ratio r = (1 − rate)/(1 − p), its phase A(p) = atan2(p sin α, 1 − p + p cos α), the cut c and
 * its width ω, for every s ≥ 0:
 *
 * <pre>
 *   |w(u+ib)| ≤ 1 + e^{b²/ω²}(1 − w(u)) below c,   ≤ e^{b²/ω²} w(u) above;      1 ≤ 2w below c
 *   e^{tA(p)} ≤ e^κ (1 − p)^{−s},   κ = max over p ≤ p(c) of tA(p) + s log(1 − p),   so
 *   ∫|f(u+ib)| / M(θ) ≤ e^{b²/2} (2 e^κ (1 − rate)^{−s} M(θ+s)/M(θ) + e^{b²/ω²} G/M(θ))
 * </pre>
 *
 * G is the part at the cut: there min(w, 1 − w) ≤ ½e^{−(u−c)²/ω²}, r ≤ r(c) below and r ≤ r(c)e^{a(u−c)} above, the phase is at most A(p(c)) below
 * and at most α or A(p(c)) + ½a tan(α/2)(u − c) above, so G is a sum of two Gaussian integrals. The bulk of the law, where neither the cut nor the
 * phase matters, does not pay for the outcomes of large loss, which are rare.
 */
final class RemoveGrowth {
    private static final double[] STRIP_FACTORS = {1, 0.75, 0.55, 0.4, 0.3};
    /** More orders above θ than these, relative to θ, gain little. */
    static final double[] ORDER_FACTORS = {0.7, 1.4};

    private final double theta;
    private final double shift;
    private final double cutWidth;
    private final double curvature;
    private final double shareAtCut;
    private final double shareAtStart;
    private final double[] extraOrders;
    private final double[] logMomentRatios;
    private final double logAtCut;
    private final double belowCut;
    private final double aboveCut;

    /**
     * @param start where the window begins
     * @param logMoment log M(θ), from below
     * @param extraOrders the values of s; the first is 0
     * @param logMoments log M(θ+s), from above
     */
    RemoveGrowth(
            double theta,
            double shift,
            double rate,
            double start,
            double cut,
            double cutWidth,
            double logMoment,
            double[] extraOrders,
            double[] logMoments) {
        this.theta = theta;
        this.shift = shift;
        this.cutWidth = cutWidth;
        this.curvature = 0.5 + 1 / (cutWidth * cutWidth);
        this.shareAtCut = MixtureRatio.share(shift, rate, cut);
        this.shareAtStart = MixtureRatio.share(shift, rate, start);
        this.extraOrders = extraOrders.clone();
        this.logMomentRatios = new double[extraOrders.length];
        for (int i = 0; i < extraOrders.length; i++) {
            logMomentRatios[i] = logMoments[i] - logMoment - extraOrders[i] * Math.log1p(-rate) + Math.log(2);
        }
        this.logAtCut = -0.5 * cut * cut
                + (theta + 1) * Math.max(0, MixtureRatio.log(shift, rate, cut))
                - 0.5 * Math.log(8 * curvature)
                - logMoment;
        this.belowCut = cut * cut / (4 * curvature);
        this.aboveCut = (theta + 1) * shift - cut;
    }

    /** The same for every order up to one: all but the part at the cut is without the order, and that part grows with it. */
    static RemoveGrowth upTo(
            double highest,
            double shift,
            double rate,
            double start,
            double cut,
            double cutWidth,
            double leastLogMoment) {
        double[] none = {0};
        double[] same = {leastLogMoment};
        return new RemoveGrowth(highest, shift, rate, start, cut, cutWidth, leastLogMoment, none, same);
    }

    double theta() {
        return theta;
    }

    /**
     * The widest spacing whose error this bounds by e^{−exponent} M(θ) up to a frequency, or 0 if there is none.
     *
     * <p>Where the window ends the rule adds integrals along the ends, of size f(end) e^{E(y)}, 0 ≤ y ≤ b, with E convex and E(0) = 0. At the start
     * E(b) ≤ 0 is asked for; beyond the cut, where f is below e^{−2·exponent − 15}, E(b) ≤ exponent.
     */
    double spacing(double frequency, double exponent) {
        double widest = Math.min(Math.sqrt(exponent / curvature), 2.8 / shift);
        double best = 0;
        for (double factor : STRIP_FACTORS) {
            double strip = factor * widest;
            double angle = strip * shift;
            double inside = exponent + Math.log(2) + logGrowth(strip, angle, frequency);
            double phaseAtStart =
                    shareAtStart < 0.5 ? Math.min(angle, 2 * shareAtStart * Math.tan(0.5 * angle)) : angle;
            double atStart = 0.5 * strip * strip + frequency * phaseAtStart;
            double atEnd = curvature * strip * strip + frequency * angle - exponent;
            double needed = Math.max(inside, Math.max(atStart, atEnd));
            if (2 * Math.PI * strip > best * needed) {
                best = 2 * Math.PI * strip / needed;
            }
        }
        return best;
    }

    /** log of the bound of ∫|f(u+ib)| / M(θ). */
    private double logGrowth(double strip, double angle, double frequency) {
        double sine = Math.sin(angle);
        double cosine = Math.cos(angle);
        double bulk = Double.POSITIVE_INFINITY;
        for (int i = 0; i < extraOrders.length; i++) {
            bulk = Math.min(bulk, logMomentRatios[i] + mostPhase(frequency, extraOrders[i], sine, cosine));
        }
        double phaseAtCut = frequency * argument(shareAtCut, sine, cosine);
        double risingAbove = aboveCut + 0.5 * frequency * shift * Math.tan(0.5 * angle);
        double above = Math.min(frequency * angle + gaussian(aboveCut), phaseAtCut + gaussian(risingAbove));
        double atCut = logAtCut + strip * strip / (cutWidth * cutWidth) + logSum(phaseAtCut + belowCut, above);
        return 0.5 * strip * strip + logSum(bulk, atCut);
    }

    /** max over 0 ≤ p ≤ p(c) of tA(p) + s log(1 − p); inside it is stationary where t sin α (1 − p) = s(1 − 2p(1 − p)(1 − cos α)). */
    private double mostPhase(double frequency, double extraOrder, double sine, double cosine) {
        double most = Math.max(0, phase(frequency, extraOrder, shareAtCut, sine, cosine));
        double a = 2 * extraOrder * (1 - cosine);
        double b = frequency * sine - a;
        double discriminant = b * b - 4 * a * (extraOrder - frequency * sine);
        if (a > 0 && discriminant > 0) {
            double root = Math.sqrt(discriminant);
            most = Math.max(most, phaseInside(frequency, extraOrder, (-b - root) / (2 * a), sine, cosine));
            most = Math.max(most, phaseInside(frequency, extraOrder, (-b + root) / (2 * a), sine, cosine));
        }
        return most;
    }

    private double phaseInside(double frequency, double extraOrder, double share, double sine, double cosine) {
        return share > 0 && share < shareAtCut ? phase(frequency, extraOrder, share, sine, cosine) : 0;
    }

    private static double phase(double frequency, double extraOrder, double share, double sine, double cosine) {
        double ratio = extraOrder == 0 ? 0 : extraOrder * Math.log1p(-share);
        return frequency * argument(share, sine, cosine) + ratio;
    }

    private static double argument(double share, double sine, double cosine) {
        return Math.atan2(share * sine, 1 - share + share * cosine);
    }

    /** log of the largest value of e^{slope·x − curvature·x²} over x ≥ 0. */
    private double gaussian(double slope) {
        return slope > 0 ? slope * slope / (4 * curvature) : 0;
    }

    private static double logSum(double first, double second) {
        double larger = Math.max(first, second);
        return larger + Math.log1p(Math.exp(Math.min(first, second) - larger));
    }
}
