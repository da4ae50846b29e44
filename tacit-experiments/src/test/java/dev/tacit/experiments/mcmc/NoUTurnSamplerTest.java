package dev.tacit.experiments.mcmc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.diagnostics.ChainDiagnostics;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.family.SamplesPosterior;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Moments of densities where they are known. A mean is asked to lie within 6 of its own standard errors: for one that
 * is right, the chance of a false alarm is below 2e-9 if its error is normal, and there are fewer than 100 such
 * questions.
 */
class NoUTurnSamplerTest {
    private static final long SEED = 20_251_115;
    private static final double ERRORS = 6;

    @ParameterizedTest
    @EnumSource(MassMatrix.class)
    void findsTheMomentsOfACorrelatedGaussian(MassMatrix massMatrix) {
        double[] mean = {3, -2, 100};
        // covariance [[4, 3, 0], [3, 9, 0], [0, 0, 0.01]]
        double[] precision = {9.0 / 27, -3.0 / 27, 0, -3.0 / 27, 4.0 / 27, 0, 0, 0, 100};
        LogDensity density = Densities.gaussian(mean, precision);
        Densities.checkGradient(density, mean, 0.5, 1e-6);
        NutsResult result = sample(density, NutsSettings.standard().withMassMatrix(massMatrix));
        expect(result, 0, x -> x, 3);
        expect(result, 1, x -> x, -2);
        expect(result, 2, x -> x, 100);
        expect(result, 0, x -> (x - 3) * (x - 3), 4);
        expect(result, 1, x -> (x + 2) * (x + 2), 9);
        expect(result, 2, x -> (x - 100) * (x - 100), 0.01);
        expect(result, 1, x -> x < -2 - 3 * 1.6448536269514722 ? 1 : 0, 0.05);
        assertThat(result.divergences()).isZero();
        for (double fraction : result.energyFractions()) {
            assertThat(fraction).isGreaterThan(0.5);
        }
    }

    @Test
    void findsTheMomentsOfAFunnel() {
        LogDensity density = Densities.funnel(4);
        Densities.checkGradient(density, new double[4], 1, 1e-6);
        NutsResult result = sample(
                density, NutsSettings.standard().withTransitions(1000, 5000).withTargetAcceptance(0.95));
        expect(result, 0, x -> x, 0);
        expect(result, 0, x -> x * x, 1);
        expect(result, 1, x -> x, 0);
        expect(result, 2, x -> x * x, Math.exp(0.5));
    }

    @Test
    void findsTheMomentsOfHeavyTails() {
        LogDensity density = Densities.student(3, 8);
        Densities.checkGradient(density, new double[3], 2, 1e-6);
        NutsResult result = sample(density, NutsSettings.standard().withTransitions(1000, 4000));
        for (int i = 0; i < 3; i++) {
            expect(result, i, x -> x, 0);
            expect(result, i, x -> x * x, 8.0 / 6);
            // the 95 % quantile of Student's distribution with 8 degrees of freedom
            expect(result, i, x -> x < 1.8595480375308984 ? 1 : 0, 0.95);
        }
    }

    @Test
    void findsTheMomentsOfConstrainedParameters() {
        LogDensity density = new ConstrainedDensity(Densities.CONJUGATE_SPACE, Densities.gammaBetaDirichlet());
        Densities.checkGradient(density, new double[4], 1, 1e-6);
        NutsResult result = sample(density, NutsSettings.standard().withTransitions(1000, 3000))
                .constrained(Densities.CONJUGATE_SPACE);
        assertThat(result.names()).containsExactly("rate", "chance", "shares[1]", "shares[2]", "shares[3]");
        expect(result, 0, x -> x, 1.5);
        expect(result, 0, x -> (x - 1.5) * (x - 1.5), 0.75);
        expect(result, 1, x -> x, 2.0 / 7);
        expect(result, 2, x -> x, 1.0 / 7);
        expect(result, 3, x -> x, 2.0 / 7);
        expect(result, 4, x -> x, 4.0 / 7);
        expect(result, 4, x -> x * x, 4.0 * 5 / (7 * 8));
    }

    private static NutsResult sample(LogDensity density, NutsSettings settings) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < density.dimension(); i++) {
            names.add("x" + i);
        }
        return new NoUTurnSampler(settings).sample(names, density, RandomStream.ofSeed(SEED));
    }

    private static void expect(NutsResult result, int coordinate, DoubleUnaryOperator function, double expected) {
        double[][] draws = result.draws(coordinate);
        for (double[] chain : draws) {
            for (int i = 0; i < chain.length; i++) {
                chain[i] = function.applyAsDouble(chain[i]);
            }
        }
        ChainDiagnostics diagnostics = ChainDiagnostics.of(draws);
        assertThat((diagnostics.mean() - expected) / diagnostics.standardErrorOfMean())
                .as("coordinate %s, mean %s, expected %s, seed %s", coordinate, diagnostics.mean(), expected, SEED)
                .isBetween(-ERRORS, ERRORS);
        assertThat(diagnostics.rHat()).isLessThan(1.02);
    }

    // ---- the machinery ---------------------------------------------------------------------------------------------

    @Test
    void givesTheSameBitsWithAnyNumberOfThreads() {
        LogDensity density = new ConstrainedDensity(Densities.CONJUGATE_SPACE, Densities.gammaBetaDirichlet());
        NutsSettings settings = NutsSettings.standard().withTransitions(150, 50);
        SamplesPosterior one = sample(density, settings.withThreads(1)).posterior();
        SamplesPosterior four = sample(density, settings.withThreads(4)).posterior();
        assertThat(four.draws()).isEqualTo(one.draws());
        assertThat(one.count()).isEqualTo(200);
    }

    @Test
    void givesEveryChainItsOwnStream() {
        NutsResult result =
                sample(Densities.student(1, 5), NutsSettings.standard().withTransitions(50, 10));
        assertThat(result.chains().get(0).draws())
                .isNotEqualTo(result.chains().get(1).draws());
    }

    @Test
    void countsDivergences() {
        // a wall: the gradient knows nothing of the region where the density vanishes
        LogDensity wall = Densities.density(1, (x, gradient) -> {
            gradient[0] = -x[0];
            return x[0] > 0.3 ? Double.NEGATIVE_INFINITY : -0.5 * x[0] * x[0];
        });
        assertThat(sample(wall, NutsSettings.standard()).divergences()).isPositive();
    }

    /**
     * The averaged step size errs towards small steps, so acceptance ends above its target (Stan's does so as well).
     */
    @Test
    void followsTheTargetAcceptance() {
        double last = 0;
        for (double target : new double[] {0.6, 0.8, 0.95}) {
            NutsResult result =
                    sample(Densities.student(5, 30), NutsSettings.standard().withTargetAcceptance(target));
            double mean = result.chains().stream()
                    .mapToDouble(NutsResult.Chain::meanAcceptance)
                    .average()
                    .orElseThrow();
            assertThat(mean).as("target %s, seed %s", target, SEED).isBetween(target - 0.05, target + 0.2);
            assertThat(mean).isGreaterThan(last);
            last = mean;
        }
    }

    @Test
    void stopsAtTheLargestDepth() {
        NutsResult result = sample(
                Densities.gaussian(new double[2], new double[] {1, 0, 0, 1e6}),
                NutsSettings.standard()
                        .withMassMatrix(MassMatrix.UNIT)
                        .withMaximumTreeDepth(4)
                        .withTransitions(100, 50));
        assertThat(result.meanLeapfrogs()).isLessThanOrEqualTo(15);
        assertThat(result.chains().get(0).atMaximumDepth()).isPositive();
    }

    @Test
    void startsWhereItIsTold() {
        LogDensity density = Densities.gaussian(new double[] {1e6}, new double[] {1});
        NutsSettings settings = NutsSettings.standard().withChains(2).withTransitions(0, 4);
        double[][] starts = {{1e6}, {1e6 + 1}};
        NutsResult result =
                new NoUTurnSampler(settings).sample(List.of("x"), density, starts, RandomStream.ofSeed(SEED));
        assertThat(result.diagnostics(0).mean()).isBetween(1e6 - 10, 1e6 + 10);
        RandomStream random = RandomStream.ofSeed(1);
        LogDensity nowhere = Densities.density(1, (x, gradient) -> Double.NaN);
        assertThatThrownBy(() -> new NoUTurnSampler(settings).sample(List.of("x"), nowhere, random))
                .hasMessageContaining("give starts");
        assertThatThrownBy(() -> new NoUTurnSampler(settings).sample(List.of("x"), nowhere, starts, random))
                .hasMessageContaining("start of a chain");
        assertThatThrownBy(() -> new NoUTurnSampler(settings).sample(List.of(), density, random))
                .hasMessageContaining("names");
        assertThatThrownBy(() -> NutsSettings.standard().withTargetAcceptance(1))
                .hasMessageContaining("acceptance");
    }

    @Test
    void dividesTheWarmUpAsStanDoes() {
        assertThat(windowEnds(1000)).containsExactly(99, 149, 249, 449, 949);
        assertThat(windowEnds(150)).containsExactly(99);
        assertThat(windowEnds(100)).containsExactly(89);
        assertThat(windowEnds(19)).isEmpty();
    }

    private static List<Integer> windowEnds(int warmup) {
        WarmupWindows windows = new WarmupWindows(warmup);
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < warmup; i++) {
            if (windows.endsWindow(i)) {
                ends.add(i);
            }
        }
        return ends;
    }
}
