package dev.tacit.ledger.filter;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.DoubleUnaryOperator;

/**
 * The Rényi filter at one order that is fixed before the first charge.
 *
 * <pre>
 *   admit while  Σ_i R_a(event_i) ≤ B(a) = ε − log((a − 1)/a) + (log δ + log a)/(a − 1),     a = order
 * </pre>
 *
 * Feldman, Zrnic 2021, Theorem 4.3: the sum at a fixed order is a valid filter, releases may be interleaved in any way.
 * B is Canonne, Kamath, Steinke 2020, Proposition 12, solved for the divergence. Every order is valid; a good one only
 * decides how much fits.
 *
 * @param order a real number above 1
 */
public record RenyiFilter(double order) implements PrivacyFilter {
    public RenyiFilter {
        if (!(order > 1) || Double.isInfinite(order)) {
            throw new IllegalArgumentException("a Rényi order is a finite number above 1");
        }
    }

    /** The order at which Gaussian-like spending, R_a = rho · a, fits most often: the maximum of B(a) / a. */
    public static RenyiFilter forBudget(PrivacyBudget budget) {
        return best(order -> limit(budget, order) / order, new RenyiFilter(2));
    }

    /** The order at which this kind of spending fits most often: the maximum of B(a) / R_a(plan). */
    public static RenyiFilter forPlan(
            PrivacyBudget budget, PrivacyEvent plan, Neighbours neighbours, RenyiCurve renyi) {
        return best(order -> limit(budget, order) / renyi.divergence(plan, order, neighbours), forBudget(budget));
    }

    @Override
    public FilterCost limit(PrivacyBudget budget) {
        return new FilterCost(limit(budget, order), 0);
    }

    @Override
    public FilterCost cost(PrivacyEvent event, Neighbours neighbours, LedgerAccounting accounting) {
        double divergence = accounting.renyi().divergence(event, order, neighbours);
        return divergence >= 0 ? new FilterCost(divergence, 0) : FilterCost.UNBOUNDED;
    }

    private static double limit(PrivacyBudget budget, double order) {
        double logDelta = Math.log(budget.delta());
        double logarithm = -Math.log1p(-1 / order);
        double tail = (logDelta + Math.log(order)) / (order - 1);
        double rounding = 0x1p-48 * (budget.epsilon() + logarithm + (1 - logDelta + Math.log(order)) / (order - 1));
        return Math.max(0, budget.epsilon() + logarithm + tail - rounding);
    }

    /** What a divergence of this order becomes an epsilon by: ε = R + this. */
    static double conversion(double order, double delta) {
        return Math.log1p(-1 / order) - (Math.log(delta) + Math.log(order)) / (order - 1);
    }

    /** A scan over log(order − 1) and a golden-section search around its best point; any result is a valid order. */
    static RenyiFilter best(DoubleUnaryOperator quality, RenyiFilter otherwise) {
        DoubleUnaryOperator objective = x -> {
            double value = quality.applyAsDouble(1 + Math.exp(x));
            return value < Double.POSITIVE_INFINITY ? value : 0;
        };
        double step = 0.5;
        double best = Double.NaN;
        double bestValue = 0;
        for (double x = -7; x <= 21; x += step) {
            double value = objective.applyAsDouble(x);
            if (value > bestValue) {
                best = x;
                bestValue = value;
            }
        }
        if (Double.isNaN(best)) {
            return otherwise;
        }
        double golden = (Math.sqrt(5) - 1) / 2;
        double low = best - step;
        double high = best + step;
        while (high - low > 1e-4) {
            double left = high - golden * (high - low);
            double right = low + golden * (high - low);
            if (objective.applyAsDouble(left) >= objective.applyAsDouble(right)) {
                high = right;
            } else {
                low = left;
            }
        }
        BigDecimal aboveOne = new BigDecimal(Math.exp((low + high) / 2)).round(new MathContext(4));
        return new RenyiFilter(aboveOne.add(BigDecimal.ONE).doubleValue());
    }
}
