package dev.tacit.data.prepare;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.query.Rows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files for tests, and what becomes of them. */
final class Tables {
    private Tables() {}

    static Path write(Path folder, String name, String text) throws IOException {
        return Files.write(folder.resolve(name), text.getBytes(StandardCharsets.UTF_8));
    }

    static PreparationOptions options(Path folder, long memoryBytes) {
        return new PreparationOptions(memoryBytes, folder, new ReadingOptions(2, 256 << 20));
    }

    static RecordSource records(Path file, Schema schema, long memoryBytes) {
        return Preparation.records(
                DataLocation.of(file), RecordEncoder.of(schema), options(file.getParent(), memoryBytes));
    }

    /** All rows, each with its label at the end if there is one. */
    static List<List<Double>> rows(Path file, Schema schema) {
        try (RecordSource records = records(file, schema, 1 << 26)) {
            return rows(records);
        }
    }

    static List<List<Double>> rows(RecordSource records) {
        List<List<Double>> all = new ArrayList<>();
        RecordSource.Reader reader = records.reader();
        for (long block = 0; block * records.blockRows() < records.rows(); block++) {
            all.addAll(rows(reader.block(block), records.labelled()));
        }
        return all;
    }

    static List<List<Double>> rows(RecordBlock block, boolean labelled) {
        List<List<Double>> all = new ArrayList<>();
        for (int row = 0; row < block.rows(); row++) {
            double[] numbers = new double[block.columns()];
            Rows.addTo(block, row, 1, numbers, 0);
            List<Double> list = new ArrayList<>();
            for (double number : numbers) {
                list.add(number);
            }
            if (labelled) {
                list.add(block.label(row));
            }
            all.add(list);
        }
        return all;
    }
}
