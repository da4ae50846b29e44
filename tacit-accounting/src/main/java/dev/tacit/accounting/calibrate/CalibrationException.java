package dev.tacit.accounting.calibrate;

/** No value of the parameter reaches the target; the message says why, in one sentence. */
public final class CalibrationException extends Exception {
    private static final long serialVersionUID = 1L;

    public CalibrationException(String message) {
        super(message);
    }
}
