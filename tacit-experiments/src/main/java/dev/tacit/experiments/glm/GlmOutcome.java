package dev.tacit.experiments.glm;

import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.glm.PrivateLikelihoodKernel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** What many fits of one case showed. */
record GlmOutcome(List<Fit> fits, double[] plain, double epsilon, List<String> names) {
    static final double QUANTILE = 1.6448536269514722;
    private static final double LOW = 0.7999;

    /**
     * What one fit showed.
     *
     * @param error of each coefficient on standardised columns
     * @param deviation its standard deviation
     * @param modeError of the mode of the same targets without privacy, over its deviation: coefficients, then extra parameters that have
     *     one; or empty
     * @param extraError of the logarithms of extra parameters; empty if the drawn family has others
     * @param extraDeviation their standard deviations
     * @param flagged whether a warning names the coefficient
     * @param sums how many sums of two coefficients that a warning calls nested were looked at
     * @param coveredSums how many of them were in their intervals
     * @param overdispersed whether a warning says to fit negative binomial counts
     */
    record Fit(
            double[] error,
            double[] deviation,
            double[] modeError,
            double[] extraError,
            double[] extraDeviation,
            boolean[] flagged,
            int sums,
            int coveredSums,
            boolean overdispersed) {}

    private static double covered(double error, double deviation) {
        return Math.abs(error) <= QUANTILE * deviation ? 1 : 0;
    }

    double[] coverage() {
        double[] covered = new double[plain.length];
        for (Fit fit : fits) {
            for (int j = 0; j < plain.length; j++) {
                covered[j] += covered(fit.error[j], fit.deviation[j]) / fits.size();
            }
        }
        return covered;
    }

    /** How often intervals without privacy cover, on the same targets: what chance made of 0.90; empty if there are none. */
    double[] modeCoverage() {
        return modeCoverage(0, Math.min(plain.length, fits.get(0).modeError.length));
    }

    /** The same for extra parameters, mean over them. */
    OptionalDouble extraModeCoverage() {
        int found = fits.get(0).modeError.length;
        return Arrays.stream(modeCoverage(Math.min(plain.length, found), found)).average();
    }

    private double[] modeCoverage(int from, int to) {
        double[] covered = new double[to - from];
        for (Fit fit : fits) {
            for (int j = from; j < to; j++) {
                covered[j - from] += covered(fit.modeError[j], 1) / fits.size();
            }
        }
        return covered;
    }

    /** For each coefficient the mean width over the plain one. */
    double[] widths() {
        double[] widths = new double[plain.length];
        for (Fit fit : fits) {
            for (int j = 0; j < plain.length; j++) {
                widths[j] += fit.deviation[j] / plain[j] / fits.size();
            }
        }
        return widths;
    }

    /** Mean error in deviations. */
    double[] bias() {
        double[] bias = new double[plain.length];
        for (Fit fit : fits) {
            for (int j = 0; j < plain.length; j++) {
                bias[j] += fit.error[j] / fit.deviation[j] / fits.size();
            }
        }
        return bias;
    }

    /** The share of fits in which a warning names the coefficient. */
    double[] flagged() {
        double[] flagged = new double[plain.length];
        for (Fit fit : fits) {
            for (int j = 0; j < plain.length; j++) {
                flagged[j] += fit.flagged[j] ? 1.0 / fits.size() : 0;
            }
        }
        return flagged;
    }

    /** For each coefficient the share of fits that cover it or name it in a warning of their own. */
    double[] coveredOrFlagged() {
        double[] share = new double[plain.length];
        for (Fit fit : fits) {
            for (int j = 0; j < plain.length; j++) {
                share[j] += fit.flagged[j] ? 1.0 / fits.size() : covered(fit.error[j], fit.deviation[j]) / fits.size();
            }
        }
        return share;
    }

    /** Coverage of the logarithms of extra parameters, mean over them. */
    OptionalDouble extraCoverage() {
        return fits.stream()
                .flatMapToDouble(fit -> IntStream.range(0, fit.extraError.length)
                        .mapToDouble(k -> covered(fit.extraError[k], fit.extraDeviation[k])))
                .average();
    }

    /** The largest relative error of an extra parameter's mean over fits. */
    OptionalDouble extraBias() {
        int count = fits.get(0).extraError.length;
        return IntStream.range(0, count)
                .mapToDouble(k -> Math.abs(fits.stream()
                        .mapToDouble(fit -> Math.expm1(fit.extraError[k]))
                        .average()
                        .orElseThrow()))
                .max();
    }

    private double extraError() {
        return rootMeanSquare(fits.stream().flatMapToDouble(fit -> Arrays.stream(fit.extraError)));
    }

    private double extraClaim() {
        return rootMeanSquare(fits.stream().flatMapToDouble(fit -> Arrays.stream(fit.extraDeviation)));
    }

    private static double rootMeanSquare(DoubleStream values) {
        return Math.sqrt(values.map(value -> value * value).average().orElseThrow());
    }

    /** Coverage of sums of coefficients that a warning calls nested. */
    OptionalDouble sumCoverage() {
        int sums = fits.stream().mapToInt(Fit::sums).sum();
        int covered = fits.stream().mapToInt(Fit::coveredSums).sum();
        return sums == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) covered / sums);
    }

    /** The share of fits with a warning of overdispersion. */
    double warned() {
        return fits.stream()
                .mapToInt(fit -> fit.overdispersed ? 1 : 0)
                .average()
                .orElseThrow();
    }

    /** How many coefficients would be below 0.80 by chance if each covered 0.90. */
    double nullLevel() {
        int n = fits.size();
        double term = Math.pow(0.1, n);
        double below = 0;
        for (int k = 0; k < 0.8 * n - 1e-9; k++) {
            below += term;
            term *= 9.0 * (n - k) / (k + 1);
        }
        return below * plain.length;
    }

    List<ResultRow> rows(GlmCase one) {
        double[] coverage = coverage();
        double[] flagged = flagged();
        double[] widths = widths();
        Arrays.sort(widths);
        List<ResultRow> rows = new ArrayList<>();
        add(rows, one, "cov90 mean", Arrays.stream(coverage).average().orElseThrow());
        add(rows, one, "cov90 worst", Arrays.stream(coverage).min().orElseThrow());
        Arrays.stream(modeCoverage())
                .min()
                .ifPresent(value -> add(rows, one, "cov90 worst without privacy, same targets", value));
        add(rows, one, "parameters below 0.80", (double)
                Arrays.stream(coverage).filter(c -> c < LOW).count());
        add(rows, one, "of these named in a warning in most fits", (double) IntStream.range(0, coverage.length)
                .filter(j -> coverage[j] < LOW && flagged[j] > 0.5)
                .count());
        add(
                rows,
                one,
                "covered or named in the same fit, worst",
                Arrays.stream(coveredOrFlagged()).min().orElseThrow());
        add(rows, one, "null level of these", nullLevel());
        add(rows, one, "parameters", coverage.length);
        add(rows, one, "median width over non-private", widths[widths.length / 2]);
        extraCoverage().ifPresent(value -> add(rows, one, "cov90 of extra parameters", value));
        extraModeCoverage()
                .ifPresent(value -> add(rows, one, "cov90 of extra parameters without privacy, same targets", value));
        extraBias().ifPresent(value -> add(rows, one, "relative bias of extra parameters", value));
        if (extraCoverage().isPresent()) {
            add(rows, one, "error of the logarithm of extra parameters, root mean square", extraError());
            add(rows, one, "their standard deviation as claimed, root mean square", extraClaim());
        }
        if (one.family().equals("poisson")) {
            add(rows, one, "tables in which overdispersion is warned of", warned());
        }
        sumCoverage().ifPresent(value -> add(rows, one, "cov90 of sums of nested pairs", value));
        return rows;
    }

    private void add(List<ResultRow> rows, GlmCase one, String metric, double value) {
        rows.add(new ResultRow(
                PrivateLikelihoodKernel.NAME,
                one.label() + ", epsilon " + one.epsilon(),
                metric,
                OptionalDouble.empty(),
                value,
                0,
                fits.size(),
                one.epsilon(),
                epsilon));
    }
}
