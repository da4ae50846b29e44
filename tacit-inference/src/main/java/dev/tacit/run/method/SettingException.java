package dev.tacit.run.method;

/** A setting, a model or a method that does not exist or does not fit; the message is one sentence. */
public final class SettingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public SettingException(String message) {
        super(message);
    }
}
