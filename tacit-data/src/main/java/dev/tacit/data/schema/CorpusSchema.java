package dev.tacit.data.schema;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/**
 * Records that are documents: counts of the words of a public vocabulary.
 *
 * @param format how documents stand in a file
 * @param vocabulary the words, all different; whatever else a document holds is not looked at
 */
public record CorpusSchema(Format format, List<String> vocabulary) {
    /** How documents stand in a file. */
    public enum Format {
        /** {@code M word:count ...}, words counted from 0, one document a line. */
        LDA_C("lda-c"),
        /** Three lines D, W, NNZ, then {@code document word count} on a line each, both counted from 1. */
        DOCWORD("docword"),
        /** Plain text, one document a line. */
        TEXT("text");

        private final String label;

        Format(String label) {
            this.label = label;
        }

        /** The name in a schema. */
        public String label() {
            return label;
        }

        static Format ofLabel(String label) {
            return Arrays.stream(values())
                    .filter(format -> format.label.equals(label))
                    .findFirst()
                    .orElseThrow(() -> new SchemaException("the format of a corpus is lda-c, docword or text"));
        }
    }

    public CorpusSchema {
        Objects.requireNonNull(format, "format");
        vocabulary = List.copyOf(vocabulary);
        if (vocabulary.size() < 2) {
            throw new SchemaException("a vocabulary has at least two words, one on each line of its file");
        }
        if (new HashSet<>(vocabulary).size() != vocabulary.size()) {
            throw new SchemaException("a vocabulary has every word once, upper and lower case being the same");
        }
    }
}
