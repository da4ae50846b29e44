package dev.tacit.run.method;

import dev.tacit.inference.InferenceKernel;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.posterior.Posterior;
import java.util.Map;
import java.util.Optional;

/**
 * A kernel with the model it is to fit.
 *
 * @param modelName as on the command line
 * @param kernel the algorithm
 * @param model what the algorithm sees of the model
 * @param use what predicts or describes records from its posterior
 * @param settings everything in force, by name
 * @param withoutPrivacyNoise the posterior that the same state would have without privacy noise, if the kernel knows it
 */
public record FitMethod<M, S extends Record>(
        String modelName,
        InferenceKernel<M, S> kernel,
        M model,
        ModelUse use,
        Map<String, Object> settings,
        Optional<Comparison<S>> withoutPrivacyNoise) {
    /** Another reading of a state, to be shown beside the posterior. */
    @FunctionalInterface
    public interface Comparison<S> {
        Posterior posterior(S state);
    }
}
