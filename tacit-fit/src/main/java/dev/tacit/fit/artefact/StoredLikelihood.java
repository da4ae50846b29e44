package dev.tacit.fit.artefact;

import dev.tacit.door.noise.Provenance;
import dev.tacit.fit.base.CheckedText;
import dev.tacit.fit.base.FitException;
import dev.tacit.inference.FreePrior;
import dev.tacit.inference.OtherStatisticException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.model.RecordSimulator;
import dev.tacit.run.method.FitMethod;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code likelihood.json}: everything that a fit released, as numbers that any prior can be put on afterwards. It holds
 * nothing that did not cross the door, so it may be published like the posterior.
 */
public final class StoredLikelihood {
    private static final String FORMAT = "tacit-likelihood/1";

    private StoredLikelihood() {}

    /** What a method would store of its last state; empty if its releases depend on the prior. */
    public static <M, S extends Record> Optional<String> text(FitMethod<M, S> method, S state, Provenance provenance) {
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

    /** All that a state says under a method's prior; empty if the method cannot say it. */
    public static <M, S extends Record> Optional<FreePrior.Reading> reading(FitMethod<M, S> method, S state) {
        return method.kernel() instanceof FreePrior<M, S> free
                ? Optional.of(free.read(state, method.model()))
                : Optional.empty();
    }

    /** Reads a likelihood under the prior of a method. */
    public static <M, S extends Record> FreePrior.Reading read(String text, String name, FitMethod<M, S> method) {
        return reading(method, state(text, name, method)).orElseThrow();
    }

    /** Draws records like those that a likelihood is of; empty if it does not know how they look. */
    public static <M, S extends Record> Optional<RecordSimulator> simulator(
            String text, String name, FitMethod<M, S> method) {
        return method.kernel() instanceof FreePrior<M, S> free
                ? free.simulator(state(text, name, method), method.model())
                : Optional.empty();
    }

    /** A method as it was when a likelihood was released. */
    public static <M, S extends Record> FitMethod<M, S> asReleased(String text, String name, FitMethod<M, S> method) {
        return method.kernel() instanceof FreePrior<M, S> free
                ? new FitMethod<>(
                        method.modelName(),
                        free.asOf(state(text, name, method)),
                        method.model(),
                        method.use(),
                        method.settings(),
                        method.withoutPrivacyNoise())
                : method;
    }

    private static <M, S extends Record> S state(String text, String name, FitMethod<M, S> method) {
        try {
            JsonFields json = JsonFields.of(Json.read(CheckedText.open(text, name)), name);
            if (!json.text("format").equals(FORMAT)
                    || !json.text("method").equals(method.kernel().name())) {
                throw new JsonFieldException(json.pathOf("format"), "is not one that this version reads");
            }
            StoredPosterior.provenance(json);
            S state = method.kernel().fromJson(json.object("released"));
            json.end();
            return state;
        } catch (OtherStatisticException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, name + ": " + e.getMessage() + ".", e);
        } catch (JsonException | JsonFieldException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name + " is not a likelihood that this version can read; use the version that wrote it.",
                    e);
        }
    }
}
