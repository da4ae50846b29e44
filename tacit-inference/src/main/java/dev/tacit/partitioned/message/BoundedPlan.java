package dev.tacit.partitioned.message;

import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.BoundedKernel;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A plan with the L2 bound that each of its sums is asked with: what a party joins for, and holds every request to.
 *
 * <p>Noise is a multiple of the bound, so a single party's release is as private at any bound. Shares of noise are not: they add up
 * to the noise that was charged only if all parties clip at the same bound. So each phase has one bound, a public number that is
 * fixed before the first request, and whoever asks cannot choose another, nor another for one party than for the next.
 *
 * @param plan all releases
 * @param l2Bounds for each phase of the plan, in order, its bound
 */
public record BoundedPlan(ReleasePlan plan, List<Double> l2Bounds) {
    public BoundedPlan {
        l2Bounds = List.copyOf(l2Bounds);
        if (l2Bounds.size() != plan.phases().size()) {
            throw new IllegalArgumentException("a plan names an L2 bound for each of its phases");
        }
        if (!l2Bounds.stream().allMatch(bound -> bound > 0 && Double.isFinite(bound))) {
            throw new IllegalArgumentException("an L2 bound is a positive number");
        }
    }

    /** All releases of a kernel. */
    public static <M, S extends Record> BoundedPlan of(BoundedKernel<M, S> kernel, M model, long publicSize) {
        return new BoundedPlan(kernel.plan(model, publicSize), kernel.l2Bounds(model));
    }

    /** One bound for all phases. */
    public static BoundedPlan of(ReleasePlan plan, double l2Bound) {
        return new BoundedPlan(plan, Collections.nCopies(plan.phases().size(), l2Bound));
    }

    /**
     * Why a sum is not what the plan has next, from public numbers; empty if it is.
     *
     * @param next how many releases were made
     */
    public Optional<Message.Reason> refusal(long next, Message.SumRequest request, int dimension) {
        if (request.round() < 0 || request.round() >= plan.releases()) {
            return Optional.of(Message.Reason.OUT_OF_STEP);
        }
        int phase = phase(plan, next);
        if (phase(plan, request.round()) != phase || plan.phases().get(phase).dimension() != dimension) {
            return Optional.of(Message.Reason.OUT_OF_STEP);
        }
        return l2Bounds.get(phase) == request.l2Bound()
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
