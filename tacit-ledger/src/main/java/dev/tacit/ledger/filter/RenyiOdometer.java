package dev.tacit.ledger.filter;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * What everything charged so far costs together, although every next event is chosen after seeing all earlier outputs.
 *
 * <pre>
 *   ε = max over L of  L + log(1 − G(L)),     G(L) = δ Σ_j w_j e^{(a_j − 1)(L − S_j)},     S_j = Σ_i R_{a_j}(event_i)
 * </pre>
 *
 * Orders a_j and weights w_j, Σ w_j ≤ 1, are fixed before the first charge. Let L be the privacy loss of everything
 * released. At each order e^{(a − 1)(L − S)} starts at 1 and is a supermartingale (Feldman, Zrnic 2021, proof of Theorem
 * 4.3), hence so is G, and its mean is at most δ whenever one stops. The reading is the smallest ε with (1 − e^{ε − L})₊
 * ≤ G(L) for every L, so that the mean of (1 − e^{ε − L})₊ is at most δ although ε depends on the outputs: P(E) ≤ ∫_E e^ε
 * dQ + δ for every event E. With one order this is Canonne, Kamath, Steinke 2020, Proposition 12, for a stopping time;
 * the mixture over orders (Robbins 1970) lets spending grow without losing a share of δ to every level of a grid of
 * budgets. The proof is in docs/methods/spending-over-time.md.
 *
 * @param terms orders with their weights
 */
public record RenyiOdometer(List<Term> terms) {
    /** Each order above 1 is by this factor closer to 1 than the one before: half of it for a doubled spending. */
    private static final double RATIO = Math.sqrt(0.5);

    /** Each order has this share of the weight of the one before. */
    private static final double DECAY = 0.7;

    /** Of a first run that nothing is known about; what is spent in all matters more than where it began. */
    private static final double USUAL_EPSILON = 0.4;

    private static final int ORDERS = 16;
    private static final int DIGITS = 4;

    /**
     * One order.
     *
     * @param order a Rényi order, above 1
     * @param weight its part of delta
     */
    public record Term(double order, double weight) {
        public Term {
            if (!(order > 1) || Double.isInfinite(order)) {
                throw new IllegalArgumentException("a Rényi order is a finite number above 1");
            }
            if (!(weight > 0 && weight <= 1)) {
                throw new IllegalArgumentException("a weight is above 0 and at most 1");
            }
        }
    }

    public RenyiOdometer {
        terms = List.copyOf(terms);
        BigDecimal whole = BigDecimal.ZERO;
        for (Term term : terms) {
            whole = whole.add(new BigDecimal(term.weight()));
        }
        if (terms.isEmpty() || whole.compareTo(BigDecimal.ONE) > 0) {
            throw new IllegalArgumentException("an odometer has orders whose weights add up to at most 1");
        }
    }

    /** For spending that begins with a plan and goes on with more of that size. */
    public static RenyiOdometer forPlan(double delta, PrivacyEvent plan, Neighbours neighbours, RenyiCurve renyi) {
        return below(RenyiFilter.best(
                        order -> quality(renyi.divergence(plan, order, neighbours), order, delta),
                        new RenyiFilter(usualOrder(delta)))
                .order());
    }

    /** For Gaussian spending that begins with a run of a usual size. */
    public static RenyiOdometer forDelta(double delta) {
        return below(usualOrder(delta));
    }

    /** The best order for one Gaussian plan of a usual size. */
    private static double usualOrder(double delta) {
        return RenyiFilter.forBudget(new PrivacyBudget(USUAL_EPSILON, delta)).order();
    }

    private static double quality(double divergence, double order, double delta) {
        return 1 / Math.max(1e-9, divergence + RenyiFilter.conversion(order, delta));
    }

    /** The grid below the order that is best for the first run alone, whose exact epsilon is known. */
    private static RenyiOdometer below(double best) {
        double whole = DECAY * (1 - Math.pow(DECAY, ORDERS)) / (1 - DECAY);
        List<Term> terms = new ArrayList<>();
        for (int j = 1; j <= ORDERS; j++) {
            BigDecimal aboveOne = rounded((best - 1) * Math.pow(RATIO, j), RoundingMode.HALF_EVEN);
            BigDecimal weight = rounded(Math.pow(DECAY, j) / whole, RoundingMode.FLOOR);
            terms.add(new Term(aboveOne.add(BigDecimal.ONE).doubleValue(), weight.doubleValue()));
        }
        return new RenyiOdometer(terms);
    }

    private static BigDecimal rounded(double value, RoundingMode mode) {
        return new BigDecimal(value).round(new MathContext(DIGITS, mode));
    }

    /** What one event adds at each order; +∞ where it has no bound. */
    public double[] costs(PrivacyEvent event, Neighbours neighbours, RenyiCurve renyi) {
        double[] costs = new double[terms.size()];
        for (int j = 0; j < costs.length; j++) {
            double divergence = renyi.divergence(event, terms.get(j).order(), neighbours);
            costs[j] = divergence >= 0 ? divergence : Double.POSITIVE_INFINITY;
        }
        return costs;
    }

    /**
     * The epsilon that holds at delta for events of these summed costs, rounded up; +∞ if no order bounds them.
     *
     * <p>L + log(1 − G(L)) is concave, and its maximum is where Σ_j a_j G_j(L) = 1. That point is enclosed by bisection;
     * on an interval that holds it, the value is at most the upper end plus log(1 − G) at the lower end.
     */
    public double epsilon(double[] sums, double delta) {
        double high = Double.POSITIVE_INFINITY;
        double low = Double.POSITIVE_INFINITY;
        for (int j = 0; j < sums.length; j++) {
            double order = terms.get(j).order();
            double logWeight = Math.log(order * terms.get(j).weight() * delta);
            high = Math.min(high, sums[j] - logWeight / (order - 1));
            low = Math.min(low, sums[j] - (logWeight + Math.log(sums.length)) / (order - 1));
        }
        if (high == Double.POSITIVE_INFINITY) {
            return high;
        }
        double width = 1e-12 * (1 + Math.abs(low) + Math.abs(high));
        while (high - low > width) {
            double middle = low + (high - low) / 2;
            if (mixture(middle, sums, delta, true) > 1) {
                high = middle;
            } else {
                low = middle;
            }
        }
        double rounding = 1e-10 * (1 + Math.abs(high));
        double top = high + rounding;
        double epsilon = top + Math.log1p(-mixture(low - rounding, sums, delta, false));
        return Math.max(0, epsilon + 1e-12 * (1 + Math.abs(top)));
    }

    /** G(L), or Σ_j a_j G_j(L). */
    private double mixture(double loss, double[] sums, double delta, boolean timesOrder) {
        double whole = 0;
        for (int j = 0; j < sums.length; j++) {
            double order = terms.get(j).order();
            whole +=
                    (timesOrder ? order : 1) * terms.get(j).weight() * delta * Math.exp((order - 1) * (loss - sums[j]));
        }
        return whole;
    }
}
