package dev.tacit.audit.table;

import dev.tacit.glm.model.GlmColumn;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.method.DataShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Records at the corners of what is declared: those that can move a sum furthest.
 *
 * <p>Every number at one of its bounds, rows as long as they may be, every extreme label, and persons who give the same
 * record as often as they may.
 */
public final class CornerRecords {
    private static final int RANDOM_PATTERNS = 5;
    private static final int MOST_AXES = 6;

    private CornerRecords() {}

    /** Tables of one unit each, by a few words that describe it. */
    public static Map<String, SyntheticTable> of(DataShape shape, int maxRecords, long seed) {
        Map<String, SyntheticTable> found = new LinkedHashMap<>();
        double[] labels = labels(shape.target());
        rows(shape, RandomStream.ofSeed(seed)).forEach((name, row) -> {
            for (double label : labels) {
                double[][] rows = new double[maxRecords][];
                double[] own = new double[maxRecords];
                for (int record = 0; record < maxRecords; record++) {
                    rows[record] = row.clone();
                    own[record] = label;
                }
                String words = name
                        + (Double.isNaN(label) ? "" : ", target " + label)
                        + (maxRecords == 1 ? "" : ", " + maxRecords + " times");
                found.put(words, new SyntheticTable(shape, List.<double[][]>of(rows), List.of(own)));
            }
        });
        return found;
    }

    private static Map<String, double[]> rows(DataShape shape, RandomStream random) {
        int columns = shape.columns().size();
        Map<String, double[]> rows = new LinkedHashMap<>();
        List<boolean[]> patterns = new ArrayList<>();
        patterns.add(pattern(columns, j -> true));
        patterns.add(pattern(columns, j -> false));
        patterns.add(pattern(columns, j -> j % 2 == 0));
        for (int k = 0; k < RANDOM_PATTERNS; k++) {
            patterns.add(pattern(columns, j -> random.uniform() < 0.5));
        }
        for (int k = 0; k < patterns.size(); k++) {
            rows.put("corner " + (k + 1), corner(shape, patterns.get(k)));
        }
        for (int axis = 0; axis < Math.min(columns, MOST_AXES) && shape.design().isEmpty(); axis++) {
            double[] row = new double[columns];
            row[axis] = shape.counts() ? 1000 : shape.rowNormBound();
            rows.put("axis " + (axis + 1), row);
        }
        return rows;
    }

    private interface Choice {
        boolean high(int column);
    }

    private static boolean[] pattern(int columns, Choice choice) {
        boolean[] high = new boolean[columns];
        for (int j = 0; j < columns; j++) {
            high[j] = choice.high(j);
        }
        return high;
    }

    private static double[] corner(DataShape shape, boolean[] high) {
        double[] row = new double[high.length];
        for (int j = 0; j < row.length; j++) {
            if (shape.counts()) {
                row[j] = high[j] ? 10 : 0;
            } else if (shape.design().isPresent()) {
                GlmColumn column = shape.design().get().columns().get(j);
                row[j] = switch (column.kind()) {
                    case INTERCEPT -> 1;
                    case NUMBER -> high[j] ? column.high() : column.low();
                    case LEVEL -> high[j] ? 1 : 0;
                };
            } else {
                row[j] = (high[j] ? 1 : -1) * shape.rowNormBound() / Math.sqrt(row.length);
            }
        }
        return row;
    }

    private static double[] labels(DataShape.Target target) {
        if (target instanceof DataShape.Target.Binary) {
            return new double[] {1, 0};
        }
        if (target instanceof DataShape.Target.Numeric number) {
            return new double[] {number.high(), number.low()};
        }
        if (target instanceof DataShape.Target.Survival survival) {
            double end = survival.ends().get(survival.ends().size() - 1);
            return new double[] {end, -end, 1e-3 * end};
        }
        if (target instanceof DataShape.Target.Category category) {
            int last = category.categories().size() - 1;
            return last > 1 ? new double[] {0, last, 1} : new double[] {0, last};
        }
        return new double[] {Double.NaN};
    }
}
