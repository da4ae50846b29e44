package dev.tacit.experiments.glm;

import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GroupEffects;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A published table with groups: rows in natural units with the group's index behind them, and a target of two classes.
 *
 * @param name for results
 * @param design what is public, groups included
 * @param x rows, one after the other
 * @param y targets
 * @param training how many of the rows are for training, if the split is published; 0 otherwise
 */
record GroupTable(String name, GlmDesign design, double[] x, double[] y, int training) {
    int rows() {
        return y.length;
    }

    int groupOf(int row) {
        return (int) x[row * design.rowLength() + design.size()];
    }

    static GroupTable open(String name, Path data) {
        try {
            return switch (name) {
                case "diabetes130" -> readmission(data);
                case "adult" -> adult(data);
                default -> simulated(data);
            };
        } catch (IOException e) {
            throw new MissingDataException("the table " + name + " needs its raw files; see tacit datasets list", e);
        }
    }

    private static GroupTable of(
            String name,
            GlmTable table,
            String groups,
            String[] column,
            List<String> levels,
            double[] y,
            int training) {
        GlmDesign design = table.design().withGroups(List.of(GroupEffects.intercepts(groups, levels)));
        int d = design.size();
        double[] x = new double[y.length * (d + 1)];
        for (int r = 0; r < y.length; r++) {
            System.arraycopy(table.x(), r * d, x, r * (d + 1), d);
            x[r * (d + 1) + d] = levels.indexOf(column[r]);
        }
        return new GroupTable(name, design, x, y, training);
    }

    /** The table of glm-coverage with the specialty, whose targets are drawn. */
    private static GroupTable simulated(Path data) throws IOException {
        GlmTable table = GlmTable.open("diabetes", data);
        GlmTable.Encounters encounters = GlmTable.encounters(data);
        return of(
                "diabetes130, 42 columns",
                table,
                "medical_specialty",
                encounters.texts(GlmTable.Encounters.SPECIALTY, cell -> cell),
                encounters.specialties(),
                table.targets().get("readmit"),
                0);
    }

    /** Any readmission of patients who did not die or leave for a hospice, 39 columns. */
    private static GroupTable readmission(Path data) throws IOException {
        GlmTable.Encounters all = GlmTable.encounters(data);
        int discharge = all.header().indexOf("discharge_disposition_id");
        Set<String> gone = Set.of("11", "13", "14", "19", "20", "21");
        GlmTable.Encounters kept = new GlmTable.Encounters(
                all.header(),
                all.rows().stream()
                        .filter(row -> !gone.contains(row[discharge]))
                        .toList(),
                all.specialties());
        GlmTable.Builder builder = new GlmTable.Builder(kept.rows().size());
        builder.number(
                "age",
                Arrays.stream(kept.texts("age", cell -> cell.substring(1, cell.indexOf('-'))))
                        .mapToDouble(Double::parseDouble)
                        .toArray(),
                0,
                90);
        Object[][] numbers = {
            {"num_lab_procedures", 132}, {"num_procedures", 6}, {"num_medications", 81}, {"number_diagnoses", 16}
        };
        for (Object[] number : numbers) {
            builder.number((String) number[0], kept.numbers((String) number[0]), 0, (Integer) number[1]);
        }
        Object[][] counts = {{"number_outpatient", 42}, {"number_emergency", 76}, {"number_inpatient", 21}};
        for (Object[] count : counts) {
            builder.number(
                    "log1p(" + count[0] + ")",
                    Arrays.stream(kept.numbers((String) count[0]))
                            .map(Math::log1p)
                            .toArray(),
                    0,
                    Math.log1p((Integer) count[1]));
        }
        factor(builder, kept, "gender", "Female", "Male");
        factor(builder, kept, "race", "Caucasian", "AfricanAmerican", "Hispanic", "Asian", "Other", "?");
        factor(builder, kept, "A1Cresult", "None", "Norm", ">7", ">8");
        factor(builder, kept, "insulin", "No", "Steady", "Up", "Down");
        factor(builder, kept, "metformin", "No", "Steady", "Up", "Down");
        factor(builder, kept, "admission_type_id", "1", "2", "3", "5", "6");
        factor(builder, kept, "change", "No", "Ch");
        factor(builder, kept, "diabetesMed", "No", "Yes");
        builder.factor(
                "diag",
                kept.texts("diag_1", GroupTable::diagnosis),
                List.of("9", "0", "1", "2", "3", "4", "5", "6", "7", "8"));
        double[] y = Arrays.stream(kept.texts("readmitted", cell -> cell))
                .mapToDouble(cell -> cell.equals("NO") ? 0 : 1)
                .toArray();
        return of(
                "diabetes130",
                builder.table("diabetes130", Map.of()),
                "medical_specialty",
                kept.texts(GlmTable.Encounters.SPECIALTY, cell -> cell),
                kept.specialties(),
                y,
                0);
    }

    private static void factor(GlmTable.Builder builder, GlmTable.Encounters rows, String name, String... levels) {
        builder.factor(name, rows.texts(name, cell -> cell), List.of(levels));
    }

    private static String diagnosis(String code) {
        if ("VE?".indexOf(code.charAt(0)) >= 0) {
            return code.charAt(0) == '?' ? "0" : "9";
        }
        double value = Double.parseDouble(code);
        if (value >= 250 && value < 251) {
            return "1";
        }
        double[][] ranges = {
            {390, 460, 785},
            {460, 520, 786},
            {520, 580, 787},
            {800, 1000, -1},
            {710, 740, -1},
            {580, 630, 788},
            {140, 240, -1}
        };
        for (int k = 0; k < ranges.length; k++) {
            if ((value >= ranges[k][0] && value < ranges[k][1]) || value == ranges[k][2]) {
                return Integer.toString(k + 2);
            }
        }
        return "9";
    }

    /** The official split, 31 columns, groups by occupation. */
    private static GroupTable adult(Path data) throws IOException {
        List<String[]> rows = new ArrayList<>();
        int training = 0;
        for (String part : List.of("data", "test")) {
            for (String line : GlmTable.gzip(data.resolve("adult").resolve("adult." + part + ".gz"))) {
                String[] cells =
                        Arrays.stream(line.split(",", -1)).map(String::strip).toArray(String[]::new);
                if (cells.length == 15) {
                    rows.add(cells);
                }
            }
            training = training == 0 ? rows.size() : training;
        }
        GlmTable.Builder builder = new GlmTable.Builder(rows.size());
        double[] age = GlmTable.numbers(rows, 0);
        builder.number("age", age, 17, 90);
        builder.number(
                "age2",
                Arrays.stream(age)
                        .map(value -> Math.pow((value - 53.5) / 36.5, 2))
                        .toArray(),
                0,
                1);
        builder.number("educ_num", GlmTable.numbers(rows, 4), 1, 16);
        builder.number("gain", logs(rows, 10), 0, Math.log1p(99999));
        builder.number("loss", logs(rows, 11), 0, Math.log1p(4356));
        builder.number("hours", GlmTable.numbers(rows, 12), 1, 99);
        Object[][] factors = {{1, "Private"}, {5, "Married-civ-spouse"}, {7, "Husband"}, {8, "White"}, {9, "Male"}};
        for (Object[] factor : factors) {
            int column = (Integer) factor[0];
            List<String> levels = levels(rows, column);
            levels.remove((String) factor[1]);
            levels.add(0, (String) factor[1]);
            builder.factor("c" + column, GlmTable.texts(rows, column, cell -> cell), levels);
        }
        double[] y = rows.stream()
                .mapToDouble(row -> row[14].startsWith(">50K") ? 1 : 0)
                .toArray();
        return of(
                "adult",
                builder.table("adult", Map.of()),
                "occupation",
                GlmTable.texts(rows, 6, cell -> cell),
                levels(rows, 6),
                y,
                training);
    }

    private static double[] logs(List<String[]> rows, int column) {
        return Arrays.stream(GlmTable.numbers(rows, column)).map(Math::log1p).toArray();
    }

    private static List<String> levels(List<String[]> rows, int column) {
        Set<String> levels = new TreeSet<>();
        rows.forEach(row -> levels.add(row[column]));
        return new ArrayList<>(levels);
    }

    /** Where columns of numbers stand. */
    static boolean isNumber(GlmColumn column) {
        return column.kind() == GlmColumn.Kind.NUMBER;
    }
}
