package dev.tacit.data.prepare;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.OneDatabase;
import dev.tacit.data.source.TableSource;
import dev.tacit.door.record.RecordSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;

/**
 * The property of every reader: what a file of several units gives is what files of each unit give, together; so taking a
 * unit away takes its own rows away and nothing else.
 */
final class ReaderProperty {
    private static final String COLUMNS = """
            size: 10
            target: y
            columns:
              t: {type: category, categories: ["#", u], missing: category}
              a: {type: number, bounds: [0, 10], missing: category}
              b: {type: category, categories: [u, v], missing: category}
              y: {type: binary, positive: 1, missing: {constant: 1}}
              id: {type: ignore}
              u: {type: category, categories: [x], missing: category}
            """;

    private final WrittenFormat format;
    private final boolean persons;
    private final Schema schema;
    private final Path file;

    ReaderProperty(WrittenFormat format, boolean persons, Path folder) {
        this.format = format;
        this.persons = persons;
        this.file = folder.resolve(format.fileName());
        this.schema = format == WrittenFormat.TEXT
                ? SchemaYaml.read("unit: record\nsize: 10\ncorpus: {format: text, vocabulary: [u, v, x, \"1\"]}\n")
                : SchemaYaml.read("unit: " + (persons ? "{person: id, maxRecords: 2}" : "record") + "\nformat: {"
                        + format.declared() + "}\n" + COLUMNS);
    }

    /** What the product reads. */
    List<?> read(byte[] bytes) {
        write(bytes);
        if (format == WrittenFormat.TEXT) {
            try (RecordSource documents =
                    Documents.privateRecords(file.toString(), schema.corpus().orElseThrow(), Optional.empty())) {
                return Tables.rows(documents);
            }
        }
        return Tables.rows(file, schema);
    }

    /** What the product reads, but for where its database comes from. */
    List<?> read(byte[] bytes, OneDatabase database) {
        write(bytes);
        RowEncoder encoder = RecordEncoder.of(schema);
        try (TableSource table = database.open(DataLocation.of(file), encoder.layout());
                RecordSource records = Preparation.records(table, encoder, Tables.options(file.getParent(), 1 << 26))) {
            return Tables.rows(records);
        }
    }

    private void write(byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Draws a file and looks for a violation; says what it is. */
    Optional<String> violation(long seed, Function<byte[], List<?>> reader) {
        Random random = new Random(seed);
        List<OddRecord> records = new ArrayList<>();
        for (int count = 2 + random.nextInt(3); count > 0; count--) {
            records.add(OddRecord.draw(random));
        }
        return violation(records, random.nextBoolean(), reader).map(what -> format + ", seed " + seed + ": " + what);
    }

    Optional<String> violation(List<OddRecord> records, boolean returns, Function<byte[], List<?>> reader) {
        List<List<OddRecord>> units = units(records);
        Map<List<OddRecord>, List<String>> readOnce = new HashMap<>();
        Function<List<OddRecord>, List<String>> rows =
                written -> readOnce.computeIfAbsent(written, some -> sorted(reader.apply(format.write(some, returns))));
        try {
            List<List<String>> alone = new ArrayList<>();
            for (List<OddRecord> unit : units) {
                alone.add(rows.apply(unit));
                if (alone.get(alone.size() - 1).size() > (persons ? 2 : 1)) {
                    return Optional.of(
                            "a unit alone gives too many rows: " + unit.get(0).shown());
                }
            }
            for (int removed = -1; removed < units.size(); removed++) {
                List<OddRecord> others = new ArrayList<>(records);
                List<String> expected = new ArrayList<>();
                for (int unit = 0; unit < units.size(); unit++) {
                    if (unit != removed) {
                        expected.addAll(alone.get(unit));
                    }
                }
                if (removed >= 0) {
                    others.removeAll(units.get(removed));
                }
                boolean some = !others.isEmpty();
                if (some && !rows.apply(others).equals(sorted(expected))) {
                    return Optional.of("without unit " + removed + " other rows change: " + shown(records));
                }
            }
            return Optional.empty();
        } catch (DataException e) {
            return Optional.of("refused, " + e.getMessage() + ": " + shown(records));
        }
    }

    private List<List<OddRecord>> units(List<OddRecord> records) {
        if (!persons) {
            return records.stream().map(List::of).toList();
        }
        return records.stream()
                .map(OddRecord::person)
                .distinct()
                .map(person ->
                        records.stream().filter(r -> r.person().equals(person)).toList())
                .toList();
    }

    private static List<String> sorted(List<?> rows) {
        return rows.stream().map(Object::toString).sorted().toList();
    }

    private static String shown(List<OddRecord> records) {
        return String.join(" || ", records.stream().map(OddRecord::shown).toList());
    }
}
