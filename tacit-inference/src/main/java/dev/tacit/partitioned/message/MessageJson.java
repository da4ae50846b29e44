package dev.tacit.partitioned.message;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import java.util.LinkedHashMap;
import java.util.Map;

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
        } else if (message instanceof Message.SumReply reply) {
            json.put("type", "sum-reply");
            json.put("party", reply.party());
            json.put("units", reply.units().packed());
            json.put("exponent", (long) reply.exponent());
            json.put("noiseStandardDeviation", packed(reply.noiseStandardDeviation()));
        } else if (message instanceof Message.Absence absence) {
            json.put("type", "absence");
            json.put("party", absence.party());
            json.put("reason", absence.reason().name());
        }
        json.put("round", (long) message.round());
        return json;
    }

    private static String packed(double... numbers) {
        return PackedNumbers.write(numbers);
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
            case "sum-reply" ->
                new Message.SumReply(
                        json.text("party"),
                        round,
                        LongVector.read(json, "units"),
                        exponent(json),
                        one(json, "noiseStandardDeviation"));
            case "absence" ->
                new Message.Absence(json.text("party"), round, named(Message.Reason.values(), json, "reason"));
            default -> throw new JsonFieldException(json.pathOf("type"), "is not a kind of message");
        };
        json.end();
        return message;
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
        if (exponent < Double.MIN_EXPONENT || exponent > Double.MAX_EXPONENT) {
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
