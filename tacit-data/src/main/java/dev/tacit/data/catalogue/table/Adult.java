package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.CsvWriter;
import dev.tacit.data.catalogue.canonical.SchemaColumn;
import dev.tacit.data.catalogue.canonical.SchemaText;
import dev.tacit.data.catalogue.entry.Broken;
import dev.tacit.data.catalogue.entry.Choices;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetFacts;
import dev.tacit.data.catalogue.entry.DatasetKind;
import dev.tacit.data.catalogue.entry.DatasetOption;
import dev.tacit.data.catalogue.entry.Drafts;
import dev.tacit.data.catalogue.entry.LocatedFile;
import dev.tacit.data.catalogue.entry.RawFile;
import dev.tacit.data.catalogue.entry.RawFiles;
import dev.tacit.data.catalogue.entry.Recipe;
import dev.tacit.data.catalogue.split.MersenneTwister;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Census income, 1994: does a person earn more than 50 000 dollars a year?
 *
 * <p>Two public encodings. {@code schema.yaml}: 109 columns, that is 6 numbers in [0, 1], 102 categories with "?" as
 * one of its own, and a constant. {@code schema-binned.yaml}: 30 bins of age, hours, gain and loss more, 139 columns.
 * Categories are those of adult.names, ranges and cuts common knowledge of the survey. Every row is divided by its
 * length.
 */
public final class Adult implements Recipe {
    static final String TRAINING = "training";
    static final String TEST = "test";

    private static final long TRAINING_ROWS = 32561;
    private static final long HALF_ROWS = 24421;
    private static final int HALF_SEED = 0;
    private static final Pattern SEPARATOR = Pattern.compile(",\\s*");
    private static final List<String> COLUMNS = List.of(
            "age",
            "workclass",
            "fnlwgt",
            "education",
            "education-num",
            "marital-status",
            "occupation",
            "relationship",
            "race",
            "sex",
            "capital-gain",
            "capital-loss",
            "hours-per-week",
            "native-country",
            "income");

    public static DatasetEntry entry() {
        return new DatasetEntry(
                "adult",
                DatasetKind.TABLE,
                new DatasetFacts(
                        "Adult (census income), UCI",
                        48842,
                        14,
                        "binary classification: income above 50K",
                        "CC BY 4.0 (UCI)",
                        "the UCI Machine Learning Repository, data set 2 (https://archive.ics.uci.edu/dataset/2/adult)",
                        List.of(
                                "no header; cells are separated by a comma and a blank",
                                "adult.test begins with a comment and its labels end with a dot: both dropped",
                                "\"?\" is missing (2399 training rows, 1221 test rows): kept, as a category of its own",
                                "many copies are altered; only the published bytes are accepted")),
                List.of("adult", ""),
                List.of(
                        RawFile.of(
                                        TRAINING,
                                        "adult.data",
                                        3974305,
                                        "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d")
                                .inArchive("adult.zip"),
                        RawFile.of(
                                        TEST,
                                        "adult.test",
                                        2003153,
                                        "a2a9044bc167a35b2361efbabec64e89d69ce82d9790d2980119aac5fd7e9c05")
                                .inArchive("adult.zip")),
                List.of(DatasetOption.of(
                        "split",
                        "the published files, or both shuffled and cut in the middle as in work on partitioned"
                                + " inference",
                        "official",
                        "half")),
                new Adult());
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        List<List<String>> training = rows(raw.get(TRAINING));
        List<List<String>> test = rows(raw.get(TEST));
        long size = TRAINING_ROWS;
        if (choices.of("split").equals("half")) {
            training.addAll(test);
            int[] order = new MersenneTwister(HALF_SEED).permutation(training.size());
            List<List<String>> all = training;
            List<List<String>> shuffled = IntStream.of(order).mapToObj(all::get).toList();
            test = shuffled.subList(0, shuffled.size() / 2);
            training = shuffled.subList(shuffled.size() / 2, shuffled.size());
            size = HALF_ROWS;
        }
        write(training, out, "train.csv");
        write(test, out, "test.csv");
        out.text("schema.yaml", schema(false, size));
        out.text("schema-binned.yaml", schema(true, size));
    }

    private static void write(List<List<String>> rows, Drafts out, String name) throws IOException {
        try (CsvWriter csv = new CsvWriter(out.text(name), COLUMNS)) {
            for (List<String> row : rows) {
                csv.row(row);
            }
        }
    }

    private static List<List<String>> rows(LocatedFile file) throws IOException, DatasetException {
        List<List<String>> rows = new ArrayList<>();
        try (BufferedReader lines = file.lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isBlank() || line.startsWith("|")) {
                    continue;
                }
                List<String> cells = new ArrayList<>(List.of(SEPARATOR.split(line.strip(), -1)));
                if (cells.size() != COLUMNS.size()) {
                    throw Broken.shape(file);
                }
                int label = cells.size() - 1;
                String income = cells.get(label);
                cells.set(label, income.endsWith(".") ? income.substring(0, income.length() - 1) : income);
                rows.add(cells);
            }
        }
        return rows;
    }

    private static String schema(boolean binned, long size) {
        SchemaColumn age = SchemaColumn.number(17, 90);
        SchemaColumn gain = SchemaColumn.number(0, 99999).log1p();
        SchemaColumn loss = SchemaColumn.number(0, 4356).log1p();
        SchemaColumn hours = SchemaColumn.number(1, 99);
        if (binned) {
            age = age.cuts(22, 26, 30, 35, 40, 45, 50, 55, 60, 65);
            gain = gain.cuts(1, 3000, 5000, 7000);
            loss = loss.cuts(1, 1600, 1800, 2000, 2200);
            hours = hours.cuts(20, 30, 40, 41, 46, 51, 61);
        }
        return new SchemaText(
                        "Adult: categories from adult.names, ranges" + (binned ? " and cuts" : "")
                                + " from common knowledge of the survey; nothing is read off the file",
                        size)
                .target("income")
                .missing("?")
                .unitRows()
                .column("age", age)
                .column("workclass", listed(AdultCategories.WORKCLASS).missingIsACategory())
                .column("fnlwgt", SchemaColumn.number(10000, 1500000).log1p())
                .column("education", listed(AdultCategories.EDUCATION))
                .column("education-num", SchemaColumn.number(1, 16))
                .column("marital-status", listed(AdultCategories.MARITAL_STATUS))
                .column("occupation", listed(AdultCategories.OCCUPATION).missingIsACategory())
                .column("relationship", listed(AdultCategories.RELATIONSHIP))
                .column("race", listed(AdultCategories.RACE))
                .column("sex", listed(AdultCategories.SEX))
                .column("capital-gain", gain)
                .column("capital-loss", loss)
                .column("hours-per-week", hours)
                .column("native-country", listed(AdultCategories.NATIVE_COUNTRY).missingIsACategory())
                .column("income", SchemaColumn.binary(">50K", "<=50K"))
                .text();
    }

    private static SchemaColumn listed(List<String> categories) {
        return SchemaColumn.category(categories).complete();
    }
}
