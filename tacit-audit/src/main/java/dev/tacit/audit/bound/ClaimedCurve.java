package dev.tacit.audit.bound;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/**
 * How often an attacker may be right, by a claim.
 *
 * <pre>
 *   P(E on D) ≤ min over ε of  e^ε P(E on D′) + delta(ε),   1 − e^−ε (1 − delta(ε) − P(E on D′))
 * </pre>
 *
 * Dong, Roth, Su 2022, Proposition 2.12; every epsilon gives a valid bound, so a ladder of them is enough, and what is
 * between its rungs errs on the side of the claim.
 */
public final class ClaimedCurve {
    private static final int RUNGS = 32;
    private static final double LEAST = 1.0 / 32;
    private static final double MOST = 4;

    private final double[] epsilons;
    private final double[] deltas;
    private final double[] factors;

    /**
     * @param delta of an epsilon
     * @param epsilon the printed one, around which the ladder is
     */
    public ClaimedCurve(DoubleUnaryOperator delta, double epsilon) {
        this(ladder(epsilon), delta);
    }

    private ClaimedCurve(double[] epsilons, DoubleUnaryOperator delta) {
        this(
                epsilons,
                Arrays.stream(epsilons)
                        .map(each -> Math.min(1, delta.applyAsDouble(each)))
                        .toArray());
    }

    private ClaimedCurve(double[] epsilons, double[] deltas) {
        this.epsilons = epsilons;
        this.deltas = deltas;
        this.factors = Arrays.stream(epsilons).map(Math::exp).toArray();
    }

    private static double[] ladder(double epsilon) {
        double[] ladder = new double[RUNGS];
        for (int rung = 1; rung < RUNGS; rung++) {
            double share = (rung - 1.0) / (RUNGS - 2);
            ladder[rung] = Math.max(epsilon, 1e-3) * LEAST * Math.pow(MOST / LEAST, share);
        }
        return ladder;
    }

    /** A claim of one epsilon at one delta, and nothing else. */
    public static ClaimedCurve ofPoint(double epsilon, double delta) {
        return new ClaimedCurve(new double[] {epsilon}, new double[] {delta});
    }

    /** The same claim, and another point of it. */
    public ClaimedCurve and(double epsilon, double delta) {
        double[] more = Arrays.copyOf(epsilons, epsilons.length + 1);
        double[] held = Arrays.copyOf(deltas, deltas.length + 1);
        more[epsilons.length] = epsilon;
        held[deltas.length] = delta;
        return new ClaimedCurve(more, held);
    }

    /** The largest probability on one neighbour of an event that has this one on the other. */
    public double mostLikely(double onNeighbour) {
        double most = 1;
        for (int rung = 0; rung < factors.length; rung++) {
            double steep = factors[rung] * onNeighbour + deltas[rung];
            double flat = 1 - (1 - deltas[rung] - onNeighbour) / factors[rung];
            most = Math.min(most, Math.min(steep, flat));
        }
        return most;
    }
}
