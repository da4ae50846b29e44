package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.prepare.rows.RowStore;
import dev.tacit.data.schema.CorpusSchema;
import dev.tacit.data.schema.CorpusSchema.Format;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.query.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentsTest {
    private static final List<String> WORDS = List.of("apple", "pear", "plum");

    @TempDir
    private Path folder;

    private String file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "docs", ".txt"), text)
                .toString();
    }

    private static double count(RecordBlock block, int row, int word) {
        double[] one = new double[WORDS.size()];
        one[word] = 1;
        return Rows.dot(block, row, one, 0);
    }

    private static RecordBlock only(List<RecordBlock> blocks) {
        assertThat(blocks).hasSize(1);
        return blocks.get(0);
    }

    @Test
    void readsEveryFormAlike() throws IOException {
        String ldaC = file("2 0:2 2:1\n0\n1 1:3\n");
        String docword = file("3\n3\n3\n1 1 2\n1 3 1\n3 2 3\n");
        String text = file("Apple, apple-plum!\n\npear PEAR pear quince\n");
        RecordBlock one = only(Documents.publicRows(ldaC, new CorpusSchema(Format.LDA_C, WORDS)));
        RecordBlock two = only(Documents.publicRows(docword, new CorpusSchema(Format.DOCWORD, WORDS)));
        RecordBlock three = only(Documents.publicRows(text, new CorpusSchema(Format.TEXT, WORDS)));
        assertThat(one.rows()).isEqualTo(3);
        assertThat(two.rows()).isEqualTo(2); // a document without words has no line
        assertThat(three.rows()).isEqualTo(3);
        for (RecordBlock block : List.of(one, three)) {
            assertThat(count(block, 0, 0)).isEqualTo(2);
            assertThat(count(block, 0, 2)).isEqualTo(1);
            assertThat(count(block, 1, 0)).isZero();
            assertThat(count(block, 2, 1)).isEqualTo(3);
        }
        assertThat(count(two, 0, 0)).isEqualTo(2);
        assertThat(count(two, 1, 1)).isEqualTo(3);
    }

    /** Among private documents nothing that one of them holds is an error, and none touches another. */
    @Test
    void whatAPrivateDocumentHoldsIsNoError() throws IOException {
        String good = "1 1:3\n";
        for (String bad : List.of("x", "1 9:1", "7 1:1", "1 1:-4", "1 a:b:c", ":", "1 1:99999999999999999999")) {
            RecordSource records = Documents.privateRecords(
                    file(good + bad + "\n" + good), new CorpusSchema(Format.LDA_C, WORDS), Optional.empty());
            assertThat(records.units()).isEqualTo(3);
            RecordBlock block = records.reader().block(0);
            assertThat(count(block, 0, 1)).isEqualTo(3);
            assertThat(count(block, 2, 1)).isEqualTo(3);
        }
        RecordSource records = Documents.privateRecords(
                file("2\n3\n4\n1 2 3\n999999999999 1 1\n2 2 3\nnonsense\n1 1 1\n"),
                new CorpusSchema(Format.DOCWORD, WORDS),
                Optional.empty());
        RecordBlock block = records.reader().block(0);
        assertThat(records.units()).isEqualTo(3);
        assertThat(count(block, 0, 0)).isEqualTo(1); // the line at the end belongs to the first document
        assertThat(count(block, 0, 1)).isEqualTo(3);
        assertThat(count(block, 2, 1)).isEqualTo(3);
    }

    /** What some programs take for a line end, a document may hold. */
    @Test
    void onlyALineFeedEndsADocument() throws IOException {
        for (Format format : List.of(Format.TEXT, Format.LDA_C)) {
            for (String end : List.of("\r", "\u000b", "\f", "\u0085", "\u2028", "\u2029", "\0", "\u001c")) {
                String good = format == Format.TEXT ? "plum plum" : "1 2:2";
                String odd = ("apple" + end).repeat(50);
                RecordSource records = Documents.privateRecords(
                        file(good + "\n" + odd + "\n" + good), new CorpusSchema(format, WORDS), Optional.empty());
                assertThat(records.units()).isEqualTo(3);
                assertThat(count(records.reader().block(0), 0, 2)).isEqualTo(2);
                assertThat(count(records.reader().block(0), 2, 2)).isEqualTo(2);
            }
        }
    }

    @Test
    void documentsThatMayBeLookedAtAreCheckedLineByLine() throws IOException {
        CorpusSchema schema = new CorpusSchema(Format.LDA_C, WORDS);
        for (String bad : List.of("x", "1 9:1", "7 1:1", "1 1:-4")) {
            String broken = file("1 1:3\n" + bad + "\n");
            assertThatThrownBy(() -> Documents.publicRows(broken, schema))
                    .isInstanceOf(DataException.class)
                    .hasMessageContaining("line 2");
        }
        String header = file("2\n4\n1\n1 1 1\n");
        assertThatThrownBy(() -> Documents.publicRows(header, new CorpusSchema(Format.DOCWORD, WORDS)))
                .hasMessageContaining("vocabulary");
    }

    @Test
    void manyDocumentsMakeManyBlocks() throws IOException {
        int documents = 2 * RowStore.BLOCK_ROWS + 5;
        RecordSource records = Documents.privateRecords(
                file("1 2:1\n".repeat(documents)), new CorpusSchema(Format.LDA_C, WORDS), Optional.empty());
        assertThat(records.units()).isEqualTo(documents);
        assertThat(count(records.reader().block(2), 4, 2)).isEqualTo(1);
    }

    @Test
    void aSchemaOfDocumentsNamesItsVocabulary() throws IOException {
        Files.writeString(folder.resolve("words.txt"), "Apple\npear\n\nplum\n");
        Path yaml = Files.writeString(
                folder.resolve("s.yaml"), "unit: record\nsize: 7\ncorpus: {format: text, vocabulary: words.txt}\n");
        Schema schema = SchemaYaml.read(yaml);
        assertThat(schema.corpus()).contains(new CorpusSchema(Format.TEXT, WORDS));
        assertThat(Schema.fromJson(schema.toJson())).isEqualTo(schema);
        for (String wrong : List.of(
                "corpus: {format: pdf, vocabulary: words.txt}",
                "corpus: {format: text, vocabulary: nowhere.txt}",
                "corpus: {format: text, vocabulary: [a]}",
                "corpus: {format: text, vocabulary: [a, a]}",
                "target: y\ncorpus: {format: text, vocabulary: [a, b]}",
                "corpus: {format: text, vocabulary: [a, b], surprise: 1}")) {
            Files.writeString(yaml, "unit: record\nsize: 7\n" + wrong + "\n");
            assertThatThrownBy(() -> SchemaYaml.read(yaml)).as(wrong).isInstanceOf(SchemaException.class);
        }
    }
}
