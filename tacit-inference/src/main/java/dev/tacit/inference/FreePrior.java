package dev.tacit.inference;

import dev.tacit.posterior.Posterior;

/**
 * A kernel whose releases do not depend on the prior that was asked for, so that its state is a likelihood: the posterior of
 * another prior follows from the same state, and costs nothing.
 *
 * @param <M> what the kernel needs from a model
 * @param <S> the state between two releases
 */
public interface FreePrior<M, S extends Record> extends InferenceKernel<M, S> {
    /** What the model believed before, in the coordinates of the posterior. */
    Posterior prior(S state, M model);
}
