package dev.tacit.federated.factor;

import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.Objects;

/**
 * How changes of factors become an approximation; follows from the study, so it is the same at all roles.
 *
 * @param prior q before the first round
 * @param settings rounds, damping and how q is read
 * @param asynchronous whether a change is used when it arrives; otherwise all of a round are used together
 * @param least how many parties must have answered before the others are not waited for any more
 */
public record ChangeRules(NaturalGaussian prior, Coordinator.Settings settings, boolean asynchronous, int least) {
    public ChangeRules {
        Objects.requireNonNull(prior, "prior");
        Objects.requireNonNull(settings, "settings");
    }

    int rounds() {
        return settings.rounds();
    }

    NaturalGaussian gaussian(double[] naturalParameters) {
        return NaturalGaussian.of(prior.family(), prior.dimension(), naturalParameters);
    }
}
