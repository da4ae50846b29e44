package dev.tacit.experiments.glm;

import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A published table as a regression sees it: natural units, public bounds chosen by hand, reference coding, and its targets.
 *
 * @param name for results
 * @param design what is public
 * @param x rows, one after the other
 * @param targets by name
 */
record GlmTable(String name, GlmDesign design, double[] x, Map<String, double[]> targets) {
    int rows() {
        return x.length / design.size();
    }

    /** The table of a name, from raw files. */
    static GlmTable open(String name, Path data) {
        try {
            return switch (name) {
                case "icu" -> icu(data);
                case "adult14" -> adult(data, true);
                case "adult" -> adult(data, false);
                case "diabetes" -> diabetes(data);
                default -> uci(name, data);
            };
        } catch (IOException e) {
            throw new MissingDataException("the table " + name + " needs its raw files; see tacit datasets list", e);
        }
    }

    /** Columns as they are put together. */
    static final class Builder {
        private final int rows;
        private final List<GlmColumn> columns = new ArrayList<>();
        private final List<double[]> values = new ArrayList<>();
        private int factors;

        Builder(int rows) {
            this.rows = rows;
            columns.add(GlmColumn.intercept("(Intercept)"));
            double[] ones = new double[rows];
            Arrays.fill(ones, 1);
            values.add(ones);
        }

        void number(String name, double[] column, double low, double high) {
            columns.add(GlmColumn.number(name, low, high));
            values.add(Arrays.stream(column)
                    .map(value -> Math.max(low, Math.min(high, value)))
                    .toArray());
        }

        /** The first level is the reference. */
        void factor(String name, String[] column, List<String> levels) {
            for (String level : levels.subList(1, levels.size())) {
                columns.add(GlmColumn.level(name + "=" + level, factors));
                values.add(Arrays.stream(column)
                        .mapToDouble(value -> value.equals(level) ? 1 : 0)
                        .toArray());
            }
            factors++;
        }

        GlmTable table(String name, Map<String, double[]> targets) {
            int d = columns.size();
            double[] x = new double[rows * d];
            for (int j = 0; j < d; j++) {
                for (int r = 0; r < rows; r++) {
                    x[r * d + j] = values.get(j)[r];
                }
            }
            return new GlmTable(name, GlmDesign.of(columns), x, targets);
        }
    }

    private static List<String> lines(InputStream stream) throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    static List<String> gzip(Path file) throws IOException {
        return lines(new GZIPInputStream(Files.newInputStream(file)));
    }

    private static GlmTable icu(Path data) throws IOException {
        Path folder = data.resolve("physionet2012");
        Set<String> wanted = Set.of("BUN", "Creatinine", "GCS", "HR", "Lactate", "Temp", "WBC");
        TreeMap<Integer, Map<String, Double>> first = new TreeMap<>();
        Map<String, double[]> sums = new HashMap<>();
        List<String> lines = gzip(folder.resolve("set-a.csv.gz"));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            int stay = Integer.parseInt(cells[0]);
            double value = Double.parseDouble(cells[3]);
            if (Set.of("Age", "Gender", "ICUType").contains(cells[2]) && cells[1].equals("00:00")) {
                first.computeIfAbsent(stay, unused -> new HashMap<>()).put(cells[2], value);
            } else if (wanted.contains(cells[2]) && value > 0) {
                double[] sum = sums.computeIfAbsent(stay + cells[2], unused -> new double[2]);
                sum[0] += value;
                sum[1]++;
            }
        }
        int[] stays = first.keySet().stream().mapToInt(Integer::intValue).toArray();
        Map<Integer, double[]> outcomes = new HashMap<>();
        List<String> rows = Files.readAllLines(folder.resolve("Outcomes-a.txt"));
        List<String> header = List.of(rows.get(0).split(",", -1));
        for (String row : rows.subList(1, rows.size())) {
            String[] cells = row.split(",", -1);
            outcomes.put(Integer.parseInt(cells[header.indexOf("RecordID")]), new double[] {
                Double.parseDouble(cells[header.indexOf("In-hospital_death")]),
                Double.parseDouble(cells[header.indexOf("Length_of_stay")])
            });
        }
        Builder builder = new Builder(stays.length);
        builder.number("age", each(stays, stay -> first.get(stay).get("Age")), 15, 90);
        builder.number("BUN", means(stays, sums, "BUN", 20), 0, 150);
        builder.number("creatinine", means(stays, sums, "Creatinine", 1), 0, 15);
        builder.number("GCS", means(stays, sums, "GCS", 14), 3, 15);
        builder.number("HR", means(stays, sums, "HR", 85), 30, 180);
        builder.number("lactate", means(stays, sums, "Lactate", 2), 0, 20);
        builder.number("temp", means(stays, sums, "Temp", 37), 33, 41);
        builder.number("WBC", means(stays, sums, "WBC", 11), 0, 50);
        builder.factor(
                "sex",
                Arrays.stream(stays)
                        .mapToObj(stay -> first.get(stay).getOrDefault("Gender", -1.0))
                        .map(value -> value == 0 ? "f" : value == 1 ? "m" : "u")
                        .toArray(String[]::new),
                List.of("f", "m", "u"));
        builder.factor(
                "icu",
                Arrays.stream(stays)
                        .mapToObj(stay ->
                                Integer.toString(first.get(stay).get("ICUType").intValue()))
                        .toArray(String[]::new),
                List.of("3", "1", "2", "4"));
        builder.factor(
                "lactate_missing",
                Arrays.stream(stays)
                        .mapToObj(stay -> sums.containsKey(stay + "Lactate") ? "0" : "1")
                        .toArray(String[]::new),
                List.of("0", "1"));
        return builder.table(
                "icu",
                Map.of(
                        "death", each(stays, stay -> outcomes.get(stay)[0]),
                        "los", each(stays, stay -> Math.max(0, Math.min(100, outcomes.get(stay)[1])))));
    }

    private interface OfStay {
        double value(int stay);
    }

    private static double[] each(int[] stays, OfStay value) {
        return Arrays.stream(stays).mapToDouble(value::value).toArray();
    }

    private static double[] means(int[] stays, Map<String, double[]> sums, String name, double missing) {
        return each(stays, stay -> {
            double[] sum = sums.get(stay + name);
            return sum == null ? missing : sum[0] / sum[1];
        });
    }

    private static GlmTable adult(Path data, boolean small) throws IOException {
        List<String[]> rows = new ArrayList<>();
        for (String line : gzip(data.resolve("adult").resolve("adult.data.gz"))) {
            if (!line.isBlank() && !line.startsWith("|")) {
                rows.add(Arrays.stream(line.split(",", -1)).map(String::strip).toArray(String[]::new));
            }
        }
        Builder builder = new Builder(rows.size());
        builder.number("age", numbers(rows, 0), 17, 90);
        if (!small) {
            builder.number(
                    "fnlwgt",
                    Arrays.stream(numbers(rows, 2)).map(value -> value / 1e5).toArray(),
                    0,
                    15);
        }
        builder.number("educ_num", numbers(rows, 4), 1, 16);
        builder.number(
                "log1p_gain", Arrays.stream(numbers(rows, 10)).map(Math::log1p).toArray(), 0, 12);
        builder.number(
                "log1p_loss", Arrays.stream(numbers(rows, 11)).map(Math::log1p).toArray(), 0, 9);
        builder.number("hours", numbers(rows, 12), 1, 99);
        if (small) {
            builder.factor(
                    "marital",
                    texts(
                            rows,
                            5,
                            cell -> cell.startsWith("Married")
                                    ? "married"
                                    : cell.equals("Never-married") ? "never" : "was"),
                    List.of("married", "never", "was"));
            builder.factor("sex", texts(rows, 9, cell -> cell), List.of("Male", "Female"));
            Map<String, String> occupations = Map.of(
                    "Exec-managerial", "white",
                    "Prof-specialty", "white",
                    "Tech-support", "white",
                    "Sales", "sales",
                    "Adm-clerical", "clerk");
            builder.factor(
                    "occ",
                    texts(rows, 6, cell -> occupations.getOrDefault(cell, "other")),
                    List.of("other", "white", "sales", "clerk"));
            builder.factor(
                    "work",
                    texts(
                            rows,
                            1,
                            cell -> cell.equals("Private")
                                    ? "private"
                                    : cell.contains("gov") ? "gov" : cell.contains("Self") ? "self" : "none"),
                    List.of("private", "gov", "self", "none"));
        } else {
            factor(builder, rows, "workclass", 1, "Private", Set.of());
            factor(builder, rows, "marital", 5, "Married-civ-spouse", Set.of());
            factor(builder, rows, "occupation", 6, "Craft-repair", Set.of());
            factor(builder, rows, "relationship", 7, "Husband", Set.of());
            factor(builder, rows, "race", 8, "White", Set.of());
            factor(builder, rows, "sex", 9, "Male", Set.of());
            factor(builder, rows, "country", 13, "United-States", Set.of());
            factor(builder, rows, "education", 3, "HS-grad", Set.of("Preschool"));
        }
        double[] income = rows.stream()
                .mapToDouble(row -> row[14].startsWith(">50K") ? 1 : 0)
                .toArray();
        return builder.table(small ? "adult14" : "adult", Map.of("income", income));
    }

    private static void factor(
            Builder builder, List<String[]> rows, String name, int column, String reference, Set<String> without) {
        Set<String> levels = new TreeSet<>();
        rows.forEach(row -> levels.add(row[column]));
        levels.removeAll(without);
        levels.remove(reference);
        List<String> all = new ArrayList<>(List.of(reference));
        all.addAll(levels);
        builder.factor(name, texts(rows, column, cell -> cell), all);
    }

    static double[] numbers(List<String[]> rows, int column) {
        return rows.stream().mapToDouble(row -> Double.parseDouble(row[column])).toArray();
    }

    static String[] texts(List<String[]> rows, int column, UnaryOperator<String> text) {
        return rows.stream().map(row -> text.apply(row[column])).toArray(String[]::new);
    }

    /**
     * The first encounter of every patient.
     *
     * @param header names of the cells
     * @param rows cells
     * @param specialties all that occur in any encounter, in the order of the alphabet
     */
    record Encounters(List<String> header, List<String[]> rows, List<String> specialties) {
        static final String SPECIALTY = "medical_specialty";

        String[] texts(String column, UnaryOperator<String> text) {
            return GlmTable.texts(rows, header.indexOf(column), text);
        }

        double[] numbers(String column) {
            return GlmTable.numbers(rows, header.indexOf(column));
        }
    }

    static Encounters encounters(Path data) throws IOException {
        List<String> lines = List.of();
        Path file = data.resolve("diabetes130").resolve("dataset_diabetes.zip");
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (entry.getName().endsWith("diabetic_data.csv")) {
                    lines = lines(new ByteArrayInputStream(zip.readAllBytes()));
                }
            }
        }
        List<String> header = List.of(lines.get(0).split(",", -1));
        Set<String> seen = new HashSet<>();
        Set<String> specialties = new TreeSet<>();
        List<String[]> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            specialties.add(cells[header.indexOf(Encounters.SPECIALTY)]);
            if (seen.add(cells[header.indexOf("patient_nbr")])) {
                rows.add(cells);
            }
        }
        return new Encounters(header, rows, List.copyOf(specialties));
    }

    private static GlmTable diabetes(Path data) throws IOException {
        Encounters encounters = encounters(data);
        List<String> header = encounters.header();
        List<String[]> rows = encounters.rows();
        Builder builder = new Builder(rows.size());
        Object[][] numbers = {
            {"time_in_hospital", 1, 14},
            {"num_lab_procedures", 0, 120},
            {"num_procedures", 0, 6},
            {"number_outpatient", 0, 20},
            {"number_emergency", 0, 20},
            {"number_inpatient", 0, 15},
            {"number_diagnoses", 1, 16}
        };
        for (Object[] number : numbers) {
            builder.number((String) number[0], numbers(rows, header.indexOf(number[0])), (Integer) number[1], (Integer)
                    number[2]);
        }
        Set<String> races = Set.of("Caucasian", "AfricanAmerican", "Hispanic");
        builder.factor(
                "race",
                texts(rows, header.indexOf("race"), cell -> races.contains(cell) ? cell : "other"),
                List.of("Caucasian", "AfricanAmerican", "Hispanic", "other"));
        builder.factor("gender", texts(rows, header.indexOf("gender"), cell -> cell), List.of("Female", "Male"));
        factor(builder, rows, "age", header.indexOf("age"), "[70-80)", Set.of());
        builder.factor(
                "adm",
                texts(
                        rows,
                        header.indexOf("admission_type_id"),
                        cell -> Set.of("1", "2", "3", "5").contains(cell) ? cell : "x"),
                List.of("1", "2", "3", "5", "x"));
        builder.factor(
                "disch",
                texts(
                        rows,
                        header.indexOf("discharge_disposition_id"),
                        cell -> Set.of("1", "3", "6").contains(cell)
                                ? cell
                                : Set.of("11", "19", "20").contains(cell) ? "dead" : "x"),
                List.of("1", "3", "6", "dead", "x"));
        builder.factor(
                "diag",
                texts(rows, header.indexOf("diag_1"), GlmTable::diagnosis),
                List.of("circ", "resp", "dig", "diab", "inj", "other"));
        builder.factor(
                "A1C", texts(rows, header.indexOf("A1Cresult"), cell -> cell), List.of("None", "Norm", ">7", ">8"));
        builder.factor(
                "insulin", texts(rows, header.indexOf("insulin"), cell -> cell), List.of("No", "Steady", "Up", "Down"));
        builder.factor(
                "metformin",
                texts(rows, header.indexOf("metformin"), cell -> cell.equals("No") ? "No" : "Yes"),
                List.of("No", "Yes"));
        builder.factor("change", texts(rows, header.indexOf("change"), cell -> cell), List.of("No", "Ch"));
        double[] readmitted = rows.stream()
                .mapToDouble(row -> row[header.indexOf("readmitted")].equals("<30") ? 1 : 0)
                .toArray();
        List<String> order = List.of("NO", ">30", "<30");
        double[] sooner = rows.stream()
                .mapToDouble(row -> order.indexOf(row[header.indexOf("readmitted")]))
                .toArray();
        return builder.table(
                "diabetes",
                Map.of(
                        "readmit",
                        readmitted,
                        "sooner",
                        sooner,
                        "meds",
                        numbers(rows, header.indexOf("num_medications"))));
    }

    private static String diagnosis(String code) {
        if ("VE?".indexOf(code.charAt(0)) >= 0) {
            return "other";
        }
        double value = Double.parseDouble(code);
        if ((value >= 390 && value < 460) || value == 785) {
            return "circ";
        }
        if ((value >= 460 && value < 520) || value == 786) {
            return "resp";
        }
        if ((value >= 520 && value < 580) || value == 787) {
            return "dig";
        }
        return value >= 250 && value < 251 ? "diab" : value >= 800 ? "inj" : "other";
    }

    private static final Map<String, double[][]> BOUNDS = Map.of(
            "wine-quality-red",
            new double[][] {
                {3, 17},
                {0, 2},
                {0, 1},
                {0, 16},
                {0, 0.7},
                {0, 80},
                {0, 300},
                {0.98, 1.01},
                {2.5, 4.5},
                {0, 2.5},
                {8, 15}
            },
            "power-plant",
            new double[][] {{0, 40}, {20, 90}, {980, 1040}, {20, 105}},
            "kin8nm",
            new double[][] {{-2, 2}, {-2, 2}, {-2, 2}, {-2, 2}, {-2, 2}, {-2, 2}, {-2, 2}, {-2, 2}},
            "protein-tertiary-structure",
            new double[][] {{0, 45000}, {0, 20000}, {0, 0.7}, {0, 400}, {0, 6e6}, {0, 600}, {0, 1e5}, {0, 400}, {0, 60}
            });

    private static GlmTable uci(String name, Path data) throws IOException {
        Path folder = data.resolve("uci").resolve(name);
        List<double[]> rows = new ArrayList<>();
        for (String line : gzip(folder.resolve("data.txt.gz"))) {
            if (!line.isBlank()) {
                rows.add(Arrays.stream(line.strip().split("\\s+"))
                        .mapToDouble(Double::parseDouble)
                        .toArray());
            }
        }
        int[] features = Files.readAllLines(folder.resolve("index_features.txt")).stream()
                .filter(line -> !line.isBlank())
                .mapToInt(line -> (int) Double.parseDouble(line.strip()))
                .toArray();
        int target = (int) Double.parseDouble(
                Files.readString(folder.resolve("index_target.txt")).strip());
        double[][] bounds = BOUNDS.get(name);
        Builder builder = new Builder(rows.size());
        IntStream.range(0, features.length)
                .forEach(j -> builder.number(
                        "x" + j,
                        rows.stream().mapToDouble(row -> row[features[j]]).toArray(),
                        bounds[j][0],
                        bounds[j][1]));
        double[] y = rows.stream().mapToDouble(row -> row[target]).toArray();
        double[] sorted = y.clone();
        Arrays.sort(sorted);
        int half = y.length / 2;
        double median = y.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
        double[] cut = Arrays.stream(y).map(value -> value > median ? 1 : 0).toArray();
        return builder.table(name, Map.of("y", y, "bin", cut));
    }
}
