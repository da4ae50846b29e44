package dev.tacit.accounting.exact.contour;

import java.util.List;

/**
 * A rigorous bound on a characteristic function far from the origin.
 *
 * <p>If a law has a density of at least λ_j on an interval of length Δ_j, for nested intervals, it contains the mixture of uniform laws of weights
 * κ_j = (λ_j − λ_{j+1}) Δ_j, and the rest has modulus at most its mass:
 *
 * <pre>
 *   |φ(t)| ≤ 1 − Σ_j κ_j (1 − sinc*(tΔ_j/2)),   sinc*(y) = sup_{y' ≥ y} |sin y' / y'|
 * </pre>
 *
 * Nested intervals of a skewed density miss part of its spread. The difference of two independent losses has the characteristic function |φ|² and a
 * symmetric density, for which the same bound is nearly sharp ({@link #ofDifference}).
 */
final class LevelSetDecay implements MomentCurve.DecayBound {
    private static final int LEVELS = 48;
    private static final int CELLS = 300;
    /** Lengths in one pool agree in their exponent and the first four bits behind it. */
    private static final int POOL_SHIFT = 48;

    private static final int POOLS = 1600;
    private static final double SHORTEST_POOL = 0x1p-86;
    private static final long FIRST_POOL = Double.doubleToRawLongBits(SHORTEST_POOL) >> POOL_SHIFT;
    private static final double LEVEL_RATIO = Math.exp(-0.25);
    /** Height of the first side lobe of |sin y / y|, rounded up. */
    private static final double SIDE_LOBE = 0.21724;

    private final double[] weights;
    private final double[] halfLengths;
    private final double times;
    private final NearOrigin near;
    private final MomentCurve.DecayBound combined;

    private LevelSetDecay(double[] weights, double[] halfLengths, double times, NearOrigin near) {
        this.weights = weights;
        this.halfLengths = halfLengths;
        this.times = times;
        this.near = near;
        this.combined = near.with(this::farFromOrigin);
    }

    /**
     * Moments of a law about its mean.
     *
     * @param variance a lower bound of σ²
     * @param quartic an upper bound of μ₄ + 3σ⁴, half the fourth moment of the difference of two independent losses
     */
    record Moments(double variance, double quartic) {
        /**
         * From the nodes of a rule. The error of its sum for M(z) is analytic in z and at most ε M(Re z) where the nodes serve, so by Cauchy's estimate
         * on a circle of radius ρ ≤ 1/max|L| around θ the error of the n-th moment is at most e·n!·ε/ρⁿ. Weights with a relative error of η
         * misplace the mean by at most η√E[L²].
         *
         * @param relativeError η
         * @param quadratureError ε
         * @param radius ρ
         */
        static Moments of(
                double[] loss, double[] weights, double relativeError, double quadratureError, double radius) {
            double mean = 0;
            double square = 0;
            for (int i = 0; i < loss.length; i++) {
                double moment = weights[i] * loss[i];
                mean += moment;
                square += moment * loss[i];
            }
            double variance = 0;
            double fourth = 0;
            for (int i = 0; i < loss.length; i++) {
                double deviation = (loss[i] - mean) * (loss[i] - mean);
                variance += weights[i] * deviation;
                fourth += weights[i] * deviation * deviation;
            }
            double error = Math.E * quadratureError;
            double small = 1e-12 + 4 * relativeError * relativeError;
            double varianceError = 2 * relativeError * variance + small * square + 8 * error / (radius * radius);
            double fourthError = 8 * relativeError * fourth
                    + 8 * relativeError * square * square
                    + 400 * error / Math.pow(radius, 4);
            double mostVariance = variance + varianceError;
            return new Moments(
                    Math.max(0, variance - varianceError), fourth + fourthError + 3 * mostVariance * mostVariance);
        }
    }

    /**
     * Near the origin moments say more than level sets: for the difference D of two independent losses
     *
     * <pre>
     *   |φ(t)|² = E cos tD ≤ 1 − t²E[D²]/2 + t⁴E[D⁴]/24,   so   log|φ(t)| ≤ −t²σ²/2 + t⁴(μ₄ + 3σ⁴)/24
     * </pre>
     *
     * for every t, decreasing up to t² = 6σ²/(μ₄ + 3σ⁴). Beyond that point the level sets go on.
     *
     * @param square Σ T σ²
     * @param quartic Σ T (μ₄ + 3σ⁴)
     */
    private record NearOrigin(double square, double quartic) {
        static final NearOrigin UNKNOWN = new NearOrigin(0, 0);

        double last() {
            return square > 0 ? Math.sqrt(6 * square / quartic) : 0;
        }

        double logAbsolute(double t) {
            return t * t * (-0.5 * square + t * t * quartic / 24);
        }

        /** The better of the two bounds: what level sets say at the last point holds at all frequencies beyond it. */
        MomentCurve.DecayBound with(MomentCurve.DecayBound levelSets) {
            double last = last();
            if (!(last > 0)) {
                return levelSets;
            }
            double beyond = levelSets.logAbsolute(last);
            return t -> {
                double far = levelSets.logAbsolute(t);
                return t < last ? Math.min(far, Math.max(logAbsolute(t), beyond)) : far;
            };
        }
    }

    /** The same bound, sharper near the origin. */
    LevelSetDecay near(Moments moments) {
        NearOrigin origin = new NearOrigin(times * moments.variance(), times * moments.quartic());
        return new LevelSetDecay(weights, halfLengths, times, origin);
    }

    /**
     * The bound with nested intervals in each of several slices of the law; slices suit laws whose spread comes from rare large losses.
     *
     * @param losses ascending points
     * @param density lower bounds of the density between neighbouring points: entry i holds between losses i and i+1
     */
    static LevelSetDecay ofSlices(double[] losses, double[] density, double times, int slices) {
        double[] weights = new double[slices * LEVELS];
        double[] halfLengths = new double[slices * LEVELS];
        for (int slice = 0; slice < slices; slice++) {
            int from = (int) ((long) slice * density.length / slices);
            int to = (int) ((long) (slice + 1) * density.length / slices) - 1;
            nest(losses, density, from, to, weights, halfLengths, slice * LEVELS);
        }
        return new LevelSetDecay(weights, halfLengths, times, NearOrigin.UNKNOWN);
    }

    private static void nest(
            double[] losses, double[] density, int from, int to, double[] weights, double[] halfLengths, int at) {
        int mode = from;
        for (int i = from; i <= to; i++) {
            if (density[i] > density[mode]) {
                mode = i;
            }
        }
        double level = to < from ? 0 : density[mode];
        int low = mode;
        int high = mode;
        for (int j = 0; j < LEVELS && level > 0; j++) {
            double next = j == LEVELS - 1 ? 0 : level * LEVEL_RATIO;
            while (low > from && density[low - 1] >= level) {
                low--;
            }
            while (high < to && density[high + 1] >= level) {
                high++;
            }
            double length = losses[high + 1] - losses[low];
            weights[at + j] = (level - next) * length * (1 - 1e-12);
            halfLengths[at + j] = 0.5 * length;
            level = next;
        }
    }

    /**
     * One bound for many laws: log(1 − x) ≤ −x makes the levels additive, and levels of similar length are pooled at the shorter one.
     */
    static MomentCurve.DecayBound merged(List<LevelSetDecay> decays) {
        double[] pooled = new double[POOLS];
        double square = 0;
        double quartic = 0;
        for (LevelSetDecay decay : decays) {
            square += decay.near.square();
            quartic += decay.near.quartic();
            for (int j = 0; j < decay.weights.length; j++) {
                if (decay.weights[j] > 0 && decay.halfLengths[j] >= SHORTEST_POOL) {
                    pooled[Math.min(POOLS - 1, pool(decay.halfLengths[j]))] += decay.times * decay.weights[j];
                }
            }
        }
        int used = 0;
        double[] halfLengths = new double[POOLS];
        for (int pool = 0; pool < POOLS; pool++) {
            if (pooled[pool] > 0) {
                halfLengths[used] = Double.longBitsToDouble((pool + FIRST_POOL) << POOL_SHIFT);
                pooled[used] = pooled[pool];
                used++;
            }
        }
        int pools = used;
        return new NearOrigin(square * (1 - 1e-12), quartic * (1 + 1e-12)).with(t -> {
            double sum = 0;
            for (int pool = 0; pool < pools; pool++) {
                sum += pooled[pool] * (1 - envelope(t * halfLengths[pool]));
            }
            return -sum;
        });
    }

    private static int pool(double halfLength) {
        return (int) ((Double.doubleToRawLongBits(halfLength) >> POOL_SHIFT) - FIRST_POOL);
    }

    /**
     * The bound through the difference of two losses.
     *
     * @param share the part of the mass around the mode whose density is resolved
     */
    static LevelSetDecay ofDifference(double[] losses, double[] density, double times, double share) {
        int low = 0;
        int high = density.length - 1;
        double inside = mass(losses, density, low, high);
        double wanted = share * inside;
        while (low < high) {
            double left = mass(losses, density, low, low);
            double right = mass(losses, density, high, high);
            boolean dropLeft = density[low] < density[high];
            double dropped = dropLeft ? left : right;
            if (inside - dropped < wanted) {
                break;
            }
            inside -= dropped;
            if (dropLeft) {
                low++;
            } else {
                high--;
            }
        }
        double from = losses[low];
        double width = (losses[high + 1] - from) / CELLS;
        double[] step = new double[CELLS];
        int at = low;
        for (int c = 0; c < CELLS; c++) {
            double start = from + c * width;
            double end = start + width;
            while (at < high && losses[at + 1] <= start) {
                at++;
            }
            double least = density[at];
            for (int i = at; i <= high && losses[i] < end; i++) {
                least = Math.min(least, density[i]);
            }
            step[c] = least;
        }
        double[] points = new double[2 * CELLS + 1];
        double[] atPoints = new double[2 * CELLS + 1];
        for (int lag = 0; lag <= CELLS; lag++) {
            double sum = 0;
            for (int c = 0; c + lag < CELLS; c++) {
                sum += step[c] * step[c + lag];
            }
            points[CELLS + lag] = lag * width;
            points[CELLS - lag] = -lag * width;
            atPoints[CELLS + lag] = sum * width;
            atPoints[CELLS - lag] = sum * width;
        }
        double[] between = new double[2 * CELLS];
        for (int i = 0; i < between.length; i++) {
            between[i] = Math.min(atPoints[i], atPoints[i + 1]);
        }
        return ofSlices(points, between, 0.5 * times, 1);
    }

    private static double mass(double[] losses, double[] density, int from, int to) {
        double sum = 0;
        for (int i = from; i <= to; i++) {
            sum += density[i] * (losses[i + 1] - losses[i]);
        }
        return sum;
    }

    @Override
    public double logAbsolute(double t) {
        return combined.logAbsolute(t);
    }

    private double farFromOrigin(double t) {
        double lost = 0;
        for (int j = 0; j < weights.length; j++) {
            lost += weights[j] * (1 - envelope(t * halfLengths[j]));
        }
        return times * Math.log1p(-Math.min(lost, 1));
    }

    private static double envelope(double y) {
        if (y < 1e-3) {
            return 1 - y * y / 6 * (1 - y * y / 20);
        }
        if (y < Math.PI) {
            return Math.max(Math.sin(y) / y, SIDE_LOBE);
        }
        return Math.min(SIDE_LOBE, 1 / y);
    }
}
