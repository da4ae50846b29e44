package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.CsvWriter;
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
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Encounters of diabetic patients in 130 US hospitals, 1999 to 2008: are they readmitted?
 *
 * <p>Encounters that end in death or hospice care are left out, since nobody can be readmitted after them. A patient is
 * a unit: either the first encounter of each patient is used (Strack et al. 2014), or all of them, with the patient's
 * number as the person's column. Patients are split 0.8 to 0.2.
 */
public final class Diabetes130 implements Recipe {
    static final String ENCOUNTERS = "encounters";

    private static final String FIRST = "first";
    private static final String UNDER_30 = "under-30-days";
    private static final double TRAINING_SHARE = 0.8;
    private static final Pattern COMMA = Pattern.compile(",");

    /** Discharge dispositions 11, 19, 20, 21 (expired) and 13, 14 (hospice) of IDs_mapping.csv. */
    private static final Set<String> DEATH_OR_HOSPICE = Set.of("11", "13", "14", "19", "20", "21");

    private final int firstEncounterPatients;
    private final int patients;

    /**
     * @param firstEncounterPatients published patients whose first encounter does not end in death or hospice
     * @param patients published patients with any encounter that does not
     */
    Diabetes130(int firstEncounterPatients, int patients) {
        this.firstEncounterPatients = firstEncounterPatients;
        this.patients = patients;
    }

    public static DatasetEntry entry() {
        return new DatasetEntry(
                "diabetes130",
                DatasetKind.TABLE,
                new DatasetFacts(
                        "Diabetes in 130 US hospitals, 1999-2008, UCI",
                        101766,
                        49,
                        "binary classification: readmission within 30 days, or at all",
                        "CC BY 4.0 (UCI)",
                        "the UCI Machine Learning Repository, data set 296 (https://archive.ics.uci.edu/dataset/296)",
                        List.of(
                                "patients have up to 40 encounters: one each is used, or the patient is the unit",
                                "2423 encounters end in death or hospice care: left out",
                                "\"?\" is missing; \"None\" means that a test was not made and is a category",
                                "ICD-9 codes are text, without leading zeros; cut to three digits except 250.xx",
                                "weight is missing in 97 of 100 rows: not used")),
                List.of("diabetes130", "diabetes-130", ""),
                List.of(RawFile.of(
                                ENCOUNTERS,
                                "diabetic_data.csv",
                                19159383,
                                "0689e7ec031237dc63031b938805c48377748761a3b26acab621567afa24df97")
                        .inArchive(
                                "dataset_diabetes.zip",
                                "diabetes+130-us+hospitals+for+years+1999-2008.zip",
                                "diabetes_130-us_hospitals_for_years_1999-2008.zip")),
                List.of(
                        DatasetOption.of("encounters", "one encounter a patient, or all of them", FIRST, "all"),
                        DatasetOption.of("target", "readmitted within 30 days, or at any time", UNDER_30, "any-time"),
                        DatasetOption.split(10)),
                new Diabetes130(69973, 69990));
    }

    @Override
    public void write(RawFiles raw, Choices choices, Drafts out) throws IOException, DatasetException {
        boolean first = choices.of("encounters").equals(FIRST);
        List<List<String>> people = people(raw.get(ENCOUNTERS), first);
        PublishedSplit split = PublishedSplit.of(people.size(), choices.number("split"), TRAINING_SHARE);
        copy(people, split.training(), out, "train.csv");
        copy(people, split.test(), out, "test.csv");
        int size = PublishedSplit.trainingRows(first ? firstEncounterPatients : patients, TRAINING_SHARE);
        String target = choices.of("target").equals(UNDER_30) ? DiabetesTable.WITHIN_30_DAYS : DiabetesTable.EVER;
        out.text("schema.yaml", DiabetesTable.schema(size, !first, target, false));
        out.text("schema-codes.yaml", DiabetesTable.schema(size, !first, target, true));
    }

    /** Each patient's lines of the canonical table; patients and their encounters by ascending number. */
    private static List<List<String>> people(LocatedFile file, boolean first) throws IOException, DatasetException {
        Map<Long, TreeMap<Long, String>> people = new TreeMap<>();
        try (BufferedReader lines = file.lines()) {
            Map<String, Integer> places = places(cells(lines.readLine()), file);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                List<String> cells = cells(line);
                if (cells.size() != places.size()) {
                    throw Broken.shape(file);
                }
                Function<String, String> encounter = column -> cells.get(places.get(column));
                boolean kept = !DEATH_OR_HOSPICE.contains(encounter.apply("discharge_disposition_id"));
                people.computeIfAbsent(Long.valueOf(encounter.apply("patient_nbr")), key -> new TreeMap<>())
                        .put(
                                Long.valueOf(encounter.apply("encounter_id")),
                                kept ? String.join(",", DiabetesTable.row(encounter)) : "");
            }
        }
        List<List<String>> kept = new ArrayList<>();
        for (TreeMap<Long, String> encounters : people.values()) {
            List<String> rows = encounters.values().stream()
                    .limit(first ? 1 : Long.MAX_VALUE)
                    .filter(row -> !row.isEmpty())
                    .toList();
            if (!rows.isEmpty()) {
                kept.add(rows);
            }
        }
        return kept;
    }

    private static Map<String, Integer> places(List<String> header, LocatedFile file) throws DatasetException {
        if (!header.containsAll(DiabetesTable.RAW_COLUMNS)) {
            throw Broken.because(file, "its header lacks a published column");
        }
        Map<String, Integer> places = new HashMap<>();
        for (int place = 0; place < header.size(); place++) {
            places.put(header.get(place), place);
        }
        return places;
    }

    private static List<String> cells(String line) {
        return line == null ? List.of() : List.of(COMMA.split(line.strip(), -1));
    }

    private static void copy(List<List<String>> people, int[] chosen, Drafts out, String name) throws IOException {
        try (CsvWriter csv = new CsvWriter(out.text(name), DiabetesTable.HEADER)) {
            for (int person : chosen) {
                for (String row : people.get(person)) {
                    csv.line(row);
                }
            }
        }
    }
}
