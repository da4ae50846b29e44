package dev.tacit.experiments.noiseaware;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.diagnostics.TarpCoverage;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.mcmc.NoUTurnSampler;
import dev.tacit.experiments.mcmc.NutsResult;
import dev.tacit.experiments.mcmc.NutsSettings;
import dev.tacit.inference.noiseaware.NoiseAwarePosterior;
import dev.tacit.inference.noiseaware.NoisyStatisticsGibbs;
import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.SamplesPosterior;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import dev.tacit.run.CalibratedPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The columns that the experiments with noise-aware inference share: one trace read in several ways, and baselines. */
final class NaDpviColumns {
    static final String NAIVE = "dpvi, last iterate";
    static final String AVERAGE = "dpvi, average of iterates";
    static final String EXACT = "noise-aware, exact";
    static final String LAPLACE = "noise-aware, Laplace";
    static final String NUTS = "noise-aware, NUTS";
    static final String REPAIRED = "noisy statistics, Gibbs";
    static final String MOMENTS = "noisy statistics, Gibbs, fourth moments";
    static final String PUBLISHED = "noisy statistics, Gibbs, as published";
    static final String FIELD = "model-implied field";
    static final String FIELD_POINT = "model-implied field, last point with the width without noise";
    private static final int NUTS_WARMUP = 300;
    private static final int NUTS_DRAWS = 1_000;

    /** Noise multipliers that opacus 1.4.1 returns for 10,000 batches of rate 0.1, delta 1e-5. */
    private static final Map<Double, Double> PUBLISHED_NOISE = Map.of(0.1, 360.0, 0.3, 117.5, 1.0, 37.8125);

    private NaDpviColumns() {}

    /** How much noise a run has, and what it is worth. */
    record Noise(String label, double multiplier, double epsilonHolds) {}

    private static ReleasePlan plan() {
        return ReleasePlan.of(
                "gradients",
                PublishedAlgorithm.STEPS,
                2,
                new SamplingScheme.PoissonSampling(PublishedAlgorithm.SAMPLING_RATE));
    }

    /** The noise that was published, and what holds for it. */
    static Noise publishedNoise(double epsilon) {
        double multiplier = PUBLISHED_NOISE.get(epsilon);
        double holds = new ExactAccountant()
                .epsilon(
                        plan().event(new DiscreteGaussianMechanism(multiplier)),
                        NoiseAwareCoverage.DELTA,
                        NoiseAwareCoverage.UNIT.neighbours())
                .upper();
        return new Noise("noise " + multiplier + " as published", multiplier, holds);
    }

    /** The least noise that the budget allows. */
    static Noise exactNoise(double epsilon) {
        try {
            CalibratedPlan calibrated = CalibratedPlan.of(
                    plan(),
                    new PrivacyBudget(epsilon, NoiseAwareCoverage.DELTA),
                    new ExactAccountant(),
                    NoiseAwareCoverage.UNIT.neighbours());
            return new Noise(
                    "noise calibrated exactly",
                    calibrated.noiseMultiplier(),
                    calibrated.epsilon().upper());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Simulated fits by the name of the reading. */
    static final class Readings {
        private final List<Map<String, CoverageFits.Fit>> fits;

        Readings(List<Map<String, CoverageFits.Fit>> fits) {
            this.fits = fits;
        }

        CoverageFits of(String column) {
            return new CoverageFits(fits.stream()
                    .filter(fit -> fit.containsKey(column))
                    .map(fit -> fit.get(column))
                    .toList());
        }
    }

    /** One trace, read in several ways. */
    static Map<String, CoverageFits.Fit> readings(
            PublishedAlgorithm.Trace trace,
            double[] truth,
            double[] plainDeviations,
            boolean withNuts,
            RandomStream random) {
        List<String> names = new ArrayList<>();
        for (int j = 0; j < truth.length; j++) {
            names.add("parameter-" + j);
        }
        NoiseAwarePosterior exact = new NoiseAwarePosterior(trace.statistics(), trace.noise());
        double[] centre = Arrays.copyOf(trace.statistics().parameterMeans(), truth.length);
        Map<String, Posterior> posteriors = new LinkedHashMap<>();
        posteriors.put(NAIVE, trace.naive(names));
        posteriors.put(AVERAGE, trace.iterateAverage(names));
        posteriors.put(EXACT, exact.parameters(names));
        posteriors.put(LAPLACE, trace.laplace(names, exact));
        if (withNuts) {
            posteriors.put(NUTS, nuts(trace, names, random.fork("nuts")));
        }
        Map<String, CoverageFits.Fit> fits = new LinkedHashMap<>();
        posteriors.forEach((column, posterior) ->
                fits.put(column, CoverageFits.Fit.of(truth, posterior, plainDeviations, centre, random)));
        return fits;
    }

    /** The published sampler on the whole trace, with a quarter of its transitions. */
    private static SamplesPosterior nuts(PublishedAlgorithm.Trace trace, List<String> names, RandomStream random) {
        FullTraceDensity density = new FullTraceDensity(trace.points(), trace.gradients(), trace.noise());
        List<String> all = new ArrayList<>();
        for (int i = 0; i < density.dimension(); i++) {
            all.add("x" + i);
        }
        NutsResult result = new NoUTurnSampler(
                        NutsSettings.standard().withChains(1).withTransitions(NUTS_WARMUP, NUTS_DRAWS))
                .sample(all, density, new double[][] {density.start()}, random);
        int n = names.size();
        double[] draws = new double[NUTS_DRAWS * n];
        for (int j = 0; j < n; j++) {
            double[] means = result.draws(2 * n + j)[0];
            double[] links = result.draws(3 * n + j)[0];
            for (int i = 0; i < NUTS_DRAWS; i++) {
                draws[i * n + j] = means[i] + SpecialFunctions.softplus(links[i]) * random.normal();
            }
        }
        return new SamplesPosterior(names, draws);
    }

    /** Fits, and the epsilon that holds for them. */
    record Repaired(CoverageFits fits, double epsilonHolds) {}

    /** Noisy statistics behind the door. */
    static Repaired repaired(CoverageTask task, boolean fourthMoments, double epsilon, int fits, int threads) {
        NoisyStatisticsGibbs kernel = new NoisyStatisticsGibbs(StatisticsBaselines.chain(task));
        NoisyStatisticsModel model = StatisticsBaselines.repaired(task, fourthMoments);
        CalibratedPlan calibrated = NoiseAwareCoverage.calibrated(kernel, model, epsilon);
        CoverageFits found = new CoverageFits(NoiseAwareCoverage.each(fits, threads, fit -> {
                    RandomStream random = RandomStream.ofSeed(fit);
                    CoverageTask.Table table = task.simulate(random);
                    var result = NoiseAwareCoverage.simulated(kernel, model, calibrated, table.records(), fit);
                    return new CoverageFits.Fit[] {
                        CoverageFits.Fit.of(
                                table.truth(),
                                StatisticsBaselines.inScoreCoordinates(task, (SamplesPosterior) result.posterior()),
                                table.plainDeviations(),
                                random)
                    };
                })
                .stream()
                .map(fit -> fit[0])
                .toList());
        return new Repaired(found, calibrated.epsilon().upper());
    }

    /** Noisy statistics as published. */
    static CoverageFits published(CoverageTask task, double epsilon, int fits, int threads) {
        return new CoverageFits(NoiseAwareCoverage.each(fits, threads, fit -> {
                    RandomStream random = RandomStream.ofSeed(fit);
                    CoverageTask.Table table = task.simulate(random);
                    return new CoverageFits.Fit[] {
                        CoverageFits.Fit.of(
                                table.truth(),
                                StatisticsBaselines.inScoreCoordinates(
                                        task, StatisticsBaselines.published(task, table, epsilon, random)),
                                table.plainDeviations(),
                                random)
                    };
                })
                .stream()
                .map(fit -> fit[0])
                .toList());
    }

    /** Curves of expected coverage over credibility. */
    static LineChart chart(String title, Map<String, CoverageFits> columns) {
        List<Series> series = new ArrayList<>();
        double[] levels = TarpCoverage.levels();
        series.add(new Series("correct", 0, true, correct(columns.values())));
        int style = 1;
        for (Map.Entry<String, CoverageFits> column : columns.entrySet()) {
            double[] curve = column.getValue().curve();
            List<Series.Point> points = new ArrayList<>();
            for (int i = levels.length - 1; i >= 0; i--) {
                points.add(new Series.Point(1 - levels[i], curve[i]));
            }
            series.add(new Series(column.getKey(), style++, false, points));
        }
        return new LineChart(title, Axis.fromZero("credibility", 1), Axis.fromZero("coverage", 1), series, null);
    }

    /**
     * The diagonal; bars show where the coverage of a correct posterior is 95 times in 100, for the fewest fits of all curves,
     * except near the ends, where that is not symmetric.
     */
    private static List<Series.Point> correct(Collection<CoverageFits> curves) {
        int fewest = curves.stream().mapToInt(CoverageFits::count).min().orElse(1);
        List<Series.Point> points = new ArrayList<>();
        for (int tenth = 0; tenth <= 10; tenth++) {
            double level = tenth / 10.0;
            double reach = 1.96 * Math.sqrt(level * (1 - level) / fewest);
            points.add(new Series.Point(level, level, reach <= Math.min(level, 1 - level) ? reach : 0));
        }
        return points;
    }
}
