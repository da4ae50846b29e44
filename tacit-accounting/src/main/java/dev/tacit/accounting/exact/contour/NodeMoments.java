package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.numerics.NearZero;
import java.util.Arrays;

/**
 * A loss law given by quadrature nodes: losses L_i with P-weights p_i.
 *
 * <pre>
 *   M(θ) − 1 = Σ p_i (e^{θL_i} − 1) − missing,   φ(t) − 1 = Σ w_i (cos tL_i − 1) + i Σ w_i sin tL_i,   w_i ∝ p_i e^{θL_i}
 * </pre>
 *
 * Only differences from 1 are summed, so that raising to the power 1e9 loses nothing. Along equally spaced t the pair (cos − 1, sin) advances by the
 * addition theorem written for (cos − 1), which keeps its relative accuracy.
 */
abstract class NodeMoments implements MomentCurve {
    /** Losses and P-weights at the nodes of a rule that is accurate up to some frequency. */
    static final class Nodes {
        private final double[] loss;
        private final double[] logMass;
        private final double[] mass;
        private final double missingMass;

        /** @param missingMass what the weights lack to 1, or NaN if they are far from 1 and must be summed as they are */
        Nodes(double[] loss, double[] logMass, double[] mass, double missingMass) {
            this.loss = loss;
            this.logMass = logMass;
            this.mass = mass;
            this.missingMass = missingMass;
        }

        double missingMass() {
            return missingMass;
        }

        double[] loss() {
            return loss;
        }

        double[] logMass() {
            return logMass;
        }

        double[] mass() {
            return mass;
        }

        int count() {
            return loss.length;
        }
    }

    /** Working space of one thread: arrays that no method keeps, because a thousand curves would fill the heap with them. */
    private static final class Scratch {
        private static final int ARRAYS = 12;
        private static final ThreadLocal<double[][]> OF_THREAD = ThreadLocal.withInitial(() -> new double[ARRAYS][0]);

        private Scratch() {}

        /** Arrays of at least this length, with arbitrary content; the same ones until a longer length is asked for. */
        static double[][] ofLength(int n) {
            double[][] arrays = OF_THREAD.get();
            if (arrays[0].length < n) {
                arrays = new double[ARRAYS][n + n / 2];
                OF_THREAD.set(arrays);
            }
            return arrays;
        }
    }

    private static final double UNIT = 0x1p-53;
    private static final double LARGE_EXPONENT = 300;
    /** Terms summed before a subtotal is carried over. */
    private static final int RUN = 64;
    /** Nodes of less weight than this share of the quadrature error are left out of the sums. */
    private static final double LEAST_SHARE = 0.1;

    private final double times;
    private final double lostMass;
    private Nodes searchNodes;

    NodeMoments(double times, double lostMass) {
        this.times = times;
        this.lostMass = lostMass;
    }

    /** Nodes whose sum for M(θ+it), |t| ≤ frequency, has an error of at most {@link #quadratureError} M(θ). */
    abstract Nodes nodes(double theta, double frequency);

    /** Number of nodes that {@link #nodes} would return. */
    abstract double nodeCount(double theta, double frequency);

    /** See {@link #nodes}. */
    abstract double quadratureError();

    /** Where the inner rule starts to need more nodes because of the oscillation. */
    abstract double easyFrequency(double theta);

    @Override
    public final double times() {
        return times;
    }

    @Override
    public final double lostMass() {
        return lostMass;
    }

    @Override
    public final void addCumulants(double theta, double[] sums) {
        Nodes nodes = readySearchNodes(theta);
        if (nodes == null) {
            Arrays.fill(sums, Double.NaN);
        } else {
            tilt(nodes, theta, null, sums);
        }
    }

    /** Nodes that serve this order and probably those asked for next, or null if that takes too many. */
    final Nodes readySearchNodes(double theta) {
        if (searchNodes == null || !searchNodesServe(theta, 0)) {
            searchNodes = searchNodes(theta);
        }
        return searchNodes;
    }

    /** Nodes that serve a range of orders around this one and some frequencies, or null if that takes too many. */
    abstract Nodes searchNodes(double theta);

    /** Whether the latest {@link #searchNodes} serve this order up to this frequency. */
    abstract boolean searchNodesServe(double theta, double frequency);

    /** Tilted weights w_i at an order, normalised. */
    final double[] tiltedWeights(Nodes nodes, double theta) {
        double[] weights = new double[nodes.count()];
        tilt(nodes, theta, weights, null);
        return weights;
    }

    /** Relative error of normalised weights whose exponents are at most this in absolute value; with room to spare. */
    static double weightError(int count, double largestExponent) {
        return 1e-9 + 16 * UNIT * (count + 16) * (1 + largestExponent);
    }

    /** Computes log M(θ), adds times·(K, K′, K″, rounding) to sums if given, and stores the normalised tilted weights if wanted. */
    private double tilt(Nodes nodes, double theta, double[] weights, double[] sums) {
        double[] loss = nodes.loss();
        int n = nodes.count();
        double shiftBy = scale(nodes, theta);
        double[][] scratch = Scratch.ofLength(n);
        double[] tilted = weights == null ? scratch[0] : weights;
        double[] differences = scratch[1];
        tiltEach(nodes, theta, shiftBy, tilted, differences);
        double first = 0;
        double second = 0;
        double total = 0;
        double magnitude = 0;
        for (int i = 0; i < n; i++) {
            double moment = tilted[i] * loss[i];
            total += tilted[i];
            first += moment;
            second += moment * loss[i];
            magnitude += Math.abs(differences[i]) + 4 * theta * Math.abs(moment);
        }
        double missingMass = nodes.missingMass();
        boolean direct = shiftBy != 0 || Double.isNaN(missingMass);
        double change = direct ? 0 : compensatedSum(differences, n);
        double logMoment = direct ? shiftBy + Math.log(total) : Math.log1p(change - missingMass);
        double moment = direct ? total : 1 + change - missingMass;
        if (sums != null) {
            double mean = first / moment;
            sums[0] += times * logMoment;
            sums[1] += times * mean;
            sums[2] += times * Math.max(0, second / moment - mean * mean);
            sums[3] += times
                    * (UNIT * (direct ? n + 16 : 16) * magnitude / moment
                            + quadratureError()
                            + 2 * UNIT * Math.abs(logMoment));
        }
        if (weights != null) {
            for (int i = 0; i < n; i++) {
                weights[i] /= moment;
            }
        }
        return logMoment;
    }

    /** What to subtract from the exponents so that nothing overflows; 0 if nothing does. */
    private static double scale(Nodes nodes, double theta) {
        double[] loss = nodes.loss();
        double[] logMass = nodes.logMass();
        int n = nodes.count();
        if (Math.max(loss[0], loss[n - 1]) * theta <= LARGE_EXPONENT) {
            return 0;
        }
        double peak = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            peak = Math.max(peak, logMass[i] + theta * loss[i]);
        }
        return peak > LARGE_EXPONENT ? peak : 0;
    }

    /**
     * Tilted masses and their differences from the masses; where the exponent is small the difference is the accurate one of the two. Losses are
     * monotone along the nodes, so the small exponents are neighbours.
     */
    private static void tiltEach(Nodes nodes, double theta, double shiftBy, double[] tilted, double[] differences) {
        double[] loss = nodes.loss();
        double[] mass = nodes.mass();
        int n = nodes.count();
        int from = 0;
        int to = n;
        while (from < to && !(shiftBy == 0 && Math.abs(theta * loss[from]) < 1)) {
            from++;
        }
        while (from < to && !(shiftBy == 0 && Math.abs(theta * loss[to - 1]) < 1)) {
            to--;
        }
        for (int i = from; i < to; i++) {
            double difference = mass[i] * NearZero.expm1Series(theta * loss[i]);
            differences[i] = difference;
            tilted[i] = mass[i] + difference;
        }
        tiltFar(nodes, theta, shiftBy, tilted, differences, 0, from);
        tiltFar(nodes, theta, shiftBy, tilted, differences, to, n);
    }

    private static void tiltFar(
            Nodes nodes, double theta, double shiftBy, double[] tilted, double[] differences, int from, int to) {
        double[] loss = nodes.loss();
        double[] mass = nodes.mass();
        double[] logMass = nodes.logMass();
        for (int i = from; i < to; i++) {
            tilted[i] = Math.exp(logMass[i] + theta * loss[i] - shiftBy);
            differences[i] = tilted[i] - mass[i];
        }
    }

    /** Kahan summation in two lanes: the error is a few units of the sum of absolute values, however many terms there are. */
    private static double compensatedSum(double[] values, int n) {
        double even = 0;
        double odd = 0;
        double evenExcess = 0;
        double oddExcess = 0;
        for (int i = 0; i + 1 < n; i += 2) {
            double evenTerm = values[i] - evenExcess;
            double oddTerm = values[i + 1] - oddExcess;
            double nextEven = even + evenTerm;
            double nextOdd = odd + oddTerm;
            evenExcess = (nextEven - even) - evenTerm;
            oddExcess = (nextOdd - odd) - oddTerm;
            even = nextEven;
            odd = nextOdd;
        }
        double last = (n & 1) == 0 ? 0 : values[n - 1];
        return (even - evenExcess) + ((odd - oddExcess) + last);
    }

    @Override
    public final double work(double theta, double step, int count) {
        double work = 0;
        int done = 0;
        while (done < count) {
            int end = blockEnd(theta, step, count, done);
            double nodes = nodeCount(theta, end * step);
            work += nodes < 1e7 ? (end - done + 16) * nodes : 1e300;
            done = end;
        }
        return work;
    }

    private int blockEnd(double theta, double step, int count, int done) {
        double end = Math.max(2.0 * done, Math.max(16, easyFrequency(theta) / step));
        return end >= count ? count : (int) end;
    }

    @Override
    public final void addLogCharacteristic(
            double theta,
            double step,
            int count,
            double[] real,
            double[] imaginary,
            double[] rounding,
            double[] quadrature) {
        int done = 0;
        while (done < count) {
            int end = blockEnd(theta, step, count, done);
            block(theta, step, done, end, real, imaginary, rounding, quadrature);
            done = end;
        }
    }

    private void block(
            double theta,
            double step,
            int from,
            int to,
            double[] real,
            double[] imaginary,
            double[] rounding,
            double[] quadrature) {
        boolean ready = searchNodes != null && searchNodesServe(theta, to * step);
        Nodes nodes = ready ? searchNodes : nodes(theta, to * step);
        double[][] scratch = Scratch.ofLength(nodes.count());
        double[] weights = scratch[2];
        tilt(nodes, theta, weights, null);
        Kept kept = Kept.of(weights, nodes.count(), LEAST_SHARE * quadratureError());
        int n = kept.to() - kept.from();
        double[] loss = scratch[3];
        System.arraycopy(nodes.loss(), kept.from(), loss, 0, n);
        System.arraycopy(weights, kept.from(), weights, 0, n);
        Rotation rotation = new Rotation(step, loss, n, to - from, scratch);
        double absoluteMean = 0;
        double secondMoment = 0;
        double exponentMean = 0;
        for (int i = 0; i < n; i++) {
            double absolute = weights[i] * Math.abs(loss[i]);
            absoluteMean += absolute;
            secondMoment += absolute * Math.abs(loss[i]);
            exponentMean += absolute * Math.min(1e15, 1 + Math.abs(theta * loss[i]));
        }
        double quadratureOfEach = quadratureError() + 2.1 * kept.dropped();
        double[] sums = new double[2];
        for (int k = from; k < to; k++) {
            int rotations = rotation.advance(k, k - from);
            weightedSums(weights, rotation.cosine, rotation.sine, n, sums);
            double sumCosine = sums[0];
            double sumSine = sums[1];
            double square = 2 * sumCosine + sumCosine * sumCosine + sumSine * sumSine;
            double t = (k + 1) * step;
            boolean small = square < -0.5;
            double modulus = small ? Math.max(1e-150, Math.hypot(1 + sumCosine, sumSine)) : Math.sqrt(1 + square);
            real[k] += times * (small ? Math.log(modulus) : 0.5 * Math.log1p(square));
            imaginary[k] += times * Math.atan2(sumSine, 1 + sumCosine);
            double size = Math.min(2, t * absoluteMean) + Math.min(2, 0.5 * t * t * secondMoment);
            rounding[k] += times * UNIT * (3.0 * rotations + 0.25 * RUN + (double) n / RUN + 16) * size / modulus;
            rounding[k] += times * 6 * UNIT * t * exponentMean / modulus;
            quadrature[k] += times * quadratureOfEach / modulus;
        }
    }

    /** The nodes that are summed: those at either end whose weights together are negligible are left out. */
    private record Kept(int from, int to, double dropped) {
        static Kept of(double[] weights, int n, double negligible) {
            int from = 0;
            int to = n;
            double dropped = 0;
            while (from + 1 < to) {
                double least = Math.min(weights[from], weights[to - 1]);
                if (!(dropped + least <= negligible)) {
                    break;
                }
                dropped += least;
                if (weights[from] == least) {
                    from++;
                } else {
                    to--;
                }
            }
            return new Kept(from, to, dropped);
        }
    }

    /**
     * The pairs (cos kα − 1, sin kα) at successive k, by rotations in two levels: of one step, and of {@link #STEPS} steps at once. Only every {@link
     * #STEPS}·{@link #JUMPS}-th is computed afresh.
     */
    private static final class Rotation {
        private static final int STEPS = 16;
        private static final int JUMPS = 8;

        private final double step;
        private final double[] loss;
        private final int n;
        private final double[] stepCosine;
        private final double[] stepSine;
        private final double[] jumpCosine;
        private final double[] jumpSine;
        private final double[] baseCosine;
        private final double[] baseSine;
        private final double[] cosine;
        private final double[] sine;

        Rotation(double step, double[] loss, int n, int count, double[][] scratch) {
            this.step = step;
            this.loss = loss;
            this.n = n;
            this.cosine = scratch[4];
            this.sine = scratch[5];
            this.stepCosine = scratch[6];
            this.stepSine = scratch[7];
            this.jumpCosine = scratch[8];
            this.jumpSine = scratch[9];
            this.baseCosine = scratch[10];
            this.baseSine = scratch[11];
            turnTo(step, stepCosine, stepSine);
            if (count > STEPS) {
                turnTo(STEPS * step, jumpCosine, jumpSine);
            }
        }

        /** Goes to (k + 1) steps, given how often this was called before, and returns how many rotations the pairs went through. */
        int advance(int k, int calls) {
            int steps = calls % STEPS;
            int jumps = calls / STEPS % JUMPS;
            if (steps == 0) {
                if (jumps > 0) {
                    turn(baseCosine, baseSine, jumpCosine, jumpSine, n);
                } else {
                    turnTo(k * step, baseCosine, baseSine);
                }
                System.arraycopy(baseCosine, 0, cosine, 0, n);
                System.arraycopy(baseSine, 0, sine, 0, n);
            }
            turn(cosine, sine, stepCosine, stepSine, n);
            return steps + jumps;
        }

        /** Losses are monotone along the nodes, so the small angles are neighbours. */
        private void turnTo(double t, double[] toCosine, double[] toSine) {
            int from = 0;
            int to = n;
            while (from < to && !(Math.abs(t * loss[from]) < 1)) {
                from++;
            }
            while (from < to && !(Math.abs(t * loss[to - 1]) < 1)) {
                to--;
            }
            turnFar(t, toCosine, toSine, 0, from);
            for (int i = from; i < to; i++) {
                toCosine[i] = NearZero.cosineLessOneSeries(t * loss[i]);
                toSine[i] = NearZero.sineSeries(t * loss[i]);
            }
            turnFar(t, toCosine, toSine, to, n);
        }

        private void turnFar(double t, double[] toCosine, double[] toSine, int from, int to) {
            for (int i = from; i < to; i++) {
                double half = Math.sin(0.5 * t * loss[i]);
                toCosine[i] = -2 * half * half;
                toSine[i] = Math.sin(t * loss[i]);
            }
        }
    }

    /** (cos − 1, sin) of a sum of angles, entry by entry. */
    private static void turn(double[] cosine, double[] sine, double[] stepCosine, double[] stepSine, int n) {
        for (int i = 0; i < n; i++) {
            double c = cosine[i];
            double s = sine[i];
            double c1 = stepCosine[i];
            double s1 = stepSine[i];
            cosine[i] = c + (c1 + (c * c1 - s * s1));
            sine[i] = s + (s1 + (s * c1 + c * s1));
        }
    }

    /** Sums in runs of fixed length, so that the rounding error does not grow with the number of nodes times their count. */
    private static void weightedSums(double[] weights, double[] cosine, double[] sine, int n, double[] sums) {
        double cosineTotal = 0;
        double sineTotal = 0;
        for (int from = 0; from < n; from += RUN) {
            int to = Math.min(n, from + RUN);
            double c0 = 0;
            double c1 = 0;
            double c2 = 0;
            double c3 = 0;
            double s0 = 0;
            double s1 = 0;
            double s2 = 0;
            double s3 = 0;
            int i = from;
            for (; i + 3 < to; i += 4) {
                c0 += weights[i] * cosine[i];
                s0 += weights[i] * sine[i];
                c1 += weights[i + 1] * cosine[i + 1];
                s1 += weights[i + 1] * sine[i + 1];
                c2 += weights[i + 2] * cosine[i + 2];
                s2 += weights[i + 2] * sine[i + 2];
                c3 += weights[i + 3] * cosine[i + 3];
                s3 += weights[i + 3] * sine[i + 3];
            }
            for (; i < to; i++) {
                c0 += weights[i] * cosine[i];
                s0 += weights[i] * sine[i];
            }
            cosineTotal += (c0 + c1) + (c2 + c3);
            sineTotal += (s0 + s1) + (s2 + s3);
        }
        sums[0] = cosineTotal;
        sums[1] = sineTotal;
    }
}
