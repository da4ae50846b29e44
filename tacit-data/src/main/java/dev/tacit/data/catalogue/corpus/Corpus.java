package dev.tacit.data.catalogue.corpus;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.engine.RecordsInMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Documents as counts of the words of a public vocabulary.
 *
 * <p>As records, a document is a sparse row with one number a word: how often it occurs. A document is a unit.
 */
public final class Corpus {
    private static final int BLOCK_ROWS = 1024;

    private final List<String> vocabulary;
    private final int documents;
    private final int[] rowStarts;
    private final int[] words;
    private final double[] counts;

    /**
     * @param rowStarts the first entry of each document, and then the number of entries
     * @param words word numbers from 0, ascending within a document
     */
    Corpus(List<String> vocabulary, int documents, int[] rowStarts, int[] words, double[] counts) {
        this.vocabulary = List.copyOf(vocabulary);
        this.documents = documents;
        this.rowStarts = rowStarts;
        this.words = words;
        this.counts = counts;
    }

    /** The words; word number n is at place n. */
    public List<String> vocabulary() {
        return vocabulary;
    }

    /** How many documents there are. */
    public int documents() {
        return documents;
    }

    /** How many pairs of a document and a word that occurs in it there are. */
    public int entries() {
        return rowStarts[documents];
    }

    /** How many words all documents have together, repetitions counted. */
    public long tokens() {
        double sum = 0;
        for (int entry = 0; entry < entries(); entry++) {
            sum += counts[entry];
        }
        return (long) sum;
    }

    /** The documents as records. */
    public RecordSource records() {
        List<RecordBlock> blocks = new ArrayList<>();
        if (documents > 0) {
            SparseBlock all = SparseBlock.of(documents, vocabulary.size(), rowStarts, words, counts, null);
            for (int first = 0; first < documents; first += BLOCK_ROWS) {
                blocks.add(all.part(first, Math.min(documents, first + BLOCK_ROWS)));
            }
        }
        return new RecordsInMemory(vocabulary.size(), false, blocks, null);
    }

    /** The documents whose number (from 0) satisfies a public rule, in order. */
    public Corpus only(IntPredicate rule) {
        CorpusBuilder chosen = new CorpusBuilder(vocabulary.size());
        for (int document = 0; document < documents; document++) {
            if (rule.test(document)) {
                chosen.begin();
                for (int entry = rowStarts[document]; entry < rowStarts[document + 1]; entry++) {
                    chosen.add(words[entry], (int) counts[entry]);
                }
            }
        }
        return chosen.build(vocabulary);
    }

    /** Writes one document a line: how many different words, then {@code word:count} for each (LDA-C). */
    void writeTo(Appendable out) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int document = 0; document < documents; document++) {
            line.setLength(0);
            line.append(rowStarts[document + 1] - rowStarts[document]);
            for (int entry = rowStarts[document]; entry < rowStarts[document + 1]; entry++) {
                line.append(' ').append(words[entry]).append(':').append((long) counts[entry]);
            }
            out.append(line).append('\n');
        }
    }
}
