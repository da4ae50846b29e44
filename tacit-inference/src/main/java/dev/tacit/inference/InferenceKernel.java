package dev.tacit.inference;

import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.Map;

/**
 * An inference algorithm as pure steps: what it will release, where it starts, what one release does to its state, and
 * the posterior of a state.
 *
 * <p>A kernel holds settings only; everything that changes is in the state, a record of numbers that were released or
 * are public. One step makes exactly one release, the plan's next.
 *
 * @param <M> what the kernel needs from a model
 * @param <S> the state between two releases
 */
public interface InferenceKernel<M, S extends Record> {
    /** The name on the command line and in every report. */
    String name();

    /** All releases of a run, before any record is touched. */
    ReleasePlan plan(M model, long publicSize);

    /**
     * About how many bytes a run of a plan takes beside its records, from public numbers: the largest release in the door and
     * outside of it, the state, and both the checkpoint and the posterior as text.
     *
     * <p>160 bytes for each number of the largest release: sums of two threads, a noisy sum and a copy, a state of several
     * such vectors, and their text.
     */
    default long workingBytes(ReleasePlan plan) {
        return 160L * largestRelease(plan);
    }

    /** How many numbers the largest release of a plan has. */
    static int largestRelease(ReleasePlan plan) {
        return plan.phases().stream()
                .mapToInt(ReleasePlan.Phase::dimension)
                .max()
                .orElseThrow();
    }

    /** The state before the first release. */
    S init(M model, long publicSize, RandomStream random);

    /** Makes the next release and moves the state. */
    Step<S> step(S state, M model, PrivateSession session, RandomStream random);

    /**
     * The state after a release that a crash took: it was paid for, and can neither be had nor be repeated.
     *
     * @throws LostReleaseException if the run cannot go on without it
     */
    S without(S state, M model) throws LostReleaseException;

    /** What is known about the parameters. */
    Posterior posterior(S state, M model);

    /** The state for a checkpoint, exactly. */
    Map<String, Object> toJson(S state);

    /** Reads {@link #toJson} back. */
    S fromJson(JsonFields json);
}
