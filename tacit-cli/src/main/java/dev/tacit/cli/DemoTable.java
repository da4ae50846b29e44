package dev.tacit.cli;

import dev.tacit.privacy.noise.ReplayNoise;
import java.util.List;
import java.util.Locale;

/**
 * A synthetic table of people: drawn from a fixed seed, so every copy of Tacit has the same one and it describes
 * nobody.
 *
 * <p>Columns have public bounds, as real ones would have in a schema; nothing about the table is read off its rows.
 */
final class DemoTable {
    static final int ROWS = 20_000;
    static final List<Column> COLUMNS = List.of(
            new Column("age", "years", 18, 90),
            new Column("working_hours", "hours a week", 0, 80),
            new Column("income", "thousand a year", 0, 200),
            new Column("owns_home", "0 or 1", 0, 1));

    private static final long SEED = 20_260_101;

    /** A column, its unit, and the bounds that are declared for it. */
    record Column(String name, String unit, double low, double high) {
        /** The value mapped from its bounds to -1 and 1; what lies outside is moved to the bound. */
        double scaled(double value) {
            return Math.max(-1, Math.min(1, (2 * value - low - high) / (high - low)));
        }

        /** The inverse of {@link #scaled}. */
        double unscaled(double value) {
            return (value * (high - low) + low + high) / 2;
        }
    }

    private final double[][] rows = new double[ROWS][];

    DemoTable() {
        ReplayNoise random = ReplayNoise.ofSeed(SEED);
        for (int row = 0; row < ROWS; row++) {
            double age = 18 + 62 * Math.min(uniform(random), uniform(random) + 0.2);
            double hours = uniform(random) < 0.2 ? 0 : 15 + 30 * Math.sqrt(uniform(random));
            double skill = StrictMath.exp(uniform(random) + uniform(random) + uniform(random) - 1.5);
            double income = Math.min(200, hours * (0.5 + age / 90) * skill);
            double home = uniform(random) < (age - 18) / 80 + income / 400 ? 1 : 0;
            rows[row] = new double[] {Math.rint(age), Math.rint(hours), Math.rint(income * 10) / 10, home};
        }
    }

    private static double uniform(ReplayNoise random) {
        return (random.nextLong() >>> 11) * 0x1p-53;
    }

    /**
     * One row's contribution to a sum: all columns scaled to -1 and 1, so that its L2 norm is at most the root of the
     * number of columns.
     */
    void contribution(long row, double[] scaled) {
        for (int column = 0; column < scaled.length; column++) {
            scaled[column] = COLUMNS.get(column).scaled(rows[(int) row][column]);
        }
    }

    /** The mean without privacy; the demo may show it because the table describes nobody. */
    double trueMean(int column) {
        double sum = 0;
        for (double[] row : rows) {
            sum += row[column];
        }
        return sum / ROWS;
    }

    /** The table as CSV with a header. */
    String csv() {
        StringBuilder csv = new StringBuilder("age,working_hours,income,owns_home\n");
        for (double[] row : rows) {
            csv.append(String.format(Locale.ROOT, "%.0f,%.0f,%.1f,%.0f\n", row[0], row[1], row[2], row[3]));
        }
        return csv.toString();
    }
}
