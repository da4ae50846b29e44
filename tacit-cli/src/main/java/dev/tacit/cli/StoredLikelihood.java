package dev.tacit.cli;

import dev.tacit.inference.FreePrior;
import dev.tacit.posterior.Posterior;
import dev.tacit.privacy.json.Json;
import dev.tacit.privacy.json.JsonException;
import dev.tacit.privacy.json.JsonFieldException;
import dev.tacit.privacy.json.JsonFields;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.run.FitMethod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code likelihood.json}: everything that a fit released, as numbers that any prior can be put on afterwards. It holds
 * nothing that did not cross the door, so it may be published like the posterior.
 */
final class StoredLikelihood {
    private static final String FORMAT = "tacit-likelihood/1";

    private StoredLikelihood() {}

    /** What a method would store of its last state; empty if its releases depend on the prior. */
    static <M, S extends Record> Optional<String> text(FitMethod<M, S> method, S state, Provenance provenance) {
        if (!(method.kernel() instanceof FreePrior<M, S>)) {
            return Optional.empty();
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("provenance", provenance.label());
        json.put("method", method.kernel().name());
        json.put("released", method.kernel().toJson(state));
        return Optional.of(CheckedText.seal(Json.write(json)) + "\n");
    }

    /** What was believed before; empty if the method cannot say it. */
    static <M, S extends Record> Optional<Posterior> prior(FitMethod<M, S> method, S state) {
        return method.kernel() instanceof FreePrior<M, S> free
                ? Optional.of(free.prior(state, method.model()))
                : Optional.empty();
    }

    /** Another prior on the same likelihood. */
    record Reading(Posterior posterior, Optional<Posterior> withoutPrivacyNoise, Optional<Posterior> prior) {}

    /** Reads a likelihood under the prior of a method. */
    static <M, S extends Record> Reading read(String text, String name, FitMethod<M, S> method) {
        try {
            JsonFields json = JsonFields.of(Json.read(CheckedText.open(text, name)), name);
            if (!json.text("format").equals(FORMAT)
                    || !json.text("method").equals(method.kernel().name())) {
                throw new JsonFieldException(json.pathOf("format"), "is not one that this version reads");
            }
            FittedModel.provenance(json);
            S state = method.kernel().fromJson(json.object("released"));
            json.end();
            return new Reading(
                    method.kernel().posterior(state, method.model()),
                    method.withoutPrivacyNoise().map(reading -> reading.posterior(state)),
                    prior(method, state));
        } catch (JsonException | JsonFieldException e) {
            throw new CommandFailure(
                    ExitCode.BAD_DATA,
                    name + " is not a likelihood that this version can read; use the version that wrote it.",
                    e);
        }
    }
}
