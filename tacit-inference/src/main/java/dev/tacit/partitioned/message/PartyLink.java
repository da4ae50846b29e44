package dev.tacit.partitioned.message;

import java.util.concurrent.CompletionStage;

/** A party as a coordinator sees it: a name, and an answer to every message. */
public interface PartyLink {
    /** The party's name. */
    String name();

    /**
     * Sends a message; the stage completes with the party's answer, in one process at once. A stage that fails, or does not complete in
     * time, is a party that could not be reached ({@link Message.Reason#UNREACHABLE}).
     *
     * <p>A request that was answered is answered by the same message again, never by another release; another request for
     * the same round, or one for an earlier round, is refused. Whoever has no answer says so by an {@link Message.Absence}.
     */
    CompletionStage<Message> answer(Message message);
}
