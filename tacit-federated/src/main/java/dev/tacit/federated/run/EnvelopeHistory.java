package dev.tacit.federated.run;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.StudyTerms;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.study.StudyException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a log says, for those who only read it.
 *
 * @param envelopes in order
 * @param bytesBehind how many bytes of the log come after them, and are no message
 * @param damaged whether no crash left these bytes
 */
record EnvelopeHistory(List<Envelope> envelopes, long bytesBehind, boolean damaged) {
    EnvelopeHistory(List<Envelope> envelopes) {
        this(envelopes, 0, false);
    }

    /** Of a log that may be in use; nothing if there is none. */
    static EnvelopeHistory read(Path log) {
        try {
            if (!Files.exists(log)) {
                return new EnvelopeHistory(List.of());
            }
            EnvelopeLog.Content content = EnvelopeLog.read(log);
            return new EnvelopeHistory(of(content.entries()).envelopes(), content.bytesBehind(), content.damaged());
        } catch (IOException e) {
            throw new StudyException("cannot read " + log, e);
        }
    }

    static EnvelopeHistory of(List<byte[]> entries) {
        List<Envelope> envelopes = new ArrayList<>();
        for (byte[] entry : entries) {
            try {
                envelopes.add(Envelope.read(entry, Integer.MAX_VALUE));
            } catch (ProtocolRefusal e) {
                throw new StudyException("a log holds something that is no message: " + e.sentence(), e);
            }
        }
        return new EnvelopeHistory(envelopes);
    }

    /** The messages of a kind. */
    Stream<Envelope> of(MessageKind kind) {
        return envelopes.stream().filter(envelope -> envelope.kind() == kind);
    }

    /** In how many rounds a message of a kind was sent. */
    long rounds(MessageKind kind) {
        return of(kind).mapToInt(Envelope::round).distinct().count();
    }

    /** The same, if all of it is of a study and signed as it says. */
    EnvelopeHistory requireOf(StudyTerms terms) {
        for (Envelope envelope : envelopes) {
            boolean coordinators = envelope.sender() == Envelope.COORDINATOR;
            if (!Arrays.equals(envelope.study(), terms.binding())
                    || (!coordinators && envelope.sender() >= terms.size())
                    || !envelope.isSignedBy(
                            coordinators
                                    ? terms.coordinatorKey()
                                    : terms.parties().get(envelope.sender()).identityKey())) {
                throw new StudyException("a log holds a message that is not of the study, or not signed as it says");
            }
        }
        return this;
    }

    /** What was asked in a round that this log was asked in. */
    Optional<byte[]> request(int round) {
        return of(MessageKind.ASK)
                .filter(ask -> ask.round() == round)
                .findFirst()
                .map(EnvelopeHistory::request);
    }

    private static byte[] request(Envelope ask) {
        ByteBuffer body = ByteBuffer.wrap(ask.body());
        int length = body.remaining() < Integer.BYTES ? -1 : body.getInt();
        if (length < 0 || length > body.remaining()) {
            throw new StudyException("a log holds a request that cannot be read");
        }
        byte[] request = new byte[length];
        body.get(request);
        return request;
    }

    /** The rounds that were opened. */
    List<Integer> opened() {
        return of(MessageKind.RESULT)
                .filter(result -> result.body().length > 0)
                .map(Envelope::round)
                .distinct()
                .toList();
    }
}
