package dev.tacit.privacy.accountant;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import java.util.List;

/**
 * Adds the epsilons of the releases, each taken at an equal share of delta.
 *
 * <pre>
 *   epsilon(delta) = Σ_i epsilon_i(delta / T),     T releases
 * </pre>
 *
 * Dwork, Kenthapadi, McSherry, Mironov, Naor 2006. The reference against which the other accountants are
 * measured.
 */
public final class BasicCompositionAccountant implements PrivacyAccountant {
    private static final String SOURCE = "sum of the epsilons of the releases at equal shares of delta";

    @Override
    public String name() {
        return "basic";
    }

    @Override
    public EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
        PrivacyBudget.requireDelta(delta);
        try {
            double worst = 0;
            for (List<Phase> phases : Composition.of(event, neighbours).alternatives()) {
                worst = Math.max(worst, epsilon(ReleaseEpsilons.of(phases, neighbours), delta));
            }
            return Double.isInfinite(worst)
                    ? new EpsilonBound.Unbounded("a release has no finite epsilon at its share of delta")
                    : new EpsilonBound.AtMost(worst, SOURCE);
        } catch (UnsupportedEventException refusal) {
            return EpsilonBound.refused(refusal);
        }
    }

    @Override
    public DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
        RenyiAccountant.requireEpsilon(epsilon);
        try {
            double worst = 0;
            for (List<Phase> phases : Composition.of(event, neighbours).alternatives()) {
                ReleaseEpsilons releases = ReleaseEpsilons.of(phases, neighbours);
                if (!phases.isEmpty()) {
                    worst = Math.max(worst, ReleaseEpsilons.smallestDelta(delta -> epsilon(releases, delta), epsilon));
                }
            }
            return new DeltaBound.AtMost(worst, SOURCE);
        } catch (UnsupportedEventException refusal) {
            return DeltaBound.refused(refusal);
        }
    }

    private static double epsilon(ReleaseEpsilons releases, double delta) {
        if (releases.releases() == 0) {
            return 0;
        }
        double sum = 0;
        List<ReleaseEpsilons.Charge> charges = releases.at(delta / releases.releases() * (1 - 4 * Math.ulp(1.0)));
        for (ReleaseEpsilons.Charge charge : charges) {
            sum += charge.times() * charge.epsilon();
        }
        return sum * (1 + Math.ulp(1.0) * (2 + charges.size()));
    }
}
