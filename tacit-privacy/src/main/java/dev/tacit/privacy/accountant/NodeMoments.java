package dev.tacit.privacy.accountant;

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

    private static final double UNIT = 0x1p-53;
    private static final double LARGE_EXPONENT = 300;
    /** Terms summed before a subtotal is carried over. */
    private static final int RUN = 64;
    /** Rotations by the addition theorem before sine and cosine are computed afresh. */
    private static final int ROTATIONS = 24;

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
        if (searchNodes == null || !searchNodesServe(theta, 0)) {
            searchNodes = searchNodes(theta);
            if (searchNodes == null) {
                Arrays.fill(sums, Double.NaN);
                return;
            }
        }
        tilt(searchNodes, theta, null, sums);
    }

    /** Nodes that serve a range of orders around this one and some frequencies, or null if that takes too many. */
    abstract Nodes searchNodes(double theta);

    /** Whether the latest {@link #searchNodes} serve this order up to this frequency. */
    abstract boolean searchNodesServe(double theta, double frequency);

    /** Computes log M(θ), adds times·(K, K′, K″, rounding) to sums if given, and stores the normalised tilted weights if wanted. */
    private double tilt(Nodes nodes, double theta, double[] weights, double[] sums) {
        double[] loss = nodes.loss();
        double[] mass = nodes.mass();
        double[] logMass = nodes.logMass();
        int n = nodes.count();
        double peak = Double.NEGATIVE_INFINITY;
        double largest = Math.max(loss[0], loss[n - 1]) * theta;
        boolean scaled = largest > LARGE_EXPONENT;
        if (scaled) {
            for (int i = 0; i < n; i++) {
                peak = Math.max(peak, logMass[i] + theta * loss[i]);
            }
        }
        scaled = scaled && peak > LARGE_EXPONENT;
        double shiftBy = scaled ? peak : 0;
        double change = 0;
        double compensation = 0;
        double first = 0;
        double second = 0;
        double total = 0;
        double magnitude = 0;
        for (int i = 0; i < n; i++) {
            double exponent = theta * loss[i];
            double difference;
            double tilted;
            if (!scaled && Math.abs(exponent) < 1) {
                difference = mass[i] * Math.expm1(exponent);
                tilted = mass[i] + difference;
            } else {
                tilted = Math.exp(logMass[i] + exponent - shiftBy);
                difference = tilted - mass[i];
            }
            if (weights != null) {
                weights[i] = tilted;
            }
            double increment = difference - compensation;
            double next = change + increment;
            compensation = (next - change) - increment;
            change = next;
            total += tilted;
            double moment = tilted * loss[i];
            first += moment;
            second += moment * loss[i];
            magnitude += Math.abs(difference) + tilted * Math.min(Math.abs(exponent), 1e15) * 4;
        }
        double missingMass = nodes.missingMass();
        boolean direct = scaled || Double.isNaN(missingMass);
        double logMoment = direct ? shiftBy + Math.log(total) : Math.log1p(change - missingMass);
        double moment = direct ? total : 1 + change - missingMass;
        if (sums != null) {
            double mean = first / moment;
            sums[0] += times * logMoment;
            sums[1] += times * mean;
            sums[2] += times * Math.max(0, second / moment - mean * mean);
            sums[3] += times
                    * (UNIT * (direct ? n + 12 : 12) * magnitude / moment
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
        int n = nodes.count();
        double[] weights = new double[n];
        tilt(nodes, theta, weights, null);
        double[] loss = nodes.loss();
        double[] stepCosine = new double[n];
        double[] stepSine = new double[n];
        double[] cosine = new double[n];
        double[] sine = new double[n];
        double absoluteMean = 0;
        double secondMoment = 0;
        double exponentMean = 0;
        for (int i = 0; i < n; i++) {
            double half = Math.sin(0.5 * step * loss[i]);
            stepCosine[i] = -2 * half * half;
            stepSine[i] = Math.sin(step * loss[i]);
            absoluteMean += weights[i] * Math.abs(loss[i]);
            secondMoment += weights[i] * loss[i] * loss[i];
            exponentMean += weights[i] * Math.abs(loss[i]) * Math.min(1e15, 1 + Math.abs(theta * loss[i]));
        }
        double[] sums = new double[2];
        for (int k = from; k < to; k++) {
            int rotations = (k - from) % ROTATIONS;
            if (rotations == 0) {
                rotateTo(k * step, loss, cosine, sine);
            }
            advance(cosine, sine, stepCosine, stepSine);
            weightedSums(weights, cosine, sine, sums);
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
            quadrature[k] += times * quadratureError() / modulus;
        }
    }

    private static void rotateTo(double t, double[] loss, double[] cosine, double[] sine) {
        for (int i = 0; i < loss.length; i++) {
            double half = Math.sin(0.5 * t * loss[i]);
            cosine[i] = -2 * half * half;
            sine[i] = Math.sin(t * loss[i]);
        }
    }

    /** (cos − 1, sin) of a sum of angles, entry by entry. */
    private static void advance(double[] cosine, double[] sine, double[] stepCosine, double[] stepSine) {
        for (int i = 0; i < cosine.length; i++) {
            double c = cosine[i];
            double s = sine[i];
            double c1 = stepCosine[i];
            double s1 = stepSine[i];
            cosine[i] = c + (c1 + (c * c1 - s * s1));
            sine[i] = s + (s1 + (s * c1 + c * s1));
        }
    }

    /** Sums in runs of fixed length, so that the rounding error does not grow with the number of nodes times their count. */
    private static void weightedSums(double[] weights, double[] cosine, double[] sine, double[] sums) {
        double cosineTotal = 0;
        double sineTotal = 0;
        int n = weights.length;
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
