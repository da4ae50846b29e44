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
import dev.tacit.data.catalogue.split.PublishedSplit;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The first 48 hours of adult ICU stays (PhysioNet and Computing in Cardiology Challenge 2012): does the patient die in
 * hospital?
 *
 * <p>Every stay becomes one row: age, sex, height, kind of unit, whether ventilated, and for each of 36 series its
 * least, greatest, mean and last value and whether it was never measured. {@code schema.yaml} uses all of it,
 * {@code schema-compact.yaml} twenty columns that clinicians look at first, which is better for few thousand stays.
 */
public final class Physionet2012 implements Recipe {
    static final String STAYS = "stays";
    static final String OUTCOMES = "outcomes";
    static final String TEST_STAYS = "test stays";
    static final String TEST_OUTCOMES = "test outcomes";

    private static final double TRAINING_SHARE = 0.75;
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Set<String> COMPACT = Set.of(
            "Age",
            "ICUType",
            "MechVent",
            "GCS_last",
            "BUN_mean",
            "Creatinine_mean",
            "Urine_mean",
            "HCO3_mean",
            "Na_mean",
            "Lactate_mean",
            "Lactate_missing",
            "WBC_mean",
            "Platelets_mean",
            "Temp_mean",
            "HR_mean",
            "Bilirubin_mean");

    private final int stays;

    Physionet2012(int stays) {
        this.stays = stays;
    }

    public static DatasetEntry entry() {
        return new DatasetEntry(
                "physionet2012",
                DatasetKind.TABLE,
                new DatasetFacts(
                        "ICU stays of the PhysioNet/CinC Challenge 2012",
                        12000,
                        42,
                        "binary classification: death in hospital",
                        "Open Data Commons Attribution 1.0 (PhysioNet)",
                        "PhysioNet, challenge-2012 version 1.0.0 (https://physionet.org/content/challenge-2012/1.0.0/)",
                        List.of(
                                "one file a stay, or all of a set in one table set-a.csv: both read",
                                "a negative value is missing, as is a weight of 0; lines without a name are skipped",
                                "impossible values (temperature, pH, weight) are moved into clinical ranges first",
                                "SAPS-I, SOFA, length of stay and survival are outcomes and never inputs",
                                "set c stays untouched")),
                List.of("physionet2012", "challenge-2012", ""),
                List.of(
                        RawFile.of(
                                        STAYS,
                                        "set-a.csv",
                                        39816170,
                                        "3b59c77f6ad0a390af9193952cbd9b4ec3308c9b7741b0c3c28c4bc00c1c5575")
                                .orFolder("set-a"),
                        RawFile.of(
                                OUTCOMES,
                                "Outcomes-a.txt",
                                79219,
                                "2613ea60ccda29f87571a7d6b09ad130858a8ccd66325bd073365925026883c2"),
                        RawFile.of(
                                        TEST_STAYS,
                                        "set-b.csv",
                                        39930053,
                                        "3459eb8597f01d2f263d355136b1aaf581946e260299073a0cf53e57a817f01c")
                                .orFolder("set-b")
                                .optional(),
                        RawFile.of(
                                        TEST_OUTCOMES,
                                        "Outcomes-b.txt",
                                        79149,
                                        "1305f29734da374a809483229a99f33a9230aa8d4fa74b1a2d6ad788136423d5")
                                .optional()),
                List.of(
                        DatasetOption.of(
                                "test",
                                "hold out a quarter of set a, or train on all of it and test on set b",
                                "a",
                                "b"),
                        DatasetOption.split(10)),
                new Physionet2012(4000));
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        List<List<String>> rows = rows(raw.get(STAYS), raw.get(OUTCOMES));
        boolean withinSet = choices.of("test").equals("a");
        if (withinSet) {
            PublishedSplit split = PublishedSplit.of(rows.size(), choices.number("split"), TRAINING_SHARE);
            copy(chosen(rows, split.training()), out, "train.csv");
            copy(chosen(rows, split.test()), out, "test.csv");
        } else {
            if (raw.find(TEST_STAYS).isEmpty() || raw.find(TEST_OUTCOMES).isEmpty()) {
                throw new DatasetException(
                        DatasetException.Kind.NO_INPUT,
                        "testing on set b needs set-b.csv (or the folder set-b) and Outcomes-b.txt next to set a;"
                                + " get them from PhysioNet, challenge-2012, or choose test=a.");
            }
            copy(rows, out, "train.csv");
            copy(rows(raw.get(TEST_STAYS), raw.get(TEST_OUTCOMES)), out, "test.csv");
        }
        int size = withinSet ? PublishedSplit.trainingRows(stays, TRAINING_SHARE) : stays;
        out.text("schema.yaml", schema(size, column -> true));
        out.text("schema-compact.yaml", schema(size, COMPACT::contains));
    }

    /** One canonical row a stay, in the order of the file. */
    private static List<List<String>> rows(LocatedFile measurements, LocatedFile outcomes)
            throws IOException, DatasetException {
        Map<String, String> deaths = deaths(outcomes);
        List<List<String>> rows = new ArrayList<>();
        try (BufferedReader lines = measurements.lines()) {
            IcuStay stay = null;
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = COMMA.split(line, -1);
                if (cells.length != 4) {
                    throw Broken.shape(measurements);
                }
                if (stay == null || !stay.record().equals(cells[0])) {
                    finish(stay, deaths, rows, outcomes);
                    stay = new IcuStay(cells[0]);
                }
                stay.add(minute(cells[1]), cells[2], Double.parseDouble(cells[3]));
            }
            finish(stay, deaths, rows, outcomes);
        }
        return rows;
    }

    private static void finish(IcuStay stay, Map<String, String> deaths, List<List<String>> rows, LocatedFile outcomes)
            throws DatasetException {
        if (stay != null) {
            String death = deaths.get(stay.record());
            if (death == null) {
                throw Broken.because(outcomes, "a stay has no outcome");
            }
            rows.add(stay.row(death));
        }
    }

    /** RecordID to 0 or 1, the last column; the columns between are outcomes or scores and are not used. */
    private static Map<String, String> deaths(LocatedFile outcomes) throws IOException, DatasetException {
        Map<String, String> deaths = new HashMap<>();
        try (BufferedReader lines = outcomes.lines()) {
            lines.readLine();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = COMMA.split(line.strip(), -1);
                if (cells.length != 6) {
                    throw Broken.shape(outcomes);
                }
                deaths.put(cells[0], cells[5]);
            }
        }
        return deaths;
    }

    private static int minute(String time) {
        int colon = time.indexOf(':');
        return 60 * Integer.parseInt(time.substring(0, colon)) + Integer.parseInt(time.substring(colon + 1));
    }

    private static List<List<String>> chosen(List<List<String>> rows, int[] numbers) {
        List<List<String>> chosen = new ArrayList<>(numbers.length);
        for (int number : numbers) {
            chosen.add(rows.get(number));
        }
        return chosen;
    }

    private static void copy(List<List<String>> rows, Drafts out, String name) throws IOException {
        try (CsvWriter csv = new CsvWriter(out.text(name), IcuStay.header())) {
            for (List<String> row : rows) {
                csv.row(row);
            }
        }
    }

    private static String schema(int size, Predicate<String> used) {
        Map<String, SchemaColumn> columns = new HashMap<>();
        columns.put("Age", SchemaColumn.number(15, 90).centred().missingIs(65));
        columns.put(
                "Gender", SchemaColumn.category(List.of("0", "1")).complete().missingIsACategory());
        columns.put("Height", SchemaColumn.number(120, 220).centred().missingIsACategory());
        columns.put(
                "ICUType",
                SchemaColumn.category(List.of("1", "2", "3", "4")).complete().missingIsACategory());
        columns.put("MechVent", SchemaColumn.number(0, 1));
        for (ClinicalSeries series : ClinicalSeries.ALL) {
            for (String summary : List.of("_min", "_max", "_mean", "_last")) {
                columns.put(series.name() + summary, series.column());
            }
            columns.put(series.name() + "_missing", SchemaColumn.number(0, 1));
        }
        SchemaText schema = new SchemaText(
                        "PhysioNet 2012: ranges and normal values from common medical knowledge, not from the stays",
                        size)
                .target("death")
                .unitRows();
        for (String column : IcuStay.header()) {
            boolean kept = columns.containsKey(column) && used.test(column);
            schema.column(column, kept ? columns.get(column) : SchemaColumn.ignored());
        }
        return schema.column("death", SchemaColumn.binary("1", "0")).text();
    }
}
