package dev.tacit.accounting.curve;

import dev.tacit.accounting.numerics.GaussLegendre;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.LaplacePair;
import dev.tacit.accounting.pair.PoissonReplaceLaplacePair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Laplace noise on every coordinate of a sum of vectors whose L1 norm is bounded.
 *
 * <pre>
 *   e = 1/scaleMultiplier under add/remove, 2/scaleMultiplier under replace-one
 *   D_a = log( a/(2a−1)·e^{(a−1)e} + (a−1)/(2a−1)·e^{−ae} ) / (a−1),      rho = e + exp(−e) − 1
 * </pre>
 *
 * Mironov 2017, Proposition 6 (Rényi); Harrison, Manurangsi 2026 (the exact zCDP constant, below Bun and Steinke's
 * e²/2). One coordinate moved by all of the bound is the worst case: moving two by a ≥ b gives, by direct integration,
 *
 * <pre>
 *   delta(ε) = 1 − e^{(ε−a−b)/2} (1 + min(2b, a+b−ε)/4),   0 ≤ ε ≤ a+b
 *            ≤ 1 − e^{(ε−a−b)/2} = delta of one coordinate moved by a+b
 * </pre>
 *
 * and induction gives every dimension, so {@link LaplacePair} dominates.
 *
 * @param scaleMultiplier scale of the noise over the L1 bound of one record
 */
public record LaplaceCurves(double scaleMultiplier) implements MechanismCurves {
    /** The name in profiles. */
    public static final String MECHANISM = "laplace";

    private static final GaussLegendre RULE = new GaussLegendre(20);
    private static final int MOST_PANELS = 2000;

    public LaplaceCurves {
        if (!(scaleMultiplier > 1e-300) || Double.isInfinite(scaleMultiplier)) {
            throw new IllegalArgumentException("a scale multiplier is a positive number");
        }
    }

    /** The largest loss, rounded up. */
    public double epsilon(Neighbours neighbours) {
        double quotient = neighbours.boundsMoved() / scaleMultiplier;
        return Math.fma(quotient, scaleMultiplier, -neighbours.boundsMoved()) >= 0 ? quotient : Math.nextUp(quotient);
    }

    @Override
    public PrivacyProfile profile() {
        return new PrivacyProfile(MECHANISM, Map.of("scaleMultiplier", scaleMultiplier));
    }

    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        double epsilon = epsilon(neighbours);
        double above = order - 1;
        if (Double.isInfinite(order) || above * epsilon > 300) {
            double rest = order / (order + above) + above / (order + above) * Math.exp(-(order + above) * epsilon);
            return OptionalDouble.of(
                    Double.isInfinite(order) ? epsilon : Math.min(epsilon, epsilon + Math.log(rest) / above));
        }
        double excess = (order * exponentialRemainder(above * epsilon) + above * exponentialRemainder(-order * epsilon))
                / (order + above);
        return OptionalDouble.of(Math.min(epsilon, Math.log1p(excess) / above));
    }

    /**
     * The moments of the sampled pair, integrated over the loss in panels on which the integrand changes by a factor of
     * at most e^8 or so.
     */
    @Override
    public OptionalDouble sampledRenyiDivergence(double order, double rate, Neighbours neighbours) {
        double epsilon = epsilon(neighbours);
        double panels = Math.ceil(2 * epsilon * Math.max(1, order / 8));
        if (neighbours != Neighbours.ADD_REMOVE || !(panels <= MOST_PANELS)) {
            return OptionalDouble.empty();
        }
        double moment = Math.max(
                sampledExcess(order, rate, epsilon, (int) panels),
                sampledExcess(1 - order, rate, epsilon, (int) panels));
        return OptionalDouble.of(Math.log1p(moment * (1 + 1e-13)) / (order - 1));
    }

    private static double sampledExcess(double power, double rate, double epsilon, int panels) {
        double sum = 0.5 * PureCurves.remainder(power, -epsilon, rate)
                + 0.5 * Math.exp(-epsilon) * PureCurves.remainder(power, epsilon, rate);
        double half = epsilon / panels;
        for (int panel = 0; panel < panels; panel++) {
            double middle = -epsilon + (2 * panel + 1) * half;
            for (int i = 0; i < RULE.count(); i++) {
                double loss = middle + half * RULE.node(i);
                double density = 0.25 * Math.exp(-0.5 * (loss + epsilon));
                sum += half * RULE.weight(i) * density * PureCurves.remainder(power, loss, rate);
            }
        }
        return sum;
    }

    /** e^x − 1 − x, without cancellation. */
    static double exponentialRemainder(double x) {
        if (Math.abs(x) > 0.5) {
            return Math.expm1(x) - x;
        }
        double term = 0.5 * x * x;
        double sum = term;
        for (int k = 3; k < 30; k++) {
            term *= x / k;
            sum += term;
        }
        return sum;
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return Optional.of(new LaplacePair(epsilon(neighbours)));
    }

    @Override
    public Optional<DominatingPair> poissonReplaceOnePair(double rate) {
        return Optional.of(new PoissonReplaceLaplacePair(epsilon(Neighbours.ADD_REMOVE), rate));
    }

    @Override
    public OptionalDouble zeroConcentration(Neighbours neighbours) {
        return OptionalDouble.of(exponentialRemainder(-epsilon(neighbours)) * (1 + 8 * Math.ulp(1.0)));
    }

    @Override
    public OptionalDouble pureEpsilon(Neighbours neighbours) {
        return OptionalDouble.of(epsilon(neighbours));
    }
}
