package dev.tacit.partitioned.message;

/** A party as a coordinator sees it: a name, and an answer to every message. */
public interface PartyLink {
    /** The party's name. */
    String name();

    /** What the party declares about its answers. */
    PartyTerms terms();

    /**
     * The answer to a {@link Message.GlobalState}, {@link Message.SumRequest} or {@link Message.RollCall}; an
     * {@link Message.Absence} if there is none. A request that was answered is answered by the same message again, never by
     * another release; another request for the same round, or one for an earlier round, is refused.
     */
    Message answer(Message message);
}
