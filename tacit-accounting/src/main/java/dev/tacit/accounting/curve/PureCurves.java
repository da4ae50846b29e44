package dev.tacit.accounting.curve;

import dev.tacit.accounting.numerics.MixtureRatio;
import dev.tacit.accounting.pair.DominatingPair;
import dev.tacit.accounting.pair.PoissonSampledPair;
import dev.tacit.accounting.pair.RandomizedResponsePair;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A release of which only an epsilon is known.
 *
 * <pre>
 *   D_a = log(1 + (1 − e^{−(a−1)e}) (e^{ae} − 1) / (e^e + 1)) / (a−1),      rho = e·tanh(e/2),      e = epsilon
 * </pre>
 *
 * All curves are those of binary randomised response, which dominates (Kairouz, Oh, Viswanath 2015, proof of Theorem
 * 3.3); rho is its Kullback-Leibler divergence, the supremum of D_a/a (Steinke 2024, "Tight RDP and zCDP bounds from
 * pure DP"; below Bun and Steinke's e²/2). The declared epsilon holds for whichever neighbours are asked, because
 * nothing is known about how it was reached. Poisson-sampled divergences are those of the sampled pair, in the worse
 * direction.
 *
 * @param epsilon the declared epsilon
 */
public record PureCurves(double epsilon) implements MechanismCurves {
    /** The name in profiles. */
    public static final String MECHANISM = "pure";

    public PureCurves {
        if (!(epsilon >= 0) || Double.isInfinite(epsilon)) {
            throw new IllegalArgumentException("epsilon must be a finite number, 0 or more");
        }
    }

    @Override
    public PrivacyProfile profile() {
        return new PrivacyProfile(MECHANISM, Map.of("epsilon", epsilon));
    }

    @Override
    public OptionalDouble renyiDivergence(double order, Neighbours neighbours) {
        double above = order - 1;
        if (Double.isInfinite(order) || order * epsilon > 300) {
            double rest = Math.log1p(Math.exp(-epsilon)) - Math.log1p(Math.exp(-(order + above) * epsilon));
            return OptionalDouble.of(Double.isInfinite(order) ? epsilon : Math.min(epsilon, epsilon - rest / above));
        }
        double excess = -Math.expm1(-above * epsilon) * Math.expm1(order * epsilon) / (Math.exp(epsilon) + 1);
        return OptionalDouble.of(Math.min(epsilon, Math.log1p(excess) / above));
    }

    @Override
    public OptionalDouble sampledRenyiDivergence(double order, double rate, Neighbours neighbours) {
        if (neighbours != Neighbours.ADD_REMOVE) {
            return OptionalDouble.empty();
        }
        double odds = Math.exp(-epsilon);
        double high = odds / (1 + odds);
        double low = 1 / (1 + odds);
        double removed = high * remainder(order, epsilon, rate) + low * remainder(order, -epsilon, rate);
        double added = high * remainder(1 - order, epsilon, rate) + low * remainder(1 - order, -epsilon, rate);
        return OptionalDouble.of(Math.log1p(Math.max(removed, added)) / (order - 1));
    }

    /**
     * r^power − 1 − power·(r − 1) with r = 1 − rate + rate·e^loss; its mean under Q is the moment minus one, because
     * the mean of r is one.
     */
    static double remainder(double power, double loss, double rate) {
        return MixtureRatio.powerRemainder(power, rate * Math.expm1(loss), PoissonSampledPair.sampledLoss(loss, rate));
    }

    @Override
    public Optional<DominatingPair> dominatingPair(Neighbours neighbours) {
        return Optional.of(new RandomizedResponsePair(epsilon));
    }

    @Override
    public OptionalDouble zeroConcentration(Neighbours neighbours) {
        return OptionalDouble.of(epsilon * Math.tanh(epsilon / 2) * (1 + 8 * Math.ulp(1.0)));
    }

    @Override
    public OptionalDouble pureEpsilon(Neighbours neighbours) {
        return OptionalDouble.of(epsilon);
    }
}
