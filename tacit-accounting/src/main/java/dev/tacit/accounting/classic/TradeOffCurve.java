package dev.tacit.accounting.classic;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.function.DoubleUnaryOperator;

/**
 * How often an attacker who must decide between two neighbouring data sets is wrong, at least.
 *
 * <pre>
 *   type II error ≥ f(a) = max over ε ≥ 0 of max{ 0, 1 − delta(ε) − e^ε·a, e^−ε (1 − delta(ε) − a) }
 *   a = type I error
 * </pre>
 *
 * Dong, Roth, Su 2022, Propositions 2.4 and 2.12. Every epsilon gives a valid bound. For an exact delta both
 * expressions are unimodal (the first is concave in e^ε, the second in e^−ε); for a loose one they need not be, so a
 * fixed ladder of epsilons is tried first and the best rung refined. The attack's advantage over guessing is at most 1
 * − a − f(a). Instances cache the ladder and are safe to share between threads.
 */
public final class TradeOffCurve {
    private static final double SMALLEST_EPSILON = 1e-6;
    private static final double LARGEST_EPSILON = 700;
    private static final double RATIO = 1.4;
    private static final double GOLDEN = 0.5 * (Math.sqrt(5) - 1);

    private final DoubleUnaryOperator delta;
    private final double[] epsilons;
    private final double[] deltas;

    private TradeOffCurve(DoubleUnaryOperator delta) {
        this.delta = delta;
        int rungs = 2 + (int) Math.ceil(Math.log(LARGEST_EPSILON / SMALLEST_EPSILON) / Math.log(RATIO));
        this.epsilons = new double[rungs];
        this.deltas = new double[rungs];
        for (int i = 0; i < rungs; i++) {
            epsilons[i] = i == 0 ? 0 : Math.min(LARGEST_EPSILON, SMALLEST_EPSILON * Math.pow(RATIO, i - 1));
            deltas[i] = delta.applyAsDouble(epsilons[i]);
        }
    }

    /** The curve of an event by an accountant; an event the accountant cannot bound has the curve 0. */
    public static TradeOffCurve of(PrivacyAccountant accountant, PrivacyEvent event, Neighbours neighbours) {
        return new TradeOffCurve(
                epsilon -> accountant.delta(event, epsilon, neighbours).upper());
    }

    /** A lower bound on the type II error of every test whose type I error is at most this. */
    public double typeTwoError(double typeOneError) {
        if (!(typeOneError >= 0 && typeOneError <= 1)) {
            throw new IllegalArgumentException("a type I error lies between 0 and 1");
        }
        Bound steep = (epsilon, held) -> held - Math.exp(epsilon) * typeOneError;
        Bound flat = (epsilon, held) -> Math.exp(-epsilon) * (held - typeOneError);
        double best = Math.max(best(steep), best(flat));
        return Math.min(1 - typeOneError, Math.max(0, best * (1 - 1e-12) - 1e-15));
    }

    /** One of the two expressions, as a function of epsilon and 1 − delta(epsilon). */
    private interface Bound {
        double at(double epsilon, double held);
    }

    private double best(Bound bound) {
        int rung = 0;
        for (int i = 1; i < epsilons.length; i++) {
            if (bound.at(epsilons[i], 1 - deltas[i]) > bound.at(epsilons[rung], 1 - deltas[rung])) {
                rung = i;
            }
        }
        double best = bound.at(epsilons[rung], 1 - deltas[rung]);
        double low = epsilons[Math.max(0, rung - 1)];
        double high = epsilons[Math.min(epsilons.length - 1, rung + 1)];
        double left = high - GOLDEN * (high - low);
        double right = low + GOLDEN * (high - low);
        double atLeft = bound.at(left, 1 - delta.applyAsDouble(left));
        double atRight = bound.at(right, 1 - delta.applyAsDouble(right));
        while (high - low > 1e-5 * high) {
            best = Math.max(best, Math.max(atLeft, atRight));
            if (atLeft >= atRight) {
                high = right;
                right = left;
                atRight = atLeft;
                left = high - GOLDEN * (high - low);
                atLeft = bound.at(left, 1 - delta.applyAsDouble(left));
            } else {
                low = left;
                left = right;
                atLeft = atRight;
                right = low + GOLDEN * (high - low);
                atRight = bound.at(right, 1 - delta.applyAsDouble(right));
            }
        }
        return Math.max(best, Math.max(atLeft, atRight));
    }
}
