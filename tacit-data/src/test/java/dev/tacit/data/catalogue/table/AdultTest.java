package dev.tacit.data.catalogue.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.catalogue.TinyFiles;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetException.Kind;
import dev.tacit.data.catalogue.entry.FileCheck;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.schema.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Also the place of the tests of finding, checking and writing, which are the same for every data set. */
class AdultTest {
    private static final String TRAINING = """
            41, Private, 120000, HS-grad, 9, Divorced, Sales, Unmarried, White, Female, 0, 0, 40, United-States, <=50K
            52, ?, 90000, Masters, 14, Widowed, ?, Not-in-family, Black, Male, 5000, 0, 50, ?, >50K

            """;
    private static final String TEST = """
            |1x3 Cross validator
            33, State-gov, 70000, 11th, 7, Separated, Sales, Husband, Other, Male, 0, 1902, 20, Cuba, >50K.

            """;

    @TempDir
    private Path folder;

    private Path data;
    private Path out;

    @BeforeEach
    void writeRawFiles() throws IOException {
        data = folder.resolve("data");
        out = folder.resolve("out");
        TinyFiles.write(data.resolve("adult/adult.data.gz"), TRAINING);
        TinyFiles.write(data.resolve("adult/adult.test"), TEST);
    }

    private DatasetEntry entry() throws IOException {
        return TinyFiles.entry(Adult.entry(), new Adult(), data, "adult");
    }

    @Test
    void quirksAreGoneFromTheTables() throws Exception {
        assertThat(entry().prepare(data, out))
                .containsExactly(
                        out.resolve("train.csv"),
                        out.resolve("test.csv"),
                        out.resolve("schema.yaml"),
                        out.resolve("schema-binned.yaml"));
        assertThat(TinyFiles.lines(out.resolve("train.csv")))
                .containsExactly(
                        "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
                                + "capital-gain,capital-loss,hours-per-week,native-country,income",
                        "41,Private,120000,HS-grad,9,Divorced,Sales,Unmarried,White,Female,0,0,40,United-States,<=50K",
                        "52,?,90000,Masters,14,Widowed,?,Not-in-family,Black,Male,5000,0,50,?,>50K");
        assertThat(TinyFiles.lines(out.resolve("test.csv")))
                .hasSize(2)
                .last()
                .asString()
                .endsWith("Cuba,>50K");
    }

    @Test
    void encodingsHaveTheirPublishedWidths() throws Exception {
        entry().prepare(data, out);
        Schema plain = TinyFiles.schema(out.resolve("schema.yaml"));
        Schema binned = TinyFiles.schema(out.resolve("schema-binned.yaml"));
        assertThat(TinyFiles.encodedColumns(plain)).isEqualTo(109);
        assertThat(TinyFiles.encodedColumns(binned)).isEqualTo(139);
        assertThat(TinyFiles.encodedRows(out.resolve("train.csv"), out.resolve("schema.yaml")))
                .isEqualTo(2);
        assertThat(plain.size()).isEqualTo(32561);
        assertThat(plain.target()).contains("income");
    }

    @Test
    void archiveOfThePublisherIsRead() throws Exception {
        Files.delete(data.resolve("adult/adult.data.gz"));
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(data.resolve("adult/adult.zip")))) {
            zip.putNextEntry(new ZipEntry("old/adult.data"));
            zip.write(TRAINING.getBytes(StandardCharsets.UTF_8));
        }
        DatasetEntry entry = entry();
        assertThat(entry.locate(data)).extracting(LocatedFile::path).contains(data.resolve("adult/adult.zip"));
        entry.prepare(data, out);
        assertThat(TinyFiles.lines(out.resolve("train.csv"))).hasSize(3);
    }

    @Test
    void alteredCopyIsRefused() throws Exception {
        DatasetEntry entry = entry();
        Path file = data.resolve("adult/adult.test");
        TinyFiles.write(file, TEST.replace("33", "34"));
        assertThat(entry.verify(data))
                .extracting(FileCheck::status)
                .containsExactly(FileCheck.Status.ORIGINAL, FileCheck.Status.DIFFERS);
        assertThatThrownBy(() -> entry.prepare(data, out))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.BAD_DATA))
                .hasMessageStartingWith(file + " is not the published adult.test: its SHA-256 checksum differs;");
        assertThat(out).doesNotExist();
    }

    @Test
    void truncatedArchiveIsRefused() throws Exception {
        DatasetEntry entry = entry();
        Path file = data.resolve("adult/adult.data.gz");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        assertThatThrownBy(() -> entry.prepare(data, out)).hasMessageContaining("checksum differs");
    }

    @Test
    void brokenLineLeavesEverythingAsItWas() throws Exception {
        entry().prepare(data, out);
        List<String> before = TinyFiles.lines(out.resolve("test.csv"));
        TinyFiles.write(data.resolve("adult/adult.data.gz"), TRAINING.replace(" Sales,", ""));
        assertThatThrownBy(() -> entry().prepare(data, out))
                .hasMessageContaining("a line does not have the published number of columns")
                .hasMessageNotContaining("120000");
        assertThat(TinyFiles.lines(out.resolve("test.csv"))).isEqualTo(before);
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).containsExactlyInAnyOrder(data, out);
        }
    }

    @Test
    void preparingAgainGivesTheSameFiles() throws Exception {
        entry().prepare(data, out);
        byte[] before = Files.readAllBytes(out.resolve("train.csv"));
        Files.writeString(out.resolve("notes.txt"), "mine");
        entry().prepare(data, out);
        assertThat(Files.readAllBytes(out.resolve("train.csv"))).isEqualTo(before);
        assertThat(out.resolve("notes.txt")).hasContent("mine");
    }

    @Test
    void fileInPlaceOfTheFolderIsAnError() throws Exception {
        Files.writeString(out, "a file");
        assertThatThrownBy(() -> entry().prepare(data, out))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NO_OUTPUT))
                .hasMessageContaining("cannot write " + out);
        assertThat(out).hasContent("a file");
    }

    @Test
    void unknownOptionIsAnError() {
        assertThatThrownBy(() -> entry().prepare(data, out, Map.of("split", "1")))
                .isInstanceOfSatisfying(
                        DatasetException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNKNOWN_NAME))
                .hasMessage("option split of adult takes official or half.");
    }
}
