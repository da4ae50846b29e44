package dev.tacit.partitioned;

import dev.tacit.inference.BoundedKernel;
import dev.tacit.privacy.data.ReleasePlan;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A plan with the L2 bounds that its sums may be asked with: what a party joins for, and holds every request to.
 *
 * <p>Noise is a multiple of the bound, so a single party's release is as private at any bound. Shares of noise are not: they add up
 * to the noise that was charged only if all parties clip at the same bound. So bounds are public numbers that are fixed before
 * the first request, and whoever asks cannot choose others.
 *
 * @param plan all releases
 * @param l2Bounds for each phase of the plan, in order, the bounds that are named
 */
public record BoundedPlan(ReleasePlan plan, List<Set<Double>> l2Bounds) {
    public BoundedPlan {
        l2Bounds = l2Bounds.stream().map(Set::copyOf).toList();
        if (l2Bounds.size() != plan.phases().size()) {
            throw new IllegalArgumentException("a plan names L2 bounds for each of its phases");
        }
        for (Set<Double> named : l2Bounds) {
            if (named.isEmpty() || !named.stream().allMatch(bound -> bound > 0 && Double.isFinite(bound))) {
                throw new IllegalArgumentException("each phase names at least one L2 bound, a positive number");
            }
        }
    }

    /** All releases of a kernel. */
    public static <M, S extends Record> BoundedPlan of(BoundedKernel<M, S> kernel, M model, long publicSize) {
        return new BoundedPlan(kernel.plan(model, publicSize), kernel.l2Bounds(model));
    }

    /** One bound for all phases. */
    public static BoundedPlan of(ReleasePlan plan, double l2Bound) {
        return new BoundedPlan(
                plan, plan.phases().stream().map(phase -> Set.of(l2Bound)).toList());
    }

    /**
     * Why a sum is not what the plan has next, from public numbers; empty if it is.
     *
     * @param next how many releases were made
     */
    Optional<Message.Reason> refusal(long next, Message.SumRequest request, int dimension) {
        if (request.round() < 0 || request.round() >= plan.releases()) {
            return Optional.of(Message.Reason.OUT_OF_STEP);
        }
        int phase = phase(plan, next);
        if (phase(plan, request.round()) != phase || plan.phases().get(phase).dimension() != dimension) {
            return Optional.of(Message.Reason.OUT_OF_STEP);
        }
        return l2Bounds.get(phase).contains(request.l2Bound())
                ? Optional.empty()
                : Optional.of(Message.Reason.BOUND_NOT_NAMED);
    }

    /** Which phase a release is of, both counted from 0. */
    static int phase(ReleasePlan plan, long release) {
        int phase = 0;
        long end = plan.phases().get(0).times();
        while (release >= end) {
            phase++;
            end += plan.phases().get(phase).times();
        }
        return phase;
    }
}
