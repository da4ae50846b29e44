package dev.tacit.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.query.ContributionSum;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every format, encoding and way of sampling against the engine of one machine, bit by bit; Spark in this process. */
class LocalThreadsTest {
    private static final SketchKey KEY = new SketchKey(Clusters.SECRET);
    private static final TableEngine HERE = new LocalTables(2);

    @TempDir
    static Path folder;

    private static SparkTableEngine spark;
    private static Path csv;
    private static Path parquet;

    @BeforeAll
    static void start() {
        csv = People.csv(folder.resolve("people.csv"), People.ROWS, 1);
        parquet = People.parquet(csv, folder.resolve("people.parquet"));
        spark = Clusters.threads(13);
    }

    @AfterAll
    static void stop() {
        spark.close();
    }

    private static List<String> releases(PrivateDataset data, List<SamplingScheme> ways) {
        int columns = data.columns();
        ContributionSum query = ContributionSum.of(
                columns + 1,
                (block, row, contribution) -> {
                    contribution.addRow(0, 0.7);
                    contribution.add(columns, block.label(row));
                });
        List<ReleasePlan.Phase> phases = ways.stream()
                .map(way -> new ReleasePlan.Phase("rows", 2, columns + 1, way, 1))
                .toList();
        return Recorded.sums(data, new ReleasePlan(phases), query, Recorded.NOTHING);
    }

    private static void requireSame(Path file, Schema schema, SamplingScheme... ways) {
        requireSame(file.toString(), file.toString(), schema, ways);
    }

    private static void requireSame(String here, String there, Schema schema, SamplingScheme... ways) {
        Preparation.Sketched local = HERE.openSketched(here, schema, KEY);
        Preparation.Sketched remote = spark.openSketched(there, schema, KEY);
        try (PrivateDataset one = local.dataset();
                PrivateDataset other = remote.dataset()) {
            assertThat(releases(other, List.of(ways))).isEqualTo(releases(one, List.of(ways)));
            assertThat(remote.sketch()).isEqualTo(local.sketch());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsOfParquet(boolean wide) {
        requireSame(
                parquet,
                People.schema("record", "add-remove", "late", wide),
                new SamplingScheme.FullPass(),
                new SamplingScheme.PoissonSampling(0.01),
                new SamplingScheme.PoissonSampling(0.7));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void personsOfParquet(boolean wide) {
        requireSame(
                parquet,
                People.schema("{person: id, maxRecords: 2}", "add-remove", "late", wide),
                new SamplingScheme.FullPass(),
                new SamplingScheme.PoissonSampling(0.05));
    }

    @Test
    void batchesOfFixedSize() {
        requireSame(
                parquet,
                People.schema("record", "replace-one", "late", false),
                new SamplingScheme.FixedSizeSampling(100, People.ROWS),
                new SamplingScheme.FixedSizeSampling(9000, People.ROWS));
    }

    @Test
    void recordsAndPersonsOfText() {
        requireSame(csv, People.records(), new SamplingScheme.FullPass(), new SamplingScheme.PoissonSampling(0.03));
        requireSame(csv, People.persons(), new SamplingScheme.FullPass(), new SamplingScheme.PoissonSampling(0.03));
    }
}
