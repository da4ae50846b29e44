package dev.tacit.inference;

/**
 * The numbers of a run stopped being usable: not finite, or not those of any posterior. That is a function of what was released and
 * of public settings, so it may be told; the message says what to do.
 */
public final class DivergedException extends ArithmeticException {
    private static final long serialVersionUID = 1L;

    public DivergedException(String message, Throwable cause) {
        super(message);
        initCause(cause);
    }
}
