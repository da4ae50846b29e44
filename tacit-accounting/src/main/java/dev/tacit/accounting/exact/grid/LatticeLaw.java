package dev.tacit.accounting.exact.grid;

import dev.tacit.accounting.pair.DominatingPair;

/**
 * The law of one release's loss, moved onto the lattice offset + step·(first + i), from above or from below.
 *
 * <p>{@link #above}: the mass of each cell is split between its ends so that both its P- and its Q-mass are kept: connect the dots, Doroshenko et al. 2022,
 * Algorithm 1, in the form that needs no second differences. The original pair is a post-processing of the result.
 *
 * <p>{@link #below}: all mass within half a step of a lattice point becomes one outcome (post-processing), of loss log(P/Q). Where that is short of the
 * lattice point, a little mass of the next cell is merged in to reach it exactly (post-processing again); where it is beyond, it is rounded down. If
 * the next cell cannot give enough, the outcome is short, and all losses are lowered by {@link #shortfall}. Both errors are O(step²) for densities and
 * for atoms on the lattice.
 */
final class LatticeLaw {
    /** A short outcome lowers all losses only up to this many squared steps; beyond, it is rounded down a whole step. */
    private static final double MOST_SHORTFALL = 4;

    private final double offset;
    private final double step;
    private final long first;
    private final double[] mass;
    private double shortfall;

    private LatticeLaw(double offset, double step, long first, int size) {
        this.offset = offset;
        this.step = step;
        this.first = first;
        this.mass = new double[size];
    }

    /** A law whose sums dominate those of the pair. Mass above {@code high} is left out. */
    static LatticeLaw above(DominatingPair pair, double low, double high, double offset, double step) {
        LatticeLaw law = empty(low, high, offset, step);
        law.mass[0] += pair.massOfP(Double.NEGATIVE_INFINITY, law.loss(0));
        double ratio = -Math.expm1(-step);
        for (int i = 0; i + 1 < law.mass.length; i++) {
            double from = law.loss(i);
            double to = law.loss(i + 1);
            double p = pair.massOfP(from, to);
            double q = pair.massOfQ(from, to);
            double up = q > Double.MIN_NORMAL && from < 700 ? (p - Math.exp(from) * q) / ratio : p;
            up = Math.min(p, Math.max(0, up));
            law.mass[i + 1] += up;
            law.mass[i] += p - up;
        }
        return law;
    }

    /** A law whose sums, less {@link #shortfall} each, are dominated by those of the pair. Mass below {@code low} is left out. */
    static LatticeLaw below(DominatingPair pair, double low, double high, double offset, double step) {
        LatticeLaw law = empty(low, high, offset, step);
        int n = law.mass.length;
        double[] p = new double[n];
        double[] loss = new double[n];
        for (int i = 0; i < n; i++) {
            double from = law.loss(i) - 0.5 * step;
            double to = i == n - 1 ? Double.POSITIVE_INFINITY : law.loss(i) + 0.5 * step;
            p[i] = pair.massOfP(from, to);
            double q = pair.massOfQ(from, to);
            double merged = Math.log(p[i]) - Math.log(q);
            loss[i] = q > Double.MIN_NORMAL && merged >= from ? Math.min(merged, to) : from;
        }
        double tolerated = MOST_SHORTFALL * step * step;
        for (int i = 0; i < n; i++) {
            double missing = law.loss(i) - loss[i];
            if (!(p[i] > 0)) {
                continue;
            }
            if (missing > 0) {
                double needed = i + 1 < n && loss[i + 1] > law.loss(i)
                        ? p[i] * (Math.expm1(missing) / -Math.expm1(law.loss(i) - loss[i + 1]))
                        : Double.POSITIVE_INFINITY;
                if (needed <= 0.5 * (i + 1 < n ? p[i + 1] : 0)) {
                    p[i + 1] -= needed;
                    p[i] += needed;
                } else if (missing <= tolerated) {
                    law.shortfall = Math.max(law.shortfall, missing);
                } else {
                    law.mass[Math.max(0, i - 1)] += i == 0 ? 0 : p[i];
                    continue;
                }
            }
            law.mass[i] += p[i];
        }
        return law;
    }

    private static LatticeLaw empty(double low, double high, double offset, double step) {
        long first = (long) Math.floor((low - offset) / step + 1e-7);
        long last = Math.max(first + 1, (long) Math.ceil((high - offset) / step - 1e-7));
        if (offset + first * step > low) {
            first--;
        }
        if (offset + last * step < high) {
            last++;
        }
        return new LatticeLaw(offset, step, first, (int) (last - first) + 1);
    }

    /** How much each loss of {@link #below} may be too large. */
    double shortfall() {
        return shortfall;
    }

    int size() {
        return mass.length;
    }

    double loss(int i) {
        return offset + (first + i) * step;
    }

    double mass(int i) {
        return mass[i];
    }

    /** Adds times·(K, K′, K″) at θ. */
    void addCumulants(double theta, double times, double[] sums) {
        double peak = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < mass.length; i++) {
            if (mass[i] > 0) {
                peak = Math.max(peak, Math.log(mass[i]) + theta * loss(i));
            }
        }
        double total = 0;
        double mean = 0;
        double square = 0;
        for (int i = 0; i < mass.length; i++) {
            double weight = mass[i] * Math.exp(theta * loss(i) - peak);
            if (mass[i] > 0) {
                total += weight;
                mean += weight * loss(i);
                square += weight * loss(i) * loss(i);
            }
        }
        mean /= total;
        sums[0] += times * (peak + Math.log(total));
        sums[1] += times * mean;
        sums[2] += times * Math.max(0, square / total - mean * mean);
    }
}
