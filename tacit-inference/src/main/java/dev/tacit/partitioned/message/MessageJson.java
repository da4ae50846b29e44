package dev.tacit.partitioned.message;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.json.EventJson;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.json.PlanJson;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/** Messages as JSON, both ways, exactly; what is not one of them, or has a field more or less, is refused. */
public final class MessageJson {
    private MessageJson() {}

    /** The JSON value of a message. */
    public static Map<String, Object> toValue(Message message) {
        Map<String, Object> json = new LinkedHashMap<>();
        if (message instanceof Message.GlobalState state) {
            json.put("type", "global-state");
            json.put("naturalParameters", packed(state.naturalParameters().toArray()));
            json.put("lastUsed", (long) state.lastUsed());
        } else if (message instanceof Message.FactorChange answer) {
            json.put("type", "factor-change");
            json.put("party", answer.party());
            json.put("change", packed(answer.change().toArray()));
            json.put("weightedMeanNoise", packed(answer.weightedMeanNoise()));
            json.put("raisedDirections", (long) answer.raisedDirections());
        } else if (message instanceof Message.SumRequest request) {
            json.put("type", "sum-request");
            json.put("query", request.query());
            json.put("numbers", packed(request.numbers().toArray()));
            json.put("l2Bound", packed(request.l2Bound()));
        } else if (message instanceof Message.SumReply reply) {
            json.put("type", "sum-reply");
            json.put("party", reply.party());
            json.put("units", reply.units().packed());
            json.put("exponent", (long) reply.exponent());
            json.put("noiseStandardDeviation", packed(reply.noiseStandardDeviation()));
        } else if (message instanceof Message.MaskedShare share) {
            json.put("type", "masked-share");
            json.put("party", share.party());
            json.put("residues", share.residues().packed());
            json.put("exponent", (long) share.exponent());
            json.put("noiseStandardDeviation", packed(share.noiseStandardDeviation()));
        } else if (message instanceof Message.RollCall) {
            json.put("type", "roll-call");
        } else if (message instanceof Message.Present present) {
            json.put("type", "present");
            json.put("party", present.party());
        } else if (message instanceof Message.Absence absence) {
            json.put("type", "absence");
            json.put("party", absence.party());
            json.put("reason", absence.reason().name());
        } else if (message instanceof Message.Join join) {
            json.put("type", "join");
            json.put("protocol", (long) join.protocol());
            json.put("run", join.run());
            json.put("party", join.party());
            json.put("units", join.units());
            json.put("schemaDigest", join.schemaDigest());
        } else if (message instanceof Message.Terms terms) {
            terms(terms, json);
        } else if (message instanceof Message.Joined joined) {
            json.put("type", "joined");
            json.put("protocol", (long) joined.protocol());
            json.put("run", joined.run());
            json.put("party", joined.party());
            json.put("roundsPaid", (long) joined.roundsPaid());
            json.put("sharesNoise", joined.terms().sharesNoise());
            json.put("event", EventJson.standard().toValue(joined.terms().event()));
            json.put("l2Bounds", packed(numbers(joined.terms().l2Bounds())));
        }
        json.put("round", (long) message.round());
        return json;
    }

    private static void terms(Message.Terms terms, Map<String, Object> json) {
        json.put("type", "terms");
        json.put("protocol", (long) terms.protocol());
        json.put("run", terms.run());
        json.put("model", terms.model());
        json.put("schemaDigest", terms.schemaDigest());
        json.put("plan", PlanJson.toValue(terms.plan().plan()));
        json.put("l2Bounds", packed(numbers(terms.plan().l2Bounds())));
        terms.sharing().ifPresent(sharing -> {
            Map<String, Object> shared = new LinkedHashMap<>();
            shared.put("parties", (long) sharing.parties());
            shared.put("colluders", (long) sharing.colluders());
            shared.put("dropouts", (long) sharing.dropouts());
            json.put("sharing", shared);
        });
        terms.factors().ifPresent(factors -> {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("family", factors.prior().family().name());
            object.put("dimension", (long) factors.prior().dimension());
            object.put("prior", packed(factors.prior().naturalParameters()));
            object.put("firstFactor", packed(factors.firstFactor().naturalParameters()));
            object.put("damping", packed(factors.damping()));
            factors.publicShare().ifPresent(share -> object.put("publicShare", packed(share)));
            object.put("seed", factors.seed());
            object.put("place", (long) factors.place());
            json.put("factors", object);
        });
    }

    private static String packed(double... numbers) {
        return PackedNumbers.write(numbers);
    }

    private static double[] numbers(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Reads {@link #toValue} back. */
    public static Message fromValue(Object value, String path) {
        JsonFields json = JsonFields.of(value, path);
        int round = count(json, "round");
        Message message = switch (json.text("type")) {
            case "global-state" ->
                new Message.GlobalState(round, vector(json, "naturalParameters"), lastUsed(json, round));
            case "factor-change" ->
                new Message.FactorChange(
                        json.text("party"),
                        round,
                        vector(json, "change"),
                        one(json, "weightedMeanNoise"),
                        count(json, "raisedDirections"));
            case "sum-request" ->
                new Message.SumRequest(round, json.text("query"), vector(json, "numbers"), one(json, "l2Bound"));
            case "sum-reply" ->
                new Message.SumReply(
                        json.text("party"),
                        round,
                        LongVector.read(json, "units"),
                        exponent(json),
                        one(json, "noiseStandardDeviation"));
            case "masked-share" ->
                new Message.MaskedShare(
                        json.text("party"),
                        round,
                        LongVector.read(json, "residues"),
                        exponent(json),
                        one(json, "noiseStandardDeviation"));
            case "roll-call" -> new Message.RollCall(round);
            case "present" -> new Message.Present(json.text("party"), round);
            case "absence" ->
                new Message.Absence(json.text("party"), round, named(Message.Reason.values(), json, "reason"));
            case "join" ->
                new Message.Join(
                        round,
                        count(json, "protocol"),
                        json.text("run"),
                        json.text("party"),
                        json.integer("units"),
                        json.text("schemaDigest"));
            case "terms" -> terms(json, round);
            case "joined" ->
                new Message.Joined(
                        round,
                        count(json, "protocol"),
                        json.text("run"),
                        json.text("party"),
                        count(json, "roundsPaid"),
                        new PartyTerms(truth(json, "sharesNoise"), event(json), bounds(json)));
            default -> throw new JsonFieldException(json.pathOf("type"), "is not a kind of message");
        };
        json.end();
        return message;
    }

    private static Message.Terms terms(JsonFields json, int round) {
        Optional<NoiseSharing> sharing = Optional.empty();
        if (json.has("sharing")) {
            JsonFields shared = json.object("sharing");
            sharing = Optional.of(checked(
                    shared.path(),
                    () -> new NoiseSharing(
                            count(shared, "parties"), count(shared, "colluders"), count(shared, "dropouts"))));
            shared.end();
        }
        return new Message.Terms(
                round,
                count(json, "protocol"),
                json.text("run"),
                json.text("model"),
                json.text("schemaDigest"),
                checked(
                        json.pathOf("plan"),
                        () -> new BoundedPlan(
                                PlanJson.fromValue(json.value("plan"), json.pathOf("plan")), bounds(json))),
                sharing,
                json.has("factors") ? Optional.of(factors(json.object("factors"))) : Optional.empty());
    }

    private static FactorTerms factors(JsonFields json) {
        GaussianFamily family = named(GaussianFamily.values(), json, "family");
        int dimension = count(json, "dimension");
        FactorTerms factors = checked(
                json.path(),
                () -> new FactorTerms(
                        NaturalGaussian.of(family, dimension, PackedNumbers.read(json, "prior")),
                        NaturalGaussian.of(family, dimension, PackedNumbers.read(json, "firstFactor")),
                        one(json, "damping"),
                        json.has("publicShare") ? OptionalDouble.of(one(json, "publicShare")) : OptionalDouble.empty(),
                        json.integer("seed"),
                        count(json, "place")));
        json.end();
        return factors;
    }

    /** What a constructor refuses is refused where it stands. */
    private static <T> T checked(String path, Supplier<T> made) {
        try {
            return made.get();
        } catch (JsonFieldException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new JsonFieldException(path, "is refused: " + e.getMessage());
        }
    }

    private static PrivacyEvent event(JsonFields json) {
        return checked(json.pathOf("event"), () -> EventJson.standard().fromValue(json.value("event")));
    }

    private static List<Double> bounds(JsonFields json) {
        return Arrays.stream(PackedNumbers.read(json, "l2Bounds")).boxed().toList();
    }

    /** Rounds and other counts; whoever sends another number has no round to be answered in. */
    public static int count(JsonFields json, String name) {
        long count = json.integer(name);
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new JsonFieldException(json.pathOf(name), "must be a whole number from 0 to 2147483647");
        }
        return (int) count;
    }

    private static int lastUsed(JsonFields json, int round) {
        long used = json.integer("lastUsed");
        if (used < Message.GlobalState.NONE_USED || used >= round) {
            throw new JsonFieldException(json.pathOf("lastUsed"), "must be -1 or a round before this one");
        }
        return (int) used;
    }

    private static boolean truth(JsonFields json, String name) {
        if (json.value(name) instanceof Boolean truth) {
            return truth;
        }
        throw new JsonFieldException(json.pathOf(name), "must be true or false");
    }

    private static DoubleVector vector(JsonFields json, String name) {
        return DoubleVector.of(PackedNumbers.read(json, name));
    }

    private static double one(JsonFields json, String name) {
        double[] numbers = PackedNumbers.read(json, name);
        if (numbers.length != 1) {
            throw new JsonFieldException(json.pathOf(name), "must hold one number");
        }
        return numbers[0];
    }

    private static int exponent(JsonFields json) {
        long exponent = json.integer("exponent");
        if (!GridCode.isExponent(exponent)) {
            throw new JsonFieldException(json.pathOf("exponent"), "must be a whole number from -1022 to 1023");
        }
        return (int) exponent;
    }

    private static <E extends Enum<E>> E named(E[] all, JsonFields json, String name) {
        String text = json.text(name);
        for (E each : all) {
            if (each.name().equals(text)) {
                return each;
            }
        }
        throw new JsonFieldException(json.pathOf(name), "is not one of those that there are");
    }
}
