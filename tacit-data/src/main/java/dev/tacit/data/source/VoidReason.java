package dev.tacit.data.source;

/** Why a record counts as nothing, whatever the schema says of missing cells. */
public enum VoidReason {
    /** Text that begins with the declared character. */
    COMMENT("a comment"),
    /** More bytes than a record, or a cell of Parquet, may have. */
    TOO_LONG("too long"),
    /** Not what its format asks for. */
    BROKEN("not well-formed"),
    /** Well-formed, and not an object. */
    NOT_AN_OBJECT("not a JSON object"),
    /** An object that names a needed column twice. */
    NAME_TWICE("a JSON object with a name twice");

    private final String label;

    VoidReason(String label) {
        this.label = label;
    }

    /** What such a record is. */
    public String label() {
        return label;
    }
}
