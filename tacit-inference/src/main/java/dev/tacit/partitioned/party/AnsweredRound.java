package dev.tacit.partitioned.party;

import dev.tacit.partitioned.message.Message;
import java.util.Optional;

/**
 * The newest request that a party made a release for, with its answer: the same request is answered by the same message again, and
 * nothing is released twice.
 */
final class AnsweredRound {
    private Message request;
    private Message answer;

    /** What a request is answered by without a release: the stored answer, or a refusal of a round that is over. */
    Optional<Message> known(String party, Message asked) {
        if (request == null || asked.round() > request.round()) {
            return Optional.empty();
        }
        return Optional.of(
                asked.equals(request) ? answer : new Message.Absence(party, asked.round(), Message.Reason.OUT_OF_STEP));
    }

    /** Remembers an answer. */
    Message keep(Message asked, Message answered) {
        request = asked;
        answer = answered;
        return answered;
    }
}
