package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.CsvWriter;
import dev.tacit.data.catalogue.canonical.SchemaColumn;
import dev.tacit.data.catalogue.canonical.SchemaText;
import dev.tacit.data.catalogue.entry.Broken;
import dev.tacit.data.catalogue.entry.Choices;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.Drafts;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.catalogue.entry.RawFiles;
import dev.tacit.data.catalogue.entry.Recipe;
import dev.tacit.data.catalogue.split.PublishedSplit;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The regression sets of the Bayesian neural network literature, with the splits that its tables use.
 *
 * <p>A set has a {@code data.txt} of numbers between blanks, with the target after the inputs and perhaps columns
 * behind it that must not be used; two also have the form of the UCI archive.
 */
final class RegressionBenchmark implements Recipe {
    static final String ROWS = "rows";

    /** The option that says by which rule rows are split. */
    static final String RULE = "rule";

    static final String PUBLISHED = "published";
    static final String SEEDED = "seeded";

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    /** How a form of the file is laid out: cells apart, a header or not, and where the target is. */
    private record Form(Pattern separator, boolean header, int targetColumn) {}

    private final String name;
    private final int rows;
    private final int fileColumns;
    private final String target;
    private final SchemaColumn targetBounds;
    private final Map<String, SchemaColumn> inputs = new LinkedHashMap<>();
    private final Map<String, Form> forms = new LinkedHashMap<>();

    RegressionBenchmark(String name, int rows, int fileColumns, String target, double low, double high) {
        this.name = name;
        this.rows = rows;
        this.fileColumns = fileColumns;
        this.target = target;
        this.targetBounds = SchemaColumn.number(low, high);
    }

    RegressionBenchmark input(String column, double low, double high) {
        inputs.put(column, SchemaColumn.number(low, high).centred());
        return this;
    }

    /** The benchmark's own file: blanks or tabs between cells, no header, the target behind the inputs. */
    RegressionBenchmark benchmarkForm() {
        forms.put("data.txt", new Form(BLANKS, false, inputs.size()));
        return this;
    }

    /** The archive's file, with a header line. */
    RegressionBenchmark archiveForm(String file, String separator, int targetColumn) {
        forms.put(file, new Form(Pattern.compile(separator, Pattern.LITERAL), true, targetColumn));
        return this;
    }

    String name() {
        return name;
    }

    List<String> inputNames() {
        return List.copyOf(inputs.keySet());
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        List<List<String>> table = read(raw.get(ROWS));
        int number = choices.number("split");
        boolean seeded = choices.of(RULE).equals(SEEDED);
        PublishedSplit split =
                seeded ? PublishedSplit.seeded(table.size(), number + 1) : PublishedSplit.of(table.size(), number);
        copy(table, split.training(), out, "train.csv");
        copy(table, split.test(), out, "test.csv");
        SchemaText schema = new SchemaText(
                        name + ": ranges from the publisher's documentation and the physics, rounded outwards",
                        seeded ? PublishedSplit.seededTrainingRows(rows) : PublishedSplit.trainingRows(rows, 0.9))
                .target(target);
        inputs.forEach(schema::column);
        schema.column(target, targetBounds);
        out.text("schema.yaml", schema.text());
    }

    /** Inputs and then the target of every row. */
    List<List<String>> read(LocatedFile file) throws IOException, DatasetException {
        Form form = forms.get(file.file().name());
        List<List<String>> table = new ArrayList<>();
        try (BufferedReader lines = file.lines()) {
            if (form.header()) {
                lines.readLine();
            }
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    String[] cells = form.separator().split(line.strip(), -1);
                    if (cells.length != fileColumns) {
                        throw Broken.shape(file);
                    }
                    table.add(targetLast(cells, form.targetColumn()));
                }
            }
        }
        if (file.file().digest().isEmpty() && table.size() != rows) {
            throw Broken.because(file, "it does not have the published number of rows");
        }
        return table;
    }

    private List<String> targetLast(String[] cells, int targetColumn) {
        List<String> row = new ArrayList<>(inputs.size() + 1);
        for (int column = 0; row.size() < inputs.size(); column++) {
            if (column != targetColumn) {
                row.add(cells[column]);
            }
        }
        row.add(cells[targetColumn]);
        return row;
    }

    private void copy(List<List<String>> table, int[] chosen, Drafts out, String file) throws IOException {
        List<String> header = new ArrayList<>(inputs.keySet());
        header.add(target);
        try (CsvWriter csv = new CsvWriter(out.text(file), header)) {
            for (int row : chosen) {
                csv.row(table.get(row));
            }
        }
    }

    /** The whole table in memory. */
    RegressionTable load(DatasetEntry entry, Path dataDir) throws DatasetException {
        List<List<String>> table = new ArrayList<>();
        LocatedFile file = entry.open(dataDir).get(ROWS);
        try {
            entry.read(() -> table.addAll(read(file)));
            return RegressionTable.of(inputNames(), table);
        } catch (IOException | NumberFormatException e) {
            throw Broken.because(file, "it cannot be read as a table of numbers");
        }
    }
}
