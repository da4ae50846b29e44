package dev.tacit.cli.verb;

import dev.tacit.noise.ReplayNoise;
import java.util.List;
import java.util.Locale;

/**
 * A synthetic table of loans: drawn from a fixed seed, so every copy of Tacit has the same one and it describes nobody.
 *
 * <p>Whether a loan was repaid late follows a logistic model of the other columns, so a fit has something to find.
 */
public final class DemoTable {
    /** Rows of the table that is fitted. */
    static final int ROWS = 32_000;

    /** Rows of the table that is predicted. */
    static final int TEST_ROWS = 8_000;

    private static final long SEED = 20_260_101;
    private static final List<String> EMPLOYMENT = List.of("employed", "self-employed", "retired", "student", "none");
    private static final double[] EMPLOYMENT_SHARES = {0.62, 0.12, 0.14, 0.07, 0.05};
    private static final double[] EMPLOYMENT_EFFECTS = {-0.4, 0.2, -0.6, 0.3, 1.1};
    private static final List<String> PURPOSE = List.of("car", "home", "education", "other");
    private static final double[] PURPOSE_SHARES = {0.35, 0.3, 0.1, 0.25};
    private static final double[] PURPOSE_EFFECTS = {0.1, -0.5, 0.0, 0.4};

    private DemoTable() {}

    /** What is fitted to it: a doubling of income or amount, a year of age, a missed payment, jobs and purposes. */
    public static final String FORMULA =
            "late ~ age + log2(income) + log2(amount) + missed_payments + employment + purpose";

    /** The table to fit, as CSV with a header. */
    public static String csv() {
        return csv(ReplayNoise.ofSeed(SEED), ROWS);
    }

    /** A second table from the same model, to predict. */
    static String testCsv() {
        return csv(ReplayNoise.ofSeed(SEED + 1), TEST_ROWS);
    }

    /** What a data holder would declare about the table: nothing in it was read off the rows. */
    public static String schema() {
        return """
                # What the holder of loans.csv declares; nothing here was read off the data.
                unit: record
                neighbours: add-remove
                size: %d
                target: late
                columns:
                  age: {type: number, bounds: [18, 90]}
                  income: {type: number, bounds: [2000, 250000]}
                  amount: {type: number, bounds: [3000, 30000]}
                  missed_payments: {type: count, bounds: [0, 10]}
                  employment: {type: category, categories: [%s], other: false}
                  purpose: {type: category, categories: [%s], other: false}
                  late: {type: binary, positive: "yes", negative: "no"}
                """.formatted(ROWS, String.join(", ", EMPLOYMENT), String.join(", ", PURPOSE));
    }

    private static String csv(ReplayNoise random, int rows) {
        StringBuilder csv = new StringBuilder("age,income,amount,missed_payments,employment,purpose,late\n");
        for (int row = 0; row < rows; row++) {
            append(random, csv);
        }
        return csv.toString();
    }

    private static void append(ReplayNoise random, StringBuilder csv) {
        double age = 18 + 72 * Math.min(uniform(random), uniform(random) + 0.2);
        int employment = pick(EMPLOYMENT_SHARES, uniform(random));
        int purpose = pick(PURPOSE_SHARES, uniform(random));
        double spread = uniform(random) + uniform(random) + uniform(random) - 1.5;
        double income = StrictMath.exp(10.3 - 0.7 * EMPLOYMENT_EFFECTS[employment] + spread);
        double amount = StrictMath.exp(8.2 + uniform(random) + uniform(random));
        double missed = Math.floor(10 * StrictMath.pow(uniform(random), 6));
        double margin = -0.9
                + EMPLOYMENT_EFFECTS[employment]
                + PURPOSE_EFFECTS[purpose]
                + 0.35 * missed
                - 0.02 * (age - 45)
                + 0.8 * (StrictMath.log(amount) - 9.2)
                - 1.1 * (StrictMath.log(income) - 10.3);
        boolean late = uniform(random) < 1 / (1 + StrictMath.exp(-margin));
        csv.append(String.format(
                Locale.ROOT,
                "%.0f,%.0f,%.0f,%.0f,%s,%s,%s\n",
                Math.floor(age),
                income,
                amount,
                missed,
                EMPLOYMENT.get(employment),
                PURPOSE.get(purpose),
                late ? "yes" : "no"));
    }

    private static int pick(double[] shares, double uniform) {
        double left = uniform;
        for (int i = 0; i < shares.length - 1; i++) {
            left -= shares[i];
            if (left < 0) {
                return i;
            }
        }
        return shares.length - 1;
    }

    private static double uniform(ReplayNoise random) {
        return (random.nextLong() >>> 11) * 0x1p-53;
    }
}
