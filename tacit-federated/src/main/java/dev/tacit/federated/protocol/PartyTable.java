package dev.tacit.federated.protocol;

import static dev.tacit.federated.message.MessageKind.ASK;
import static dev.tacit.federated.message.MessageKind.QUORUM;
import static dev.tacit.federated.message.MessageKind.RESULT;
import static dev.tacit.federated.message.MessageKind.SURVIVORS;
import static dev.tacit.federated.protocol.PartyGuard.ENOUGH_SURVIVE;
import static dev.tacit.federated.protocol.PartyGuard.ENOUGH_TAKE_PART;
import static dev.tacit.federated.protocol.PartyGuard.KEYS_SIGNED;
import static dev.tacit.federated.protocol.PartyGuard.LISTS_APART;
import static dev.tacit.federated.protocol.PartyGuard.OWN_VECTOR;
import static dev.tacit.federated.protocol.PartyGuard.QUORUM_SIGNED;
import static dev.tacit.federated.protocol.PartyGuard.REQUEST_FITS;
import static dev.tacit.federated.protocol.PartyGuard.SAME_SET;
import static dev.tacit.federated.protocol.PartyGuard.SAME_SURVIVORS;
import static dev.tacit.federated.protocol.PartyGuard.SHARES_OPEN;
import static dev.tacit.federated.protocol.PartyGuard.VECTORS_SIGNED;
import static dev.tacit.federated.protocol.PartyPhase.AGREED;
import static dev.tacit.federated.protocol.PartyPhase.BOUND;
import static dev.tacit.federated.protocol.PartyPhase.CLOSED;
import static dev.tacit.federated.protocol.PartyPhase.KEYED;
import static dev.tacit.federated.protocol.PartyPhase.LOST;
import static dev.tacit.federated.protocol.PartyPhase.OPENED;
import static dev.tacit.federated.protocol.PartyPhase.SHARED;
import static dev.tacit.federated.protocol.PartyPhase.WAITING;
import static dev.tacit.federated.protocol.PartyStep.CLOSE;
import static dev.tacit.federated.protocol.PartyStep.KEEP_SECRETS;
import static dev.tacit.federated.protocol.PartyStep.LOG_AGREED;
import static dev.tacit.federated.protocol.PartyStep.LOG_KEYS;
import static dev.tacit.federated.protocol.PartyStep.LOG_OPENING;
import static dev.tacit.federated.protocol.PartyStep.LOG_SET;
import static dev.tacit.federated.protocol.PartyStep.LOG_VECTOR;
import static dev.tacit.federated.protocol.PartyStep.OUTDATE_COPIES;
import static dev.tacit.federated.protocol.PartyStep.RELEASE;
import static dev.tacit.federated.protocol.PartyStep.SEND_AGREED;
import static dev.tacit.federated.protocol.PartyStep.SEND_KEYS;
import static dev.tacit.federated.protocol.PartyStep.SEND_OPENING;
import static dev.tacit.federated.protocol.PartyStep.SEND_VECTOR;

import dev.tacit.federated.message.MessageKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that a party does: for each phase and message what must hold, and the instructions in their order.
 *
 * <p>{@link PartyMachine} runs it, and the model test runs the same table against a coordinator that says anything in any order, with
 * crashes after every instruction. Five rules are in it: a vector leaves only when it and its line in the ledger are durable; there is one
 * request and one set for a round, for ever; one list of survivors, for ever, of vectors that were signed for that request and set; and a
 * round that is over stays over.
 *
 * @param rows what is not in a row is refused
 */
record PartyTable(List<Row> rows) {
    /**
     * A row.
     *
     * @param message nothing for what a party does by itself
     */
    record Row(
            PartyPhase phase,
            Optional<MessageKind> message,
            Set<PartyGuard> guards,
            List<PartyStep> steps,
            PartyPhase next) {}

    /** The protocol. */
    static final PartyTable STANDARD = standard();

    private static PartyTable standard() {
        List<Row> rows = new ArrayList<>();
        rows.add(alone(WAITING, List.of(KEEP_SECRETS, LOG_KEYS, SEND_KEYS), KEYED));
        rows.add(row(
                KEYED,
                ASK,
                Set.of(ENOUGH_TAKE_PART, KEYS_SIGNED, SHARES_OPEN, REQUEST_FITS),
                List.of(LOG_SET, RELEASE, LOG_VECTOR, SEND_VECTOR),
                SHARED));
        rows.add(alone(BOUND, List.of(RELEASE, LOG_VECTOR, SEND_VECTOR), SHARED));
        rows.add(row(BOUND, ASK, Set.of(SAME_SET), List.of(RELEASE, LOG_VECTOR, SEND_VECTOR), SHARED));
        for (PartyPhase phase : List.of(SHARED, AGREED, OPENED)) {
            rows.add(row(phase, ASK, Set.of(SAME_SET), List.of(SEND_VECTOR), phase));
        }
        for (PartyPhase phase : List.of(SHARED, LOST)) {
            rows.add(row(
                    phase,
                    SURVIVORS,
                    Set.of(LISTS_APART, ENOUGH_SURVIVE, OWN_VECTOR, VECTORS_SIGNED),
                    List.of(LOG_AGREED, OUTDATE_COPIES, SEND_AGREED),
                    AGREED));
        }
        for (PartyPhase phase : List.of(AGREED, OPENED)) {
            rows.add(row(phase, SURVIVORS, Set.of(SAME_SURVIVORS), List.of(SEND_AGREED), phase));
        }
        rows.add(row(AGREED, QUORUM, Set.of(QUORUM_SIGNED), List.of(LOG_OPENING, SEND_OPENING), OPENED));
        rows.add(row(OPENED, QUORUM, Set.of(QUORUM_SIGNED), List.of(SEND_OPENING), OPENED));
        for (PartyPhase phase : List.of(KEYED, SHARED, LOST, AGREED)) {
            rows.add(row(phase, RESULT, Set.of(), List.of(CLOSE), CLOSED));
        }
        return new PartyTable(List.copyOf(rows));
    }

    private static Row alone(PartyPhase phase, List<PartyStep> steps, PartyPhase next) {
        return new Row(phase, Optional.empty(), Set.of(), steps, next);
    }

    private static Row row(
            PartyPhase phase, MessageKind message, Set<PartyGuard> guards, List<PartyStep> steps, PartyPhase next) {
        return new Row(phase, Optional.of(message), guards, steps, next);
    }

    /** What a message leads to in a phase. */
    Optional<Row> find(PartyPhase phase, MessageKind message) {
        return rows.stream()
                .filter(row -> row.phase == phase && row.message.equals(Optional.of(message)))
                .findFirst();
    }

    /** What a party does in a phase by itself. */
    Optional<Row> alone(PartyPhase phase) {
        return rows.stream()
                .filter(row -> row.phase == phase && row.message.isEmpty())
                .findFirst();
    }
}
