package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import java.time.Duration;
import java.util.List;

/**
 * A party's way to its coordinator. The party puts and asks; nobody calls it.
 *
 * <p>Messages may come twice or in another order. What was put arrives unless {@link MailboxUnavailable} is thrown, by this call or a later one, and
 * then it may have.
 */
public interface Mailbox extends AutoCloseable {
    /** Sends a message; sending it again is harmless. */
    void put(Envelope envelope) throws MailboxUnavailable;

    /**
     * Messages that this mailbox has not handed out, as they came; a new mailbox begins with all that are current.
     *
     * @param patience how long to wait for one; the answer may be empty
     */
    List<byte[]> next(Duration patience) throws MailboxUnavailable;

    /**
     * {@link #next} with something to do in between.
     *
     * @param meanwhile what nobody waits for: done once, while the question is on its way if the mailbox can do that
     */
    default List<byte[]> next(Duration patience, Runnable meanwhile) throws MailboxUnavailable {
        meanwhile.run();
        return next(patience);
    }

    @Override
    void close();
}
