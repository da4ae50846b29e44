package dev.tacit.data.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PreparationTest {
    private static final long SEED = 7;

    @TempDir
    Path folder;

    private static Schema schema(boolean sparse, String unit) {
        StringBuilder categories = new StringBuilder("c0");
        for (int i = 1; i < (sparse ? 60 : 3); i++) {
            categories.append(", c").append(i);
        }
        return SchemaYaml.read("unit: " + unit + "\nsize: 100\ntarget: y\ncolumns:\n"
                + "  id: {type: ignore}\n  x: {type: number, bounds: [0, 100]}\n"
                + "  c: {type: category, categories: [" + categories + "]}\n"
                + "  y: {type: binary, positive: 1}\n");
    }

    private Path table(int rows) throws IOException {
        Random random = new Random(SEED);
        StringBuilder csv = new StringBuilder("id,x,c,y\n");
        for (int row = 0; row < rows; row++) {
            csv.append('p').append(random.nextInt(rows / 3)).append(',');
            csv.append(row % 17 == 0 ? "" : Double.toString(100 * random.nextDouble()));
            csv.append(",c")
                    .append(random.nextInt(70))
                    .append(',')
                    .append(random.nextInt(2))
                    .append('\n');
        }
        return Tables.write(folder, "t.csv", csv.toString());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rowsInAFileAreTheRowsInMemory(boolean sparse) throws IOException {
        Path file = table(20_000);
        for (String unit : List.of("record", "{person: id, maxRecords: 2}")) {
            Schema schema = schema(sparse, unit);
            assertThat(FeatureEncoder.of(schema).sparse()).isEqualTo(sparse);
            try (RecordSource memory = Tables.records(file, schema, 1 << 28);
                    RecordSource filed = Tables.records(file, schema, 0);
                    RecordSource moved = Tables.records(file, schema, 800_000)) {
                assertThat(memory.units()).isEqualTo(filed.units()).isEqualTo(moved.units());
                List<List<Double>> rows = Tables.rows(memory);
                assertThat(Tables.rows(filed)).isEqualTo(rows);
                assertThat(Tables.rows(moved)).isEqualTo(rows);
                int[] some = {0, 5, 6, 4000};
                assertThat(Tables.rows(filed.reader().rows(1, some, 4), true))
                        .isEqualTo(Tables.rows(memory.reader().rows(1, some, 4), true))
                        .containsExactly(rows.get(4096), rows.get(4101), rows.get(4102), rows.get(8096));
                List<Long> starts = LongStream.rangeClosed(0, memory.units())
                        .mapToObj(memory::firstRow)
                        .toList();
                assertThat(LongStream.rangeClosed(0, filed.units())
                                .mapToObj(filed::firstRow)
                                .toList())
                        .isEqualTo(starts);
            }
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void rowsOfAPersonStandTogetherAndOnlyTheFirstAreUsed() throws IOException {
        Schema schema = schema(false, "{person: id, maxRecords: 2}");
        Path file = Tables.write(
                folder,
                "p.csv",
                "x,id,c,y\n1,a,c0,1\n2,b,c0,0\n3,,c0,1\n4,a,c0,0\n,a,c0,1\n5,a,c0,1\n6, b ,c0,1\n7,c,c0,1\n");
        assertThat(persons(file, schema)).containsExactlyInAnyOrder(List.of(1L, 4L), List.of(2L, 6L), List.of(7L));
    }

    /** The first number of each row in hundredths, person by person. */
    private static List<List<Long>> persons(Path file, Schema schema) {
        try (RecordSource records = Tables.records(file, schema, 1 << 20)) {
            List<Long> first = Tables.rows(records).stream()
                    .map(row -> Math.round(100 * row.get(0)))
                    .toList();
            return LongStream.range(0, records.units())
                    .mapToObj(unit -> first.subList((int) records.firstRow(unit), (int) records.firstRow(unit + 1)))
                    .toList();
        }
    }

    /** A person's place follows from the person's mark, whoever comes first in the file. */
    @Test
    void personsHaveTheSameOrderWhateverThatOfTheFile() throws IOException {
        Schema schema = schema(false, "{person: id, maxRecords: 2}");
        StringBuilder forwards = new StringBuilder("x,id,c,y\n");
        StringBuilder backwards = new StringBuilder("x,id,c,y\n");
        for (int person = 0; person < 50; person++) {
            forwards.append(person).append(",p").append(person).append(",c0,1\n");
            backwards.append(49 - person).append(",p").append(49 - person).append(",c0,1\n");
        }
        List<List<Long>> one = persons(Tables.write(folder, "f.csv", forwards.toString()), schema);
        assertThat(persons(Tables.write(folder, "b.csv", backwards.toString()), schema))
                .isEqualTo(one);
        assertThat(one)
                .hasSize(50)
                .isNotEqualTo(one.stream()
                        .sorted(Comparator.comparing(each -> each.get(0)))
                        .toList());
    }

    @Test
    void theDoorSeesPersonsAsUnits() throws IOException {
        Schema schema = schema(false, "{person: id, maxRecords: 2}");
        Path file = Tables.write(folder, "p.csv", "x,id,c,y\n100,a,c0,1\n100,b,c0,0\n100,a,c0,0\n100,a,c0,0\n");
        ContributionSum count = ContributionSum.of(
                1,
                (block, row, contribution) ->
                        contribution.add(0, Rows.dot(block, row, new double[] {1, 0, 0, 0, 0, 0}, 0)));
        try (PrivateDataset data = Preparation.open(file, schema, Tables.options(folder, 0))) {
            assertThat(data.unit()).isEqualTo(schema.privacyUnit());
            assertThat(data.publicSize()).isEqualTo(100);
            ReleasePlan plan = ReleasePlan.of("count", 1, 1, new SamplingScheme.FullPass());
            assertThat(data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1))
                            .release(count, 1)
                            .value()[0])
                    .isEqualTo(3);
        }
    }

    /** Fixed-size sampling needs the declared number of records, so a refused one keeps its place and counts as zero. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusedRecordKeepsItsPlaceUnderReplaceOne(boolean sparse) throws IOException {
        Schema addRemove = schema(sparse, "record");
        Schema replaceOne = SchemaYaml.read(SchemaYaml.write(addRemove)
                .replace("neighbours: add-remove", "neighbours: replace-one")
                .replace("size: 100", "size: 3"));
        Path file = Tables.write(folder, "p.csv", "x,id,c,y\n100,a,c0,1\n,b,c0,0\n100,a,c0,0\n");
        ContributionSum rows = ContributionSum.of(
                FeatureEncoder.of(addRemove).columns(), (block, row, contribution) -> contribution.addRow(0, 1));
        ReleasePlan plan = ReleasePlan.of("rows", 1, rows.dimension(), new SamplingScheme.FixedSizeSampling(3, 3));
        for (long memory : new long[] {0, 1 << 20}) {
            try (RecordSource kept = Tables.records(file, replaceOne, memory);
                    RecordSource left = Tables.records(file, addRemove, memory);
                    PrivateDataset data = Preparation.open(file, replaceOne, Tables.options(folder, memory))) {
                assertThat(left.rows()).isEqualTo(2);
                assertThat(kept.rows()).isEqualTo(3);
                double[] sum = data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1))
                        .release(rows, 10)
                        .value();
                assertThat(sum[0]).isEqualTo(2);
            }
        }
    }
}
