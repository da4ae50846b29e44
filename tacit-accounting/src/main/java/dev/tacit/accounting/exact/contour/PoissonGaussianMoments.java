package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.numerics.MixtureRatio;
import dev.tacit.accounting.numerics.NormalTail;

/**
 * A Poisson-sampled Gaussian release, in one of its directions.
 *
 * <pre>
 *   u ~ N(0,1),  r±(u) = 1 + rate·(e^{±au − a²/2} − 1),  a = 1/noiseMultiplier
 *   REMOVE   dP = r₊ dN,  L = log r₊          ADD   dP = dN,  L = −log r₊          REPLACE   dP = r₊ dN,  L = log r₊ − log r₋
 * </pre>
 *
 * For REMOVE and REPLACE the outcomes of largest loss are left out by a smooth cut w(u) = ½ erfc((u − u_c)/ω), whose P-mass is added to delta: without it, rare
 * outcomes far beyond the ones that decide delta would dominate the moments at small rates. The losses of ADD are bounded and need no cut unless the rate is nearly 1. Trapezoid rule in u; on the line Im u = b the
 * integrand grows by at most e^{b²/2} (normal), e^{b²/ω²} (cut), e^{|t|ab} (REMOVE, ADD) or e^{2|t|ab} (REPLACE) for the phase of the ratios, and
 * cos(ab/2)^{−θ} where a ratio is inverted, since |r(u+ib)| lies between r(u) cos(ab/2) and r(u). With step h the error is at most
 * 2M(θ) exp(growth(b) − 2πb/h) / (1 − e^{−2πb/h}) for every b &lt; π/a.
 */
public final class PoissonGaussianMoments extends NodeMoments {
    public enum Direction {
        REMOVE,
        ADD,
        REPLACE
    }

    /** Width of the cut, wide: fewest nodes. */
    public static final double CUT_WIDTH = 0.25;
    /** Width of the cut, widest: for so many phases that nodes are dearer than frequencies. */
    public static final double WIDE_CUT_WIDTH = 0.5;
    /** Width of the cut, sharp: no outcome much beyond it has weight, where large losses would spoil the moments. */
    public static final double SPLIT_WIDTH = SmoothCut.START_WIDTH;

    private static final double INNER_EXPONENT = 40;
    private static final double FARTHEST = 200;
    private static final double MOST_RATE_WITHOUT_CUT = 0.99;
    private static final double MOST_DIP = 0.1;
    private static final double END_TOLERANCE = 2.5;
    private static final double[] ROOM_FACTORS = {8, 2, 1.25};
    private static final double LEAST_SEARCH_ORDER = 40;
    private static final double MOST_SEARCH_NODES = 8000;
    /** A little finer than the search needs, so that the line found by it can often be integrated with the same nodes. */
    private static final double SEARCH_FINENESS = 0.85;

    static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    final Direction direction;
    final double shift;
    final double rate;
    /** Outcomes below this are left out too, by the same smooth cut; -∞ if none are. */
    final double start;

    private final SmoothCut smoothCut;
    private final double cut;
    final double cutWidth;
    /** P-mass that the cut takes away, or NaN for a measure far below 1. */
    private final double cutMass;

    /** The end of the window away from the cut. */
    private final double quietEnd;

    private final double innerExponent;

    /** All outcomes, up to a P-mass per release given by its logarithm. */
    public static PoissonGaussianMoments of(
            Direction direction,
            double noiseMultiplier,
            double rate,
            double times,
            double logTailMass,
            double cutWidth) {
        double shift = 1 / noiseMultiplier;
        if (direction == Direction.ADD && rate < MOST_RATE_WITHOUT_CUT) {
            return new PoissonGaussianMoments(
                    direction,
                    shift,
                    rate,
                    times,
                    Double.NEGATIVE_INFINITY,
                    Double.POSITIVE_INFINITY,
                    Double.POSITIVE_INFINITY,
                    0,
                    0);
        }
        double cut = cut(direction, shift, rate, logTailMass, Math.max(cutWidth, CUT_WIDTH));
        double lostMass = massBeyond(direction, shift, rate, cut, cutWidth);
        return new PoissonGaussianMoments(
                direction, shift, rate, times, Double.NEGATIVE_INFINITY, cut, cutWidth, lostMass, lostMass);
    }

    /** The outcomes below a point; what is beyond it is accounted for elsewhere. */
    public static PoissonGaussianMoments below(
            Direction direction, double noiseMultiplier, double rate, double times, double cut) {
        double shift = 1 / noiseMultiplier;
        double missing = massBeyond(direction, shift, rate, cut, SPLIT_WIDTH);
        return new PoissonGaussianMoments(
                direction, shift, rate, times, Double.NEGATIVE_INFINITY, cut, SPLIT_WIDTH, missing, 0);
    }

    /** The outcomes between two points, a measure of mass far below 1. */
    public static PoissonGaussianMoments between(
            Direction direction, double noiseMultiplier, double rate, double times, double start, double cut) {
        return new PoissonGaussianMoments(
                direction, 1 / noiseMultiplier, rate, times, start, cut, SPLIT_WIDTH, Double.NaN, 0);
    }

    private PoissonGaussianMoments(
            Direction direction,
            double shift,
            double rate,
            double times,
            double start,
            double cut,
            double cutWidth,
            double cutMass,
            double lostMass) {
        super(times, lostMass * (1 + 1e-14));
        this.direction = direction;
        this.shift = shift;
        this.rate = rate;
        this.start = start;
        this.cut = cut;
        this.cutWidth = cutWidth;
        this.smoothCut = new SmoothCut(start, cut, cutWidth);
        this.cutMass = cutMass;
        this.innerExponent = INNER_EXPONENT + Math.log(times);
        double bulk = NormalTail.pointWithTailAtMost(-innerExponent);
        if (direction == Direction.ADD) {
            this.quietEnd = Math.max(bulk, 0.5 * shift);
        } else {
            this.quietEnd = start == Double.NEGATIVE_INFINITY
                    ? -bulk
                    : start
                            - 0.5
                                    * SPLIT_WIDTH
                                    * SPLIT_WIDTH
                                    * (start
                                            + Math.sqrt(start * start
                                                    + 4 * (innerExponent + 15) / (SPLIT_WIDTH * SPLIT_WIDTH)));
        }
    }

    /**
     * Where the law ends beyond the cut: the first point at which the cut has pressed the tilted integrand, also on the lines used to bound the
     * quadrature, far below what matters. Outcomes beyond it, whose P-mass is smaller still, are left out altogether, however large their
     * loss: no order can bring them back. Truncating there adds to the quadrature error only terms of the size of the integrand at that point
     * (Abel-Plana summation on the half line).
     */
    private double beyondCut(double theta) {
        if (!cutsLaw()) {
            return endOfBoundedLosses(theta);
        }
        double needed = 2 * innerExponent + 15;
        double atCut = tilt(theta, cut);
        for (double x = cutWidth * Math.sqrt(needed); x < FARTHEST; x *= 1.1) {
            if (-x * x / (cutWidth * cutWidth) + tilt(theta, cut + x) - atCut <= -needed) {
                return cut + x;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /**
     * The same for ADD without a cut. With g(u) = −u²/2 − θ log r(u), share p of the ratio and κ = 1 + θa²/4:
     *
     * <pre>
     *   g′ = −u − θap ≥ s = x − θap(−x) below −x,   so   Σ or ∫ of e^g below −x ≤ e^{g(−x)} (1 + 1/s)
     *   g″ ≥ −κ,                                    so   √(2π) M(θ) ≥ e^{g(0)} √(2π/κ)
     * </pre>
     */
    private double endOfBoundedLosses(double theta) {
        double atOrigin = theta * MixtureRatio.log(shift, rate, 0);
        double needed = innerExponent + 3 + 0.5 * Math.log1p(0.25 * theta * shift * shift);
        double x = NormalTail.pointWithTailAtMost(-innerExponent - 6);
        for (; x < FARTHEST; x *= 1.05) {
            boolean descending = x - theta * shift * MixtureRatio.share(shift, rate, -x) >= 1;
            if (descending && -0.5 * x * x - theta * MixtureRatio.log(shift, rate, -x) + atOrigin <= -needed) {
                return x;
            }
        }
        return Double.POSITIVE_INFINITY;
    }

    /** The exponent θL, plus log(dP/dN), at a distance from 0 towards the cut. */
    private double tilt(double theta, double distance) {
        return switch (direction) {
            case REMOVE -> (theta + 1) * MixtureRatio.log(shift, rate, distance);
            case ADD -> -theta * MixtureRatio.log(shift, rate, -distance);
            case REPLACE ->
                (theta + 1) * MixtureRatio.log(shift, rate, distance)
                        - theta * MixtureRatio.log(shift, rate, -distance);
        };
    }

    /** Orders that a set of nodes serves: the window must reach far enough for the lowest on the quiet side, for the highest beyond the cut. */
    private record Orders(double lowest, double highest) {
        static Orders only(double theta) {
            return new Orders(theta, theta);
        }

        boolean contain(double theta) {
            return lowest <= theta && theta <= highest;
        }
    }

    /** Where the window of one order begins. */
    double left(double theta) {
        return left(Orders.only(theta));
    }

    /** Where the window of one order ends. */
    double right(double theta) {
        return right(Orders.only(theta));
    }

    private double left(Orders orders) {
        return direction == Direction.ADD
                ? -lastOutcome(orders.highest())
                : Math.max(quietEnd, -suppressed(orders.lowest()));
    }

    private double right(Orders orders) {
        return direction == Direction.ADD
                ? Math.min(quietEnd, suppressed(orders.lowest()))
                : lastOutcome(orders.highest());
    }

    /** The highest order that the present law serves, and the outcome at which it ends; see {@link #beyondCut}. */
    private double lawOrder = Double.NEGATIVE_INFINITY;

    private double lawEnd;

    private double lastOutcome(double highest) {
        return highest <= lawOrder ? lawEnd : beyondCut(highest);
    }

    /** Whether outcomes are left out at all. If not, all orders have the same law, wherever their windows end. */
    private boolean cutsLaw() {
        return cut < Double.POSITIVE_INFINITY;
    }

    private void endLawFor(double order) {
        lawOrder = order;
        lawEnd = beyondCut(order);
        laws++;
        searchOrders = null;
        stripBound = null;
        removeGrowth = null;
    }

    /**
     * Where the law ends depends on the highest order, and outcomes far beyond the cut dominate the moments of laws that include them. So that all
     * numbers of one integral describe the same law, it is chosen once: the present one if it ends not much farther than it must, else anew.
     */
    @Override
    public int lawUpTo(double order) {
        if (!cutsLaw()) {
            return laws;
        }
        double nearest = cut + cutWidth * Math.sqrt(2 * innerExponent + 15);
        boolean near = lawEnd <= nearest + END_TOLERANCE || lawEnd <= beyondCut(order) + END_TOLERANCE;
        if (!(order <= lawOrder && near)) {
            endLawFor(withRoom(order));
        }
        return laws;
    }

    /** An order above this one that makes the law end hardly farther, so that it serves the next orders too. */
    private double withRoom(double order) {
        double end = beyondCut(order);
        for (double factor : ROOM_FACTORS) {
            if (beyondCut(factor * order) <= end + 0.5 * END_TOLERANCE) {
                return factor * order;
            }
        }
        return order;
    }

    @Override
    public int law() {
        return laws;
    }

    /** Beyond this the power −θ of a ratio makes the tilted integrand negligible beside M(θ) ≥ 1: r^{−θ} ≤ e^{−inner exponent − 5}. */
    private double suppressed(double theta) {
        if (direction == Direction.REMOVE || start != Double.NEGATIVE_INFINITY) {
            return Double.POSITIVE_INFINITY;
        }
        double excess = Math.expm1(Math.min(700, (innerExponent + 6) / theta));
        return Math.log1p(excess / rate) / shift + 0.5 * shift;
    }

    /** Where to cut so that the P-mass beyond is at most the one given by its logarithm. */
    public static double cut(Direction direction, double shift, double rate, double logTailMass) {
        return cut(direction, shift, rate, logTailMass, CUT_WIDTH);
    }

    private static double cut(Direction direction, double shift, double rate, double logTailMass, double width) {
        double spread = spread(width);
        double unsampled = spread * NormalTail.pointWithTailAtMost(logTailMass - Math.log(2));
        if (direction == Direction.ADD) {
            return unsampled;
        }
        double sampled = shift + spread * NormalTail.pointWithTailAtMost(logTailMass - Math.log(2) - Math.log(rate));
        return Math.max(unsampled, sampled);
    }

    /** P-mass that a smooth cut leaves out. */
    public static double massBeyond(Direction direction, double shift, double rate, double cut, double width) {
        double unsampled = NormalTail.above(cut / spread(width));
        return direction == Direction.ADD
                ? unsampled
                : (1 - rate) * unsampled + rate * NormalTail.above((cut - shift) / spread(width));
    }

    private static double spread(double width) {
        return Math.sqrt(1 + 0.5 * width * width);
    }

    private double strip(Orders orders) {
        return Math.min(
                Math.sqrt(innerExponent / curvature(orders)), (direction == Direction.REMOVE ? 2.8 : 1.5) / shift);
    }

    private double curvature(Orders orders) {
        double sharpest = start == Double.NEGATIVE_INFINITY ? cutWidth : SPLIT_WIDTH;
        double cutAndNormal = 0.5 + 1 / (sharpest * sharpest);
        if (direction == Direction.REMOVE) {
            return cutAndNormal;
        }
        double end = direction == Direction.ADD ? right(orders) : -left(orders);
        double share = Math.min(0.5, MixtureRatio.share(shift, rate, end));
        return cutAndNormal + 0.6 * share * (1 - share) * orders.highest() * shift * shift;
    }

    private double spacing(Orders orders, double frequency) {
        double strip = strip(orders);
        double phase = (direction == Direction.REPLACE ? 2 : 1) * frequency * shift;
        double simple = 2 * Math.PI / (curvature(orders) * strip + phase + innerExponent / strip);
        RemoveGrowth growth = orders.lowest() == orders.highest()
                ? removeGrowth(orders.highest())
                : removeGrowthUpTo(orders.highest());
        if (growth != null) {
            simple = Math.max(simple, growth.spacing(frequency, innerExponent));
        }
        if (!(frequency > 2 * easyFrequency(orders))) {
            return simple;
        }
        double best = simple;
        StripBound bound = stripBound(orders.highest());
        for (int i = 0; i < StripBound.STRIPS; i++) {
            double exponent = innerExponent + bound.logGrowth(frequency, i) + Math.log(2);
            best = Math.max(best, 2 * Math.PI * bound.strip(i) / exponent);
        }
        return best;
    }

    /** Growth off the real axis at one order, or null if it is not known without changing the law. */
    private RemoveGrowth removeGrowth(double theta) {
        boolean known = removeGrowth != null && removeGrowth.theta() == theta;
        if (known || direction != Direction.REMOVE || start != Double.NEGATIVE_INFINITY || !(theta <= lawOrder)) {
            return known ? removeGrowth : null;
        }
        double[] factors = RemoveGrowth.ORDER_FACTORS;
        double[] extraOrders = new double[factors.length + 1];
        double[] logMoments = new double[factors.length + 1];
        double error = 0;
        for (int i = 0; i < extraOrders.length; i++) {
            extraOrders[i] = i == 0 ? 0 : Math.min(factors[i - 1] * theta, lawOrder - theta);
            double[] sums = new double[4];
            addCumulants(theta + extraOrders[i], sums);
            logMoments[i] = (sums[0] + sums[3]) / times();
            error = i == 0 ? 2 * sums[3] / times() : error;
        }
        removeGrowth = Double.isNaN(logMoments[0])
                ? null
                : new RemoveGrowth(
                        theta, shift, rate, quietEnd, cut, cutWidth, logMoments[0] - error, extraOrders, logMoments);
        return removeGrowth;
    }

    /**
     * Growth at all orders up to this one, or null if it is not known: (1 + x)^{θ+1} ≥ 1 + (θ+1)x gives M(θ) ≥ 1 − (θ+2)·mass beyond the cut.
     */
    private RemoveGrowth removeGrowthUpTo(double highest) {
        double least = 1 - (highest + 2) * cutMass;
        return direction == Direction.REMOVE && start == Double.NEGATIVE_INFINITY && least > 0.5
                ? RemoveGrowth.upTo(highest, shift, rate, quietEnd, cut, cutWidth, Math.log(least))
                : null;
    }

    private RemoveGrowth removeGrowth;

    private StripBound stripBound(double theta) {
        if (stripBound == null || stripBound.theta() != theta) {
            double[] sums = new double[4];
            addCumulants(theta, sums);
            stripBound = new StripBound(this, theta, sums[0] / times());
        }
        return stripBound;
    }

    private StripBound stripBound;
    private int laws;

    @Override
    public DecayBound sharperDecay(double theta, DecayBound bound) {
        StripBound strips = stripBound(theta);
        LossDensity density = LossDensity.of(this, theta);
        DecayBound[] levelSets = {
            bound,
            LevelSetDecay.ofDifference(density.losses(), density.lower(), times(), 0.9),
            LevelSetDecay.ofDifference(density.losses(), density.lower(), times(), 0.995),
            LevelSetDecay.ofSlices(density.losses(), density.lower(), times(), 6),
            LevelSetDecay.ofSlices(density.losses(), density.lower(), times(), 18)
        };
        return t -> {
            double levels = 0;
            for (DecayBound levelSet : levelSets) {
                levels = Math.min(levels, levelSet.logAbsolute(t));
            }
            return levels < -200 ? levels : Math.min(levels, times() * strips.logDecay(t));
        };
    }

    @Override
    public double roughVariance() {
        double square = shift * shift;
        double one = rate * rate * Math.expm1(square);
        return times() * (direction == Direction.REPLACE ? 2 * (one - rate * rate * Math.expm1(-square)) : one);
    }

    @Override
    double easyFrequency(double theta) {
        return easyFrequency(Orders.only(theta));
    }

    private double easyFrequency(Orders orders) {
        double strip = strip(orders);
        return (curvature(orders) * strip + innerExponent / strip) / shift;
    }

    @Override
    double quadratureError() {
        return 4 * Math.exp(-innerExponent);
    }

    @Override
    double nodeCount(double theta, double frequency) {
        Orders orders = Orders.only(theta);
        return (right(orders) - left(orders)) / spacing(orders, frequency) + 1;
    }

    @Override
    Nodes nodes(double theta, double frequency) {
        Orders orders = Orders.only(theta);
        return nodesOf(orders, spacing(orders, frequency));
    }

    @Override
    boolean searchNodesServe(double theta, double frequency) {
        if (searchOrders == null || !searchOrders.contain(theta)) {
            return false;
        }
        boolean fine = frequency > 0
                && direction == Direction.REMOVE
                && searchSpacing <= spacing(Orders.only(theta), frequency);
        return frequency <= searchFrequency || fine;
    }

    @Override
    Nodes searchNodes(double theta) {
        double highest = switch (direction) {
            case REMOVE -> Math.max(4 * theta, LEAST_SEARCH_ORDER);
            case ADD -> Math.max(4 * theta, 1.6 * LEAST_SEARCH_ORDER);
            case REPLACE -> 3 * theta;
        };
        if (cutsLaw() && !(theta <= lawOrder)) {
            endLawFor(highest);
        }
        double served = cutsLaw() ? Math.min(highest, lawOrder) : highest;
        Orders orders = switch (direction) {
            case REMOVE -> new Orders(0, served);
            case ADD -> new Orders(theta / 16, served);
            case REPLACE -> new Orders(theta / 3, served);
        };
        double frequency = 0.3 * easyFrequency(orders);
        if (!Double.isFinite(frequency)
                || !((right(orders) - left(orders)) / spacing(orders, frequency) < MOST_SEARCH_NODES)) {
            return null;
        }
        searchOrders = orders;
        searchFrequency = frequency;
        searchSpacing = (direction == Direction.REMOVE ? SEARCH_FINENESS : 1) * spacing(orders, frequency);
        searchFirst = first(orders, searchSpacing);
        return nodesOf(orders, searchSpacing);
    }

    private Orders searchOrders;
    private double searchFrequency;
    private double searchSpacing;
    private long searchFirst;

    /** Index of the first point of a lattice in the window. */
    private long first(Orders orders, double spacing) {
        return (long) Math.ceil(left(orders) / spacing);
    }

    private Nodes nodesOf(Orders orders, double spacing) {
        long first = first(orders, spacing);
        int n = (int) ((long) Math.floor(right(orders) / spacing) - first) + 1;
        double[] loss = new double[n];
        double[] logMass = new double[n];
        double[] mass = new double[n];
        double logSpacing = Math.log(spacing) - LOG_SQRT_TWO_PI;
        for (int i = 0; i < n; i++) {
            double u = (first + i) * spacing;
            double logRatio = MixtureRatio.log(shift, rate, u);
            loss[i] = loss(u, logRatio);
            logMass[i] = logSpacing + logDensity(u, logRatio);
            mass[i] = Math.exp(logMass[i]);
        }
        return new Nodes(loss, logMass, mass, cutMass + massOutside(orders, spacing));
    }

    /**
     * P-mass of the lattice points on the quiet side of the window: the tilt makes them irrelevant, but the law has them. It is summed on the same
     * lattice, because only the whole sum is as accurate as the trapezoid rule promises.
     */
    private double massOutside(Orders orders, double spacing) {
        double sum = 0;
        if (direction == Direction.ADD) {
            for (long k = (long) Math.floor(right(orders) / spacing) + 1; k * spacing <= quietEnd; k++) {
                sum += Math.exp(-0.5 * (k * spacing) * (k * spacing));
            }
        } else if (direction == Direction.REPLACE && start == Double.NEGATIVE_INFINITY) {
            for (long k = (long) Math.ceil(left(orders) / spacing) - 1; k * spacing >= quietEnd; k--) {
                double u = k * spacing;
                sum += Math.exp(-0.5 * u * u + MixtureRatio.log(shift, rate, u));
            }
        }
        return sum * spacing / Math.sqrt(2 * Math.PI);
    }

    double loss(double u, double logRatio) {
        return switch (direction) {
            case REMOVE -> logRatio;
            case ADD -> -logRatio;
            case REPLACE -> logRatio - MixtureRatio.log(shift, rate, -u);
        };
    }

    /** Log of the cut P-density in u, times √(2π). */
    double logDensity(double u, double logRatio) {
        double ratio = direction == Direction.ADD ? 0 : logRatio;
        return -0.5 * u * u + ratio + logCut(u);
    }

    double logCut(double u) {
        return smoothCut.logKept(direction == Direction.ADD ? -u : u);
    }

    /** Log of what the cut takes away from 1. */
    double logRest(double u) {
        return smoothCut.logBeyond(direction == Direction.ADD ? -u : u);
    }

    @Override
    public DecayBound decay(double theta) {
        Nodes nodes = readySearchNodes(theta);
        boolean fine = 0.125 * searchSpacing * searchSpacing * LossDensity.convexity(this, theta) < MOST_DIP;
        if (nodes == null || start != Double.NEGATIVE_INFINITY || !fine) {
            LossDensity density = LossDensity.of(this, theta);
            return LevelSetDecay.ofSlices(density.losses(), density.lower(), times(), 1);
        }
        double[] weights = tiltedWeights(nodes, theta);
        double[] loss = nodes.loss();
        double largest = Math.max(Math.abs(loss[0]), Math.abs(loss[loss.length - 1]));
        double relativeError = weightError(nodes.count(), theta * largest);
        LossDensity density =
                LossDensity.atNodes(this, theta, loss, weights, searchFirst, searchSpacing, relativeError);
        double room = Math.min(theta - searchOrders.lowest(), searchOrders.highest() - theta);
        double radius = Math.min(Math.min(room, searchFrequency), 1 / largest);
        return LevelSetDecay.ofSlices(density.losses(), density.lower(), times(), 1)
                .near(LevelSetDecay.Moments.of(loss, weights, relativeError, quadratureError(), radius));
    }
}
