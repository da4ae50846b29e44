package dev.tacit.experiments.ep;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.ResultRow;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.KullbackLeibler;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Series;
import dev.tacit.run.CalibratedPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How far privacy noise moves stochastic EP away from itself, over the number of records: the bound of {@link SiteNoiseBound} and simulated
 * divergences.
 *
 * <p>In the sense of Vinaroz, Park 2022, Theorem 4.1. One component of the mixture of Table 1 with a quarter of N records; ten full passes of
 * sites clipped at 1, steps that replace half of what was there, epsilon 1 and 5.
 */
public final class DpSepBound implements Experiment {
    private static final int COLUMNS = 4;
    private static final int STEPS = 10;
    private static final double L2_BOUND = 1;
    private static final double DELTA = 1e-5;
    private static final int DRAWS = 2000;
    private static final double[] EPSILONS = {1, 5};
    private static final int[] SIZES = {1000, 2000, 4000, 8000, 16_000, 32_000, 64_000};

    @Override
    public String name() {
        return "dp-sep-bound";
    }

    @Override
    public String about() {
        return "DP-SEP Theorem 4.1: divergence of private from plain stochastic EP over N, bound and simulation";
    }

    @Override
    public boolean needsData() {
        return false;
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int draws = options.quick() ? 200 : DRAWS;
        listener.started(EPSILONS.length * SIZES.length);
        List<ResultRow> rows = new ArrayList<>();
        List<Series> series = new ArrayList<>();
        for (double epsilon : EPSILONS) {
            List<Series.Point> bounds = new ArrayList<>();
            List<Series.Point> simulations = new ArrayList<>();
            for (int size : SIZES) {
                Case one = new Case(size, noise(epsilon, size));
                double bound = one.bound().expectedDivergence(one.noise());
                double outside = one.bound().probabilityOutside(one.noise());
                double[] simulated = one.simulated(draws);
                rows.add(row("bound", size, epsilon, "expectedDivergence", bound, 0, 1));
                rows.add(row("simulated", size, epsilon, "expectedDivergence", simulated[0], simulated[1], draws));
                rows.add(row("bound", size, epsilon, "probabilityOutside", outside, 0, 1));
                bounds.add(new Series.Point(size, bound));
                simulations.add(new Series.Point(size, simulated[0]));
                listener.partDone();
            }
            series.add(new Series("bound, epsilon " + (int) epsilon, series.size(), true, bounds));
            series.add(new Series("simulated, epsilon " + (int) epsilon, series.size(), false, simulations));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "divergence of the noisy from the noiseless Gaussian over one mean in four columns, sites held fixed",
                        "the bound is on the event that the noise does not make the precision improper; probabilityOutside bounds the"
                                + " rest, and where it is near 1 the bound says little",
                        "noise for the exact accountant, delta 1e-5, add or remove one record"),
                List.of(new LineChart(
                        "Expected divergence of private from plain stochastic EP",
                        new Axis("records", SIZES[0], SIZES[SIZES.length - 1], true),
                        new Axis("divergence", 1e-4, 1, true),
                        series,
                        null)),
                (System.nanoTime() - start) * 1e-9);
    }

    private static double noise(double epsilon, int size) {
        int dimension = new GaussianBlocks(4, COLUMNS).naturalSize();
        ReleasePlan plan = ReleasePlan.of("sites", STEPS, dimension, new SamplingScheme.FullPass());
        try {
            double multiplier = CalibratedPlan.of(
                            plan, new PrivacyBudget(epsilon, DELTA), new ExactAccountant(), Neighbours.ADD_REMOVE)
                    .noiseMultiplier();
            return SiteNoiseBound.accumulated(multiplier * L2_BOUND, size / 2.0, size, size, STEPS);
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ResultRow row(
            String method, int size, double epsilon, String metric, double value, double spread, int seeds) {
        return new ResultRow(
                method,
                "N " + size + ", epsilon " + (int) epsilon,
                metric,
                OptionalDouble.empty(),
                value,
                spread,
                seeds,
                epsilon,
                epsilon);
    }

    /** A posterior of N/4 records with variance 1/4, and the noise in its natural parameters. */
    private record Case(int size, double noise) {
        private double precision() {
            return 0.1 + size / 4.0 / 0.25;
        }

        private static double[] mean() {
            return new double[] {1, -1, 0.5, 0};
        }

        SiteNoiseBound bound() {
            return new SiteNoiseBound(mean(), SymmetricMatrix.scaledIdentity(COLUMNS, 1 / precision()));
        }

        /** Mean and standard deviation of the divergence over draws on the event. */
        double[] simulated(int draws) {
            GaussianBlocks shape = new GaussianBlocks(1, COLUMNS);
            List<String> names = List.of("a", "b", "c", "d");
            GaussianPosterior plain =
                    new GaussianPosterior(names, mean(), SymmetricMatrix.scaledIdentity(COLUMNS, 1 / precision()));
            RandomStream random = RandomStream.ofSeed(size);
            double sum = 0;
            double squares = 0;
            for (int draw = 0; draw < draws; draw++) {
                double[] vector =
                        SymmetricMatrix.toVector(COLUMNS, SymmetricMatrix.scaledIdentity(COLUMNS, precision()));
                for (int i = 0; i < vector.length; i++) {
                    vector[i] += noise * random.normal();
                }
                double[] weighted = mean();
                for (int i = 0; i < COLUMNS; i++) {
                    weighted[i] = precision() * weighted[i] + noise * random.normal();
                }
                double[] noisy = SymmetricMatrix.fromVector(COLUMNS, vector, 0);
                double[] least = LinearAlgebra.java().eigen(COLUMNS, noisy).values();
                boolean inside = least[0] >= precision() / 2 && least[COLUMNS - 1] <= 1.5 * precision();
                if (inside) {
                    double[] covariance = shape.inverse(noisy);
                    double divergence = KullbackLeibler.divergence(
                            plain, new GaussianPosterior(names, shape.multiply(covariance, weighted), covariance));
                    sum += divergence;
                    squares += divergence * divergence;
                }
            }
            double mean = sum / draws;
            return new double[] {mean, Math.sqrt(Math.max(0, squares / draws - mean * mean))};
        }
    }
}
