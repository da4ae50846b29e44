package dev.tacit.data.catalogue.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.NamedCorpus;
import dev.tacit.data.catalogue.TinyFiles;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetException.Kind;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.query.Rows;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CorpusTest {
    private static final List<String> VOCABULARY = List.of("ant", "bee", "cow");

    @TempDir
    private Path folder;

    private Corpus ldaC(String text) throws Exception {
        TinyFiles.write(folder.resolve("corpus.ldac.gz"), text);
        return CorpusReader.ldaC(folder.resolve("corpus.ldac.gz"), VOCABULARY);
    }

    private Corpus docword(String text) throws Exception {
        TinyFiles.write(folder.resolve("docword.txt"), text);
        return CorpusReader.docword(folder.resolve("docword.txt"), VOCABULARY);
    }

    private static String written(Corpus corpus) throws Exception {
        StringBuilder text = new StringBuilder();
        corpus.writeTo(text);
        return text.toString();
    }

    /** Words are counted from 1 in one form and from 0 in the other; documents without words stay in place. */
    @Test
    void bothFormsGiveTheSameDocuments() throws Exception {
        Corpus first = ldaC("2 0:3 2:1\n0\n1 1:5\n0\n");
        Corpus second = docword("4\n3\n3\n1 1 3\n1 3 1\n3 2 5\n");
        assertThat(written(first)).isEqualTo("2 0:3 2:1\n0\n1 1:5\n0\n").isEqualTo(written(second));
        assertThat(first.documents()).isEqualTo(4);
        assertThat(first.entries()).isEqualTo(3);
        assertThat(first.tokens()).isEqualTo(9);
    }

    /** A carriage return is a blank, wherever it stands, as it is among private documents. */
    @Test
    void linesEndAtLineFeedsOnly() throws Exception {
        assertThat(written(ldaC("2 0:3\r2:1\r\n1 1:5\r\n"))).isEqualTo("2 0:3 2:1\n1 1:5\n");
        assertThat(written(docword("2\r\n3\r\n2\r\n1 1\r3\r\n2 2 5"))).isEqualTo("1 0:3\n1 1:5\n");
    }

    @Test
    void wordsAreSortedAndAddedUp() throws Exception {
        assertThat(written(ldaC("4 2:1 0:3 2:2 1:0\n1 1:1\n"))).isEqualTo("2 0:3 2:3\n1 1:1\n");
    }

    @Test
    void documentsAreSparseRecords() throws Exception {
        Corpus corpus = ldaC("2 0:3 2:1\n".repeat(2500));
        RecordSource records = corpus.records();
        assertThat(records.rows()).isEqualTo(2500);
        assertThat(records.columns()).isEqualTo(3);
        assertThat(records.labelled()).isFalse();
        RecordBlock last = records.reader().block(2);
        assertThat(last.rows()).isEqualTo(2500 - 2 * records.blockRows());
        assertThat(Rows.squaredNorm(last, last.rows() - 1)).isEqualTo(10);
        assertThat(corpus.only(document -> false).records().rows()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "2 0:1,as many words as it says",
        "1 3:1,not in the vocabulary",
        "1 0:-1,not in the vocabulary or a count is negative",
        "1 0:x,not a whole number"
    })
    void brokenLinesAreRefusedWithoutSayingWhatTheyHold(String line, String reason) {
        assertThatThrownBy(() -> ldaC("1 0:1\n" + line + "\n"))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_DATA))
                .hasMessageContaining(reason);
    }

    @Test
    void brokenTriplesAreRefused() {
        assertThatThrownBy(() -> docword("1\n4\n0\n")).hasMessageContaining("other words than the vocabulary has");
        assertThatThrownBy(() -> docword("2\n3\n2\n2 1 1\n1 1 1\n")).hasMessageContaining("ascending order");
        assertThatThrownBy(() -> docword("2\n3\n2\n1 1 1\n")).hasMessageContaining("as many entries as it says");
        assertThatThrownBy(() -> docword("2\n3\n")).hasMessageContaining("ends within its header");
    }

    @Test
    void absentFileIsAnError() {
        assertThatThrownBy(() -> CorpusReader.ldaC(folder.resolve("none.ldac"), VOCABULARY))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_INPUT));
    }

    @Test
    void corpusWithoutAChecksumMustHaveThePublishedDocuments() throws Exception {
        TinyFiles.write(folder.resolve("ap/vocab.txt"), "ant\n");
        TinyFiles.write(folder.resolve("ap/ap.dat"), "1 0:1\n");
        assertThatThrownBy(() -> NamedCorpus.load("ap", folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("it does not have the published number of documents");
        assertThatThrownBy(() -> NamedCorpus.load("adult", folder))
                .hasMessage("adult is not a corpus; there are kos, ap and wikipedia.");
    }

    @Test
    void everyStrideThDocumentTests() throws Exception {
        TinyFiles.write(folder.resolve("wikipedia/dictnostops.txt"), "ant\nNone\ncow\n");
        TinyFiles.write(
                folder.resolve("wikipedia/enwiki2014.ldac.gz"), "1 0:1\n1 0:2\n1 0:3\n1 0:4\n1 0:5\n1 0:6\n1 0:7\n");
        TinyFiles.write(folder.resolve("wikipedia/enwiki2018new.ldac"), "1 2:9\n");
        DatasetEntry entry =
                TinyFiles.entry(Catalogue.find("wikipedia"), new WordCounts("wikipedia", 7, 3), folder, "wikipedia");
        Path out = folder.resolve("out");
        assertThat(entry.prepare(folder, out)).hasSize(4);
        assertThat(TinyFiles.lines(out.resolve("train.ldac.gz"))).containsExactly("1 0:2", "1 0:3", "1 0:5", "1 0:6");
        assertThat(TinyFiles.lines(out.resolve("test.ldac.gz"))).containsExactly("1 0:1", "1 0:4", "1 0:7");
        assertThat(TinyFiles.lines(out.resolve("test-2018.ldac.gz"))).containsExactly("1 2:9");
        assertThat(CorpusReader.vocabulary(out.resolve("vocabulary.txt"))).containsExactly("ant", "none", "cow");
    }
}
