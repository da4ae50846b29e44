package dev.tacit.data.source.table;

import dev.tacit.data.schema.FileFormat;
import dev.tacit.data.source.DataException;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.DecimalReader;
import dev.tacit.data.source.csv.CsvDialect;
import dev.tacit.data.source.csv.CsvFault;
import dev.tacit.data.source.csv.CsvRecords;
import dev.tacit.data.source.csv.CsvSplitter;
import dev.tacit.data.source.csv.CsvTable;
import dev.tacit.data.source.database.DuckDbTable;
import dev.tacit.data.source.json.JsonTable;
import dev.tacit.json.Json;
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
import java.util.regex.Pattern;

/**
 * A first schema of a file, for its holder's own eyes: names of columns, and types guessed from the first records.
 *
 * <p>Nothing else is read, and nothing of what must be declared is filled in: the draft says {@code REQUIRED} where the
 * holder has to, and does not load until they have.
 */
public final class SchemaDraft {
    private static final int LOOKED_AT = 1000;
    private static final int CHUNK = 1 << 16;
    private static final int FEWEST_IDENTIFIERS = 20;
    private static final Pattern IDENTIFIER_NAME =
            Pattern.compile("(^|[^a-zA-Z])(?i:id|ids|identifier|uuid|nbr)$|[a-z](ID|Id)$");
    private static final List<Character> DELIMITERS = List.of(',', ';', '\t', '|');
    private static final String PREFACE = """
            # A draft for the holder of the data. Names of columns were read, and the first records, to guess types: a type
            # below shows whether one of these records holds something else, so look at the types before you hand this
            # file on, and correct them by what you know. Replace every REQUIRED by what you know and not by what the data
            # show: a bound or a category that is read off the data would reveal someone's value. Columns that are left out
            # are not used.
            #
            # Types: {type: number, bounds: [0, 120]}                   a measurement, in its own unit
            #        {type: count, bounds: [0, 20]}                     a whole number from 0
            #        {type: binary, positive: 1, negative: 0}           one of two values
            #        {type: category, categories: [a, b], reference: a} others are compared with the reference
            #                                                           (other: false if no further category can occur)
            #        {type: ignore}                                     identifiers and whatever is not to be learned from
            # Missing cells leave their row out, unless a column says missing: category or missing: {constant: 0}.
            # A formula needs no encoding: tacit fit ... --formula 'died ~ age + sex' reports effects in these units.
            unit: REQUIRED      # record, or {person: ID_COLUMN, maxRecords: 3} if people have several rows
            size: REQUIRED      # the public number of records (of persons, if they are protected)
            # target: NAME      # the column that --model predicts; a formula names its own
            """;

    /** What a column looks like; of its values only their kind is kept. */
    private enum Guess {
        NUMBER("{type: number, bounds: REQUIRED}"),
        ZERO_ONE("{type: binary, positive: 1, negative: 0}"),
        CATEGORY("{type: category, categories: REQUIRED}"),
        IDENTIFIER("{type: ignore}      # looks like an identifier");

        private final String text;

        Guess(String text) {
            this.text = text;
        }
    }

    /** What was seen of a column. */
    private static final class Seen {
        private boolean number;
        private boolean other;
        private boolean fraction;
        private boolean beyondZeroOne;
        private boolean repeated;
        private final Set<String> cells = new HashSet<>();

        void cell(String text) {
            if (isUsualMissing(text)) {
                return;
            }
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            double value = DecimalReader.read(bytes, 0, bytes.length);
            number |= !Double.isNaN(value);
            other |= Double.isNaN(value);
            fraction |= value != Math.rint(value);
            beyondZeroOne |= value != 0 && value != 1;
            repeated |= !cells.add(text);
        }

        /** Identifiers are all different; numbers only if they are whole and their name says so. */
        Guess guess(String name) {
            boolean distinct = !repeated && cells.size() >= FEWEST_IDENTIFIERS;
            if (distinct
                    && (other || (!fraction && IDENTIFIER_NAME.matcher(name).find()))) {
                return Guess.IDENTIFIER;
            }
            if (!number || other) {
                return Guess.CATEGORY;
            }
            return beyondZeroOne ? Guess.NUMBER : Guess.ZERO_ONE;
        }
    }

    private SchemaDraft() {}

    /** The draft of a file, as YAML. */
    public static String draft(Path file) {
        return draft(file.toString());
    }

    /** The draft of a file or of a {@code postgres:} URL, as YAML. */
    public static String draft(String pathOrUrl) {
        DataLocation location = DataLocation.of(pathOrUrl);
        StringBuilder yaml = new StringBuilder(PREFACE);
        Map<String, Guess> guesses;
        if (location.kind() == DataLocation.Kind.CSV) {
            char delimiter = delimiter(location);
            if (delimiter != location.defaultDelimiter()) {
                yaml.append("format: {delimiter: ")
                        .append(Json.write((Object) String.valueOf(delimiter)))
                        .append("}\n");
            }
            guesses = ofText(location, delimiter);
        } else {
            Map<String, Boolean> isNumber = describe(location);
            guesses = new LinkedHashMap<>();
            isNumber.forEach((name, number) -> guesses.put(name, number ? Guess.NUMBER : Guess.CATEGORY));
        }
        yaml.append("columns:\n");
        guesses.forEach((name, guess) -> yaml.append("  ")
                .append(Json.write((Object) name))
                .append(": ")
                .append(guess.text)
                .append('\n'));
        return yaml.toString();
    }

    private static Map<String, Boolean> describe(DataLocation location) {
        if (location.kind() == DataLocation.Kind.JSON) {
            return JsonTable.describe(location, LOOKED_AT);
        }
        DuckDbLibrary.requireFor(location);
        return DuckDbTable.describe(location);
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

    private static Map<String, Guess> ofText(DataLocation location, char delimiter) {
        CsvDialect dialect = CsvDialect.of(FileFormat.DEFAULT, delimiter);
        Map<String, Guess> guesses = new LinkedHashMap<>();
        try (InputStream in = CsvTable.stream(location)) {
            CsvSplitter splitter = new CsvSplitter(in, dialect, CHUNK);
            List<String> names = CsvTable.header(location, dialect, splitter);
            requireNames(location, names);
            List<Seen> seen = names.stream().map(name -> new Seen()).toList();
            CsvSplitter.Chunk record = splitter.nextRecord();
            for (int i = 0; i < LOOKED_AT && record != null; i++) {
                List<String> cells = CsvRecords.texts(dialect, record);
                for (int column = 0; column < Math.min(cells.size(), seen.size()); column++) {
                    seen.get(column).cell(cells.get(column));
                }
                record = splitter.nextRecord();
            }
            for (int column = 0; column < names.size(); column++) {
                if (!names.get(column).isEmpty()) {
                    guesses.put(names.get(column), seen.get(column).guess(names.get(column)));
                }
            }
            return guesses;
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
