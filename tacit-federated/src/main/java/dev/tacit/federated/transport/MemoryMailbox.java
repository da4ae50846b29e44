package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Mailboxes and post office in one process, for simulations and tests.
 *
 * <p>Nothing waits: whoever asks gets what is there. {@link Weather} may hold messages back, hand them out twice or in another order, or
 * lose them.
 */
public final class MemoryMailbox implements PostOffice {
    /** What becomes of messages on their way. */
    @FunctionalInterface
    public interface Weather {
        /** Everything arrives once, in order. */
        Weather FAIR = waiting -> {
            List<byte[]> all = new ArrayList<>(waiting);
            waiting.clear();
            return all;
        };

        /** What is handed out now; whatever is to come later stays in the list. */
        List<byte[]> handOut(List<byte[]> waiting);
    }

    private final Weather weather;
    private final List<byte[]> toCoordinator = new ArrayList<>();
    private final Map<String, List<byte[]>> toParties = new HashMap<>();

    public MemoryMailbox(Weather weather) {
        this.weather = weather;
    }

    /** The mailbox of a party. */
    public Mailbox of(String party) {
        return new Mailbox() {
            @Override
            public void put(Envelope envelope) {
                synchronized (MemoryMailbox.this) {
                    toCoordinator.add(envelope.toBytes());
                }
            }

            @Override
            public List<byte[]> next(Duration patience) {
                synchronized (MemoryMailbox.this) {
                    return weather.handOut(toParties.computeIfAbsent(party, unused -> new ArrayList<>()));
                }
            }

            @Override
            public void close() {
                // there is nothing to give up
            }
        };
    }

    @Override
    public synchronized void post(String party, Envelope envelope) {
        toParties.computeIfAbsent(party, unused -> new ArrayList<>()).add(envelope.toBytes());
    }

    @Override
    public synchronized List<byte[]> collect(Duration patience) {
        return weather.handOut(toCoordinator);
    }

    @Override
    public void close() {
        // there is nothing to give up
    }
}
