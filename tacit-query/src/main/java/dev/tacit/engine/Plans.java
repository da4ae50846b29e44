package dev.tacit.engine;

import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.ReleasePlan.Phase;
import java.util.ArrayList;
import java.util.List;

/** Plans made of other plans. */
public final class Plans {
    private Plans() {}

    /** The first releases of a plan, at least one. */
    public static ReleasePlan first(ReleasePlan plan, long count) {
        List<Phase> kept = new ArrayList<>();
        long left = count;
        for (Phase phase : plan.phases()) {
            if (left > 0) {
                long times = Math.min(left, phase.times());
                kept.add(new Phase(phase.label(), times, phase.dimension(), phase.sampling(), phase.relativeNoise()));
                left -= times;
            }
        }
        return plan.withPhases(kept);
    }

    /** The same releases for somebody who knows every batch: nothing is gained from sampling. */
    public static ReleasePlan withoutSampling(ReleasePlan plan) {
        return plan.withPhases(plan.phases().stream()
                .map(phase -> new Phase(
                        phase.label(), phase.times(), phase.dimension(), new FullPass(), phase.relativeNoise()))
                .toList());
    }
}
