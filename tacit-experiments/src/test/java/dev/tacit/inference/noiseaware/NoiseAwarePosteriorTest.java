package dev.tacit.inference.noiseaware;

import static dev.tacit.experiments.harness.Golden.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.diagnostics.ChainDiagnostics;
import dev.tacit.experiments.harness.Golden;
import dev.tacit.experiments.mcmc.NoUTurnSampler;
import dev.tacit.experiments.mcmc.NutsResult;
import dev.tacit.experiments.mcmc.NutsSettings;
import dev.tacit.experiments.noiseaware.FullTraceDensity;
import dev.tacit.inference.noiseaware.NoiseAwarePosterior.CurvaturePrior;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.MixturePosterior;
import dev.tacit.posterior.family.ScalarGaussianMixture;
import dev.tacit.posterior.json.PosteriorJson;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoiseAwarePosteriorTest {
    private static final long SEED = 3;
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/experiments/noiseaware/noise-aware.json");

    private static double expected(String vector, String name) {
        return number(Golden.object(Golden.object(GOLDEN, vector), "expected"), name);
    }

    /** A trace of any number of coordinates, step after step. */
    private record Trace(double[] parameters, double[] gradients, TraceNoise noise) {
        TraceStatistics statistics() {
            int d = noise.noiseStandardDeviations().length;
            TraceStatistics statistics = TraceStatistics.empty(d);
            for (int at = 0; at < parameters.length; at += d) {
                statistics = statistics.plus(
                        java.util.Arrays.copyOfRange(parameters, at, at + d),
                        java.util.Arrays.copyOfRange(gradients, at, at + d));
            }
            return statistics;
        }
    }

    private static Trace tiny() {
        double[] phi = new double[12];
        double[] g = new double[12];
        for (int t = 0; t < 12; t++) {
            phi[t] = -3.5 + 0.4 * Math.sin(0.9 * t + 0.3);
            g[t] = 2.5 * (phi[t] + 3.4) + 6 * Math.cos(2.1 * t + 0.5);
        }
        return new Trace(phi, g, TraceNoise.published(0.1, new double[] {6}));
    }

    private static Trace wellIdentified() {
        double[] phi = new double[40];
        double[] g = new double[40];
        for (int t = 0; t < 40; t++) {
            phi[t] = 0.3 + 0.5 * Math.sin(0.7 * t + 0.2);
            g[t] = 4 * (phi[t] - 0.35) + 0.65 * Math.cos(2.3 * t + 1.1);
        }
        return new Trace(phi, g, TraceNoise.published(0.1, new double[] {0.5}).withoutSubsampling());
    }

    // ---- golden vectors --------------------------------------------------------------------------------------------

    @Test
    void keepsTheStatisticsOfATrace() {
        TraceStatistics statistics = tiny().statistics();
        String vector = "trace_sufficient_statistics";
        assertThat(statistics.steps()).isEqualTo(12);
        assertThat(statistics.parameterMeans()[0]).isCloseTo(expected(vector, "phibar"), within(1e-14));
        assertThat(statistics.gradientMeans()[0]).isCloseTo(expected(vector, "gbar"), within(1e-14));
        assertThat(statistics.parameterSquares()[0]).isCloseTo(expected(vector, "Cpp"), within(1e-13));
        assertThat(statistics.crossProducts()[0]).isCloseTo(expected(vector, "Cgp"), within(1e-13));
        assertThat(statistics.gradientSquares()[0]).isCloseTo(expected(vector, "Cgg"), within(1e-11));
        CurvaturePrior prior = CurvaturePrior.empirical(statistics, tiny().noise());
        assertThat(prior.means()[0]).isCloseTo(expected(vector, "prior_mean_v"), within(1e-11));
        assertThat(prior.standardDeviations()[0]).isCloseTo(expected(vector, "prior_sd_v"), within(1e-11));
    }

    @Test
    void hasTheDensityOfTheWholeTrace() {
        for (String vector : List.of("suffstat_logpost_v20.0_s0.0", "suffstat_logpost_v1.5_s1.3")) {
            Map<?, ?> inputs = Golden.object(Golden.object(GOLDEN, vector), "inputs");
            double[] point = {number(inputs, "v"), number(inputs, "phi_star"), number(inputs, "s")};
            double[] gradient = new double[3];
            FullTraceDensity density = new FullTraceDensity(tiny().parameters(), tiny().gradients(), tiny().noise());
            assertThat(density.valueAndGradient(point, gradient)).isCloseTo(expected(vector, "logpost"), within(1e-11));
            assertThat(gradient)
                    .containsExactly(
                            Golden.numbers(
                                    Golden.object(Golden.object(GOLDEN, vector), "expected"), "grad_v_phistar_s"),
                            within(1e-12));
        }
    }

    @Test
    void conditionsOnTheCurvature() {
        TraceStatistics statistics = tiny().statistics();
        CurvaturePrior prior = CurvaturePrior.empirical(statistics, tiny().noise());
        CollapsedTrace collapsed = new CollapsedTrace(
                statistics, 0, tiny().noise().withoutSubsampling(), prior.means()[0], prior.standardDeviations()[0]);
        for (double v : new double[] {0, 20}) {
            String vector = "phistar_given_v" + v;
            assertThat(collapsed.optimum(v, 0)[0]).isCloseTo(expected(vector, "mean"), within(1e-13));
            assertThat(collapsed.optimum(v, 0)[1]).isCloseTo(expected(vector, "var"), within(1e-13));
            assertThat(collapsed.logDensity(v, 0)).isCloseTo(expected(vector, "log_marginal_v_unnorm"), within(1e-11));
        }
    }

    @Test
    void agreesWithTheGoldenPosteriors() {
        TraceStatistics statistics = tiny().statistics();
        NoiseAwarePosterior.Coordinate known =
                new NoiseAwarePosterior(statistics, tiny().noise().withoutSubsampling()).coordinate(0);
        check("exact_phistar_posterior_sub0", known);
        assertThat(known.linkMean()).isCloseTo(expected("exact_phistar_posterior_sub0", "v_mean"), within(1e-8));
        assertThat(known.linkDeviation()).isCloseTo(expected("exact_phistar_posterior_sub0", "v_sd"), within(1e-8));
        NoiseAwarePosterior.Coordinate unknown = new NoiseAwarePosterior(statistics, tiny().noise()).coordinate(0);
        check("exact_phistar_posterior_subN01", unknown);
        assertThat(unknown.subsamplingDeviation())
                .isCloseTo(expected("exact_phistar_posterior_subN01", "abs_s_mean"), within(1e-9));
        NoiseAwarePosterior.Coordinate well = new NoiseAwarePosterior(
                        wellIdentified().statistics(), wellIdentified().noise())
                .coordinate(0);
        check("exact_phistar_posterior_wellident", well);
        assertThat(well.linkMean()).isCloseTo(expected("exact_phistar_posterior_wellident", "v_mean"), within(1e-9));
    }

    private static void check(String vector, NoiseAwarePosterior.Coordinate coordinate) {
        assertThat(coordinate.optimum().mean()).as(vector).isCloseTo(expected(vector, "mean"), within(1e-9));
        assertThat(Math.sqrt(coordinate.optimum().variance()))
                .as(vector)
                .isCloseTo(expected(vector, "sd"), within(1e-9));
    }

    @Test
    void agreesWithTheGoldenLaplaceApproximation() {
        NoiseAwarePosterior.Laplace laplace = new NoiseAwarePosterior(tiny().statistics(), tiny().noise()).laplace(0);
        assertThat(laplace.linkMode()).isCloseTo(expected("laplace_sub0", "map_v"), within(1e-7));
        assertThat(laplace.optimumMode()).isCloseTo(expected("laplace_sub0", "map_phistar"), within(1e-9));
        assertThat(laplace.linkVariance() / expected("laplace_sub0", "cov_vv")).isCloseTo(1, within(1e-8));
        assertThat(laplace.covariance() / expected("laplace_sub0", "cov_vphi")).isCloseTo(1, within(1e-8));
        assertThat(laplace.optimumVariance() / expected("laplace_sub0", "var_phistar"))
                .isCloseTo(1, within(1e-8));
    }

    // ---- against brute force ---------------------------------------------------------------------------------------

    /** Traces of a hundred steps with little noise, much noise, and a curvature of the wrong sign. */
    @ParameterizedTest
    @ValueSource(doubles = {0.05, 1, 20, -3})
    void agreesWithAGrid(double level) {
        Trace trace = simulated(100, Math.abs(level), level < 0 ? -1 : 1, 1);
        for (TraceNoise noise : List.of(trace.noise().withoutSubsampling(), trace.noise())) {
            NoiseAwarePosterior.Coordinate exact = new NoiseAwarePosterior(trace.statistics(), noise).coordinate(0);
            double[] grid = grid(trace.statistics(), noise, CurvaturePrior.empirical(trace.statistics(), noise), 4001);
            assertThat(exact.optimum().mean()).isCloseTo(grid[0], within(1e-7 * grid[1]));
            assertThat(Math.sqrt(exact.optimum().variance()) / grid[1]).isCloseTo(1, within(1e-7));
            assertThat(exact.subsamplingDeviation()).isCloseTo(grid[2], within(1e-6 * (grid[2] + 1e-9)));
        }
    }

    /** Priors that are much wider and much narrower than what the trace says. */
    @ParameterizedTest
    @ValueSource(doubles = {0.2, 3000})
    void agreesWithAGridUnderAGivenPrior(double deviation) {
        Trace trace = simulated(100, 1, 1, 1);
        CurvaturePrior prior = new CurvaturePrior(new double[] {12}, new double[] {deviation});
        TraceNoise noise = trace.noise().withoutSubsampling();
        ScalarGaussianMixture exact = new NoiseAwarePosterior(trace.statistics(), noise, prior)
                .coordinate(0)
                .optimum();
        double[] grid = grid(trace.statistics(), noise, prior, 400_001);
        assertThat(exact.mean()).isCloseTo(grid[0], within(1e-7 * grid[1]));
        assertThat(Math.sqrt(exact.variance()) / grid[1]).isCloseTo(1, within(1e-7));
    }

    /** Mean and standard deviation of φ*, and mean of s, by trapezoids over v and Simpson's rule over s ≥ 0. */
    private static double[] grid(TraceStatistics trace, TraceNoise noise, CurvaturePrior prior, int links) {
        double middle = prior.means()[0];
        double deviation = prior.standardDeviations()[0];
        CollapsedTrace collapsed = new CollapsedTrace(trace, 0, noise, middle, deviation);
        int scales = noise.subsamplingScale() > 0 ? 401 : 1;
        // far above the spread of the residuals, or in the prior's tail
        double residual = trace.gradientSquares()[0]
                - trace.crossProducts()[0] * trace.crossProducts()[0] / trace.parameterSquares()[0];
        double widest = Math.min(9 * noise.subsamplingScale(), 3 * Math.sqrt(residual / trace.steps()));
        double top = Double.NEGATIVE_INFINITY;
        double[] sums = new double[4];
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < links; i++) {
                double v = middle + deviation * 9 * (2.0 * i / (links - 1) - 1);
                for (int j = 0; j < scales; j++) {
                    double s = scales == 1 ? 0 : widest * j / (scales - 1);
                    double log = collapsed.logDensity(v, s);
                    if (pass == 0) {
                        top = Math.max(top, log);
                    } else if (log > top - 50) {
                        double weight = Math.exp(log - top) * (j == 0 || j == scales - 1 ? 1 : j % 2 == 1 ? 4 : 2);
                        double[] optimum = collapsed.optimum(v, s);
                        double gap = optimum[0] - trace.parameterMeans()[0];
                        sums[0] += weight;
                        sums[1] += weight * gap;
                        sums[2] += weight * (optimum[1] + gap * gap);
                        sums[3] += weight * s;
                    }
                }
            }
        }
        double mean = sums[1] / sums[0];
        return new double[] {
            mean + trace.parameterMeans()[0], Math.sqrt(sums[2] / sums[0] - mean * mean), sums[3] / sums[0]
        };
    }

    /** Nothing is integrated by hand here: a grid over (v, φ*) with the density of the whole trace. */
    @Test
    void agreesWithBruteForce() {
        Trace trace = tiny();
        TraceNoise noise = trace.noise().withoutSubsampling();
        FullTraceDensity density = new FullTraceDensity(trace.parameters(), trace.gradients(), noise);
        CurvaturePrior prior = CurvaturePrior.empirical(trace.statistics(), noise);
        double top = density.valueAndGradient(density.start(), new double[2]);
        double[] sums = new double[3];
        double[] point = new double[2];
        for (int i = -1000; i <= 1000; i++) {
            point[0] = prior.means()[0] + prior.standardDeviations()[0] * i / 100;
            for (int j = -200; j <= 200; j++) {
                double gap = j / 25.0;
                point[1] = trace.statistics().parameterMeans()[0] + gap;
                double weight = Math.exp(density.valueAndGradient(point, new double[2]) - top);
                sums[0] += weight;
                sums[1] += weight * gap;
                sums[2] += weight * gap * gap;
            }
        }
        ScalarGaussianMixture exact =
                new NoiseAwarePosterior(trace.statistics(), noise).coordinate(0).optimum();
        double mean = sums[1] / sums[0];
        assertThat(exact.mean()).isCloseTo(trace.statistics().parameterMeans()[0] + mean, within(1e-9));
        assertThat(exact.variance()).isCloseTo(sums[2] / sums[0] - mean * mean, within(1e-9));
    }

    private static Trace simulated(int steps, double deviation, double sign, int coordinates) {
        RandomStream random = RandomStream.ofSeed(SEED).fork((long) (1000 * deviation));
        double[] phi = new double[steps * coordinates];
        double[] g = new double[steps * coordinates];
        double[] deviations = new double[coordinates];
        java.util.Arrays.fill(deviations, deviation);
        for (int i = 0; i < coordinates; i++) {
            double at = 0.5;
            for (int t = 0; t < steps; t++) {
                phi[t * coordinates + i] = at;
                g[t * coordinates + i] = sign * 2 * (at - 0.2) + deviation * random.normal();
                at = 0.2 + 0.8 * (at - 0.2) + 0.3 * random.normal();
            }
        }
        return new Trace(phi, g, TraceNoise.published(0.2, deviations));
    }

    // ---- against NUTS on the whole trace ----------------------------------------------------------------------------

    /** Means and central probabilities within 6 standard errors: the chance of a false alarm is below 1e-7. */
    @Test
    void agreesWithMarkovChainsOnTheWholeTrace() {
        Trace trace = simulated(400, 1, 1, 3);
        NoiseAwarePosterior exact = new NoiseAwarePosterior(trace.statistics(), trace.noise());
        FullTraceDensity density = new FullTraceDensity(trace.parameters(), trace.gradients(), trace.noise());
        NutsSettings settings =
                NutsSettings.standard().withTransitions(1000, 3000).withTargetAcceptance(0.9);
        double[][] starts = {density.start(), density.start(), density.start(), density.start()};
        NutsResult result = new NoUTurnSampler(settings)
                .sample(
                        IntStream.range(0, 9).mapToObj(i -> "x" + i).toList(),
                        density,
                        starts,
                        RandomStream.ofSeed(SEED));
        for (int i = 0; i < 3; i++) {
            NoiseAwarePosterior.Coordinate coordinate = exact.coordinate(i);
            compare(result.draws(i), x -> x, coordinate.linkMean());
            compare(result.draws(3 + i), x -> x, coordinate.optimum().mean());
            double low = coordinate.optimum().quantile(0.05);
            double high = coordinate.optimum().quantile(0.95);
            compare(result.draws(3 + i), x -> x < low ? 1 : 0, 0.05);
            compare(result.draws(3 + i), x -> x < high ? 1 : 0, 0.95);
            compare(result.draws(6 + i), Math::abs, coordinate.subsamplingDeviation());
        }
    }

    private static void compare(double[][] chains, java.util.function.DoubleUnaryOperator f, double expected) {
        for (double[] chain : chains) {
            for (int i = 0; i < chain.length; i++) {
                chain[i] = f.applyAsDouble(chain[i]);
            }
        }
        ChainDiagnostics diagnostics = ChainDiagnostics.of(chains);
        assertThat(diagnostics.rHat()).isLessThan(1.02);
        assertThat((diagnostics.mean() - expected) / diagnostics.standardErrorOfMean())
                .as("mean %s, exact %s, seed %s", diagnostics.mean(), expected, SEED)
                .isBetween(-6.0, 6.0);
    }

    // ---- prediction ------------------------------------------------------------------------------------------------

    /**
     * θ = μ* + softplus(u*) ε by mixture and by draws. The largest distance of the two distribution functions at 100
     * 000 draws exceeds 0.0091 with probability 1e-7 (Dvoretzky, Kiefer, Wolfowitz, Massart); 0.0004 is left for merged
     * components.
     */
    @Test
    void mixesForPrediction() {
        Trace trace = simulated(400, 1, 1, 4);
        NoiseAwarePosterior exact = new NoiseAwarePosterior(trace.statistics(), trace.noise());
        MixturePosterior mixture = exact.parameters(List.of("a", "b"));
        RandomStream random = RandomStream.ofSeed(SEED).fork("draws");
        double[][] draws = new double[2][100_000];
        double[] draw = new double[2];
        for (int i = 0; i < 100_000; i++) {
            exact.sampleParameters(random, draw);
            draws[0][i] = draw[0];
            draws[1][i] = draw[1];
        }
        for (int k = 0; k < 2; k++) {
            java.util.Arrays.sort(draws[k]);
            double largest = 0;
            for (int i = 0; i < 100_000; i += 100) {
                largest = Math.max(largest, Math.abs(mixture.mixture(k).cdf(draws[k][i]) - i / 100_000.0));
            }
            assertThat(largest).as("seed %s", SEED).isLessThan(0.0095);
            // the variance is that of μ* plus the mean of softplus(u*)², and merging keeps it
            double square = meanSquareScale(exact.coordinate(2 + k).optimum());
            assertThat(mixture.standardDeviation()[k])
                    .isCloseTo(Math.sqrt(exact.coordinate(k).optimum().variance() + square), within(1e-6));
            assertThat(mixture.mixture(k).components()).isLessThan(3000);
        }
        assertThat(mixture.gaussian().mean()).isEqualTo(mixture.mean());
        MixturePosterior read = (MixturePosterior) PosteriorJson.read(PosteriorJson.write(mixture));
        assertThat(read.toJson()).isEqualTo(mixture.toJson());
        assertThat(read.logDensity(new double[] {0.1, 0.2})).isEqualTo(mixture.logDensity(new double[] {0.1, 0.2}));
        assertThat(read.quantile(0, 0.3)).isEqualTo(mixture.quantile(0, 0.3));
        assertThatThrownBy(() -> new NoiseAwarePosterior(tiny().statistics(), tiny().noise()).parameters(List.of("a")))
                .hasMessageContaining("even");
    }

    private static double meanSquareScale(ScalarGaussianMixture unconstrained) {
        double sum = 0;
        double step = 1e-2;
        for (int k = 0; k < unconstrained.components(); k++) {
            for (double z = -9; z <= 9; z += step) {
                double scale = SpecialFunctions.softplus(
                        unconstrained.means()[k] + z * Math.sqrt(unconstrained.variances()[k]));
                sum += unconstrained.weights()[k] * step * SpecialFunctions.normalDensity(z) * scale * scale;
            }
        }
        return sum;
    }

    @Test
    void mergesComponentsWithoutMovingTheDistribution() {
        Trace trace = simulated(400, 1, 1, 1);
        ScalarGaussianMixture all = new NoiseAwarePosterior(trace.statistics(), trace.noise())
                .coordinate(0)
                .optimum();
        ScalarGaussianMixture few = all.reduced(0.05);
        assertThat(few.components()).isLessThan(all.components() / 4);
        assertThat(few.mean()).isCloseTo(all.mean(), within(1e-12));
        assertThat(few.variance() / all.variance()).isCloseTo(1, within(1e-10));
        for (double p = 0.01; p < 1; p += 0.01) {
            double x = few.quantile(p);
            assertThat(all.cdf(x)).isCloseTo(p, within(1e-4));
        }
    }

    // ---- the rest --------------------------------------------------------------------------------------------------

    @Test
    void takesKnownSubsamplingVarianceAsNoise() {
        TraceNoise noise = TraceNoise.published(0.1, new double[] {3}).withKnownSubsampling(new double[] {16});
        assertThat(noise.noiseStandardDeviations()[0]).isEqualTo(5);
        assertThat(noise.subsamplingScale()).isZero();
    }

    @Test
    void writesItsStatistics() {
        TraceStatistics statistics = simulated(5, 1, 1, 2).statistics();
        TraceStatistics read = TraceStatistics.fromJson(JsonFields.of(Json.read(Json.write(statistics.toJson())), ""));
        assertThat(read.toJson()).isEqualTo(statistics.toJson());
        assertThatThrownBy(() -> statistics.plus(new double[1], new double[2])).hasMessageContaining("2 coordinates");
    }

    @Test
    void refusesATraceThatDoesNotMove() {
        TraceStatistics still = TraceStatistics.empty(1)
                .plus(new double[] {1}, new double[] {2})
                .plus(new double[] {1}, new double[] {3});
        TraceNoise noise = TraceNoise.published(0.1, new double[] {1});
        assertThatThrownBy(() -> new NoiseAwarePosterior(still, noise)).hasMessageContaining("does not move");
        assertThatThrownBy(() -> new NoiseAwarePosterior(tiny().statistics(), TraceNoise.published(1, new double[2])))
                .hasMessageContaining("noise");
        assertThatThrownBy(() -> TraceNoise.published(0, new double[1])).hasMessageContaining("rate");
        assertThatThrownBy(() -> TraceNoise.published(1, new double[1])).hasMessageContaining("positive");
    }
}
