package dev.tacit.audit.transcript;

/** Ends a run whose last release was made: what a kernel does with it afterwards shows nobody anything new. */
final class EndOfTranscript extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EndOfTranscript() {
        super("the transcript is complete", null, false, false);
    }
}
