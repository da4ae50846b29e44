package dev.tacit.data.catalogue.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.NamedRegression;
import dev.tacit.data.catalogue.TinyFiles;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.FileCheck;
import dev.tacit.data.schema.Schema;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegressionSetsTest {
    @TempDir
    private Path folder;

    private DatasetEntry tiny(String name, RegressionBenchmark benchmark) throws Exception {
        return TinyFiles.entry(Catalogue.find(name), benchmark, folder, "set");
    }

    /** Leading blanks, scientific notation, and a second target behind the first that must not be an input. */
    @Test
    void secondTargetOfNavalIsDropped() throws Exception {
        String rows = IntStream.range(0, 10)
                .mapToObj(row -> IntStream.range(0, 18)
                        .mapToObj(column -> String.format(Locale.ROOT, "   %.7e", (double) (100 * row + column)))
                        .collect(Collectors.joining()))
                .collect(Collectors.joining("\n", "", "\n"));
        TinyFiles.write(folder.resolve("set/data.txt.gz"), rows);
        DatasetEntry entry = tiny("naval", RegressionSets.NAVAL);
        RegressionTable table = RegressionSets.NAVAL.load(entry, folder);
        assertThat(table.inputs()).hasDimensions(10, 16);
        assertThat(table.inputs()[2]).startsWith(200, 201).endsWith(214, 215);
        assertThat(table.target()).startsWith(16, 116);

        entry.prepare(folder, folder.resolve("out"), Map.of("split", "0"));
        assertThat(TinyFiles.lines(folder.resolve("out/train.csv"))).hasSize(10).noneMatch(line -> line.endsWith("17"));
        assertThat(TinyFiles.lines(folder.resolve("out/test.csv")))
                .hasSize(2)
                .last()
                .asString()
                .startsWith("5.0000000e+02,");
        Schema schema = TinyFiles.schema(folder.resolve("out/schema.yaml"));
        assertThat(schema.features()).hasSize(16);
        assertThat(schema.target()).contains("compressor_decay");
        assertThat(schema.size()).isEqualTo(10741);
    }

    @Test
    void tabsAreRead() throws Exception {
        TinyFiles.write(folder.resolve("set/data.txt"), "8.34\t40.77\t1010.84\t90.01\t480.48\n1\t2\t3\t4\t5\n");
        RegressionTable table = RegressionSets.POWER.load(tiny("power", RegressionSets.POWER), folder);
        assertThat(table.target()).containsExactly(480.48, 5);
        assertThat(table.rows(new int[] {1}).inputs()).isDeepEqualTo(new double[][] {{1, 2, 3, 4}});
    }

    /** The archive's form of wine: semicolons and a quoted header. */
    @Test
    void archiveFormOfWineIsRead() throws Exception {
        TinyFiles.write(folder.resolve("set/winequality-red.csv"), """
                "fixed acidity";"a";"b";"c";"d";"e";"f";"g";"h";"i";"j";"quality"
                7.4;0.7;0;1.9;0.076;11;34;0.9978;3.51;0.56;9.4;5
                """);
        RegressionTable table = RegressionSets.WINE.load(tiny("wine", RegressionSets.WINE), folder);
        assertThat(table.target()).containsExactly(5);
        assertThat(table.inputs()[0]).startsWith(7.4, 0.7).endsWith(9.4).hasSize(11);
    }

    /** The archive's form of protein has the target first. */
    @Test
    void archiveFormOfProteinIsRead() throws Exception {
        TinyFiles.write(folder.resolve("set/CASP.csv"), "RMSD,F1,F2,F3,F4,F5,F6,F7,F8,F9\n17.284,1,2,3,4,5,6,7,8,9\n");
        RegressionTable table = RegressionSets.PROTEIN.load(tiny("protein", RegressionSets.PROTEIN), folder);
        assertThat(table.target()).containsExactly(17.284);
        assertThat(table.inputs()[0]).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void formWithoutAChecksumMustHaveThePublishedRows() throws Exception {
        TinyFiles.write(
                folder.resolve("protein/CASP.csv"), "RMSD,F1,F2,F3,F4,F5,F6,F7,F8,F9\n17.284,1,2,3,4,5,6,7,8,9\n");
        assertThatThrownBy(() -> NamedRegression.load("protein", folder))
                .isInstanceOf(DatasetException.class)
                .hasMessageContaining("it does not have the published number of rows");
        assertThat(Catalogue.find("protein").verify(folder))
                .extracting(FileCheck::status)
                .containsExactly(FileCheck.Status.NOT_NEEDED, FileCheck.Status.NO_CHECKSUM);
    }

    @Test
    void splitOutOfRangeIsAnError() throws Exception {
        TinyFiles.write(folder.resolve("set/data.txt"), "1 2 3 4 5\n");
        DatasetEntry entry = tiny("power", RegressionSets.POWER);
        assertThatThrownBy(() -> entry.prepare(folder, folder.resolve("out"), Map.of("split", "20")))
                .hasMessage("option split of power takes 0 to 19.");
        assertThatThrownBy(() -> entry.prepare(folder, folder.resolve("out"), Map.of("fold", "2")))
                .hasMessage("power has no option fold; it has split or rule.");
    }

    @Test
    void firstSongsTrain() throws Exception {
        String line = IntStream.range(0, 91).mapToObj(Integer::toString).collect(Collectors.joining(",", "", "\n"));
        TinyFiles.write(folder.resolve("set/YearPredictionMSD.txt"), line.repeat(5));
        TinyFiles.entry(YearPrediction.entry(), new YearPrediction(3), folder, "set")
                .prepare(folder, folder.resolve("out"));
        assertThat(TinyFiles.lines(folder.resolve("out/train.csv.gz"))).hasSize(4);
        assertThat(TinyFiles.lines(folder.resolve("out/test.csv.gz"))).hasSize(3);
        assertThat(TinyFiles.schema(folder.resolve("out/schema.yaml")).features())
                .hasSize(90);
    }
}
