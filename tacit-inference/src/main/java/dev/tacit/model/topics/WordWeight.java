package dev.tacit.model.topics;

import java.util.List;
import java.util.Locale;

/** What a word that occurs n times in a document counts for; a public choice. */
public enum WordWeight {
    /** √n: repetitions count less, so that one record's bound pays for more different words. */
    SQRT {
        @Override
        double of(double count) {
            return Math.sqrt(count);
        }
    },
    /** n. */
    RAW {
        @Override
        double of(double count) {
            return count;
        }
    },
    /** 1 for every word that occurs. */
    BINARY {
        @Override
        double of(double count) {
            return Math.min(1, count);
        }
    };

    abstract double of(double count);

    /** The name in settings. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The names in settings. */
    public static List<String> labels() {
        return List.of(SQRT.label(), RAW.label(), BINARY.label());
    }

    /** The weight of a name. */
    public static WordWeight ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}
