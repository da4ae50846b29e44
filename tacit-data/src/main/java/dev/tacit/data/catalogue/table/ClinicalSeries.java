package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.canonical.SchemaColumn;
import java.util.List;

/**
 * A measurement that is taken again and again, with the range that is possible in a living adult and a normal value,
 * both from common medical knowledge.
 *
 * @param low values below are taken for it
 * @param high values above are taken for it
 * @param normal stands in if the measurement was never taken
 * @param skewed whether it is used on a logarithmic scale
 */
record ClinicalSeries(String name, double low, double high, double normal, boolean skewed) {
    /** The series of PhysioNet 2012 but MechVent, which is only ever 1. */
    static final List<ClinicalSeries> ALL = List.of(
            even("Albumin", 1, 6, 4),
            skewed("ALP", 10, 3000, 70),
            skewed("ALT", 1, 10000, 25),
            skewed("AST", 1, 20000, 25),
            skewed("Bilirubin", 0.1, 60, 0.7),
            skewed("BUN", 1, 200, 14),
            even("Cholesterol", 30, 500, 180),
            skewed("Creatinine", 0.1, 25, 0.9),
            even("DiasABP", 10, 180, 75),
            even("FiO2", 0.21, 1, 0.21),
            even("GCS", 3, 15, 15),
            skewed("Glucose", 20, 1200, 100),
            even("HCO3", 5, 50, 24),
            even("HCT", 10, 65, 42),
            even("HR", 20, 250, 75),
            even("K", 1.5, 10, 4.2),
            skewed("Lactate", 0.2, 30, 1.2),
            skewed("Mg", 0.5, 10, 2),
            even("MAP", 20, 200, 90),
            even("Na", 100, 180, 140),
            even("NIDiasABP", 10, 180, 75),
            even("NIMAP", 20, 200, 90),
            even("NISysABP", 30, 280, 120),
            even("PaCO2", 10, 130, 40),
            skewed("PaO2", 20, 600, 95),
            even("pH", 6.6, 7.9, 7.4),
            skewed("Platelets", 5, 1500, 250),
            even("RespRate", 2, 70, 14),
            even("SaO2", 30, 100, 98),
            even("SysABP", 30, 280, 120),
            even("Temp", 25, 43, 37),
            skewed("TroponinI", 0, 60, 0.1),
            skewed("TroponinT", 0, 30, 0.01),
            skewed("Urine", 0, 3000, 60),
            skewed("WBC", 0.1, 200, 7),
            even("Weight", 25, 300, 80));

    private static ClinicalSeries even(String name, double low, double high, double normal) {
        return new ClinicalSeries(name, low, high, normal, false);
    }

    private static ClinicalSeries skewed(String name, double low, double high, double normal) {
        return new ClinicalSeries(name, low, high, normal, true);
    }

    /** The value moved into the range. */
    double clamped(double value) {
        return Math.max(low, Math.min(high, value));
    }

    SchemaColumn column() {
        SchemaColumn column = SchemaColumn.number(low, high).centred().missingIs(normal);
        return skewed ? column.log1p() : column;
    }
}
