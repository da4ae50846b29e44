package dev.tacit.report;

import java.util.OptionalDouble;

/**
 * How often an attacker guesses right which of two neighbouring data sets was used, at most.
 *
 * <p>The attacker has unlimited computing power and any side information, and after all of it still gives the two data
 * sets even odds. With errors a and b of the two kinds, P(right) = 1 − (a + b) / 2.
 *
 * <pre>
 *   (ε, δ):     b ≥ 1 − δ − e^ε a  and  a ≥ 1 − δ − e^ε b   ⇒   a + b ≥ 2 (1 − δ) / (1 + e^ε)
 *               P(right) ≤ (e^ε + δ) / (1 + e^ε)
 *   δ(0) known: b ≥ 1 − δ(0) − a                            ⇒   P(right) ≤ (1 + δ(0)) / 2
 * </pre>
 *
 * Kairouz, Oh, Viswanath 2015, Theorem 2.1; Dong, Roth, Su 2022, Proposition 2.4. Both bounds hold, the smaller is
 * returned; δ(0) is the largest total variation distance between neighbours, so the second one is sharp. A larger prior
 * changes the numbers: the bounds are for even odds only.
 */
final class MembershipGuess {
    /** More than the rounding errors of either formula together. */
    private static final double SLACK = 1e-14;

    private MembershipGuess() {}

    /** An upper bound, between 1/2 and 1. */
    static double success(double epsilon, double delta, OptionalDouble deltaAtEpsilonZero) {
        double byPair = epsilon == 0 ? 0.5 + 0.5 * delta : 1 - (1 - delta) / (1 + Math.exp(epsilon)) + SLACK;
        double byProfile = 0.5 + 0.5 * deltaAtEpsilonZero.orElse(1);
        return Math.max(0.5, Math.min(1, Math.min(byPair, byProfile)));
    }
}
