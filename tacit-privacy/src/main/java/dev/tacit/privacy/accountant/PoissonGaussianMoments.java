package dev.tacit.privacy.accountant;

import dev.tacit.privacy.numerics.MixtureRatio;
import dev.tacit.privacy.numerics.NormalTail;
import org.apache.commons.numbers.gamma.Erfc;
import org.apache.commons.numbers.gamma.Erfcx;

/**
 * A Poisson-sampled Gaussian release, in one of its directions.
 *
 * <pre>
 *   u ~ N(0,1),  r±(u) = 1 + rate·(e^{±au − a²/2} − 1),  a = 1/noiseMultiplier
 *   REMOVE   dP = r₊ dN,  L = log r₊          ADD   dP = dN,  L = −log r₊          REPLACE   dP = r₊ dN,  L = log r₊ − log r₋
 * </pre>
 *
 * The outcomes of largest loss are left out by a smooth cut w(u) = ½ erfc((u − u_c)/ω), whose P-mass is added to delta: without it, rare
 * outcomes far beyond the ones that decide delta would dominate the moments at small rates. Trapezoid rule in u; on the line Im u = b the
 * integrand grows by at most e^{b²/2} (normal), e^{b²/ω²} (cut), e^{|t|ab} (REMOVE, ADD) or e^{2|t|ab} (REPLACE) for the phase of the ratios, and
 * cos(ab/2)^{−θ} where a ratio is inverted, since |r(u+ib)| lies between r(u) cos(ab/2) and r(u). With step h the error is at most
 * 2M(θ) exp(growth(b) − 2πb/h) / (1 − e^{−2πb/h}) for every b &lt; π/a.
 */
final class PoissonGaussianMoments extends NodeMoments {
    enum Direction {
        REMOVE,
        ADD,
        REPLACE
    }

    /** Width of the cut, wide: fewest nodes. */
    static final double CUT_WIDTH = 0.25;
    /** Width of the cut, sharp: no outcome much beyond it has weight, where large losses would spoil the moments. */
    static final double SPLIT_WIDTH = 1.0 / 16;

    private static final double INNER_EXPONENT = 40;
    private static final double FARTHEST = 200;
    private static final double END_TOLERANCE = 1;
    private static final double LEAST_SEARCH_ORDER = 64;
    private static final double MOST_SEARCH_NODES = 8000;
    private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    private final Direction direction;
    private final double shift;
    private final double rate;
    /** Outcomes below this are left out too, by the same smooth cut; -∞ if none are. */
    private final double start;

    private final double cut;
    private final double cutWidth;
    /** P-mass that the cut takes away, or NaN for a measure far below 1. */
    private final double cutMass;

    /** The end of the window away from the cut. */
    private final double quietEnd;

    private final double innerExponent;

    /** All outcomes, up to a P-mass per release given by its logarithm. */
    static PoissonGaussianMoments of(
            Direction direction,
            double noiseMultiplier,
            double rate,
            double times,
            double logTailMass,
            double cutWidth) {
        double shift = 1 / noiseMultiplier;
        double cut = cut(direction, shift, rate, logTailMass);
        double lostMass = massBeyond(direction, shift, rate, cut, cutWidth);
        return new PoissonGaussianMoments(
                direction, shift, rate, times, Double.NEGATIVE_INFINITY, cut, cutWidth, lostMass, lostMass);
    }

    /** The outcomes below a point; what is beyond it is accounted for elsewhere. */
    static PoissonGaussianMoments below(
            Direction direction, double noiseMultiplier, double rate, double times, double cut) {
        double shift = 1 / noiseMultiplier;
        double missing = massBeyond(direction, shift, rate, cut, SPLIT_WIDTH);
        return new PoissonGaussianMoments(
                direction, shift, rate, times, Double.NEGATIVE_INFINITY, cut, SPLIT_WIDTH, missing, 0);
    }

    /** The outcomes between two points, a measure of mass far below 1. */
    static PoissonGaussianMoments between(
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
        double needed = 2 * innerExponent + 15;
        double atCut = tilt(theta, cut);
        for (double x = cutWidth * Math.sqrt(needed); x < FARTHEST; x *= 1.1) {
            if (-x * x / (cutWidth * cutWidth) + tilt(theta, cut + x) - atCut <= -needed) {
                return cut + x;
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

    private void endLawFor(double order) {
        lawOrder = order;
        lawEnd = beyondCut(order);
        laws++;
        searchOrders = null;
        stripBound = null;
    }

    /**
     * Where the law ends depends on the highest order, and outcomes far beyond the cut dominate the moments of laws that include them. So that all
     * numbers of one integral describe the same law, it is chosen once: the present one if it ends not much farther than it must, else anew.
     */
    @Override
    public int lawUpTo(double order) {
        double nearest = cut + cutWidth * Math.sqrt(2 * innerExponent + 15);
        boolean near = lawEnd <= nearest + END_TOLERANCE || lawEnd <= beyondCut(order) + END_TOLERANCE;
        if (!(order <= lawOrder && near)) {
            endLawFor(beyondCut(8 * order) <= beyondCut(order) + END_TOLERANCE ? 8 * order : order);
        }
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
    static double cut(Direction direction, double shift, double rate, double logTailMass) {
        double spread = spread(CUT_WIDTH);
        double unsampled = spread * NormalTail.pointWithTailAtMost(logTailMass - Math.log(2));
        if (direction == Direction.ADD) {
            return unsampled;
        }
        double sampled = shift + spread * NormalTail.pointWithTailAtMost(logTailMass - Math.log(2) - Math.log(rate));
        return Math.max(unsampled, sampled);
    }

    /** P-mass that a smooth cut leaves out. */
    static double massBeyond(Direction direction, double shift, double rate, double cut, double width) {
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
        if (!(frequency > 2 * easyFrequency(orders))) {
            return simple;
        }
        double best = simple;
        StripBound bound = stripBound(orders.highest());
        for (int i = 0; i < StripBound.STRIPS; i++) {
            double exponent = innerExponent + bound.logGrowth(frequency, i) + Math.log(2);
            best = Math.max(best, 2 * Math.PI * bound.strips[i] / exponent);
        }
        return best;
    }

    private StripBound stripBound(double theta) {
        if (stripBound == null || stripBound.theta != theta) {
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
        Density density = density(theta);
        DecayBound[] levelSets = {
            bound,
            LevelSetDecay.ofDifference(density.losses, density.lower, times(), 0.9),
            LevelSetDecay.ofDifference(density.losses, density.lower, times(), 0.995),
            LevelSetDecay.ofSlices(density.losses, density.lower, times(), 6),
            LevelSetDecay.ofSlices(density.losses, density.lower, times(), 18)
        };
        return t -> {
            double levels = 0;
            for (DecayBound levelSet : levelSets) {
                levels = Math.min(levels, levelSet.logAbsolute(t));
            }
            return levels < -200 ? levels : Math.min(levels, times() * strips.logDecay(t));
        };
    }

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
    private static final class StripBound {
        static final int STRIPS = 14;
        private static final int CELLS = 160;

        private final double theta;
        private final double[] strips = new double[STRIPS];
        private final double[][] logMass = new double[STRIPS][CELLS];
        private final double[][] mostPhase = new double[STRIPS][CELLS];
        private final double[][] leastPhase = new double[STRIPS][CELLS];

        StripBound(PoissonGaussianMoments curve, double theta, double logMoment) {
            this.theta = theta;
            double from = curve.left(Orders.only(theta));
            double cell = (curve.right(Orders.only(theta)) - from) / CELLS;
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
                logRest[i] = logHalfErfc((curve.cut - (curve.direction == Direction.ADD ? -u : u)) / curve.cutWidth);
                logTilted[i] = curve.logDensity(u, logRatio) - logCut[i] + theta * curve.loss(u, logRatio);
                plus[i] = MixtureRatio.share(curve.shift, curve.rate, u);
                minus[i] = MixtureRatio.share(curve.shift, curve.rate, -u);
            }
            boolean replace = curve.direction == Direction.REPLACE;
            boolean add = curve.direction == Direction.ADD;
            for (int j = 0; j < STRIPS; j++) {
                double strip = widest * Math.pow(0.7, j);
                double angle = strip * curve.shift;
                double sharpest = curve.start == Double.NEGATIVE_INFINITY ? curve.cutWidth : SPLIT_WIDTH;
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
                            - LOG_SQRT_TWO_PI
                            - logMoment
                            + 0.5 * strip * strip
                            + cut
                            + modulus;
                    mostPhase[j][i] = argument(plus[i + 1], angle) + (replace ? argument(minus[i], angle) : 0);
                    leastPhase[j][i] = argument(plus[i], angle) + (replace ? argument(minus[i + 1], angle) : 0);
                }
            }
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
        return nodes(Orders.only(theta), frequency);
    }

    @Override
    boolean searchNodesServe(double theta, double frequency) {
        return searchOrders != null && searchOrders.contain(theta) && frequency <= searchFrequency;
    }

    @Override
    Nodes searchNodes(double theta) {
        if (!(theta <= lawOrder)) {
            endLawFor(direction == Direction.REMOVE ? Math.max(4 * theta, LEAST_SEARCH_ORDER) : 3 * theta);
        }
        Orders orders = direction == Direction.REMOVE
                ? new Orders(0, lawOrder)
                : new Orders(theta / 3, Math.min(3 * theta, lawOrder));
        double frequency = 0.5 * easyFrequency(orders);
        if (!Double.isFinite(frequency)
                || !((right(orders) - left(orders)) / spacing(orders, frequency) < MOST_SEARCH_NODES)) {
            return null;
        }
        searchOrders = orders;
        searchFrequency = frequency;
        return nodes(orders, frequency);
    }

    private Orders searchOrders;
    private double searchFrequency;

    private Nodes nodes(Orders orders, double frequency) {
        double spacing = spacing(orders, frequency);
        long first = (long) Math.ceil(left(orders) / spacing);
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

    private double loss(double u, double logRatio) {
        return switch (direction) {
            case REMOVE -> logRatio;
            case ADD -> -logRatio;
            case REPLACE -> logRatio - MixtureRatio.log(shift, rate, -u);
        };
    }

    /** Log of the cut P-density in u, times √(2π). */
    private double logDensity(double u, double logRatio) {
        double ratio = direction == Direction.ADD ? 0 : logRatio;
        return -0.5 * u * u + ratio + logCut(u);
    }

    private double logCut(double u) {
        double towardsCut = direction == Direction.ADD ? -u : u;
        double distance = (towardsCut - cut) / cutWidth;
        double logUpper = distance < -6 ? 0 : logHalfErfc(distance);
        if (start == Double.NEGATIVE_INFINITY) {
            return logUpper;
        }
        double fromStart = (start - towardsCut) / SPLIT_WIDTH;
        if (fromStart > 0) {
            double logRest = distance < 0 ? logHalfErfc(-distance) : Double.NEGATIVE_INFINITY;
            double logMissing = logHalfErfc(fromStart);
            return logMissing + Math.log1p(-Math.exp(Math.min(-1e-12, logRest - logMissing)));
        }
        return logUpper + Math.log1p(-Math.exp(Math.min(-1e-12, logHalfErfc(-fromStart) - logUpper)));
    }

    private static double logHalfErfc(double x) {
        return x < 5 ? Math.log(0.5 * Erfc.value(x)) : Math.log(0.5 * Erfcx.value(x)) - x * x;
    }

    @Override
    public DecayBound decay(double theta) {
        Density density = density(theta);
        return LevelSetDecay.ofSlices(density.losses, density.lower, times(), 1);
    }

    /** Ascending losses and a lower bound of the tilted loss density between neighbouring ones. */
    private static final class Density {
        private final double[] losses;
        private final double[] lower;

        Density(double[] losses, double[] lower) {
            this.losses = losses;
            this.lower = lower;
        }
    }

    private Density density(double theta) {
        double[] sums = new double[4];
        addCumulants(theta, sums);
        double logMoment = sums[0] / times();
        double spacing = Math.min(0.2, 0.7 / ((theta + 2) * shift + 1e-9));
        Orders orders = Orders.only(theta);
        double from = Math.max(left(orders), -12.0 - (direction == Direction.ADD ? theta * shift : 0));
        double to = start == Double.NEGATIVE_INFINITY
                ? Math.min(right(orders), (2 * theta + 1) * shift + 12)
                : right(orders);
        spacing = Math.max(spacing, (to - from) / 4000);
        int n = (int) ((to - from) / spacing) + 1;
        double[] loss = new double[n];
        double[] logDensity = new double[n];
        boolean descending = direction == Direction.ADD;
        for (int i = 0; i < n; i++) {
            double u = from + i * spacing;
            double logRatio = MixtureRatio.log(shift, rate, u);
            int at = descending ? n - 1 - i : i;
            loss[at] = loss(u, logRatio);
            double slope = MixtureRatio.share(shift, rate, u);
            if (direction == Direction.REPLACE) {
                slope += MixtureRatio.share(shift, rate, -u);
            }
            logDensity[at] =
                    logDensity(u, logRatio) - LOG_SQRT_TWO_PI + theta * loss[at] - Math.log(shift * slope) - logMoment;
        }
        double dip = spacing * spacing / 8 * convexity(theta);
        double[] density = new double[n - 1];
        for (int i = 0; i + 1 < n; i++) {
            density[i] = Math.exp(Math.min(logDensity[i], logDensity[i + 1]) - dip);
        }
        return new Density(loss, density);
    }

    /** Largest second derivative in u of the log of the tilted loss density, i.e. how far it can dip between two points. */
    private double convexity(double theta) {
        double square = shift * shift;
        return switch (direction) {
            case REMOVE -> (theta + 2) * square / 4;
            case ADD -> square / 4;
            case REPLACE -> (theta + 1) * square / 2 + 2 * square;
        };
    }
}
