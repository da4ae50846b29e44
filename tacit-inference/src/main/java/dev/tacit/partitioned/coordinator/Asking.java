package dev.tacit.partitioned.coordinator;

import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyLink;
import dev.tacit.partitioned.message.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/**
 * Asks parties, all of them before it waits for one, and counts what was sent.
 *
 * <p>Answers are in the order of the parties, whoever answers first. Whoever does not answer in time, or whose link fails, is
 * {@link Message.Reason#UNREACHABLE}; what such a party may have released is not used, and the next message tells it so.
 */
final class Asking {
    private final Patience patience;
    private Traffic traffic = Traffic.NONE;

    Asking(Patience patience) {
        this.patience = patience;
    }

    /** A party that was asked, and its answer to come. */
    record Pending(String party, Message asked, CompletableFuture<Message> answer) {}

    /** Sends a message. */
    Pending begin(PartyLink party, Message message) {
        traffic = traffic.plusDown(message);
        return new Pending(party.name(), message, party.answer(message).toCompletableFuture());
    }

    /** Waits for answers. */
    List<Message> end(List<Pending> pending) {
        patience.await(
                CompletableFuture.allOf(pending.stream().map(Pending::answer).toArray(CompletableFuture<?>[]::new)));
        List<Message> answers = new ArrayList<>();
        for (Pending each : pending) {
            if (each.answer.isDone() && !each.answer.isCompletedExceptionally()) {
                Message answer = each.answer.join();
                traffic = traffic.plusUp(answer);
                if (answer.round() != each.asked.round()) {
                    throw otherKind();
                }
                answers.add(answer);
            } else {
                answers.add(new Message.Absence(each.party, each.asked.round(), Message.Reason.UNREACHABLE));
            }
        }
        return answers;
    }

    /** Asks all, then waits. */
    List<Message> all(List<? extends PartyLink> parties, IntFunction<Message> messages) {
        List<Pending> pending = new ArrayList<>();
        for (int party = 0; party < parties.size(); party++) {
            pending.add(begin(parties.get(party), messages.apply(party)));
        }
        return end(pending);
    }

    /** Asks one. */
    Message one(PartyLink party, Message message) {
        return end(List.of(begin(party, message))).get(0);
    }

    static IllegalStateException otherKind() {
        return new IllegalStateException("a party answered with another kind of message than it was asked for");
    }

    /** What was sent so far. */
    Traffic traffic() {
        return traffic;
    }
}
