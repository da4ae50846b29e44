package dev.tacit.federated.role;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A machine of a party, whichever protocol it speaks. */
public interface PartyRole {
    /** Whether a message says that the last round is over, so that nobody needs the party any more. */
    static boolean isEnd(byte[] message, StudyTerms terms) {
        try {
            Envelope envelope = Envelope.read(message, terms.mostBytesOfTheCoordinator());
            return envelope.kind() == MessageKind.RESULT
                    && envelope.round() == terms.rounds() - 1
                    && Arrays.equals(envelope.study(), terms.binding())
                    && envelope.isSignedBy(terms.coordinatorKey());
        } catch (ProtocolRefusal e) {
            return false;
        }
    }

    /** What it does by itself after it was opened; returns what is to be sent. */
    List<Envelope> start();

    /** Takes a message as it came; returns what is to be sent. */
    List<Envelope> receive(byte[] message);

    /** What was sent and may not have arrived. */
    List<Envelope> outstanding();

    /** Does what nobody waits for. */
    default void tidy() {}

    /** Whether the party has given everything that it has to give. */
    boolean isDone();

    /** Whether nobody needs the party any more. */
    boolean isOver();

    /** Why it takes no further part. */
    Optional<ProtocolRefusal> stopped();

    /** What it refused last. */
    Optional<ProtocolRefusal> lastRefusal();

    /** Which part of the study it takes part in, as a sentence. */
    String standing();

    /** What it does now, in words. */
    String doing();
}
