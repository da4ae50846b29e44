package dev.tacit.partitioned;

/** A party as a coordinator sees it: a name, and an answer to every message. */
public interface PartyLink {
    /** The party's name. */
    String name();

    /**
     * The answer to a {@link Message.GlobalState}, {@link Message.SumRequest} or {@link Message.RollCall}; an
     * {@link Message.Absence} if there is none.
     */
    Message answer(Message message);
}
