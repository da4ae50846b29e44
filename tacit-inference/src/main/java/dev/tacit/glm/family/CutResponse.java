package dev.tacit.glm.family;

import dev.tacit.numerics.LegendreQuadrature;

/**
 * A response of which a transform T has a log-concave density of two terms, cut at public points around its mode.
 *
 * <pre>
 *   density of T ∝ exp(A t − B s(t)),  s convex        logarithms of Gamma numbers: s = eᵗ;   logits of Beta ones: s = log(1 + eᵗ)
 *   D(t) = A t* − B s(t*) − (A t − B s(t))              half the deviance from the mode t*;   cut where D = 4.5 at the point, three deviations
 *   ψ = v(cut T) − E v,  v increasing                   |ψ| ≤ max(E v − v(low), v(high) − E v), whatever the label is
 *   χ = min(D_t(cut T)/4.5, 1) − ½,  |χ| ≤ ½            D_t at the public point: the score of the one extra parameter, but for its mean
 *   E over nodes with weights ∝ exp(A t − B s(t)), normalised:   Gauss-Legendre on two parts between the cuts, Gauss-Laguerre beyond
 *   d E v/dη = Cov(v, A′ t − B′ s)
 * </pre>
 *
 * Declared bounds of the target move the cuts inwards, so that targets outside of them, which count as the nearest bound,
 * bias nothing either.
 */
abstract class CutResponse implements GlmFamily {
    /** Where the deviance is 9. */
    private static final double REACH = 4.5;

    private static final LegendreQuadrature INNER = LegendreQuadrature.of(10);
    private static final LegendreQuadrature OUTER = LegendreQuadrature.of(8);

    /** Gauss-Laguerre, the weights times eˣ. */
    private static final double[] TAIL = {
        0.26356031971814087, 1.4134030591065168, 3.596425771040722, 7.085810005858837, 12.640800844275782
    };

    private static final double[] TAIL_WEIGHT = {
        0.6790940422077503, 1.6384878736027473, 2.7694432423708406, 4.315656900920901, 7.219186354354451
    };

    private static final int NODES = 10 + 8 + 2 * TAIL.length;

    /** Places in a reference: cuts, E v, what D and v are made of, then t, s, weights, v and D of all nodes. */
    private static final int LOW = 3;

    private static final int HIGH = 4;
    private static final int CAP = 5;
    private static final int MEAN = 6;
    private static final int SLOPE_OF_D = 7;
    private static final int FACTOR_OF_D = 8;
    private static final int LEAST_D = 9;
    private static final int OWN = 10;
    private static final int SCALE = 11;
    private static final int PLACES = 12;
    private static final int TERMS = PLACES + NODES;
    private static final int WEIGHTS = TERMS + NODES;
    private static final int VALUES = WEIGHTS + NODES;
    private static final int DEVIANCES = VALUES + NODES;

    /** In bounds; a field that is flat everywhere would leave a search without a direction. */
    private static final double LEAST_SLOPE = 1e-4;

    private enum What {
        MEAN,
        SLOPE,
        VARIANCE,
        DEVIANCE
    }

    /** s. */
    abstract double term(double t);

    /** s′. */
    abstract double termSlope(double t);

    /** T of a target at the point; infinite at or outside of the ends of the support. */
    abstract double transformed(double y, double own);

    /** What T of a target depends on at the point. */
    abstract double own(double eta);

    /** A. */
    abstract double linear(double eta, double own, double[] extra);

    /** B. */
    abstract double convex(double eta, double own, double[] extra);

    /** dA/dη. */
    abstract double linearSlope(double eta, double own, double[] extra);

    /** dB/dη. */
    abstract double convexSlope(double eta, double own, double[] extra);

    /** The mode t* of exp(A t − B s(t)). */
    abstract double mode(double a, double b);

    /** A point with D ≥ reach to the left of the mode, close enough for Newton's method. */
    abstract double leftOf(double mode, double a, double b, double reach);

    /** The same to the right. */
    abstract double rightOf(double mode, double a, double b, double reach);

    /** v but for its factor. */
    abstract double value(double t);

    /** A cut of v of its own, further in than D's; +∞ for none. */
    abstract double cap(double[] extra);

    /** The factor of v at the point. */
    abstract double scale(double eta, double[] extra);

    /** Declared bounds of the target. */
    abstract double targetLow();

    abstract double targetHigh();

    @Override
    public final int referenceSize() {
        return DEVIANCES + NODES;
    }

    @Override
    public final double chiBound() {
        return 0.5;
    }

    @Override
    public final void reference(double eta, double[] extra, double[] reference, int at) {
        double own = own(eta);
        double a = linear(eta, own, extra);
        double b = convex(eta, own, extra);
        double mode = mode(a, b);
        double least = b * term(mode) - a * mode;
        double low = leftOf(mode, a, b, REACH);
        double high = rightOf(mode, a, b, REACH);
        for (int step = 0; step < 6; step++) {
            low -= (b * term(low) - a * low - least - REACH) / Math.min(b * termSlope(low) - a, -1e-300);
            high -= (b * term(high) - a * high - least - REACH) / Math.max(b * termSlope(high) - a, 1e-300);
        }
        double from = transformed(targetLow(), own);
        double to = transformed(targetHigh(), own);
        low = Math.max(from, Math.min(to, low));
        high = Math.max(low + 1e-6 * (1 + Math.abs(low)), Math.max(from, Math.min(to, high)));
        reference[at + LOW] = low;
        reference[at + HIGH] = high;
        reference[at + CAP] = Math.max(low, Math.min(high, cap(extra)));
        reference[at + SLOPE_OF_D] = a;
        reference[at + FACTOR_OF_D] = b;
        reference[at + LEAST_D] = least;
        reference[at + OWN] = own;
        reference[at + SCALE] = scale(eta, extra);
        // Tails fall off like exponentials; where a declared bound has moved a cut to the mode or beyond, like half a
        // normal.
        double spread = 3 / Math.max(rightOf(mode, a, b, 0.5) - leftOf(mode, a, b, 0.5), 1e-12);
        double below = 1 / Math.max(a - b * termSlope(low), spread);
        double above = 1 / Math.max(b * termSlope(high) - a, spread);
        double split =
                cap(extra) < Double.POSITIVE_INFINITY ? reference[at + CAP] : Math.max(low, Math.min(high, mode));
        nodes(below, split, above, reference, at);
        double mean = expected(What.MEAN, eta, extra, reference, at);
        reference[at + MEAN] = mean;
        reference[at + BOUND] =
                Math.max(Math.max(mean - cutValue(low, reference, at), cutValue(high, reference, at) - mean), 1e-9);
        reference[at + SLOPE] = expected(What.SLOPE, eta, extra, reference, at);
        reference[at + VARIANCE] = expected(What.VARIANCE, eta, extra, reference, at);
    }

    private void nodes(double below, double split, double above, double[] reference, int at) {
        int next = segment(INNER, reference[at + LOW], split, 0, reference, at);
        next = segment(OUTER, split, reference[at + HIGH], next, reference, at);
        for (int k = 0; k < TAIL.length; k++) {
            node(next++, reference[at + LOW] - below * TAIL[k], below * TAIL_WEIGHT[k], reference, at);
            node(next++, reference[at + HIGH] + above * TAIL[k], above * TAIL_WEIGHT[k], reference, at);
        }
    }

    private int segment(LegendreQuadrature rule, double from, double to, int first, double[] reference, int at) {
        int next = first;
        for (int k = 0; k < rule.nodes().length; k++) {
            double half = (to - from) / 2;
            node(next++, from + half * (1 + rule.nodes()[k]), half * rule.weights()[k], reference, at);
        }
        return next;
    }

    private void node(int j, double t, double weight, double[] reference, int at) {
        reference[at + PLACES + j] = t;
        reference[at + TERMS + j] = term(t);
        reference[at + WEIGHTS + j] = weight;
        reference[at + VALUES + j] = cutValue(t, reference, at);
        reference[at + DEVIANCES + j] = cutDeviance(t, reference, at);
    }

    private static double cut(double t, double[] reference, int at) {
        return Math.max(reference[at + LOW], Math.min(reference[at + HIGH], t));
    }

    private double cutValue(double t, double[] reference, int at) {
        return reference[at + SCALE] * value(Math.min(cut(t, reference, at), reference[at + CAP]));
    }

    private double cutDeviance(double t, double[] reference, int at) {
        double inside = cut(t, reference, at);
        double d = reference[at + FACTOR_OF_D] * term(inside)
                - reference[at + SLOPE_OF_D] * inside
                - reference[at + LEAST_D];
        return Math.max(0, Math.min(1, d / REACH));
    }

    private double expected(What what, double eta, double[] extra, double[] reference, int at) {
        double own = reference[at + OWN];
        double a = linear(eta, own, extra);
        double b = convex(eta, own, extra);
        double mode = mode(a, b);
        double most = a * mode - b * term(mode);
        double da = what == What.SLOPE ? linearSlope(eta, own, extra) : 0;
        double db = what == What.SLOPE ? convexSlope(eta, own, extra) : 0;
        int first = at + (what == What.DEVIANCE ? DEVIANCES : VALUES);
        double total = 0;
        double values = 0;
        double others = 0;
        double products = 0;
        for (int j = 0; j < NODES; j++) {
            double t = reference[at + PLACES + j];
            double s = reference[at + TERMS + j];
            double p = reference[at + WEIGHTS + j] * Math.exp(a * t - b * s - most);
            double v = reference[first + j];
            double other = what == What.VARIANCE ? v : da * t - db * s;
            total += p;
            values += p * v;
            others += p * other;
            products += p * v * other;
        }
        // Far from the point nothing is left of the density at the nodes: everything is at a cut.
        boolean nothing = !(total > 1e-200);
        double mean = nothing ? 0 : values / total;
        double covariance = nothing ? 0 : products / total - mean * others / total;
        double bound = reference[at + BOUND];
        return switch (what) {
            case MEAN -> nothing ? cutValue(mode, reference, at) : mean;
            case DEVIANCE -> nothing ? cutDeviance(mode, reference, at) : mean;
            case SLOPE -> Math.max(LEAST_SLOPE * bound, covariance);
            case VARIANCE -> Math.max(LEAST_SLOPE * LEAST_SLOPE * bound * bound, covariance);
        };
    }

    @Override
    public final double psi(double y, double[] reference, int at) {
        return cutValue(transformed(y, reference[at + OWN]), reference, at) - reference[at + MEAN];
    }

    @Override
    public final void chi(double y, double[] reference, int at, double[] chi) {
        double t = transformed(y, reference[at + OWN]);
        chi[0] = cutDeviance(t, reference, at) - 0.5;
    }

    @Override
    public final double field(double eta, double[] extra, double[] reference, int at) {
        return expected(What.MEAN, eta, extra, reference, at) - reference[at + MEAN];
    }

    @Override
    public final double slope(double eta, double[] extra, double[] reference, int at) {
        return expected(What.SLOPE, eta, extra, reference, at);
    }

    @Override
    public final double variance(double eta, double[] extra, double[] reference, int at) {
        return expected(What.VARIANCE, eta, extra, reference, at);
    }

    @Override
    public final void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        chi[0] = expected(What.DEVIANCE, eta, extra, reference, at) - 0.5;
    }

    @Override
    public final boolean standardisesTarget() {
        return true;
    }

    @Override
    public final double startTarget(double y, double centre, double spread) {
        return Math.max(-3, Math.min(3, (y - centre) / spread));
    }

    @Override
    public final double startBound() {
        return 3;
    }

    @Override
    public final boolean smooths() {
        return false;
    }
}
