package dev.tacit.accounting.classic;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.curve.CurveCatalogue;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.List;

/** What composition theorems share that only know the (epsilon, delta) of each release. */
public abstract sealed class ReleaseCompositionAccountant implements PrivacyAccountant
        permits BasicCompositionAccountant, AdvancedCompositionAccountant {
    private final CurveCatalogue catalogue;
    private final String source;

    ReleaseCompositionAccountant(CurveCatalogue catalogue, String source) {
        this.catalogue = catalogue;
        this.source = source;
    }

    /** The epsilon of at least one release at this delta. */
    abstract double composed(ReleaseEpsilons releases, double delta);

    @Override
    public final EpsilonBound epsilon(PrivacyEvent event, double delta, Neighbours neighbours) {
        PrivacyBudget.requireDelta(delta);
        try {
            double worst = 0;
            for (List<Phase> phases : alternatives(event, neighbours)) {
                worst = Math.max(worst, epsilon(ReleaseEpsilons.of(phases, neighbours), delta));
            }
            return Double.isInfinite(worst)
                    ? new EpsilonBound.Unbounded("a release has no finite epsilon at its share of delta")
                    : new EpsilonBound.AtMost(worst, source);
        } catch (UnsupportedEventException refusal) {
            return refusal.asEpsilonBound();
        }
    }

    @Override
    public final DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
        Composition.requireEpsilon(epsilon);
        try {
            double worst = 0;
            for (List<Phase> phases : alternatives(event, neighbours)) {
                ReleaseEpsilons releases = ReleaseEpsilons.of(phases, neighbours);
                if (!phases.isEmpty()) {
                    worst = Math.max(worst, ReleaseEpsilons.smallestDelta(delta -> epsilon(releases, delta), epsilon));
                }
            }
            return new DeltaBound.AtMost(worst, source);
        } catch (UnsupportedEventException refusal) {
            return refusal.asDeltaBound();
        }
    }

    private List<List<Phase>> alternatives(PrivacyEvent event, Neighbours neighbours) throws UnsupportedEventException {
        return Composition.of(event, neighbours, catalogue).alternatives();
    }

    private double epsilon(ReleaseEpsilons releases, double delta) {
        return releases.releases() == 0 ? 0 : composed(releases, delta);
    }
}
