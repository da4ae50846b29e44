package dev.tacit.partitioned.message;

import dev.tacit.json.Json;
import dev.tacit.json.PackedNumbers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

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
     * @param lastUsed the round of the party's last answer that found its way into it, {@link #NONE_USED} if none did; an answer
     *     that was lost or came too late did not
     */
    record GlobalState(int round, DoubleVector naturalParameters, int lastUsed) implements Message {
        /** No answer of the party was used. */
        public static final int NONE_USED = -1;
    }

    /**
     * Party to coordinator, or to an aggregator: how its factor changes, before damping.
     *
     * @param change of natural parameters, noise included
     * @param weightedMeanNoise standard deviation of the noise in each weighted mean, 0 if it went through an optimiser
     * @param raisedDirections in how many directions the approximation without the party's factor was less certain than the prior
     */
    record FactorChange(String party, int round, DoubleVector change, double weightedMeanNoise, int raisedDirections)
            implements Answer {}

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
            return numbers(units, exponent);
        }

        /** The numbers that multiples of 2^exponent are. */
        public static double[] numbers(LongVector units, int exponent) {
            double granularity = Math.scalb(1.0, exponent);
            return Arrays.stream(units.toArray())
                    .mapToDouble(unit -> unit * granularity)
                    .toArray();
        }
    }

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
        /** What it released in this round was lost in a crash, and is not released again. */
        RELEASE_LOST("a crash took what it released"),
        /** It was sent an approximation of another size than its terms have. */
        TERMS_REFUSED("the terms are not those that it would use");

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
        return Json.write(MessageJson.toValue(this));
    }

    /** Reads {@link #toJson} back. */
    static Message fromJson(String text) {
        return MessageJson.fromValue(Json.read(text), "message");
    }

    /** How long the JSON form is. */
    default int bytes() {
        return toJson().getBytes(StandardCharsets.UTF_8).length;
    }
}
