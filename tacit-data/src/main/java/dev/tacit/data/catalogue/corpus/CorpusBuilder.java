package dev.tacit.data.catalogue.corpus;

import java.util.Arrays;
import java.util.List;

/** Collects documents one after the other; words may come in any order and more than once. */
final class CorpusBuilder {
    private final int vocabularySize;
    private int documents;
    private int entries;
    private int[] rowStarts = new int[1024];
    private int[] words = new int[1 << 16];
    private double[] counts = new double[1 << 16];

    CorpusBuilder(int vocabularySize) {
        this.vocabularySize = vocabularySize;
    }

    /** Ends the document before and begins the next. */
    void begin() {
        tidy();
        if (documents + 2 > rowStarts.length) {
            rowStarts = Arrays.copyOf(rowStarts, 2 * rowStarts.length);
        }
        rowStarts[documents++] = entries;
    }

    /** Says that a word occurs so often in the document that was begun last; false if that cannot be. */
    boolean add(int word, int count) {
        if (word < 0 || word >= vocabularySize || count < 0 || documents == 0) {
            return false;
        }
        if (count > 0) {
            if (entries == words.length) {
                words = Arrays.copyOf(words, 2 * entries);
                counts = Arrays.copyOf(counts, 2 * entries);
            }
            words[entries] = word;
            counts[entries++] = count;
        }
        return true;
    }

    /** Sorts the words of the last document and adds up those that came more than once. */
    private void tidy() {
        int start = documents == 0 ? 0 : rowStarts[documents - 1];
        boolean ascending = true;
        for (int entry = start + 1; entry < entries; entry++) {
            ascending &= words[entry - 1] < words[entry];
        }
        if (ascending) {
            return;
        }
        long[] pairs = new long[entries - start];
        for (int i = 0; i < pairs.length; i++) {
            pairs[i] = ((long) words[start + i] << 32) | (long) counts[start + i];
        }
        Arrays.sort(pairs);
        entries = start;
        for (long pair : pairs) {
            int word = (int) (pair >>> 32);
            int count = (int) pair;
            if (entries > start && words[entries - 1] == word) {
                counts[entries - 1] += count;
            } else {
                words[entries] = word;
                counts[entries++] = count;
            }
        }
    }

    Corpus build(List<String> vocabulary) {
        tidy();
        int[] starts = Arrays.copyOf(rowStarts, documents + 1);
        starts[documents] = entries;
        return new Corpus(vocabulary, documents, starts, Arrays.copyOf(words, entries), Arrays.copyOf(counts, entries));
    }
}
