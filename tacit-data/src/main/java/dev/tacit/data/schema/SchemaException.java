package dev.tacit.data.schema;

/** A schema says too little, too much or something contradictory; the message is one sentence and says what to do. */
public final class SchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public SchemaException(String sentence) {
        super(sentence);
    }

    /** A sentence about one column. */
    static SchemaException of(String column, String problem) {
        return new SchemaException("column \"" + column + "\" " + problem);
    }

    /** The same sentence with the place in front of it. */
    SchemaException at(String place) {
        return new SchemaException(place + ": " + getMessage());
    }
}
