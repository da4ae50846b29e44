package dev.tacit.fit.run;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.confirm.Confirmation;
import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.accounting.confirm.EnginesDisagreeException;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.MemoryNeed;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.run.method.FitMethod;
import java.util.Optional;

/** What must hold of a plan before anybody is charged for it, whether one curator or several parties hold the records. */
public final class PlanChecks {
    private static final double MOST_STEPS = 0x1p62;

    private PlanChecks() {}

    /** Refuses a plan that would run out of this process's memory after it was paid for. */
    public static void requireMemory(FitMethod<?, ?> method, ReleasePlan plan) {
        MemoryNeed.require(
                method.kernel().workingBytes(plan),
                Runtime.getRuntime().maxMemory(),
                InferenceKernel.largestRelease(plan));
    }

    /**
     * Refuses sums that would run over the 64 bits in which they are added.
     *
     * @param units how many are declared, of all who add to a sum
     */
    public static void requireRoom(ReleasePlan plan, double noiseMultiplier, long units) {
        for (ReleasePlan.Phase phase : plan.phases()) {
            double steps = new DiscreteGaussianMechanism(noiseMultiplier)
                    .scaled(phase.relativeNoise())
                    .grid(1, phase.dimension())
                    .sensitivity();
            if (!(steps * units <= MOST_STEPS)) {
                throw FitException.usage("sums of " + units + " units of " + phase.dimension()
                        + " numbers would not fit into 64 bits; fit fewer columns, or allow less epsilon.");
            }
        }
    }

    /**
     * Asks a second engine about an epsilon that is going to be printed, and refuses to go on if it contradicts the first.
     *
     * @return who agrees; empty if there is no interval to agree with
     */
    public static Optional<Confirmed> confirmed(
            EpsilonBound epsilon, PrivacyEvent event, double delta, Neighbours neighbours) {
        if (!(epsilon instanceof EpsilonBound.Between between)) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Confirmation().confirm(between, event, delta, neighbours));
        } catch (EnginesDisagreeException e) {
            throw new FitException(FitException.Kind.DEFECT, FitException.sentence(e.getMessage()), e);
        }
    }
}
