package dev.tacit.fit.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.ledger.LedgerPlace;
import dev.tacit.fit.ledger.LedgerRequest;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What {@code sealed/run.json} says: which run a folder holds and what was asked for, so that it can go on by itself.
 *
 * @param identity the run's name and the seed of its model randomness
 * @param configuration what must not change, as a JSON object
 * @param startedIn the folder that relative paths are relative to; where this process is, if an earlier version wrote the file
 * @param ledger what was wanted of the ledger
 * @param password whether the address of the data held one, which is not kept
 */
record KeptRun(
        FitRun.Identity identity,
        Map<String, Object> configuration,
        Path startedIn,
        LedgerRequest ledger,
        boolean password) {
    private static final Map<String, String> NAMES = Map.of(
            "boundsShare", "the share for bounds",
            "countShare", "the share for the count",
            "model", "the model",
            "method", "the method",
            "ledger", "the ledger",
            "seed", "the seed");

    /** The text of the file. */
    static String text(FitRequest request, FitRun.Identity identity) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("run", identity.name());
        json.put("randomSeed", identity.randomSeed());
        json.put("configuration", request.configuration());
        json.put("startedIn", here().toString());
        Map<String, Object> wanted = new LinkedHashMap<>();
        request.ledger().limit().ifPresent(limit -> wanted.put("limit", limit));
        request.ledger().label().ifPresent(label -> wanted.put("label", label));
        wanted.put("analyst", request.ledger().analyst());
        wanted.put("samePeople", request.ledger().samePeople());
        json.put("ledger", wanted);
        json.put("password", !FitRequest.withoutPassword(request.data()).equals(request.data()));
        return Json.write(json) + "\n";
    }

    /** Reads the file. */
    static KeptRun read(FitFolder folder) {
        if (!Files.exists(folder.runFile())) {
            throw notThere(folder);
        }
        try {
            JsonFields json = JsonFields.of(
                    Json.read(Files.readString(folder.runFile(), StandardCharsets.UTF_8)),
                    folder.runFile().toString());
            Map<String, Object> configuration = object(Json.read(json.text("configuration")));
            Optional<Path> ledger =
                    Optional.ofNullable((String) configuration.get("ledger")).map(Path::of);
            LedgerRequest standard = LedgerRequest.standard();
            LedgerRequest wanted = new LedgerRequest(
                    ledger, standard.limit(), standard.label(), standard.analyst(), standard.samePeople());
            if (json.has("ledger")) {
                JsonFields asked = json.object("ledger");
                wanted = new LedgerRequest(
                        ledger,
                        asked.has("limit") ? OptionalDouble.of(asked.number("limit")) : OptionalDouble.empty(),
                        asked.has("label") ? Optional.of(asked.text("label")) : Optional.empty(),
                        asked.text("analyst"),
                        Boolean.TRUE.equals(asked.value("samePeople")));
            }
            KeptRun kept = new KeptRun(
                    new FitRun.Identity(json.text("run"), json.integer("randomSeed")),
                    configuration,
                    json.has("startedIn") ? Path.of(json.text("startedIn")) : here(),
                    wanted,
                    json.has("password") && Boolean.TRUE.equals(json.value("password")));
            kept.request(folder, 1); // refuses a file that says less than a run needs
            return kept;
        } catch (IOException | IllegalArgumentException | ClassCastException e) {
            throw unreadable(folder, e);
        }
    }

    /** What was asked for, as far as it says what the run computes; password and threads are for whoever goes on with it. */
    FitRequest request(FitFolder folder, int threads) {
        try {
            JsonFields json = JsonFields.of(configuration, folder.runFile().toString());
            Map<String, String> settings = new LinkedHashMap<>();
            object(configuration.get("settings")).forEach((name, value) -> settings.put(name, (String) value));
            boolean spends = json.has("epsilon");
            return new FitRequest(
                    fromHere(json.text("data")),
                    Schema.fromJson(configuration.get("schema")),
                    json.text("model"),
                    json.text("method"),
                    settings,
                    spends
                            ? Optional.of(new PrivacyBudget(json.number("epsilon"), json.number("delta")))
                            : Optional.empty(),
                    folder.path(),
                    new LedgerRequest(
                            ledger.file().map(file -> Path.of(fromHere(file.toString()))),
                            ledger.limit(),
                            ledger.label(),
                            ledger.analyst(),
                            ledger.samePeople()),
                    spends ? json.number("boundsShare") : 0,
                    json.has("countShare") ? OptionalDouble.of(json.number("countShare")) : OptionalDouble.empty(),
                    json.has("seed") ? OptionalLong.of(json.integer("seed")) : OptionalLong.empty(),
                    threads);
        } catch (IllegalArgumentException | ClassCastException | SchemaException e) {
            throw unreadable(folder, e);
        }
    }

    /** How the run was started, where another request differs: "with epsilon 1, not 2"; empty if it is the same. */
    Optional<String> difference(FitRequest asked) {
        Map<String, Object> other = object(Json.read(asked.configuration()));
        for (String key : union(configuration, other)) {
            Object kept = configuration.get(key);
            Object now = other.get(key);
            boolean same = switch (key) {
                case "data", "ledger" -> Objects.equals(at(startedIn, kept), at(here(), now));
                default -> Objects.equals(kept, now);
            };
            if (!same) {
                return Optional.of(
                        switch (key) {
                            case "data" -> "with other data";
                            case "schema" -> schemaDifference(object(kept), object(now));
                            case "settings" -> settingDifference(object(kept), object(now));
                            default -> values(NAMES.getOrDefault(key, key), kept, now);
                        });
            }
        }
        if (ledger.limit().isPresent()
                && asked.ledger().limit().isPresent()
                && !ledger.limit().equals(asked.ledger().limit())) {
            return Optional.of("with another limit of the ledger");
        }
        boolean relabelled = ledger.label().isPresent()
                && asked.ledger().label().isPresent()
                && !ledger.label().equals(asked.ledger().label());
        return relabelled ? Optional.of("with another label") : Optional.empty();
    }

    private static String schemaDifference(Map<String, Object> kept, Map<String, Object> now) {
        Object formula = formula(kept);
        Object other = formula(now);
        return Objects.equals(formula, other) ? "with another schema" : values("the formula", formula, other);
    }

    private static Object formula(Map<String, Object> schema) {
        return schema.get("encoding") instanceof Map<?, ?> encoding ? encoding.get("formula") : null;
    }

    private static String settingDifference(Map<String, Object> kept, Map<String, Object> now) {
        for (String name : union(kept, now)) {
            if (!Objects.equals(kept.get(name), now.get(name))) {
                return values("the setting " + name, kept.get(name), now.get(name));
            }
        }
        return "with other settings";
    }

    private static String values(String name, Object kept, Object now) {
        return kept == null
                ? "without " + name + " " + now
                : "with " + name + " " + kept + (now == null ? "" : ", not " + now);
    }

    private static Set<String> union(Map<String, Object> one, Map<String, Object> other) {
        Set<String> keys = new LinkedHashSet<>(one.keySet());
        keys.addAll(other.keySet());
        return keys;
    }

    /** A path that was relative to where the run was started, for a process that may be elsewhere. */
    private String fromHere(String path) {
        return startedIn.equals(here()) ? path : at(startedIn, path);
    }

    static String at(Path folder, Object path) {
        if (!(path instanceof String text)) {
            return null;
        }
        return DataLocation.of(text).kind() == DataLocation.Kind.POSTGRES || LedgerPlace.isOfCluster(text)
                ? text
                : folder.resolve(text).normalize().toString();
    }

    private static Path here() {
        return Path.of("").toAbsolutePath();
    }

    private static Map<String, Object> object(Object json) {
        if (!(json instanceof Map<?, ?> fields)) {
            throw new IllegalArgumentException("an object is needed");
        }
        Map<String, Object> object = new LinkedHashMap<>();
        fields.forEach((name, value) -> object.put((String) name, value));
        return object;
    }

    static FitException notThere(FitFolder folder) {
        return new FitException(
                FitException.Kind.CONFIGURATION,
                folder.path() + " does not hold an interrupted run; leave out --resume to start one.");
    }

    private static FitException unreadable(FitFolder folder, Exception cause) {
        return new FitException(
                FitException.Kind.BAD_DATA, folder.runFile() + " cannot be read, so the run cannot be resumed.", cause);
    }
}
