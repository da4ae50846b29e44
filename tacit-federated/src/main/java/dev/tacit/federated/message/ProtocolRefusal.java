package dev.tacit.federated.message;

import java.nio.charset.StandardCharsets;

/** Why a party, or the coordinator, does not do what a message asks: one sentence, which a party signs and sends. */
public final class ProtocolRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    /** Kinds of refusals. */
    public enum Reason {
        OLD_VERSION,
        OTHER_STUDY,
        NOT_SIGNED,
        TOO_LARGE,
        MALFORMED,
        OUT_OF_ORDER,
        ROUND_CLOSED,
        OTHER_REQUEST,
        TOO_FEW,
        NOT_IN_SET,
        FORGED_KEY,
        BROKEN_SHARE,
        OVERLAPPING_LISTS,
        OTHER_SURVIVORS,
        OTHER_VECTOR,
        NO_QUORUM,
        REQUEST_REFUSED,
        RELEASE_LOST,
        RESTORED,
        POLICY
    }

    /** Of a refusal that somebody else wrote. */
    private static final int LONGEST = 2_000;

    private final Reason reason;

    public ProtocolRefusal(Reason reason, String sentence) {
        super(sentence);
        this.reason = reason;
    }

    /** Which kind. */
    public Reason reason() {
        return reason;
    }

    /** The sentence. */
    public String sentence() {
        return getMessage();
    }

    /** Whether the party gives nothing in this round, whatever it is told; otherwise it refuses one message and waits for the next. */
    public boolean isForTheRound() {
        return reason == Reason.REQUEST_REFUSED || reason == Reason.RELEASE_LOST || reason == Reason.RESTORED;
    }

    /** Whether a coordinator writes it down: what a party does not do, and not what it did not understand. */
    public boolean isKept() {
        return isForTheRound() || reason == Reason.POLICY;
    }

    /** As the body of a message. */
    public byte[] toBytes() {
        return (reason + "\n" + getMessage()).getBytes(StandardCharsets.UTF_8);
    }

    /** Reads {@link #toBytes} back: what is longer than a sentence or is no text is cut out, because it is shown to people. */
    public static ProtocolRefusal read(byte[] body) throws ProtocolRefusal {
        String text = new String(body, 0, Math.min(body.length, LONGEST), StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        for (Reason each : Reason.values()) {
            if (end > 0 && each.name().equals(text.substring(0, end))) {
                return new ProtocolRefusal(
                        each, text.substring(end + 1).replaceAll("[\\p{Cc}\\p{Cf}\\p{Cn}\\p{Co}]+", " "));
            }
        }
        throw new ProtocolRefusal(Reason.MALFORMED, "a refusal gives no reason that this version knows");
    }
}
