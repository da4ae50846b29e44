package dev.tacit.federated.message;

import java.util.Arrays;
import java.util.Optional;

/**
 * The messages of a round, in their order.
 *
 * <pre>
 *   party        KEYS        round key, commitments; sealed for each other party a share of its seeds (with OPENING of the round before)
 *   coordinator  ASK         request, who takes part, their keys; the shares that were sealed for the receiver
 *   party        VECTOR      its noisy sum under masks
 *   coordinator  SURVIVORS   whose vectors arrived, who is lost, and the vectors' hashes
 *   party        AGREED      a signature on exactly that
 *   coordinator  QUORUM      t of these signatures
 *   party        OPENING     shares of the self seeds of survivors and of the mask seeds of those who are lost
 *   coordinator  RESULT      the round is over, and the hash of the sum; or it is given up
 *   party        REFUSAL     why it does not do what it was asked, in words
 * </pre>
 *
 * Parties that add all of their noise themselves need two only ({@code dev.tacit.federated.factor}):
 *
 * <pre>
 *   coordinator  STATE       the approximation, for one party
 *   party        CHANGE      how its factor changes, noise included
 * </pre>
 */
public enum MessageKind {
    KEYS(1),
    ASK(2),
    VECTOR(3),
    SURVIVORS(4),
    AGREED(5),
    QUORUM(6),
    OPENING(7),
    RESULT(8),
    REFUSAL(9),
    STATE(10),
    CHANGE(11);

    private final int code;

    MessageKind(int code) {
        this.code = code;
    }

    /** By which it is written. */
    int code() {
        return code;
    }

    /** The kind that is written so. */
    static Optional<MessageKind> of(int code) {
        return Arrays.stream(values()).filter(kind -> kind.code == code).findFirst();
    }

    /** Whether a party sends it. */
    public boolean isFromParty() {
        return switch (this) {
            case KEYS, VECTOR, AGREED, OPENING, REFUSAL, CHANGE -> true;
            case ASK, SURVIVORS, QUORUM, RESULT, STATE -> false;
        };
    }
}
