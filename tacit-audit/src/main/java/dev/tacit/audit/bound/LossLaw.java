package dev.tacit.audit.bound;

import dev.tacit.accounting.pair.DominatingPair;
import java.util.Arrays;

/**
 * The law of a privacy loss on a lattice, never easier to hide than the real one, from which all deltas are read at once.
 *
 * <pre>
 *   delta(ε) = mass at ∞ + Σ over losses l &gt; ε of  mass(l) (1 − e^{ε − l})
 * </pre>
 *
 * The mass of each cell is split between its ends so that its P- and its Q-mass are kept (connect the dots, Doroshenko et al.
 * 2022, Algorithm 1); sums are convolved directly; of every law 10^−11 of mass is moved up at either end, where no count of runs
 * can see it. It shares the dominating pairs with the accountants and no engine.
 */
final class LossLaw {
    private static final double TRIMMED = 1e-11;
    private static final double FURTHEST = 600;
    private static final int CELLS = 1500;
    private static final double WIDEST_STEP = 0.02;

    private final double step;
    private final int first;
    private final double[] mass;
    private final double infinite;

    private LossLaw(double step, int first, double[] mass, double infinite) {
        this.step = step;
        this.first = first;
        this.mass = mass;
        this.infinite = infinite;
    }

    /** A step that resolves one release of a pair. */
    static double step(DominatingPair pair) {
        return Math.min(WIDEST_STEP, (high(pair) - low(pair)) / CELLS);
    }

    /** One release. */
    static LossLaw of(DominatingPair pair, double step) {
        int first = (int) Math.floor(low(pair) / step);
        int last = Math.max(first + 1, (int) Math.ceil(high(pair) / step));
        double[] mass = new double[last - first + 1];
        mass[0] = pair.massOfP(Double.NEGATIVE_INFINITY, first * step);
        for (int cell = first; cell < last; cell++) {
            double from = cell * step;
            double p = pair.massOfP(from, from + step);
            double q = pair.massOfQ(from, from + step);
            double up = Math.min(p, Math.max(0, (p - Math.exp(from) * q) / -Math.expm1(-step)));
            mass[cell - first] += p - up;
            mass[cell - first + 1] += up;
        }
        double beyond = pair.massOfP(last * step, Double.POSITIVE_INFINITY);
        return new LossLaw(step, first, mass, beyond + pair.infiniteLossMass());
    }

    private static double low(DominatingPair pair) {
        double low = Math.max(-FURTHEST, pair.lossInfimum());
        double high = Math.min(FURTHEST, pair.lossSupremum());
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (pair.massOfP(Double.NEGATIVE_INFINITY, middle) < TRIMMED) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static double high(DominatingPair pair) {
        double low = Math.max(-FURTHEST, pair.lossInfimum());
        double high = Math.min(FURTHEST, pair.lossSupremum());
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (pair.massOfP(middle, Double.POSITIVE_INFINITY) < TRIMMED) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** So many releases of this law, one after the other. */
    LossLaw times(long times) {
        LossLaw power = this;
        LossLaw product = null;
        for (long left = times; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                product = product == null ? power : product.and(power);
            }
            if (left > 1) {
                power = power.and(power);
            }
        }
        return product;
    }

    /** Both, one after the other. */
    LossLaw and(LossLaw other) {
        double[] sum = new double[mass.length + other.mass.length - 1];
        for (int i = 0; i < mass.length; i++) {
            double one = mass[i];
            for (int j = 0; j < other.mass.length; j++) {
                sum[i + j] += one * other.mass[j];
            }
        }
        return trimmed(sum, first + other.first, infinite + other.infinite - infinite * other.infinite);
    }

    private LossLaw trimmed(double[] sum, int lowest, double beyond) {
        int from = 0;
        double below = sum[0];
        while (from + 2 < sum.length && below + sum[from + 1] < TRIMMED) {
            below += sum[++from];
        }
        int to = sum.length - 1;
        double above = 0;
        while (to > from + 1 && above + sum[to] < TRIMMED) {
            above += sum[to--];
        }
        double[] kept = Arrays.copyOfRange(sum, from, to + 1);
        kept[0] = below;
        return new LossLaw(step, lowest + from, kept, Math.min(1, beyond + above));
    }

    /** Delta at an epsilon, with room for rounding. */
    double delta(double epsilon) {
        double delta = infinite;
        for (int i = mass.length - 1; i >= 0; i--) {
            double loss = (first + i) * step;
            if (loss <= epsilon) {
                break;
            }
            delta -= mass[i] * Math.expm1(epsilon - loss);
        }
        return Math.min(1, delta * (1 + 1e-9) + TRIMMED);
    }
}
