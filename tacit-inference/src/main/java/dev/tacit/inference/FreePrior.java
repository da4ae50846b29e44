package dev.tacit.inference;

import dev.tacit.model.RecordSimulator;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kernel whose releases do not depend on the prior that was asked for, so that its state is a likelihood: the posterior of
 * another prior follows from the same state, and costs nothing.
 *
 * @param <M> what the kernel needs from a model
 * @param <S> the state between two releases
 */
public interface FreePrior<M, S extends Record> extends InferenceKernel<M, S> {
    /**
     * All that a state says under a model's prior.
     *
     * @param posterior what is known
     * @param withoutNoise what would be known without privacy noise, as far as can be told
     * @param prior what the model believed before, in the coordinates of the posterior
     * @param cautions what must be said beside the posterior
     * @param centre released means of columns, by the names of their parameters
     */
    record Reading(
            Posterior posterior,
            Posterior withoutNoise,
            Posterior prior,
            List<Caution> cautions,
            Map<String, Double> centre) {
        public Reading {
            cautions = List.copyOf(cautions);
            centre = Map.copyOf(centre);
        }
    }

    /**
     * Something that a reader must know about some parameters, found in released numbers alone.
     *
     * @param kind one word for programs
     * @param names of the parameters concerned
     * @param sentence for people, without a full stop
     */
    record Caution(String kind, List<String> names, String sentence) {
        public Caution {
            names = List.copyOf(names);
        }
    }

    /** Reads a state. */
    Reading read(S state, M model);

    /** The kernel as it was when a state's sums were released: where later versions release sums may be elsewhere. */
    FreePrior<M, S> asOf(S state);

    /** Draws records like those whose moments were released; empty if the state does not know how they look. */
    Optional<RecordSimulator> simulator(S state, M model);
}
