package dev.tacit.inference;

/** Stored sums are of another statistic than this version asks for: what they mean has changed, though they look alike. */
public final class OtherStatisticException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The sentence says what was stored and what to do, without a full stop. */
    public OtherStatisticException(String sentence) {
        super(sentence);
    }
}
