package dev.tacit.data.source;

import dev.tacit.data.schema.FileFormat;
import dev.tacit.privacy.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * A first schema of a file, for its holder's own eyes: names of columns, and types guessed from the first records.
 *
 * <p>Nothing else is read, and nothing of what must be declared is filled in: the draft says {@code REQUIRED} where the
 * holder has to, and does not load until they have.
 */
public final class SchemaDraft {
    private static final int LOOKED_AT = 1000;
    private static final int CHUNK = 1 << 16;
    private static final List<Character> DELIMITERS = List.of(',', ';', '\t', '|');
    private static final String PREFACE = """
            # A draft for the holder of the data. Names of columns were read, and the first records, to tell numbers from other
            # cells: a type below shows whether some of these records holds something else, so look at the types before you
            # hand this file on, and correct them by what you know. Replace every REQUIRED by what you know and not by what
            # the data show: a bound or a category that is read off the data would reveal someone's value.
            unit: REQUIRED      # record, or {person: ID_COLUMN, maxRecords: 3} if people have several rows
            size: REQUIRED      # the public number of records (of persons, if they are protected)
            # target: NAME      # the column to be predicted: {type: binary, positive: VALUE}, or a number with bounds
            """;

    private SchemaDraft() {}

    /** The draft of a file, as YAML. */
    public static String draft(Path file) {
        return draft(file.toString());
    }

    /** The draft of a file or of a {@code postgres:} URL, as YAML. */
    public static String draft(String pathOrUrl) {
        DataLocation location = DataLocation.of(pathOrUrl);
        StringBuilder yaml = new StringBuilder(PREFACE);
        Map<String, Boolean> isNumber;
        if (location.kind() == DataLocation.Kind.CSV) {
            char delimiter = delimiter(location);
            if (delimiter != location.defaultDelimiter()) {
                yaml.append("format: {delimiter: ")
                        .append(Json.write((Object) String.valueOf(delimiter)))
                        .append("}\n");
            }
            isNumber = ofText(location, delimiter);
        } else if (location.kind() == DataLocation.Kind.JSON) {
            isNumber = JsonTable.describe(location, LOOKED_AT);
        } else {
            isNumber = DuckDbTable.describe(location);
        }
        yaml.append("columns:\n");
        isNumber.forEach((name, number) -> yaml.append("  ")
                .append(Json.write((Object) name))
                .append(
                        number
                                ? ": {type: number, bounds: REQUIRED}\n"
                                : ": {type: category, categories: REQUIRED}\n"));
        return yaml.toString();
    }

    /** The one of the usual delimiters that the first line has most of. */
    private static char delimiter(DataLocation location) {
        try (InputStream in = CsvTable.stream(location)) {
            CsvDialect lines = new CsvDialect((byte) ',', -1, false, false, false);
            CsvSplitter.Chunk line = new CsvSplitter(in, lines, CHUNK).nextRecord();
            char best = location.defaultDelimiter();
            if (line != null) {
                String text = new String(line.bytes(), StandardCharsets.UTF_8);
                for (char candidate : DELIMITERS) {
                    best = count(text, candidate) > count(text, best) ? candidate : best;
                }
            }
            return best;
        } catch (IOException e) {
            throw CsvTable.unreadable(location, e);
        }
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(c -> c == wanted).count();
    }

    private static Map<String, Boolean> ofText(DataLocation location, char delimiter) {
        CsvDialect dialect = CsvDialect.of(FileFormat.DEFAULT, delimiter);
        Map<String, Boolean> isNumber = new LinkedHashMap<>();
        try (InputStream in = CsvTable.stream(location)) {
            CsvSplitter splitter = new CsvSplitter(in, dialect, CHUNK);
            List<String> names = CsvTable.header(location, dialect, splitter);
            requireNames(location, names);
            boolean[] number = new boolean[names.size()];
            boolean[] other = new boolean[names.size()];
            CsvSplitter.Chunk record = splitter.nextRecord();
            for (int i = 0; i < LOOKED_AT && record != null; i++) {
                List<String> cells = CsvRecords.texts(dialect, record);
                for (int column = 0; column < Math.min(cells.size(), number.length); column++) {
                    byte[] cell = cells.get(column).getBytes(StandardCharsets.UTF_8);
                    boolean isOne = !Double.isNaN(DecimalReader.read(cell, 0, cell.length));
                    number[column] |= isOne;
                    other[column] |= !isOne && !isUsualMissing(cells.get(column));
                }
                record = splitter.nextRecord();
            }
            for (int column = 0; column < names.size(); column++) {
                if (!names.get(column).isEmpty()) {
                    isNumber.put(names.get(column), number[column] && !other[column]);
                }
            }
            return isNumber;
        } catch (CsvFault e) {
            throw e.about(location, dialect);
        } catch (IOException e) {
            throw CsvTable.unreadable(location, e);
        }
    }

    /** A schema is public, so a record must not become the names in it. */
    private static void requireNames(DataLocation location, List<String> names) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            byte[] text = name.getBytes(StandardCharsets.UTF_8);
            boolean number = !Double.isNaN(DecimalReader.read(text, 0, text.length));
            if (number || !seen.add(name)) {
                throw new DataException("the first line of " + location.name()
                        + " does not look like names of columns, but like a record, and a record must not stand in a "
                        + "schema; if there is no header, write a schema with format: {header: false} that lists the "
                        + "columns in the order of the file");
            }
        }
    }

    private static boolean isUsualMissing(String cell) {
        return List.of("", "?", "na", "n/a", "nan", "null", "none", "-").contains(cell.toLowerCase(Locale.ROOT));
    }
}
