package dev.tacit.federated.study;

/** A study, a policy or a key that cannot be used; the message is a sentence about public values. */
public final class StudyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StudyException(String message) {
        super(message);
    }

    public StudyException(String message, Throwable cause) {
        super(message, cause);
    }
}
