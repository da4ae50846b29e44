package dev.tacit.partitioned.message;

import dev.tacit.json.Json;
import dev.tacit.json.PackedNumbers;
import dev.tacit.partitioned.NoiseSharing;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Everything that travels between a coordinator and a party: public values downwards, released values upwards.
 *
 * <p>Releases travel as integers and the power of two that they are multiples of, so whoever adds them up adds integers; doubles are
 * a view of the sum. The JSON form is exact; numbers are packed ({@link PackedNumbers}), and so are integers ({@link LongVector}).
 */
public sealed interface Message {
    /** The version of the protocol that these messages are. */
    int PROTOCOL = 1;

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
     * Party to coordinator: it would like to join a run.
     *
     * @param protocol which version of these messages it speaks
     * @param run the run's name
     * @param units how many it declares to have
     * @param schemaDigest of the schema that its records are read by
     */
    record Join(int round, int protocol, String run, String party, long units, String schemaDigest)
            implements Message {}

    /**
     * Coordinator to party: what the run is. All of it is public, and none of it changes while the run lasts.
     *
     * @param protocol which version of these messages the run speaks
     * @param run its name; a party charges it once
     * @param model what is fitted and how, by a name that parties know
     * @param schemaDigest of the schema that all records are read by
     * @param plan all releases of a party, each with its bound
     * @param sharing how the noise is shared behind an aggregator; empty if every party adds all of it
     * @param factors what a party of factors needs to know; empty for a run of sums
     */
    record Terms(
            int round,
            int protocol,
            String run,
            String model,
            String schemaDigest,
            BoundedPlan plan,
            Optional<NoiseSharing> sharing,
            Optional<FactorTerms> factors)
            implements Message {}

    /**
     * Party to coordinator: it has charged its ledger and takes part.
     *
     * @param roundsPaid for how many rounds its budget pays
     * @param terms what it declares about its answers
     */
    record Joined(int round, int protocol, String run, String party, int roundsPaid, PartyTerms terms)
            implements Message {}

    /**
     * Coordinator to party, before a round that is worth nothing if one is missing: is the party there? Before the first round a party
     * that has not joined answers with {@link Join}.
     */
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
        /** What it released in this round was lost in a crash, and is not released again. */
        RELEASE_LOST("a crash took what it released"),
        /** It was asked for a round of a run that it has not joined. */
        NOT_JOINED("it has not joined the run"),
        /** It speaks another version of the protocol. */
        OTHER_PROTOCOL("it speaks another version of the protocol"),
        /** It waits for another run. */
        OTHER_RUN("it waits for another run"),
        /** Its records are read by another schema. */
        OTHER_SCHEMA("its records are read by another schema"),
        /** It does not know the model, or the plan, the family or the noise are not those that it would use. */
        TERMS_REFUSED("the terms are not those that it would use"),
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
