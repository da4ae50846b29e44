package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.numerics.GaussLegendre;
import dev.tacit.accounting.numerics.MixtureRatio;
import dev.tacit.accounting.numerics.NormalTail;

/**
 * A Gaussian release on a fixed-size sample under replace-one, through the two-branch dominating pair.
 *
 * <pre>
 *   M(z) = E_Q[r^{z+1} + r^{−z}; ℓ &gt; 0] + (1 − rate)·TV(P, Q),   P = N(a, 1), Q = N(0, 1), a = 2/noiseMultiplier, r = 1 + rate·(e^ℓ − 1)
 * </pre>
 *
 * Zhu, Dong, Wang 2022, Proposition 30 (profile) and docs/privacy-model.md (its pair). Losses are ±log r(u) for u &gt; a/2 and an atom at 0.
 * Composite Gauss-Legendre rule, cut hard at a point whose P-mass is added to delta. On the Bernstein ellipse of parameter 4 around a panel of
 * width W the integrand grows by at most the exponent in {@link #panelWidth}, against 4^{−64} from the 32-point rule.
 */
public final class FixedSizeGaussianMoments extends NodeMoments {
    private static final GaussLegendre RULE = new GaussLegendre(32);
    private static final double RULE_EXPONENT = 2 * 32 * Math.log(4);
    private static final double INNER_EXPONENT = 40;
    private static final double MOST_SEARCH_NODES = 60_000;
    private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    private final double shift;
    private final double rate;
    private final double cut;
    private final double innerExponent;

    /**
     * The moments of one phase.
     *
     * @param logTailMass logarithm of the P-mass of one release that may be left out
     */
    public static FixedSizeGaussianMoments of(double noiseMultiplier, double rate, double times, double logTailMass) {
        double shift = 2 / noiseMultiplier;
        double cut = shift + NormalTail.pointWithTailAtMost(logTailMass - Math.log(3));
        return new FixedSizeGaussianMoments(shift, rate, times, cut);
    }

    private FixedSizeGaussianMoments(double shift, double rate, double times, double cut) {
        super(times, (2 - rate) * NormalTail.above(cut) + rate * NormalTail.above(cut - shift));
        this.shift = shift;
        this.rate = rate;
        this.cut = cut;
        this.innerExponent = INNER_EXPONENT + Math.log(times);
    }

    private double panelWidth(double theta, double frequency) {
        double linear = 0.5625 * (cut + 1 + (theta + 1) * shift) + 0.9375 * frequency * shift;
        double quadratic = 0.45 + 0.14 * theta * shift * shift;
        double exponent = Math.max(4, (RULE_EXPONENT - innerExponent - 6) / 2);
        double width = 2 * exponent / (linear + Math.sqrt(linear * linear + 4 * quadratic * exponent));
        return Math.min(width, 1.5 / shift);
    }

    /** Not a number if the order is not, and possibly more than an array can hold. */
    private double panels(double theta, double frequency) {
        return Math.ceil((cut - 0.5 * shift) / panelWidth(theta, frequency));
    }

    @Override
    double nodeCount(double theta, double frequency) {
        return 2 * RULE.count() * panels(theta, frequency);
    }

    @Override
    double quadratureError() {
        return 4 * Math.exp(-innerExponent);
    }

    @Override
    double easyFrequency(double theta) {
        return 0.6 * (cut + 1 + (theta + 1) * shift) / shift;
    }

    @Override
    boolean searchNodesServe(double theta, double frequency) {
        return theta <= searchOrder && frequency == 0;
    }

    @Override
    Nodes searchNodes(double theta) {
        double order = 2 * theta;
        if (!(nodeCount(order, 0) < MOST_SEARCH_NODES)) {
            return null;
        }
        searchOrder = order;
        return nodes(order, 0);
    }

    private double searchOrder = -1;

    @Override
    Nodes nodes(double theta, double frequency) {
        int panels = (int) panels(theta, frequency);
        int perSide = panels * RULE.count();
        double[] loss = new double[2 * perSide];
        double[] logMass = new double[2 * perSide];
        double[] mass = new double[2 * perSide];
        double from = 0.5 * shift;
        double half = 0.5 * (cut - from) / panels;
        for (int i = 0; i < perSide; i++) {
            int inPanel = i % RULE.count();
            double u = from + half * (2 * (i / RULE.count()) + 1 + RULE.node(inPanel));
            double logRatio = MixtureRatio.log(shift, rate, u);
            double logWeight = Math.log(half * RULE.weight(inPanel)) - 0.5 * u * u - LOG_SQRT_TWO_PI;
            int up = perSide + i;
            int down = perSide - 1 - i;
            loss[up] = logRatio;
            logMass[up] = logWeight + logRatio;
            mass[up] = Math.exp(logMass[up]);
            loss[down] = -logRatio;
            logMass[down] = logWeight;
            mass[down] = Math.exp(logWeight);
        }
        return new Nodes(loss, logMass, mass, lostMass());
    }

    @Override
    public DecayBound decay(double theta) {
        double[] sums = new double[4];
        addCumulants(theta, sums);
        double logMoment = sums[0] / times();
        double from = 0.5 * shift;
        double to = Math.min(cut, from + (theta + 1) * shift + 12);
        int perSide = (int) Math.min(2000, Math.max(100, (to - from) * Math.max(10, 2 * (theta + 2) * shift))) + 1;
        double spacing = (to - from) / (perSide - 1);
        double[] loss = new double[2 * perSide];
        double[] logDensity = new double[2 * perSide];
        for (int i = 0; i < perSide; i++) {
            double u = from + i * spacing;
            double logRatio = MixtureRatio.log(shift, rate, u);
            double common =
                    -0.5 * u * u - LOG_SQRT_TWO_PI - Math.log(shift * MixtureRatio.share(shift, rate, u)) - logMoment;
            loss[perSide + i] = logRatio;
            logDensity[perSide + i] = common + (theta + 1) * logRatio;
            loss[perSide - 1 - i] = -logRatio;
            logDensity[perSide - 1 - i] = common - theta * logRatio;
        }
        double dip = spacing * spacing / 8 * (theta + 2) * shift * shift / 4;
        double[] density = new double[2 * perSide - 1];
        for (int i = 0; i < density.length; i++) {
            density[i] = Math.exp(Math.min(logDensity[i], logDensity[i + 1]) - dip);
        }
        return LevelSetDecay.ofSlices(loss, density, times(), 1);
    }
}
