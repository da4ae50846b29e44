package dev.tacit.partitioned;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.partitioned.message.JoinedLink;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.PartyTerms;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** Links to parties that are somewhere else, or not what they seem. */
final class Links {
    private Links() {}

    private record Link(String name, PartyTerms terms, Function<Message, CompletionStage<Message>> way)
            implements JoinedLink {
        @Override
        public CompletionStage<Message> answer(Message message) {
            return way.apply(message);
        }
    }

    /** A party that is reached in another way. */
    static JoinedLink through(JoinedLink party, Function<Message, CompletionStage<Message>> way) {
        return new Link(party.name(), party.terms(), way);
    }

    /** What a link to a party somewhere else is: everything goes there and back as text. */
    static JoinedLink asText(JoinedLink party) {
        return through(
                party,
                message -> party.answer(Message.fromJson(message.toJson()))
                        .thenApply(answer -> Message.fromJson(answer.toJson())));
    }

    /** Cannot be reached by some messages. */
    static JoinedLink lossy(JoinedLink party, Predicate<Message> lost) {
        return through(
                party,
                message -> lost.test(message)
                        ? CompletableFuture.failedFuture(new IOException("the line is dead"))
                        : party.answer(message));
    }

    /** Answers without records. */
    static JoinedLink answering(String name, Function<Message, Message> answers) {
        return new Link(
                name,
                new PartyTerms(false, PrivacyEvent.nothing()),
                message -> CompletableFuture.completedFuture(answers.apply(message)));
    }
}
