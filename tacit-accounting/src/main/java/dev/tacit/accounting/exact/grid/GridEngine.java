package dev.tacit.accounting.exact.grid;

import dev.tacit.accounting.ErrorBudget;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.pair.DominatingPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;

/**
 * Delta by convolving loss distributions on a lattice, for pairs with atoms and for few compositions.
 *
 * <p>Each law is moved onto the lattice from above and from below ({@link LatticeLaw}), convolved ({@link TiltedConvolution}), and the two results enclose
 * delta. The lattice is refined until the enclosure is as narrow as asked. It is laid so that the atoms of the heaviest law fall on it.
 */
public final class GridEngine {
    public static final String SOURCE = "tilted FFT on a lattice of losses";

    /** So many independent releases with this pair. */
    public record Factor(DominatingPair pair, long times) {}

    private static final double TAIL_SHARE = 1e-9;
    private static final int FIRST_LOG_SIZE = 13;
    private static final int LAST_LOG_SIZE = 21;
    /** Without atoms to align with, finer lattices gain too little for what they cost. */
    private static final int LAST_LOG_SIZE_WITHOUT_ATOMS = 17;

    private static final double WINDOW_EXPONENT = 34;
    private static final double MOST_CELLS = 2e6;
    private static final int COARSE_CELLS = 2000;

    private final List<Factor> factors;
    private final double releases;

    public GridEngine(List<Factor> factors) {
        this.factors = List.copyOf(factors);
        double count = 0;
        for (Factor factor : factors) {
            count += (double) factor.times();
        }
        this.releases = count;
    }

    private interface Reading {
        CertifiedInterval of(Enclosure enclosure);
    }

    /** The smallest epsilon at this delta, within a relative width if the largest lattice allows it. */
    public Optional<CertifiedInterval> epsilon(double delta, double relativeWidth) {
        Support support = Support.of(factors, Math.log(delta) + Math.log(TAIL_SHARE) - Math.log(releases));
        if (!(support.tailMass() < 0.5 * delta)) {
            return Optional.empty();
        }
        Window window = window(support, Math.log(delta), Double.NaN);
        return refine(support, window, relativeWidth, enclosure -> {
            double upper = smallest(
                    enclosure.upper().end(),
                    epsilon -> enclosure.upper().deltaAtMost(epsilon) + support.tailMass() <= delta);
            double lower = largest(upper, epsilon -> enclosure.lower().deltaAtLeast(epsilon) >= delta);
            return new CertifiedInterval(lower, upper, enclosure.errors(upper, support.tailMass()), SOURCE);
        });
    }

    /** Delta at this epsilon, within a relative width if the largest lattice allows it. */
    public Optional<CertifiedInterval> delta(double epsilon, double relativeWidth) {
        double logDelta = -50;
        Support support = Support.of(factors, logDelta + Math.log(TAIL_SHARE) - Math.log(releases));
        Window window = window(support, logDelta, epsilon);
        if (window != null && window.logDelta() < logDelta) {
            double tail = Math.max(-700, window.logDelta() - 3) + Math.log(TAIL_SHARE) - Math.log(releases);
            support = Support.of(factors, tail);
            window = window(support, logDelta, epsilon);
        }
        double tailMass = support.tailMass();
        return refine(
                support,
                window,
                relativeWidth,
                enclosure -> new CertifiedInterval(
                        Math.max(0, enclosure.lower().deltaAtLeast(epsilon)),
                        Math.min(1, enclosure.upper().deltaAtMost(epsilon) + tailMass),
                        enclosure.errors(epsilon, tailMass),
                        SOURCE));
    }

    private Optional<CertifiedInterval> refine(Support support, Window window, double relativeWidth, Reading reading) {
        CertifiedInterval best = null;
        int logSize = FIRST_LOG_SIZE;
        int last = Double.isNaN(support.spacing()) ? LAST_LOG_SIZE_WITHOUT_ATOMS : LAST_LOG_SIZE;
        while (window != null && logSize <= last) {
            Enclosure enclosure = enclosure(support, window, 1 << logSize);
            if (enclosure == null) {
                break;
            }
            CertifiedInterval interval = reading.of(enclosure);
            best = best == null ? interval : best.and(interval);
            double excess = best.relativeGap() / relativeWidth;
            if (excess <= 1) {
                break;
            }
            int steps = (int) Math.ceil(0.5 * Math.log(Math.min(excess, 1e12)) / Math.log(2) + 0.3);
            logSize = logSize == last ? last + 1 : Math.min(last, logSize + Math.max(1, steps));
        }
        return best == null || Double.isInfinite(best.upper()) ? Optional.empty() : Optional.of(best);
    }

    /** The smallest non-negative epsilon at which a property that is monotone in epsilon holds, rounded up; +∞ if it does not hold at the end. */
    private static double smallest(double end, DoublePredicate holds) {
        if (holds.test(0)) {
            return 0;
        }
        if (!(end > 0) || !holds.test(end)) {
            return Double.POSITIVE_INFINITY;
        }
        double low = 0;
        double high = end;
        while (high - low > Math.ulp(high)) {
            double middle = 0.5 * (low + high);
            if (middle == low || middle == high) {
                break;
            }
            if (holds.test(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return high;
    }

    /** The largest epsilon below an end at which a property can be shown; it holds just below the truth and may be lost far below it. */
    private static double largest(double end, DoublePredicate holds) {
        if (Double.isInfinite(end)) {
            return 0;
        }
        double high = end;
        double low = end;
        for (double margin = 1e-12 * end; !holds.test(low); margin *= 4) {
            high = low;
            low = end - margin;
            if (!(low > 0)) {
                return 0;
            }
        }
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (low + high);
            if (holds.test(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Two convolutions that enclose the truth. */
    private record Enclosure(TiltedConvolution upper, TiltedConvolution lower) {
        ErrorBudget errors(double epsilon, double tailMass) {
            double high = Math.max(upper.value(epsilon), Double.MIN_NORMAL);
            double low = Math.max(0, lower.value(epsilon));
            return new ErrorBudget(
                    upper.wrapping(epsilon) / high,
                    0,
                    Math.max(0, (high - low) / high),
                    upper.rounding(epsilon) / high,
                    tailMass / high);
        }
    }

    /** Where the losses of each factor lie, and where its lattice should start. */
    private static final class Support {
        private final double[] low;
        private final double[] high;
        private final double[] offset;
        private final double spacing;
        private final double tailMass;

        Support(double[] low, double[] high, double[] offset, double spacing, double tailMass) {
            this.low = low;
            this.high = high;
            this.offset = offset;
            this.spacing = spacing;
            this.tailMass = tailMass;
        }

        double[] low() {
            return low;
        }

        double[] high() {
            return high;
        }

        double[] offset() {
            return offset;
        }

        double spacing() {
            return spacing;
        }

        double tailMass() {
            return tailMass;
        }

        static Support of(List<Factor> factors, double logTail) {
            int n = factors.size();
            double[] low = new double[n];
            double[] high = new double[n];
            double[] offset = new double[n];
            double tailMass = 0;
            double spacing = Double.NaN;
            double heaviest = -1;
            double tail = Math.max(Double.MIN_NORMAL, Math.exp(logTail));
            for (int i = 0; i < n; i++) {
                DominatingPair pair = factors.get(i).pair();
                low[i] = lowerEnd(pair, tail);
                high[i] = upperEnd(pair, tail);
                tailMass += (double) factors.get(i).times()
                        * (pair.infiniteLossMass() + pair.massOfP(high[i], Double.POSITIVE_INFINITY));
                double own = Double.NaN;
                if (pair.lossLattice().isPresent()) {
                    own = pair.lossLattice().getAsDouble();
                } else if (!Double.isInfinite(pair.lossInfimum()) && !Double.isInfinite(pair.lossSupremum())) {
                    offset[i] = pair.lossInfimum();
                    own = 0.5 * (pair.lossSupremum() - pair.lossInfimum());
                }
                double weight = (double) factors.get(i).times() * Math.pow(high[i] - low[i], 2);
                if (!Double.isNaN(own) && weight > heaviest) {
                    heaviest = weight;
                    spacing = own;
                }
            }
            return new Support(low, high, offset, spacing, tailMass * (1 + 1e-9));
        }

        /** A step no larger than asked (unless the atoms are wider apart) of which the spacing of the atoms is a multiple. */
        double aligned(double step) {
            if (Double.isNaN(spacing)) {
                return step;
            }
            return step >= spacing ? spacing : spacing / Math.ceil(spacing / step);
        }

        double width() {
            double width = 0;
            for (int i = 0; i < low.length; i++) {
                width = Math.max(width, high[i] - low[i]);
            }
            return width;
        }

        private static double upperEnd(DominatingPair pair, double tail) {
            double low = 0;
            double high = pair.lossSupremum();
            if (Double.isInfinite(high)) {
                high = 1;
                while (pair.massOfP(high, Double.POSITIVE_INFINITY) > tail && high < 1e12) {
                    low = high;
                    high *= 2;
                }
            } else if (pair.massOfP(high - 1e-9 * Math.abs(high), Double.POSITIVE_INFINITY) > tail) {
                return high + 8 * Math.ulp(high);
            }
            for (int i = 0; i < 60; i++) {
                double middle = 0.5 * (low + high);
                if (pair.massOfP(middle, Double.POSITIVE_INFINITY) > tail) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return high;
        }

        private static double lowerEnd(DominatingPair pair, double tail) {
            double low = pair.lossInfimum();
            if (!Double.isInfinite(low)) {
                return low;
            }
            double high = 0;
            low = -1;
            while (pair.massOfP(Double.NEGATIVE_INFINITY, low) > tail && low > -1e12) {
                high = low;
                low *= 2;
            }
            for (int i = 0; i < 60; i++) {
                double middle = 0.5 * (low + high);
                if (pair.massOfP(Double.NEGATIVE_INFINITY, middle) > tail) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            return low;
        }
    }

    /**
     * Epsilon and log delta that belong to a tilt, by the saddle-point approximation of Alghamdi et al. 2023, Section 4. It chooses
     * where the lattice lies; nothing certified rests on it.
     */
    private record Guess(double epsilon, double logDelta) {
        /** From the sums (K, K′, K″) at θ. */
        static Guess of(double theta, double[] cumulants) {
            double epsilon = cumulants[1] - 1 / theta - 1 / (1 + theta);
            double curvature = cumulants[2] + 1 / (theta * theta) + 1 / ((1 + theta) * (1 + theta));
            double logDelta = cumulants[0]
                    - theta * epsilon
                    - Math.log(theta)
                    - Math.log1p(theta)
                    - 0.5 * Math.log(2 * Math.PI * curvature);
            return new Guess(epsilon, logDelta);
        }
    }

    private record Window(double theta, double low, double high, double logDelta) {}

    /** The tilt, from a coarse lattice, and the range that holds all but e^{−34} of the tilted sum. */
    private Window window(Support support, double logDelta, double epsilon) {
        double step = support.aligned(support.width() / COARSE_CELLS);
        if (!(step > 0) || Double.isInfinite(step)) {
            return null;
        }
        List<TiltedConvolution.Factor> laws = laws(support, step, true);
        double low = Math.log(1e-8);
        double high = Math.log(1e8);
        while (high - low > 1e-3) {
            double logTheta = 0.5 * (low + high);
            Guess saddle = Guess.of(Math.exp(logTheta), cumulants(laws, Math.exp(logTheta)));
            boolean more = Double.isNaN(epsilon) ? saddle.logDelta() > logDelta : saddle.epsilon() < epsilon;
            if (Double.isFinite(saddle.logDelta()) && more) {
                low = logTheta;
            } else {
                high = logTheta;
            }
        }
        double theta = Math.exp(low);
        double[] sums = cumulants(laws, theta);
        double least = 0;
        double most = 0;
        for (TiltedConvolution.Factor factor : laws) {
            least += factor.times() * factor.law().loss(0);
            most += factor.times() * factor.law().loss(factor.law().size() - 1);
        }
        double from = Math.max(least, (sums[0] - WINDOW_EXPONENT) / theta);
        double to = most;
        for (double orderFactor : TiltedConvolution.ORDER_FACTORS) {
            double order = orderFactor * theta;
            double bound = (cumulants(laws, order)[0] - sums[0] + WINDOW_EXPONENT) / (order - theta);
            if (orderFactor > 1) {
                to = Math.min(to, bound);
            } else {
                from = Math.max(from, bound);
            }
        }
        Guess saddle = Guess.of(theta, sums);
        return from < to && Double.isFinite(sums[0]) ? new Window(theta, from, to, saddle.logDelta()) : null;
    }

    private static double[] cumulants(List<TiltedConvolution.Factor> laws, double theta) {
        double[] sums = new double[3];
        for (TiltedConvolution.Factor factor : laws) {
            factor.law().addCumulants(theta, factor.times(), sums);
        }
        return sums;
    }

    private List<TiltedConvolution.Factor> laws(Support support, double step, boolean above) {
        List<TiltedConvolution.Factor> laws = new ArrayList<>();
        for (int i = 0; i < factors.size(); i++) {
            DominatingPair pair = factors.get(i).pair();
            double low = support.low()[i];
            double high = support.high()[i];
            double offset = support.offset()[i];
            LatticeLaw law = above
                    ? LatticeLaw.above(pair, low, high, offset, step)
                    : LatticeLaw.below(pair, low, high, offset, step);
            laws.add(new TiltedConvolution.Factor(law, (double) factors.get(i).times()));
        }
        return laws;
    }

    private Enclosure enclosure(Support support, Window window, int size) {
        double needed = (window.high() - window.low()) / (size - 8);
        double step = support.aligned(needed);
        if (step < needed * (1 - 1e-9)) {
            double coarser = support.spacing() / Math.max(1, Math.floor(support.spacing() / needed));
            step = coarser;
        }
        if (!(support.width() / step * factors.size() < MOST_CELLS)
                || !(step > 1e-13 * Math.max(Math.abs(window.low()), Math.abs(window.high())))) {
            return null;
        }
        int length = size;
        while (length > 16 && (length / 2 - 8) * step > window.high() - window.low()) {
            length /= 2;
        }
        double middle = 0.5 * (window.low() + window.high());
        return new Enclosure(
                new TiltedConvolution(laws(support, step, true), window.theta(), step, length, middle),
                new TiltedConvolution(laws(support, step, false), window.theta(), step, length, middle));
    }
}
