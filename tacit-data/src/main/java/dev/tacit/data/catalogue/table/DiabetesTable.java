package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.SchemaColumn;
import dev.tacit.data.catalogue.canonical.SchemaText;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The canonical table of {@link Diabetes130}: its columns, and what is public about them.
 *
 * <p>Ranges and categories are those of the description at UCI, of Strack et al. 2014 and of IDs_mapping.csv; of payers
 * and specialties, which have no published list, the ones that the description gives as examples and a few usual ones.
 * Diagnoses are in the table twice, as a group and as a code, of which a schema uses one.
 */
final class DiabetesTable {
    static final String WITHIN_30_DAYS = "readmitted_30";
    static final String EVER = "readmitted_ever";

    private static final String PERSON = "patient_nbr";
    private static final int MOST_ENCOUNTERS = 5;
    private static final List<String> DIAGNOSES = List.of("diag_1", "diag_2", "diag_3");
    private static final List<String> COUNTS = List.of(
            "time_in_hospital",
            "num_lab_procedures",
            "num_procedures",
            "num_medications",
            "number_outpatient",
            "number_emergency",
            "number_inpatient",
            "number_diagnoses");
    private static final List<String> MEDICINES = List.of(
            "metformin",
            "repaglinide",
            "nateglinide",
            "chlorpropamide",
            "glimepiride",
            "acetohexamide",
            "glipizide",
            "glyburide",
            "tolbutamide",
            "pioglitazone",
            "rosiglitazone",
            "acarbose",
            "miglitol",
            "troglitazone",
            "tolazamide",
            "examide",
            "citoglipton",
            "insulin",
            "glyburide-metformin",
            "glipizide-metformin",
            "glimepiride-pioglitazone",
            "metformin-rosiglitazone",
            "metformin-pioglitazone");

    private static final List<String> KEPT = List.of(
            "race",
            "gender",
            "age",
            "admission_type_id",
            "discharge_disposition_id",
            "admission_source_id",
            "payer_code",
            "medical_specialty",
            "max_glu_serum",
            "A1Cresult",
            "change",
            "diabetesMed");

    static final List<String> RAW_COLUMNS = rawColumns();
    static final List<String> HEADER = header();

    private DiabetesTable() {}

    private static List<String> rawColumns() {
        List<String> columns = new ArrayList<>(List.of(PERSON, "encounter_id", "readmitted"));
        columns.addAll(KEPT);
        columns.addAll(COUNTS);
        columns.addAll(MEDICINES);
        columns.addAll(DIAGNOSES);
        return List.copyOf(columns);
    }

    private static List<String> header() {
        List<String> columns = new ArrayList<>(List.of(PERSON));
        columns.addAll(KEPT);
        columns.addAll(COUNTS);
        columns.addAll(MEDICINES);
        columns.addAll(DIAGNOSES);
        DIAGNOSES.forEach(column -> columns.add(column + "_group"));
        columns.add(WITHIN_30_DAYS);
        columns.add(EVER);
        return List.copyOf(columns);
    }

    /** The canonical row of an encounter. */
    static List<String> row(Function<String, String> raw) {
        List<String> cells = new ArrayList<>(List.of(raw.apply(PERSON)));
        KEPT.forEach(column -> cells.add(raw.apply(column)));
        COUNTS.forEach(column -> cells.add(raw.apply(column)));
        MEDICINES.forEach(column -> cells.add(raw.apply(column)));
        DIAGNOSES.forEach(column -> cells.add(DiagnosisCode.canonical(raw.apply(column))));
        DIAGNOSES.forEach(column -> cells.add(DiagnosisCode.group(raw.apply(column))));
        String readmitted = raw.apply("readmitted");
        cells.add(readmitted.equals("<30") ? "yes" : "no");
        cells.add(readmitted.equals("NO") ? "no" : "yes");
        return cells;
    }

    /**
     * Most medicines are given to few patients, so a column says only that one was given: columns that are 1 for nearly
     * everybody would take their length in a row of length 1 from the others.
     *
     * @param size the published number of patients that train
     * @param persons whether patients have several rows
     * @param codes whether diagnoses are encoded by code instead of by group
     */
    static String schema(int size, boolean persons, String target, boolean codes) {
        SchemaText schema = new SchemaText(
                        "Diabetes 130: ranges and categories from its description, Strack et al. 2014 and ICD-9-CM",
                        size)
                .target(target)
                .missing("?")
                .unitRows();
        if (persons) {
            schema.person(PERSON, MOST_ENCOUNTERS);
        }
        schema.column(PERSON, SchemaColumn.ignored());
        categories(schema);
        schema.column("time_in_hospital", SchemaColumn.number(1, 14));
        schema.column("num_lab_procedures", SchemaColumn.number(0, 120));
        schema.column("num_procedures", SchemaColumn.number(0, 6));
        schema.column("num_medications", SchemaColumn.number(0, 80));
        schema.column("number_outpatient", SchemaColumn.number(0, 40).log1p());
        schema.column("number_emergency", SchemaColumn.number(0, 40).log1p());
        schema.column("number_inpatient", SchemaColumn.number(0, 20).log1p());
        schema.column("number_diagnoses", SchemaColumn.number(1, 16));
        for (String medicine : MEDICINES) {
            schema.column(
                    medicine,
                    medicine.equals("insulin")
                            ? category("No", "Steady", "Up", "Down")
                            : SchemaColumn.oneOf(List.of("Steady", "Up", "Down")));
        }
        List<String> published = codes ? DiagnosisCode.allCodes() : List.of();
        for (String diagnosis : DIAGNOSES) {
            schema.column(
                    diagnosis, codes ? SchemaColumn.category(published).missingIsACategory() : SchemaColumn.ignored());
        }
        for (String diagnosis : DIAGNOSES) {
            SchemaColumn groups =
                    SchemaColumn.category(DiagnosisCode.GROUPS).complete().missingIsACategory();
            schema.column(diagnosis + "_group", codes ? SchemaColumn.ignored() : groups);
        }
        for (String readmission : List.of(WITHIN_30_DAYS, EVER)) {
            schema.column(
                    readmission,
                    readmission.equals(target) ? SchemaColumn.binary("yes", "no") : SchemaColumn.ignored());
        }
        return schema.text();
    }

    private static void categories(SchemaText schema) {
        schema.column(
                "race",
                category("Caucasian", "AfricanAmerican", "Hispanic", "Asian", "Other")
                        .missingIsACategory());
        schema.column("gender", category("Female", "Male", "Unknown/Invalid"));
        schema.column(
                "age",
                SchemaColumn.category(IntStream.range(0, 10)
                                .mapToObj(decade -> "[" + 10 * decade + "-" + 10 * (decade + 1) + ")")
                                .toList())
                        .complete());
        schema.column("admission_type_id", numbered(8));
        schema.column("discharge_disposition_id", numbered(30));
        schema.column("admission_source_id", numbered(26));
        schema.column(
                "payer_code",
                SchemaColumn.category(List.of("BC", "MC", "SP", "MD", "HM")).missingIsACategory());
        schema.column(
                "medical_specialty",
                SchemaColumn.category(List.of(
                                "Cardiology",
                                "InternalMedicine",
                                "Family/GeneralPractice",
                                "Surgery-General",
                                "Emergency/Trauma"))
                        .missingIsACategory());
        schema.column("max_glu_serum", category("None", "Norm", ">200", ">300"));
        schema.column("A1Cresult", category("None", "Norm", ">7", ">8"));
        schema.column("change", SchemaColumn.oneOf(List.of("Ch")));
        schema.column("diabetesMed", SchemaColumn.oneOf(List.of("Yes")));
    }

    private static SchemaColumn category(String... categories) {
        return SchemaColumn.category(List.of(categories)).complete();
    }

    private static SchemaColumn numbered(int last) {
        return SchemaColumn.category(IntStream.rangeClosed(1, last)
                        .mapToObj(Integer::toString)
                        .toList())
                .complete();
    }
}
