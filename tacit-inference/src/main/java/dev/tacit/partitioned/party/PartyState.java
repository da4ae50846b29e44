package dev.tacit.partitioned.party;

import dev.tacit.door.ledger.RunPosition;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.MessageJson;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * All that a party keeps between two messages: released and public numbers.
 *
 * @param run the name that its plan was charged under; empty if it cannot be resumed
 * @param roundsPaid for how many rounds
 * @param roundsAnswered how many of them are over
 * @param position where it stands in its ledger, and how many releases it has made
 * @param factor natural parameters of its factor
 * @param memory of its {@link LocalSteps}
 * @param steps how many releases of the round of {@code request} are in the memory
 * @param request the newest request that it made a release for
 * @param answer to that request; empty while the round is under way
 */
public record PartyState(
        Optional<String> run,
        int roundsPaid,
        int roundsAnswered,
        RunPosition position,
        DoubleVector factor,
        DoubleVector memory,
        int steps,
        Optional<Message> request,
        Optional<Message> answer) {
    private static final String FORMAT = "tacit-party-state 1";

    /** Of a party that has joined. */
    static PartyState joined(Optional<String> run, int roundsPaid, RunPosition position, double[] factor) {
        return new PartyState(
                run,
                roundsPaid,
                0,
                position,
                DoubleVector.of(factor),
                DoubleVector.of(),
                0,
                Optional.empty(),
                Optional.empty());
    }

    /** A round begins. */
    PartyState begun(Message asked, double[] nextFactor, double[] nextMemory) {
        return new PartyState(
                run,
                roundsPaid,
                roundsAnswered,
                position,
                DoubleVector.of(nextFactor),
                DoubleVector.of(nextMemory),
                0,
                Optional.of(asked),
                Optional.empty());
    }

    /** A release was made, or lost. */
    PartyState stepped(double[] nextMemory) {
        return new PartyState(
                run,
                roundsPaid,
                roundsAnswered,
                new RunPosition(position.sequence(), position.hash(), position.released() + 1),
                factor,
                DoubleVector.of(nextMemory),
                steps + 1,
                request,
                answer);
    }

    /** A round is over. */
    PartyState answered(Message message) {
        return new PartyState(
                run, roundsPaid, roundsAnswered + 1, position, factor, memory, steps, request, Optional.of(message));
    }

    /** Whether a round has begun and not ended. */
    boolean isUnderWay() {
        return request.isPresent() && answer.isEmpty();
    }

    /** What a request is answered by without a release: the answer that is kept, or a refusal of a round that is over. */
    Optional<Message> known(String party, Message asked) {
        if (request.isEmpty() || asked.round() > request.get().round()) {
            return Optional.empty();
        }
        return Optional.of(
                asked.equals(request.get())
                        ? answer.orElseThrow()
                        : new Message.Absence(party, asked.round(), Message.Reason.OUT_OF_STEP));
    }

    /** The JSON form, exact. */
    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        run.ifPresent(name -> json.put("run", name));
        json.put("roundsPaid", (long) roundsPaid);
        json.put("roundsAnswered", (long) roundsAnswered);
        json.put("sequence", position.sequence());
        json.put("hash", position.hash());
        json.put("released", position.released());
        json.put("factor", PackedNumbers.write(factor.toArray()));
        json.put("memory", PackedNumbers.write(memory.toArray()));
        json.put("steps", (long) steps);
        request.ifPresent(message -> json.put("request", MessageJson.toValue(message)));
        answer.ifPresent(message -> json.put("answer", MessageJson.toValue(message)));
        return Json.write(json);
    }

    /** Reads {@link #toJson} back. */
    public static PartyState fromJson(String text) {
        JsonFields json = JsonFields.of(Json.read(text), "state");
        if (!json.text("format").equals(FORMAT)) {
            throw new JsonFieldException(json.pathOf("format"), "is not one that this version reads");
        }
        PartyState state = new PartyState(
                json.has("run") ? Optional.of(json.text("run")) : Optional.empty(),
                MessageJson.count(json, "roundsPaid"),
                MessageJson.count(json, "roundsAnswered"),
                new RunPosition(json.integer("sequence"), json.text("hash"), json.integer("released")),
                DoubleVector.of(PackedNumbers.read(json, "factor")),
                DoubleVector.of(PackedNumbers.read(json, "memory")),
                MessageJson.count(json, "steps"),
                message(json, "request"),
                message(json, "answer"));
        json.end();
        return state;
    }

    private static Optional<Message> message(JsonFields json, String name) {
        return json.has(name)
                ? Optional.of(MessageJson.fromValue(json.value(name), json.pathOf(name)))
                : Optional.empty();
    }
}
