package dev.tacit.data.formula;

/**
 * A formula says something that cannot be done; the message is one sentence, then the formula and a caret under the
 * character it is about.
 */
public final class FormulaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String sentence;
    private final int position;

    /**
     * @param sentence what is wrong and what to do
     * @param formula the whole text
     * @param position the character it is about, from 0
     */
    public FormulaException(String sentence, String formula, int position) {
        super(sentence + "\n  " + shown(formula) + "\n  " + " ".repeat(position) + "^");
        this.sentence = sentence;
        this.position = position;
    }

    /** What is wrong, without the picture. */
    public String sentence() {
        return sentence;
    }

    /** The character it is about, from 0. */
    public int position() {
        return position;
    }

    /** Every character takes one place, so that the caret stands under the right one. */
    private static String shown(String formula) {
        return formula.replaceAll("\\p{Cntrl}", " ");
    }
}
