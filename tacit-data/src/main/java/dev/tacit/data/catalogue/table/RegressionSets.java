package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.entry.DatasetFacts;
import dev.tacit.data.catalogue.entry.DatasetKind;
import dev.tacit.data.catalogue.entry.DatasetOption;
import dev.tacit.data.catalogue.entry.RawFile;
import java.nio.file.Path;
import java.util.List;

/**
 * The five regression sets with their public ranges.
 *
 * <p>None of them is about people. Ranges: kin8nm, joint angles of ±π/2; power, the description at UCI; wine, Table 1
 * of Cortez et al. 2009; protein, the description at UCI for the target. Where nothing is documented (most inputs of
 * naval and protein, the target of kin8nm) they are round numbers chosen with the size of the values in view.
 */
public final class RegressionSets {
    private static final String SPLIT_QUIRK =
            "the published splits are regenerated (RandomState(1), one permutation a split, first 0.9 train)";
    private static final String DUPLICATES = "duplicate rows occur, so some test rows are also training rows";

    private RegressionSets() {}

    static final RegressionBenchmark NAVAL = new RegressionBenchmark("naval", 11934, 18, "compressor_decay", 0.95, 1)
            .input("lever_position", 1, 9.5)
            .input("ship_speed", 0, 30)
            .input("turbine_shaft_torque", 0, 75000)
            .input("turbine_revolutions", 1000, 4000)
            .input("generator_revolutions", 6000, 10000)
            .input("starboard_torque", 0, 700)
            .input("port_torque", 0, 700)
            .input("turbine_exit_temperature", 400, 1200)
            .input("inlet_temperature", 270, 310)
            .input("outlet_temperature", 500, 800)
            .input("turbine_exit_pressure", 1, 5)
            .input("inlet_pressure", 0.9, 1.1)
            .input("outlet_pressure", 5, 25)
            .input("exhaust_pressure", 1, 1.1)
            .input("injection_control", 0, 100)
            .input("fuel_flow", 0, 2)
            .benchmarkForm();

    static final RegressionBenchmark KIN8NM = angles(new RegressionBenchmark("kin8nm", 8192, 9, "distance", 0, 1.5));

    static final RegressionBenchmark POWER = new RegressionBenchmark("power", 9568, 5, "power", 420, 500)
            .input("temperature", 0, 40)
            .input("exhaust_vacuum", 25, 85)
            .input("ambient_pressure", 990, 1035)
            .input("relative_humidity", 25, 101)
            .benchmarkForm();

    static final RegressionBenchmark WINE = new RegressionBenchmark("wine", 1599, 12, "quality", 0, 10)
            .input("fixed_acidity", 4, 16)
            .input("volatile_acidity", 0, 1.6)
            .input("citric_acid", 0, 1)
            .input("residual_sugar", 0, 16)
            .input("chlorides", 0, 0.62)
            .input("free_sulfur_dioxide", 0, 75)
            .input("total_sulfur_dioxide", 0, 290)
            .input("density", 0.99, 1.004)
            .input("ph", 2.7, 4.1)
            .input("sulphates", 0.3, 2)
            .input("alcohol", 8, 15)
            .benchmarkForm()
            .archiveForm("winequality-red.csv", ";", 11);

    static final RegressionBenchmark PROTEIN = new RegressionBenchmark("protein", 45730, 10, "rmsd", 0, 21)
            .input("total_area", 0, 40000)
            .input("nonpolar_area", 0, 15000)
            .input("nonpolar_residue_share", 0, 0.6)
            .input("nonpolar_part", 0, 400)
            .input("weighted_area", 0, 6000000)
            .input("area_deviation", 0, 600)
            .input("euclidean_distance", 0, 10000)
            .input("structure_penalty", 0, 350)
            .input("spatial_constraint", 10, 60)
            .benchmarkForm()
            .archiveForm("CASP.csv", ",", 0);

    private static RegressionBenchmark angles(RegressionBenchmark arm) {
        for (int joint = 1; joint <= 8; joint++) {
            arm.input("theta" + joint, -1.5708, 1.5708);
        }
        return arm.benchmarkForm();
    }

    private static String uci(int number) {
        return "the UCI Machine Learning Repository, data set " + number + " (https://archive.ics.uci.edu/dataset/"
                + number + ")";
    }

    public static List<DatasetEntry> entries() {
        return List.of(
                entry(
                        "naval",
                        new DatasetFacts(
                                "Condition of naval propulsion plants, UCI",
                                11934,
                                16,
                                "regression: decay of the gas turbine compressor",
                                "CC BY 4.0 (UCI)",
                                uci(316),
                                List.of(
                                        "the target is column 16 (from 0); column 17 is a second target and is dropped",
                                        "columns 8 and 11 are constant",
                                        SPLIT_QUIRK)),
                        List.of("uci/naval-propulsion-plant", "uci_regression/naval-propulsion-plant", "naval"),
                        20,
                        NAVAL,
                        file(3448926, "de0ea69da1efaab8b9655ffed828547d10dd68c1fb8c6e0163e6a988def393a6")),
                entry(
                        "kin8nm",
                        new DatasetFacts(
                                "Forward kinematics of an eight-link arm, DELVE",
                                8192,
                                8,
                                "regression: distance of the end effector from a target",
                                "none stated (DELVE, University of Toronto)",
                                "the DELVE archive of the University of Toronto (https://www.cs.toronto.edu/~delve/),"
                                        + " as the text file of the Bayesian neural network benchmarks",
                                List.of("leading blanks and scientific notation", SPLIT_QUIRK)),
                        List.of("uci/kin8nm", "uci_regression/kin8nm", "kin8nm"),
                        20,
                        KIN8NM,
                        file(1187840, "a694ce0c7a21390f2bd2a205c36f2482cd974637a207038696716e22f3bbe810")),
                entry(
                        "power",
                        new DatasetFacts(
                                "Combined cycle power plant, UCI",
                                9568,
                                4,
                                "regression: net hourly electrical output in MW",
                                "CC BY 4.0 (UCI)",
                                uci(294) + "," + " as the text file of the Bayesian neural network benchmarks",
                                List.of(
                                        "the archive's spreadsheet has another row order, on which the splits differ:"
                                                + " not read",
                                        DUPLICATES,
                                        SPLIT_QUIRK)),
                        List.of("uci/power-plant", "uci_regression/power-plant", "power"),
                        20,
                        POWER,
                        file(308680, "daebd20c408dfc5c4979604f240e891be162c3a5d00d662380aa669044a1fb31")),
                entry(
                        "wine",
                        new DatasetFacts(
                                "Wine quality, red vinho verde, UCI",
                                1599,
                                11,
                                "regression: quality between 0 and 10",
                                "CC BY 4.0 (UCI)",
                                uci(186),
                                List.of(
                                        "the archive's file has semicolons and a quoted header: read too",
                                        DUPLICATES,
                                        SPLIT_QUIRK)),
                        List.of("uci/wine-quality-red", "uci_regression/wine-quality-red", "wine"),
                        20,
                        WINE,
                        file(84027, "3ba41eaf4ab562088cf47b5c9dca2b4de2a330c3ee38a7920b4527a09574d5c1"),
                        RawFile.of(
                                        RegressionBenchmark.ROWS,
                                        "winequality-red.csv",
                                        84199,
                                        "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e")
                                .inArchive("wine+quality.zip")),
                entry(
                        "protein",
                        new DatasetFacts(
                                "Physicochemical properties of protein tertiary structure (CASP), UCI",
                                45730,
                                9,
                                "regression: RMSD of a decoy in ångström",
                                "CC BY 4.0 (UCI)",
                                uci(265),
                                List.of(
                                        "the target is last in data.txt and first in the archive's CASP.csv: both read",
                                        "only 5 splits are published",
                                        DUPLICATES,
                                        SPLIT_QUIRK)),
                        List.of(
                                "uci/protein-tertiary-structure",
                                "uci_regression/protein-tertiary-structure",
                                "protein"),
                        5,
                        PROTEIN,
                        file(3528658, "d35f332707e8a73f21e021039250a1e7b26e14f7dd826a0337ffa8e8e48b9727"),
                        RawFile.withoutDigest(RegressionBenchmark.ROWS, "CASP.csv", 0)));
    }

    public static RegressionTable load(DatasetEntry entry, Path dataDir) throws DatasetException {
        for (RegressionBenchmark benchmark : List.of(NAVAL, KIN8NM, POWER, WINE, PROTEIN)) {
            if (benchmark.name().equals(entry.name())) {
                return benchmark.load(entry, dataDir);
            }
        }
        throw new DatasetException(
                DatasetException.Kind.UNKNOWN_NAME,
                entry.name() + " is not a regression set; there are naval, kin8nm, power, wine and protein.");
    }

    private static RawFile file(long bytes, String sha256) {
        return RawFile.of(RegressionBenchmark.ROWS, "data.txt", bytes, sha256);
    }

    private static DatasetEntry entry(
            String name,
            DatasetFacts facts,
            List<String> folders,
            int splits,
            RegressionBenchmark benchmark,
            RawFile... files) {
        return new DatasetEntry(
                name,
                DatasetKind.TABLE,
                facts,
                folders,
                List.of(files),
                List.of(
                        DatasetOption.split(splits),
                        DatasetOption.of(
                                RegressionBenchmark.RULE,
                                "the published splits, or one generator for each as in scikit-learn",
                                RegressionBenchmark.PUBLISHED,
                                RegressionBenchmark.SEEDED)),
                benchmark);
    }
}
