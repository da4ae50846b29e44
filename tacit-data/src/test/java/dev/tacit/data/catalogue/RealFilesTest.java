package dev.tacit.data.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.tacit.data.catalogue.corpus.CorpusSplit;
import dev.tacit.data.catalogue.entry.DataFolder;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.image.MnistImages;
import dev.tacit.data.catalogue.table.RegressionTable;
import dev.tacit.data.schema.Schema;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Published counts, on the published files; runs where TACIT_DATA names a folder that has them. */
class RealFilesTest {
    @TempDir
    private Path out;

    private static DatasetEntry entry(String name) throws DatasetException {
        DatasetEntry entry = Catalogue.find(name);
        String folder = System.getenv(DataFolder.VARIABLE);
        assumeThat(folder).as("TACIT_DATA").isNotNull();
        try {
            entry.locate(Path.of(folder));
        } catch (DatasetException e) {
            assumeThat(e.kind()).as("raw files of " + name).isNotEqualTo(DatasetException.Kind.NO_INPUT);
        }
        return entry;
    }

    private static Path data() {
        return Path.of(System.getenv(DataFolder.VARIABLE));
    }

    private List<String> rows(String file) throws Exception {
        List<String> lines = TinyFiles.lines(out.resolve(file));
        return lines.subList(1, lines.size());
    }

    private long encoded(String table, String schema) throws Exception {
        return TinyFiles.encodedRows(out.resolve(table), out.resolve(schema));
    }

    @Test
    void adult() throws Exception {
        entry("adult").prepare(data(), out);
        List<String> training = rows("train.csv");
        List<String> test = rows("test.csv");
        assertThat(training).hasSize(32561);
        assertThat(test).hasSize(16281);
        assertThat(training.stream().filter(row -> row.endsWith(",>50K"))).hasSize(7841);
        assertThat(test.stream().filter(row -> row.endsWith(",>50K"))).hasSize(3846);
        assertThat(training.stream().filter(row -> row.contains("?"))).hasSize(2399);
        assertThat(test.stream().filter(row -> row.contains("?"))).hasSize(1221);
        assertThat(encoded("train.csv", "schema.yaml")).isEqualTo(32561);
        assertThat(encoded("test.csv", "schema-binned.yaml")).isEqualTo(16281);
    }

    @ParameterizedTest
    @CsvSource({
        "naval,10741,1193,16,0.975,0.01472",
        "kin8nm,7373,819,8,0.71428,0.26361",
        "power,8611,957,4,454.365,17.067",
        "wine,1439,160,11,5.6360,0.80757",
        "protein,41157,4573,9,7.7485,6.1183"
    })
    void regressionSets(String name, int training, int test, int inputs, double mean, double deviation)
            throws Exception {
        entry(name).prepare(data(), out);
        assertThat(rows("train.csv")).hasSize(training);
        assertThat(rows("test.csv")).hasSize(test);
        Schema schema = TinyFiles.schema(out.resolve("schema.yaml"));
        assertThat(schema.size()).isEqualTo(training);
        assertThat(schema.features()).hasSize(inputs);
        assertThat(encoded("test.csv", "schema.yaml")).isEqualTo(test);
        RegressionTable table = NamedRegression.load(name, data());
        assertThat(table.inputs()).hasDimensions(training + test, inputs);
        double targetMean = Arrays.stream(table.target()).average().orElseThrow();
        double squares = Arrays.stream(table.target())
                .map(value -> (value - targetMean) * (value - targetMean))
                .sum();
        assertThat(targetMean).isCloseTo(mean, within(1e-4 * mean));
        assertThat(Math.sqrt(squares / (training + test - 1))).isCloseTo(deviation, within(1e-3 * deviation));
    }

    @Test
    void mnist() throws Exception {
        entry("mnist");
        MnistImages training = MnistImages.training(data());
        MnistImages test = MnistImages.test(data());
        assertThat(training.count()).isEqualTo(60000);
        assertThat(test.count()).isEqualTo(10000);
        assertThat(training.height()).isEqualTo(28);
        assertThat(training.width()).isEqualTo(28);
        assertThat(List.of(training.label(0), training.label(1), training.label(2)))
                .containsExactly(5, 0, 4);
        long grey = 0;
        for (int image = 0; image < training.count(); image++) {
            for (int pixel = 0; pixel < 784; pixel++) {
                grey += training.grey(image, pixel);
            }
        }
        assertThat(grey / 255.0 / 784 / 60000).isCloseTo(0.1307, within(5e-5));
    }

    @ParameterizedTest
    @CsvSource({"kos,3430,6906,353160,467714,3087", "wikipedia,197392,7702,12646021,20271490,187522"})
    void corpora(String name, int documents, int words, int entries, long tokens, int training) throws Exception {
        entry(name);
        CorpusSplit split = NamedCorpus.load(name, data());
        assertThat(split.training().documents()).isEqualTo(training);
        assertThat(split.training().documents() + split.test().documents()).isEqualTo(documents);
        assertThat(split.training().entries() + split.test().entries()).isEqualTo(entries);
        assertThat(split.training().tokens() + split.test().tokens()).isEqualTo(tokens);
        assertThat(split.training().vocabulary()).hasSize(words).doesNotHaveDuplicates();
        assertThat(split.training().records().rows()).isEqualTo(training);
    }

    @Test
    void diabetesFirstEncounters() throws Exception {
        entry("diabetes130").prepare(data(), out);
        List<String> training = rows("train.csv");
        List<String> test = rows("test.csv");
        assertThat(training).hasSize(55978);
        assertThat(training.size() + test.size()).isEqualTo(69973);
        assertThat(training.stream().filter(row -> row.endsWith(",yes,yes")).count()
                        + test.stream().filter(row -> row.endsWith(",yes,yes")).count())
                .isEqualTo(6277);
        assertThat(TinyFiles.schema(out.resolve("schema.yaml")).size()).isEqualTo(training.size());
        assertThat(encoded("train.csv", "schema.yaml")).isEqualTo(training.size());
        assertThat(encoded("test.csv", "schema-codes.yaml")).isEqualTo(test.size());
    }

    @Test
    void diabetesAllEncounters() throws Exception {
        entry("diabetes130").prepare(data(), out, Map.of("encounters", "all"));
        List<String> training = rows("train.csv");
        assertThat(training.size() + rows("test.csv").size()).isEqualTo(99343);
        assertThat(training.stream()
                        .map(row -> row.substring(0, row.indexOf(',')))
                        .distinct())
                .hasSize(55992);
        assertThat(TinyFiles.schema(out.resolve("schema.yaml")).size()).isEqualTo(55992);
    }

    @Test
    void physionet() throws Exception {
        entry("physionet2012").prepare(data(), out);
        List<String> training = rows("train.csv");
        List<String> test = rows("test.csv");
        assertThat(training).hasSize(3000);
        assertThat(test).hasSize(1000);
        assertThat(training.stream().filter(row -> row.endsWith(",1")).count()
                        + test.stream().filter(row -> row.endsWith(",1")).count())
                .isEqualTo(554);
        assertThat(encoded("train.csv", "schema.yaml")).isEqualTo(3000);
        assertThat(encoded("test.csv", "schema-compact.yaml")).isEqualTo(1000);
    }
}
