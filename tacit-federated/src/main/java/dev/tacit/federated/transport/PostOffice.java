package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import java.time.Duration;
import java.util.List;

/**
 * The coordinator's end of all mailboxes.
 *
 * <p>What is posted waits until its party asks. A message of a later round takes the place of all earlier ones.
 */
public interface PostOffice extends AutoCloseable {
    /** Posts a message to a party, by name; posting it again is harmless. */
    void post(String party, Envelope envelope) throws MailboxUnavailable;

    /**
     * What parties have put since this was asked last, as it came.
     *
     * @param patience how long to wait for something; the answer may be empty
     */
    List<byte[]> collect(Duration patience) throws MailboxUnavailable;

    @Override
    void close();
}
