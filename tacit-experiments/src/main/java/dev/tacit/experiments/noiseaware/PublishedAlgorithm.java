package dev.tacit.experiments.noiseaware;

import dev.tacit.inference.noiseaware.NoiseAwarePosterior;
import dev.tacit.inference.noiseaware.TraceNoise;
import dev.tacit.inference.noiseaware.TraceStatistics;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import java.util.Arrays;
import java.util.List;

/**
 * Private variational inference as it was published, on simulated records.
 *
 * <pre>
 *   q = N(μ, diag softplus(u)²),   φ = (μ, u)
 *   s̃_t = Σ_{n∈B} clip(β ⊙ ∇ℓ_n(φ_t), C) + σ C N(0, I)        B: each record with probability 0.1;   ℓ_n has the prior's share 1/N in it
 *   g̃_t = s̃_t / β,     φ ← φ − v s̃_t / (√(T d) σ C)             T = 10,000,   d numbers in φ
 * </pre>
 *
 * Alrawajfeh, Jälkö, Honkela 2025, Algorithm 1, as their code has it. Nobody stands behind simulated records, so they need
 * no door, and records that are alike are counted instead of visited, which makes hundreds of fits possible. For the
 * records of people there is {@link dev.tacit.inference.vi.DpVariationalInference}.
 */
final class PublishedAlgorithm {
    static final int STEPS = 10_000;
    static final double SAMPLING_RATE = 0.1;
    static final int DRAWS = 10;
    static final int BURN_IN = 2_000;

    private PublishedAlgorithm() {}

    /** Simulated records under a model. */
    interface Records {
        /** n. */
        int parameters();

        /** How many different records there are. */
        int kinds();

        /** How many records are of a kind. */
        int count(int kind);

        /** Called once for each φ, before gradients are asked for. */
        void prepare(double[] means, double[] scales, double[] slopes, double[] draws);

        /** ∇ℓ of a record of this kind, μ first, then u. */
        void gradient(int kind, double[] gradient);
    }

    /**
     * Published settings of a model.
     *
     * @param l2Bound C
     * @param linkWeight β of u; that of μ is 1
     * @param start φ at the start
     * @param rates v of each coordinate
     */
    record Setting(double l2Bound, double linkWeight, double[] start, double[] rates) {}

    /**
     * What a run leaves.
     *
     * @param last φ after the last step
     * @param points φ_t after the burn-in, one after the other
     * @param gradients g̃_t after the burn-in
     * @param statistics of these pairs
     * @param noise with which they are read
     */
    record Trace(double[] last, double[] points, double[] gradients, TraceStatistics statistics, TraceNoise noise) {
        private int parameters() {
            return last.length / 2;
        }

        /** q where the run ended. */
        DiagonalGaussianPosterior naive(List<String> names) {
            return gaussian(names, last, new double[parameters()]);
        }

        /** q at the mean of the trace, and the trace's own variance (Jälkö et al. 2023). */
        DiagonalGaussianPosterior iterateAverage(List<String> names) {
            double[] variances = new double[parameters()];
            for (int j = 0; j < variances.length; j++) {
                variances[j] = statistics.parameterSquares()[j] / statistics.steps();
            }
            return gaussian(names, statistics.parameterMeans(), variances);
        }

        /** The published approximation: one Gaussian at the mode, the uncertainty of u left out. */
        DiagonalGaussianPosterior laplace(List<String> names, NoiseAwarePosterior posterior) {
            double[] modes = new double[last.length];
            double[] variances = new double[parameters()];
            for (int i = 0; i < modes.length; i++) {
                NoiseAwarePosterior.Laplace laplace = posterior.laplace(i);
                modes[i] = laplace.optimumMode();
                if (i < variances.length) {
                    variances[i] = laplace.optimumVariance();
                }
            }
            return gaussian(names, modes, variances);
        }

        private static DiagonalGaussianPosterior gaussian(List<String> names, double[] point, double[] added) {
            double[] variances = new double[names.size()];
            for (int j = 0; j < variances.length; j++) {
                double scale = SpecialFunctions.softplus(point[variances.length + j]);
                variances[j] = scale * scale + added[j];
            }
            return new DiagonalGaussianPosterior(names, Arrays.copyOf(point, variances.length), variances);
        }
    }

    /** Runs it. */
    static Trace run(Records records, Setting setting, double noiseMultiplier, RandomStream random) {
        int n = records.parameters();
        double[] point = setting.start.clone();
        double[] scales = new double[n];
        double[] slopes = new double[n];
        double[] draws = new double[DRAWS * n];
        double[] sum = new double[2 * n];
        double[] gradient = new double[2 * n];
        double noise = noiseMultiplier * setting.l2Bound;
        Batches batches = new Batches(records);
        double[] points = new double[(STEPS - BURN_IN) * 2 * n];
        double[] gradients = new double[points.length];
        TraceStatistics statistics = TraceStatistics.empty(2 * n);
        for (int t = 0; t < STEPS; t++) {
            for (int j = 0; j < n; j++) {
                scales[j] = SpecialFunctions.softplus(point[n + j]);
                slopes[j] = SpecialFunctions.sigmoid(point[n + j]);
            }
            random.fillNormal(draws);
            records.prepare(Arrays.copyOf(point, n), scales, slopes, draws);
            batches.sum(setting, random, gradient, sum);
            for (int i = 0; i < 2 * n; i++) {
                sum[i] += noise * random.normal();
                gradient[i] = i < n ? sum[i] : sum[i] / setting.linkWeight;
            }
            if (t >= BURN_IN) {
                System.arraycopy(point, 0, points, (t - BURN_IN) * 2 * n, 2 * n);
                System.arraycopy(gradient, 0, gradients, (t - BURN_IN) * 2 * n, 2 * n);
                statistics = statistics.plus(point, gradient);
            }
            for (int i = 0; i < 2 * n; i++) {
                point[i] -= setting.rates[i] / Math.sqrt(2.0 * n * STEPS) * sum[i] / noise;
            }
        }
        double[] deviations = new double[2 * n];
        for (int i = 0; i < 2 * n; i++) {
            deviations[i] = i < n ? noise : noise / setting.linkWeight;
        }
        return new Trace(point, points, gradients, statistics, TraceNoise.published(SAMPLING_RATE, deviations));
    }

    /** Sums of clipped gradients over random batches. */
    private static final class Batches {
        private final Records records;
        /** Distribution functions of the number of a kind in a batch; null if all records differ. */
        private final double[][] counts;

        Batches(Records records) {
            this.records = records;
            boolean alike = records.count(0) > 1;
            counts = alike ? new double[records.kinds()][] : null;
            for (int kind = 0; alike && kind < counts.length; kind++) {
                counts[kind] = binomial(records.count(kind));
            }
        }

        /** P(at most k) of n records, for k = 0, …, n. */
        private static double[] binomial(int n) {
            double[] distribution = new double[n + 1];
            double odds = Math.log(SAMPLING_RATE / (1 - SAMPLING_RATE));
            double logChoose = 0;
            double sum = 0;
            for (int k = 0; k <= n; k++) {
                sum += Math.exp(logChoose + k * odds + n * Math.log(1 - SAMPLING_RATE));
                distribution[k] = sum;
                logChoose += Math.log((n - k) / (k + 1.0));
            }
            return distribution;
        }

        void sum(Setting setting, RandomStream random, double[] gradient, double[] sum) {
            Arrays.fill(sum, 0);
            if (counts != null) {
                for (int kind = 0; kind < counts.length; kind++) {
                    int found = Arrays.binarySearch(counts[kind], random.uniform());
                    add(setting, kind, found < 0 ? -found - 1 : found, gradient, sum);
                }
                return;
            }
            double skip = 1 / Math.log(1 - SAMPLING_RATE);
            int kinds = records.kinds();
            for (int at = (int) (skip * Math.log(random.openUniform()));
                    at < kinds;
                    at += 1 + (int) (skip * Math.log(random.openUniform()))) {
                add(setting, at, 1, gradient, sum);
            }
        }

        private void add(Setting setting, int kind, int times, double[] gradient, double[] sum) {
            int n = gradient.length / 2;
            records.gradient(kind, gradient);
            double squares = 0;
            for (int i = 0; i < 2 * n; i++) {
                gradient[i] *= i < n ? 1 : setting.linkWeight;
                squares += gradient[i] * gradient[i];
            }
            double factor = times * Math.min(1, setting.l2Bound / Math.sqrt(squares));
            for (int i = 0; i < 2 * n; i++) {
                sum[i] += factor * gradient[i];
            }
        }
    }
}
