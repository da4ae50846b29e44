package dev.tacit.partitioned.message;

import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Everything that travels between a coordinator and a party: public values downwards, released values upwards.
 *
 * <p>Releases travel as integers and the power of two that they are multiples of, so whoever adds them up adds integers; doubles are
 * a view of the sum. The JSON form is exact; numbers are packed ({@link PackedNumbers}), and so are integers ({@link LongVector}).
 */
public sealed interface Message {
    /** Which round it belongs to, from 0. */
    int round();

    /** What a party released, on its way to whoever adds up. */
    sealed interface Answer extends Message {
        /** Who sent it. */
        String party();
    }

    /**
     * Coordinator to party: the global approximation.
     *
     * @param naturalParameters of the approximation that factors are to be computed against
     * @param lastAnswerUsed false if the party's last answer did not find its way into it
     */
    record GlobalState(int round, DoubleVector naturalParameters, boolean lastAnswerUsed) implements Message {}

    /**
     * Party to coordinator, or to an aggregator: how its factor changes, before damping.
     *
     * @param change of natural parameters, noise included
     * @param weightedMeanNoise standard deviation of the noise in each weighted mean, 0 if it went through an optimiser
     * @param raisedDirections in how many directions the cavity was less certain than the prior and was raised to it
     */
    record FactorChange(String party, int round, DoubleVector change, double weightedMeanNoise, int raisedDirections)
            implements Answer {}

    /** Coordinator to party, before a round that is worth nothing if one is missing: is the party there? */
    record RollCall(int round) implements Message {}

    /** Party to coordinator: it is there, and nothing was released. */
    record Present(String party, int round) implements Message {}

    /**
     * Coordinator to party: which sum over records is wanted.
     *
     * @param query its name, which every party's model knows
     * @param numbers its public parameters
     * @param l2Bound at which one unit's contribution is clipped
     */
    record SumRequest(int round, String query, DoubleVector numbers, double l2Bound) implements Message {}

    /**
     * Party to coordinator, or to an aggregator: the noisy sum, as the integers that it is.
     *
     * @param units the sum over the party's records, noise included, in multiples of 2^exponent
     * @param exponent of the grid's granularity
     * @param noiseStandardDeviation of that noise on each number
     */
    record SumReply(String party, int round, LongVector units, int exponent, double noiseStandardDeviation)
            implements Answer {
        /** The numbers that the units stand for. */
        public double[] numbers() {
            return new GridCode(Residues.OF_LONGS, exponent).decode(units.toArray());
        }
    }

    /**
     * Party to an aggregator: what it released, under masks that cancel in the sum over all parties.
     *
     * @param residues modulo 2^64; uniform to whoever knows none of the party's keys
     * @param exponent of the grid's granularity, which is what 1 stands for; public
     * @param noiseStandardDeviation of the party's noise on each number, public
     */
    record MaskedShare(String party, int round, LongVector residues, int exponent, double noiseStandardDeviation)
            implements Answer {}

    /** Party to coordinator: it does not take part in this round, and why; its last factor stays. */
    record Absence(String party, int round, Reason reason) implements Message {}

    /** Why a party does not answer. */
    enum Reason {
        /** Its budget does not pay for this round or any later one. */
        BUDGET_SPENT("its budget is spent"),
        /** It cannot be reached now, and may come back. */
        UNREACHABLE("it could not be reached"),
        /** It missed a round, so what it may release next is not what it was asked for. */
        OUT_OF_STEP("it missed an earlier round"),
        /** Its plan does not name the bound that it was asked with, so nothing was summed, announced or charged. */
        BOUND_NOT_NAMED("its plan does not name the bound it was asked with");

        private final String words;

        Reason(String words) {
            this.words = words;
        }

        /** In words. */
        public String words() {
            return words;
        }
    }

    /** The JSON form. */
    default String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        if (this instanceof GlobalState state) {
            json.put("type", "global-state");
            json.put("naturalParameters", packed(state.naturalParameters));
            json.put("lastAnswerUsed", state.lastAnswerUsed);
        } else if (this instanceof FactorChange answer) {
            json.put("type", "factor-change");
            json.put("party", answer.party);
            json.put("change", packed(answer.change));
            json.put("weightedMeanNoise", packed(DoubleVector.of(answer.weightedMeanNoise)));
            json.put("raisedDirections", (long) answer.raisedDirections);
        } else if (this instanceof SumRequest request) {
            json.put("type", "sum-request");
            json.put("query", request.query);
            json.put("numbers", packed(request.numbers));
            json.put("l2Bound", packed(DoubleVector.of(request.l2Bound)));
        } else if (this instanceof SumReply reply) {
            json.put("type", "sum-reply");
            json.put("party", reply.party);
            json.put("units", reply.units.packed());
            json.put("exponent", (long) reply.exponent);
            json.put("noiseStandardDeviation", packed(DoubleVector.of(reply.noiseStandardDeviation)));
        } else if (this instanceof MaskedShare share) {
            json.put("type", "masked-share");
            json.put("party", share.party);
            json.put("residues", share.residues.packed());
            json.put("exponent", (long) share.exponent);
            json.put("noiseStandardDeviation", packed(DoubleVector.of(share.noiseStandardDeviation)));
        } else if (this instanceof RollCall) {
            json.put("type", "roll-call");
        } else if (this instanceof Present present) {
            json.put("type", "present");
            json.put("party", present.party);
        } else if (this instanceof Absence absence) {
            json.put("type", "absence");
            json.put("party", absence.party);
            json.put("reason", absence.reason.name());
        }
        json.put("round", (long) round());
        return Json.write(json);
    }

    private static String packed(DoubleVector numbers) {
        return PackedNumbers.write(numbers.toArray());
    }

    /** How long the JSON form is. */
    default int bytes() {
        return toJson().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Reads {@link #toJson} back. */
    static Message fromJson(String text) {
        JsonFields json = JsonFields.of(Json.read(text), "message");
        int round = count(json, "round");
        Message message = switch (json.text("type")) {
            case "global-state" ->
                new GlobalState(round, numbers(json, "naturalParameters"), truth(json, "lastAnswerUsed"));
            case "factor-change" ->
                new FactorChange(
                        json.text("party"),
                        round,
                        numbers(json, "change"),
                        one(json, "weightedMeanNoise"),
                        count(json, "raisedDirections"));
            case "sum-request" ->
                new SumRequest(round, json.text("query"), numbers(json, "numbers"), one(json, "l2Bound"));
            case "sum-reply" ->
                new SumReply(
                        json.text("party"),
                        round,
                        LongVector.read(json, "units"),
                        exponent(json),
                        one(json, "noiseStandardDeviation"));
            case "masked-share" ->
                new MaskedShare(
                        json.text("party"),
                        round,
                        LongVector.read(json, "residues"),
                        exponent(json),
                        one(json, "noiseStandardDeviation"));
            case "roll-call" -> new RollCall(round);
            case "present" -> new Present(json.text("party"), round);
            case "absence" -> new Absence(json.text("party"), round, reason(json));
            default -> throw new JsonFieldException("type", "is not a kind of message");
        };
        json.end();
        return message;
    }

    /** Rounds and other counts; whoever sends another number has no round to be answered in. */
    private static int count(JsonFields json, String name) {
        long count = json.integer(name);
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new JsonFieldException(json.pathOf(name), "must be a whole number from 0 to 2147483647");
        }
        return (int) count;
    }

    private static boolean truth(JsonFields json, String name) {
        if (json.value(name) instanceof Boolean truth) {
            return truth;
        }
        throw new JsonFieldException(json.pathOf(name), "must be true or false");
    }

    private static DoubleVector numbers(JsonFields json, String name) {
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

    private static Reason reason(JsonFields json) {
        String name = json.text("reason");
        for (Reason reason : Reason.values()) {
            if (reason.name().equals(name)) {
                return reason;
            }
        }
        throw new JsonFieldException(json.pathOf("reason"), "is not a reason to be absent");
    }
}
