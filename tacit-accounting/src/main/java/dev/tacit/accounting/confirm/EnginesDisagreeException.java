package dev.tacit.accounting.confirm;

/** Two engines contradict each other about an epsilon, so one of them is wrong and neither may be printed. */
public final class EnginesDisagreeException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    EnginesDisagreeException(String sentence) {
        super(sentence);
    }
}
