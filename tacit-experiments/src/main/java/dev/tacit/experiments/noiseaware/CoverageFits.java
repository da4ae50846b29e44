package dev.tacit.experiments.noiseaware;

import dev.tacit.diagnostics.IntervalCoverage;
import dev.tacit.diagnostics.SimulatedFit;
import dev.tacit.diagnostics.TarpCoverage;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Posteriors beside the truths that made their records: how often intervals contain the truth, and how wide they are.
 *
 * <p>The blocks of coordinates are scored apart, because a wide one would rule the distances of another.
 */
final class CoverageFits {
    private static final int DRAWS = 2_000;
    private static final int REFERENCE_DRAWS = 20;
    private static final long SEED = 77;

    /** One posterior: draws, and for each coordinate where the truth falls and how wide it is beside the plain one. */
    record Fit(SimulatedFit draws, double[] transforms, double[] widths) {
        static Fit of(double[] truth, Posterior posterior, double[] plainDeviations, RandomStream random) {
            return of(truth, posterior, plainDeviations, posterior.mean(), random);
        }

        /** With reference points around a given centre. */
        static Fit of(
                double[] truth, Posterior posterior, double[] plainDeviations, double[] centre, RandomStream random) {
            int d = truth.length;
            double[] draws = new double[DRAWS * d];
            double[] one = new double[d];
            double[] below = new double[d];
            for (int i = 0; i < DRAWS; i++) {
                posterior.sample(random, one);
                System.arraycopy(one, 0, draws, i * d, d);
                for (int j = 0; j < d; j++) {
                    below[j] += one[j] < truth[j] ? 1.0 / DRAWS : 0;
                }
            }
            double[] widths = posterior.standardDeviation();
            for (int j = 0; j < d; j++) {
                widths[j] /= plainDeviations[j];
            }
            return new Fit(new SimulatedFit(truth, draws, centre), below, widths);
        }
    }

    private final List<Fit> fits;

    CoverageFits(List<Fit> fits) {
        this.fits = List.copyOf(fits);
    }

    /** How many there are. */
    int count() {
        return fits.size();
    }

    /** Rows of one method: the error of TARP, coverage of central intervals, and standard deviation over the plain one. */
    List<ResultRow> rows(String method, String setting, double epsilonClaimed, double epsilonHolds) {
        return rows(method, setting, epsilonClaimed, epsilonHolds, OptionalDouble.empty());
    }

    /** With the published error of TARP. */
    List<ResultRow> rows(
            String method, String setting, double epsilonClaimed, double epsilonHolds, OptionalDouble paperTarp) {
        List<ResultRow> rows = new ArrayList<>();
        scores().forEach((metric, value) -> rows.add(new ResultRow(
                method,
                setting,
                metric,
                metric.equals("tarp") ? paperTarp : OptionalDouble.empty(),
                value[0],
                value[1],
                fits.size(),
                epsilonClaimed,
                epsilonHolds)));
        return rows;
    }

    private Map<String, double[]> scores() {
        Map<String, double[]> scores = new LinkedHashMap<>();
        int d = fits.get(0).widths.length;
        List<SimulatedFit> draws = fits.stream().map(Fit::draws).toList();
        if (d > 3) {
            scores.put("tarp", tarp(draws));
            scores.put("tarp whitened", tarp(SimulatedFit.whitened(draws)));
            add(scores, " weights", tarp(SimulatedFit.whitened(weights(draws))), 0, d - 1);
            add(scores, " log-variance", tarp(SimulatedFit.marginal(draws, d - 1)), d - 1, d);
        } else {
            add(scores, "", tarp(draws), 0, d);
        }
        return scores;
    }

    private void add(Map<String, double[]> scores, String block, double[] tarp, int from, int to) {
        scores.put("tarp" + block, tarp);
        for (int level = 50; level <= 90; level += 40) {
            IntervalCoverage coverage = coverage(level / 100.0, from, to);
            scores.put("cov" + level + block, new double[] {coverage.share(), 0});
        }
        scores.put("sd over non-private" + block, widths(from, to));
    }

    private static List<SimulatedFit> weights(List<SimulatedFit> fits) {
        return fits.stream()
                .map(fit -> {
                    int d = fit.dimension();
                    double[] draws = new double[fit.count() * (d - 1)];
                    for (int i = 0; i < fit.count(); i++) {
                        System.arraycopy(fit.draws(), i * d, draws, i * (d - 1), d - 1);
                    }
                    return new SimulatedFit(
                            Arrays.copyOf(fit.truth(), d - 1), draws, Arrays.copyOf(fit.centre(), d - 1));
                })
                .toList();
    }

    /** Mean and standard deviation over reference points. */
    private static double[] tarp(List<SimulatedFit> fits) {
        double[] errors = new double[REFERENCE_DRAWS];
        for (int r = 0; r < REFERENCE_DRAWS; r++) {
            errors[r] = TarpCoverage.of(
                            fits,
                            TarpCoverage.References.AROUND_CENTRE,
                            RandomStream.ofSeed(SEED).fork(r))
                    .rootMeanSquaredError();
        }
        return moments(errors);
    }

    /** Expected coverage at the levels of {@link TarpCoverage#levels}, the mean over reference points. */
    double[] curve() {
        List<SimulatedFit> draws = fits.stream().map(Fit::draws).toList();
        double[] mean = new double[TarpCoverage.levels().length];
        for (int r = 0; r < REFERENCE_DRAWS; r++) {
            double[] coverage = TarpCoverage.of(
                            draws,
                            TarpCoverage.References.AROUND_CENTRE,
                            RandomStream.ofSeed(SEED).fork(r))
                    .coverage();
            for (int i = 0; i < mean.length; i++) {
                mean[i] += coverage[i] / REFERENCE_DRAWS;
            }
        }
        return mean;
    }

    /** What the error of TARP is if all posteriors are right. */
    static TarpCoverage.NullDistribution nullDistribution(int count) {
        return TarpCoverage.nullDistribution(count, DRAWS, 4_000, RandomStream.ofSeed(SEED));
    }

    private IntervalCoverage coverage(double level, int from, int to) {
        double[] transforms = new double[fits.size() * (to - from)];
        int next = 0;
        for (Fit fit : fits) {
            for (int j = from; j < to; j++) {
                transforms[next++] = fit.transforms[j];
            }
        }
        return IntervalCoverage.ofTransforms(level, transforms);
    }

    private double[] widths(int from, int to) {
        double[] widths = new double[fits.size()];
        for (int i = 0; i < widths.length; i++) {
            for (int j = from; j < to; j++) {
                widths[i] += fits.get(i).widths[j] / (to - from);
            }
        }
        return moments(widths);
    }

    private static double[] moments(double[] values) {
        double mean = 0;
        for (double value : values) {
            mean += value / values.length;
        }
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return new double[] {mean, values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : 0};
    }
}
