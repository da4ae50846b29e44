package dev.tacit.data.schema;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How a file of text is read; nothing is guessed from its content.
 *
 * @param header whether the first line holds the names of the columns; if not, the schema lists all columns in order
 * @param delimiter between cells; if empty, a tab in files named .tsv and a comma elsewhere
 * @param comment lines that begin with it are skipped
 * @param missing cells with one of these texts are missing, as empty cells always are
 * @param trim whether white space around a cell is dropped
 * @param quoted whether a cell may stand in double quotes (RFC 4180) and then hold delimiters, line ends and doubled
 *     quotes; if not, quotes are like other characters and every line is a record
 * @param escaped whether a backslash takes the meaning from the character after it: within quotes, where quotes are then
 *     not doubled; or everywhere, if there are no quotes
 */
public record FileFormat(
        boolean header,
        Optional<Character> delimiter,
        Optional<Character> comment,
        List<String> missing,
        boolean trim,
        boolean quoted,
        boolean escaped) {
    /** A header, commas, no comments; only empty cells are missing. */
    public static final FileFormat DEFAULT =
            new FileFormat(true, Optional.empty(), Optional.empty(), List.of(), true, true, false);

    public FileFormat {
        Objects.requireNonNull(delimiter, "delimiter");
        Objects.requireNonNull(comment, "comment");
        missing = List.copyOf(missing);
        delimiter.ifPresent(c -> requireSeparator(c, "delimiter"));
        comment.ifPresent(c -> requireSeparator(c, "comment"));
        if (delimiter.isPresent() && delimiter.equals(comment)) {
            throw new SchemaException("the delimiter and the comment character are the same");
        }
        if (delimiter.isEmpty() && (comment.equals(Optional.of(',')) || comment.equals(Optional.of('\t')))) {
            throw new SchemaException(
                    "a comma and a tab are delimiters unless another one is declared, and cannot be the"
                            + " comment character; declare the delimiter or another comment character");
        }
        if (escaped && (delimiter.equals(Optional.of('\\')) || comment.equals(Optional.of('\\')))) {
            throw new SchemaException("a backslash cannot be an escape and a separator");
        }
    }

    private static void requireSeparator(char c, String what) {
        if (c == '"' || c == '\n' || c == '\r' || c == 0 || c > 126) {
            throw new SchemaException("the " + what + " is one ASCII character, not a quote or a line end");
        }
    }
}
