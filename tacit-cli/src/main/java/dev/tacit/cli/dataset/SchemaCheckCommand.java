package dev.tacit.cli.dataset;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.ReadingProgress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.prepare.SchemaCheck;
import dev.tacit.data.prepare.SchemaCheck.ColumnCheck;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.NoInputException;
import dev.tacit.data.source.ReadingOptions;
import dev.tacit.data.source.VoidReason;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit schema check}: how a table was cut and what of it a schema can use, for its holder alone. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        description = {
            "Counts, for the holder of a table alone, how it was cut and what of it a schema can use: records, void"
                    + " records, missing cells, values that the schema does not know, values out of bounds.",
            "The counts are PRIVATE: they come from the records without any protection. They go to the terminal and to"
                    + " no file; publish nothing of them, and change the schema only by what you know."
        })
final class SchemaCheckCommand implements Verb {
    private static final String PRIVATE =
            "PRIVATE: counted from the records without any protection, for their holder alone; publish nothing of it.";

    @Parameters(paramLabel = "FILE", description = "the table")
    private String file;

    @Option(names = "--schema", paramLabel = "YAML", required = true, description = "what is declared about the table")
    private String schemaFile;

    @Option(names = "--json", description = "print one JSON object, which is as private")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Schema schema = SchemaFile.read(schemaFile);
        SchemaCheck check;
        try {
            check = ReadingProgress.during(
                    console, file, () -> SchemaCheck.of(DataLocation.of(file), schema, ReadingOptions.standard()));
        } catch (NoInputException e) {
            throw new CommandFailure(ExitCode.NO_INPUT, CommandFailure.sentence(e.getMessage()), e);
        } catch (DataException e) {
            throw new CommandFailure(ExitCode.BAD_DATA, CommandFailure.sentence(e.getMessage()), e);
        }
        if (json) {
            console.line(Json.write(json(check, schema)));
        } else {
            console.text(report(check, schema));
        }
        return ExitCode.OK;
    }

    private static List<String> report(SchemaCheck check, Schema schema) {
        List<String> lines = new ArrayList<>();
        lines.add(PRIVATE);
        TextTable counts = new TextTable(List.of(false, true, false));
        boolean persons = schema.unit().idColumn().isPresent();
        boolean documents = schema.corpus().isPresent();
        counts.row(documents ? "documents" : "records", number(check.records()), "");
        if (schema.format().comment().isPresent()) {
            counts.row("comments", number(check.comments()), "not counted as records");
        }
        for (VoidReason reason : VoidReason.values()) {
            if (check.voids().containsKey(reason)) {
                counts.row("void records", number(check.voids().get(reason)), reason.label());
            }
        }
        counts.row(
                documents ? "empty" : "left out",
                number(check.refused()),
                documents ? "no word of the vocabulary" : "a value is missing that the schema refuses");
        if (persons) {
            counts.row("without a person", number(check.withoutPerson()), "left out");
            counts.row(
                    "beyond the most",
                    number(check.beyondMost()),
                    "more than " + schema.unit().maxRecords() + " usable records of a person");
        }
        String unit = persons ? "persons" : documents ? "documents" : "records";
        counts.row("units", number(check.units()), unit);
        counts.row("usable units", number(check.usableUnits()), "declared size " + number(schema.size()));
        lines.addAll(counts.lines());
        remark(check, schema).ifPresent(lines::add);
        if (!check.columns().isEmpty()) {
            lines.add("");
            TextTable columns = new TextTable(List.of(false, true, true, true, true, true));
            columns.row("column", "missing", "not understood", "other values", "below bounds", "above bounds");
            for (ColumnCheck column : check.columns()) {
                columns.row(
                        Console.oneLine(column.column().name()),
                        number(column.missing()),
                        number(column.notUnderstood()),
                        hasOthers(column.column()) ? number(column.others()) : "",
                        isNumber(column.column()) ? number(column.belowBounds()) : "",
                        isNumber(column.column()) ? number(column.aboveBounds()) : "");
            }
            lines.addAll(columns.lines());
        }
        return lines;
    }

    private static Optional<String> remark(SchemaCheck check, Schema schema) {
        if (check.usableUnits() == 0) {
            return Optional.of("No unit can be used: a fit would spend its budget on noise.");
        }
        return 2 * check.usableUnits() < schema.size()
                ? Optional.of("Fewer than half as many units can be used as the schema declares.")
                : Optional.empty();
    }

    private static String number(long count) {
        return Long.toString(count);
    }

    private static boolean hasOthers(ColumnSchema column) {
        return column instanceof CategoryColumn category
                ? category.other()
                : column instanceof BinaryColumn binary && binary.negative().isEmpty();
    }

    private static boolean isNumber(ColumnSchema column) {
        return column instanceof ColumnSchema.NumberColumn;
    }

    private static Map<String, Object> json(SchemaCheck check, Schema schema) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("private", true);
        object.put("records", check.records());
        object.put("comments", check.comments());
        Map<String, Object> voids = new LinkedHashMap<>();
        for (VoidReason reason : VoidReason.values()) {
            if (check.voids().containsKey(reason)) {
                voids.put(reason.label(), check.voids().get(reason));
            }
        }
        object.put("void", voids);
        object.put("leftOut", check.refused());
        object.put("withoutPerson", check.withoutPerson());
        object.put("beyondMaxRecords", check.beyondMost());
        object.put("units", check.units());
        object.put("usableUnits", check.usableUnits());
        object.put("declaredSize", schema.size());
        Map<String, Object> columns = new LinkedHashMap<>();
        for (ColumnCheck column : check.columns()) {
            Map<String, Object> counts = new LinkedHashMap<>();
            counts.put("missing", column.missing());
            counts.put("notUnderstood", column.notUnderstood());
            counts.put("otherValues", column.others());
            counts.put("belowBounds", column.belowBounds());
            counts.put("aboveBounds", column.aboveBounds());
            columns.put(column.column().name(), counts);
        }
        object.put("columns", columns);
        return object;
    }
}
