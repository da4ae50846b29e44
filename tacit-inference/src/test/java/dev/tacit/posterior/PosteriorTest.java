package dev.tacit.posterior;

import static dev.tacit.numerics.Golden.number;
import static dev.tacit.numerics.Golden.numbers;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.Golden;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.BetaPosterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.posterior.family.DirichletPosterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.KullbackLeibler;
import dev.tacit.posterior.family.NormalGammaPosterior;
import dev.tacit.posterior.family.NormalInverseWishartPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.posterior.family.SamplesPosterior;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.posterior.json.PosteriorJson;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every family against scipy, its own draws, its own quantiles and its own density. */
public class PosteriorTest {
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/posterior/posteriors.json");
    private static final long SEED = Long.getLong("tacit.seed", 20261115);
    private static final int DRAWS = 40_000;

    public static List<String> names(int n) {
        return IntStream.range(0, n).mapToObj(i -> "w" + i).toList();
    }

    public static GaussianPosterior gaussian() {
        Map<?, ?> row = Golden.object(GOLDEN, "gaussian");
        return new GaussianPosterior(names(4), numbers(row, "mean"), numbers(row, "covariance"));
    }

    static NormalGammaPosterior normalGamma() {
        Map<?, ?> row = Golden.object(GOLDEN, "normalGamma");
        return new NormalGammaPosterior(
                names(3),
                "noise precision",
                numbers(row, "mean"),
                numbers(row, "precision"),
                number(row, "shape"),
                number(row, "rate"));
    }

    static NormalInverseWishartPosterior normalInverseWishart() {
        return new NormalInverseWishartPosterior(
                names(2), new double[] {0.5, -1}, 3, new double[] {4, -1.5, -1.5, 2}, 21);
    }

    static DirichletPosterior dirichlet() {
        return new DirichletPosterior(names(3), numbers(Golden.object(GOLDEN, "dirichlet"), "concentration"));
    }

    static Stream<Posterior> families() {
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        blocks.put("weights", gaussian());
        blocks.put("precision", new GammaPosterior("alpha", 2.5, 0.7));
        blocks.put("topics", dirichlet());
        double[] draws = new double[600];
        RandomStream.ofSeed(1).fillNormal(draws);
        return Stream.of(
                gaussian(),
                new DiagonalGaussianPosterior(names(2), new double[] {0.5, -2}, new double[] {0.49, 1e-4}),
                new GammaPosterior("alpha", 2.5, 0.7),
                new GammaPosterior("alpha", 0.4, 1e-3),
                new BetaPosterior("p", 0.6, 4.2),
                dirichlet(),
                ScaledDirichletPosterior.dirichlets(
                        List.of("t1", "t2"), names(3), new double[] {0.5, 2, 4.5, 30, 1, 0.25}),
                normalGamma(),
                normalInverseWishart(),
                new ProductPosterior(blocks),
                new SamplesPosterior(names(2), draws));
    }

    private static double[][] draw(Posterior posterior, int count) {
        RandomStream random = RandomStream.ofSeed(SEED).fork(posterior.family());
        double[][] draws = new double[count][posterior.dimension()];
        for (double[] draw : draws) {
            posterior.sample(random, draw);
        }
        return draws;
    }

    /**
     * The mean of n draws is within 6.5 standard errors: probability 8e-11 if normal. The heaviest tails here, Student
     * with 7 degrees of freedom, add less than 1e-8 at n = 40 000; 32 coordinates make less than 1e-6.
     */
    @ParameterizedTest
    @MethodSource("families")
    void drawsHaveTheMean(Posterior posterior) {
        double[] sums = new double[posterior.dimension()];
        for (double[] draw : draw(posterior, DRAWS)) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += draw[i];
            }
        }
        double[] mean = posterior.mean();
        double[] deviation = posterior.standardDeviation();
        for (int i = 0; i < sums.length; i++) {
            assertThat(sums[i] / DRAWS)
                    .as("%s %d, seed %d", posterior.family(), i, SEED)
                    .isCloseTo(mean[i], within(6.5 * deviation[i] / Math.sqrt(DRAWS)));
        }
    }

    /** Shares of draws below quantiles, by Hoeffding: P(|share − p| &gt; t) ≤ 2 exp(−2nt²) = 1e-9 each, 96 of them. */
    @ParameterizedTest
    @MethodSource("families")
    void drawsAreBelowQuantilesAsOftenAsTheySay(Posterior posterior) {
        double[][] draws = draw(posterior, DRAWS);
        double allowed = Math.sqrt(Math.log(2e9) / (2.0 * DRAWS));
        // an interpolated quantile of 300 draws is itself up to one draw off
        double slack = posterior instanceof SamplesPosterior samples ? 1.0 / samples.count() : 0;
        for (int i = 0; i < posterior.dimension(); i++) {
            for (double probability : new double[] {0.025, 0.5, 0.9}) {
                double quantile = posterior.quantile(i, probability);
                int coordinate = i;
                double share = Arrays.stream(draws)
                                .filter(draw -> draw[coordinate] <= quantile)
                                .count()
                        / (double) DRAWS;
                assertThat(share)
                        .as("%s %d %s, seed %d", posterior.family(), i, probability, SEED)
                        .isCloseTo(probability, within(allowed + slack));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("families")
    void comesBackFromJsonBitForBit(Posterior posterior) {
        String text = PosteriorJson.write(posterior);
        Posterior again = PosteriorJson.read(text);
        assertThat(again).isInstanceOf(posterior.getClass());
        assertThat(again.parameterNames()).isEqualTo(posterior.parameterNames());
        assertThat(again.mean()).isEqualTo(posterior.mean());
        assertThat(again.standardDeviation()).isEqualTo(posterior.standardDeviation());
        assertThat(PosteriorJson.write(again)).isEqualTo(text);
        assertThat(draw(again, 3)).isDeepEqualTo(draw(posterior, 3));
    }

    /** Any one field that is missing, of the wrong type or too many is refused, with its path and without its value. */
    @ParameterizedTest
    @MethodSource("families")
    void readsStrictly(Posterior posterior) {
        for (String field : posterior.toJson().keySet()) {
            Map<String, Object> without = new LinkedHashMap<>(posterior.toJson());
            without.remove(field);
            assertThatThrownBy(() -> PosteriorJson.read(without, "posterior"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("posterior has no field \"" + field + "\"");
            Map<String, Object> wrong = new LinkedHashMap<>(posterior.toJson());
            wrong.put(field, true);
            assertThatThrownBy(() -> PosteriorJson.read(wrong, "posterior")).hasMessageContaining("posterior." + field);
        }
        Map<String, Object> more = new LinkedHashMap<>(posterior.toJson());
        more.put("surprise", 1.0);
        assertThatThrownBy(() -> PosteriorJson.read(more, "")).hasMessageContaining("does not belong");
    }

    @Test
    void refusesJsonThatIsNotADistribution() {
        for (String text : List.of(
                "{\"family\":\"cauchy\",\"parameters\":[]}",
                "{\"family\":\"gamma\",\"parameters\":[\"a\"],\"shape\":-4.5,\"rate\":1}",
                "{\"family\":\"gamma\",\"parameters\":[\"a\",\"b\"],\"shape\":4.5,\"rate\":1}",
                "{\"family\":\"gaussian\",\"parameters\":[\"a\"],\"mean\":[0],\"covarianceLower\":[-4.5]}",
                "{\"family\":\"gaussian\",\"parameters\":[\"a\"],\"mean\":[0,1],\"covarianceLower\":[4.5]}",
                "{\"family\":\"dirichlet\",\"parameters\":[\"a\",\"a\"],\"concentration\":[4.5,1]}",
                "{\"family\":\"normal-gamma\",\"parameters\":[],\"mean\":[],\"precisionLower\":[],\"shape\":4.5,\"rate\":1}",
                "{\"family\":\"normal-inverse-wishart\",\"columns\":[\"a\"],\"mean\":[0],\"mass\":-4.5,\"scaleLower\":[1],"
                        + "\"degrees\":3}",
                "{\"family\":\"samples\",\"parameters\":[\"a\"],\"draws\":[4.5]}",
                "{\"family\":\"product\",\"blocks\":{\"a\":{\"family\":\"gamma\"}}}",
                "[4.5]")) {
            assertThatThrownBy(() -> PosteriorJson.read(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(problem -> assertThat(problem.getMessage()).doesNotContain("4.5"));
        }
    }

    @Test
    void hasTheDensitiesAndDivergencesOfScipy() {
        Map<?, ?> row = Golden.object(GOLDEN, "gaussian");
        assertThat(gaussian().logDensity(numbers(row, "point"))).isCloseTo(number(row, "logDensity"), within(1e-12));
        GaussianPosterior other =
                new GaussianPosterior(names(4), numbers(row, "otherMean"), numbers(row, "otherCovariance"));
        assertThat(KullbackLeibler.divergence(gaussian(), other)).isCloseTo(number(row, "divergence"), within(1e-11));
        assertThat(KullbackLeibler.divergence(other, other)).isCloseTo(0, within(1e-14));

        DiagonalGaussianPosterior q =
                new DiagonalGaussianPosterior(names(2), new double[] {0.5, 2}, new double[] {0.7 * 0.7, 0.3 * 0.3});
        DiagonalGaussianPosterior p =
                new DiagonalGaussianPosterior(names(2), new double[] {-0.2, 1}, new double[] {1.1 * 1.1, 0.2 * 0.2});
        assertThat(KullbackLeibler.divergence(q, p))
                .isCloseTo(number(Golden.object(GOLDEN, "diagonal"), "divergence"), within(1e-10));

        row = Golden.object(GOLDEN, "gamma");
        GammaPosterior gamma = new GammaPosterior("a", 2.5, 0.7);
        assertThat(gamma.logDensity(new double[] {0.9})).isCloseTo(number(row, "logDensity"), within(1e-13));
        assertThat(gamma.meanLogarithm()).isCloseTo(number(row, "meanLogarithm"), within(1e-9));
        assertThat(KullbackLeibler.divergence(gamma, new GammaPosterior("a", 1.2, 2)))
                .isCloseTo(number(row, "divergence"), within(1e-9));

        assertThat(new BetaPosterior("p", 0.6, 4.2).logDensity(new double[] {0.3}))
                .isCloseTo(number(Golden.object(GOLDEN, "beta"), "logDensity"), within(1e-13));

        row = Golden.object(GOLDEN, "dirichlet");
        assertThat(dirichlet().logDensity(numbers(row, "point"))).isCloseTo(number(row, "logDensity"), within(1e-12));
        double[] logarithms = dirichlet().meanLogarithm();
        for (int i = 0; i < 3; i++) {
            assertThat(logarithms[i]).isCloseTo(numbers(row, "meanLogarithm")[i], within(1e-8));
        }
        assertThat(KullbackLeibler.divergence(dirichlet(), new DirichletPosterior(names(3), numbers(row, "other"))))
                .isCloseTo(number(row, "divergence"), within(1e-7));

        row = Golden.object(GOLDEN, "normalGamma");
        double[] point = Arrays.copyOf(numbers(row, "weights"), 4);
        point[3] = number(row, "tau");
        assertThat(normalGamma().logDensity(point)).isCloseTo(number(row, "logDensity"), within(1e-12));
        assertThat(normalGamma().quantile((int) number(row, "coordinate"), number(row, "probability")))
                .isCloseTo(number(row, "quantile"), within(1e-7));
    }

    /** In one dimension it is a normal-gamma of the precision; in two, scipy's invwishart times its multivariate_normal. */
    @Test
    void normalInverseWishartHasItsDensity() {
        NormalInverseWishartPosterior one =
                new NormalInverseWishartPosterior(List.of("a"), new double[] {0.3}, 2.5, new double[] {1.7}, 4.2);
        NormalGammaPosterior same =
                new NormalGammaPosterior(List.of("a"), "precision", new double[] {0.3}, new double[] {2.5}, 2.1, 0.85);
        double variance = 0.7;
        assertThat(one.logDensity(new double[] {-0.4, variance}))
                .isCloseTo(same.logDensity(new double[] {-0.4, 1 / variance}) - 2 * Math.log(variance), within(1e-12));
        assertThat(one.quantile(0, 0.9)).isCloseTo(same.quantile(0, 0.9), within(1e-12));
        assertThat(one.quantile(1, 0.9)).isCloseTo(1 / same.quantile(1, 0.1), within(1e-9));
        assertThat(normalInverseWishart().logDensity(new double[] {0.4, -0.8, 0.3, -0.1, 0.15}))
                .isCloseTo(4.39722976796053, within(1e-10));
        assertThat(normalInverseWishart().logDensity(new double[] {0, 0, 1, 2, 1}))
                .isEqualTo(Double.NEGATIVE_INFINITY);
        assertThatThrownBy(() -> new NormalInverseWishartPosterior(
                        names(3), new double[3], 1, SymmetricMatrix.scaledIdentity(3, 1), 2))
                .hasMessageContaining("degrees of freedom");
    }

    @Test
    void knowsWhereTheDensityIsZero() {
        assertThat(new GammaPosterior("a", 2, 1).logDensity(new double[] {-1})).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(new BetaPosterior("a", 2, 1).logDensity(new double[] {1.5})).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(dirichlet().logDensity(new double[] {0.5, 0.5, 0.5})).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(dirichlet().logDensity(new double[] {0.5, 0.5, 0})).isEqualTo(Double.NEGATIVE_INFINITY);
        assertThat(normalGamma().logDensity(new double[] {0, 0, 0, -1})).isEqualTo(Double.NEGATIVE_INFINITY);
        SamplesPosterior samples = new SamplesPosterior(List.of("a"), new double[] {1, 2});
        assertThatThrownBy(() -> samples.logDensity(new double[1])).isInstanceOf(UnsupportedOperationException.class);
    }

    /** log q(θ) − log q(θ') = η·(t(θ) − t(θ')): the natural parameters are those of the statistics that are documented. */
    @Test
    void hasTheNaturalParametersOfItsStatistics() {
        RandomStream random = RandomStream.ofSeed(4);
        for (Posterior posterior : List.of(
                gaussian(),
                new DiagonalGaussianPosterior(names(2), new double[] {0.5, -2}, new double[] {0.49, 0.1}),
                new GammaPosterior("a", 2.5, 0.7),
                new BetaPosterior("p", 0.6, 4.2),
                dirichlet(),
                normalGamma(),
                normalInverseWishart())) {
            double[] natural = posterior.naturalParameters().orElseThrow();
            double[] point = new double[posterior.dimension()];
            double[] other = point.clone();
            posterior.sample(random, point);
            posterior.sample(random, other);
            double[] statistics = statistics(posterior, point);
            double[] otherStatistics = statistics(posterior, other);
            double product = 0;
            for (int i = 0; i < natural.length; i++) {
                product += natural[i] * (statistics[i] - otherStatistics[i]);
            }
            assertThat(posterior.logDensity(point) - posterior.logDensity(other))
                    .as(posterior.family())
                    .isCloseTo(product, within(1e-11));
        }
    }

    private static double[] statistics(Posterior posterior, double[] x) {
        int n = x.length;
        return switch (posterior.family()) {
            case "gaussian" -> concatenate(x, SymmetricMatrix.toVector(n, outer(x)));
            case "diagonal-gaussian" ->
                concatenate(x, Arrays.stream(x).map(v -> v * v).toArray());
            case "gamma" -> new double[] {Math.log(x[0]), x[0]};
            case "beta" -> new double[] {Math.log(x[0]), Math.log(1 - x[0])};
            case "dirichlet" -> Arrays.stream(x).map(Math::log).toArray();
            case "normal-gamma" -> {
                double tau = x[n - 1];
                double[] w = Arrays.copyOf(x, n - 1);
                double[] all = concatenate(w, SymmetricMatrix.toVector(n - 1, outer(w)));
                double[] scaled = Arrays.stream(all).map(v -> tau * v).toArray();
                yield concatenate(new double[] {Math.log(tau), tau}, scaled);
            }
            case "normal-inverse-wishart" -> {
                double[] covariance = {x[2], x[3], x[3], x[4]};
                double logDeterminant = SymmetricMatrix.logDeterminant(2, covariance);
                LinearAlgebra.best().invert(2, covariance);
                double[] mean = Arrays.copyOf(x, 2);
                double[] weighted = {
                    covariance[0] * x[0] + covariance[1] * x[1], covariance[1] * x[0] + covariance[3] * x[1]
                };
                double form = SymmetricMatrix.quadraticForm(2, covariance, mean);
                double[] all = concatenate(
                        new double[] {logDeterminant}, concatenate(SymmetricMatrix.toVector(2, covariance), weighted));
                yield concatenate(all, new double[] {form});
            }
            default -> throw new AssertionError(posterior.family());
        };
    }

    private static double[] outer(double[] x) {
        double[] matrix = new double[x.length * x.length];
        for (int i = 0; i < matrix.length; i++) {
            matrix[i] = x[i / x.length] * x[i % x.length];
        }
        return matrix;
    }

    private static double[] concatenate(double[] a, double[] b) {
        return Stream.of(a, b).flatMapToDouble(Arrays::stream).toArray();
    }

    @Test
    void projectsOntoRows() {
        RandomStream random = RandomStream.ofSeed(5);
        int rows = 600;
        double[] x = new double[rows * 4];
        random.fillNormal(x);
        double[] means = new double[rows];
        double[] variances = new double[rows];
        gaussian().project(rows, x, means, variances);
        for (int row : new int[] {0, 255, 256, 599}) {
            double[] one = Arrays.copyOfRange(x, 4 * row, 4 * row + 4);
            double mean = 0;
            for (int i = 0; i < 4; i++) {
                mean += one[i] * gaussian().mean()[i];
            }
            assertThat(means[row]).isCloseTo(mean, within(1e-13));
            assertThat(variances[row])
                    .isCloseTo(SymmetricMatrix.quadraticForm(4, gaussian().covariance(), one), within(1e-12));
        }
        DiagonalGaussianPosterior diagonal =
                new DiagonalGaussianPosterior(names(2), new double[] {1, 2}, new double[] {3, 4});
        diagonal.project(1, new double[] {10, 100}, means, variances);
        assertThat(means[0]).isEqualTo(210);
        assertThat(variances[0]).isEqualTo(40_300);
    }

    /** A conjugate regression: the normal-gamma of the weights, given its mean precision, is the Gaussian it says. */
    @Test
    void givesTheWeightsAtTheMeanPrecision() {
        NormalGammaPosterior joint = normalGamma();
        GaussianPosterior weights = joint.weightsAtMeanPrecision();
        double[] product = new double[9];
        LinearAlgebra.best()
                .multiply(
                        false,
                        false,
                        3,
                        3,
                        3,
                        joint.noisePrecision().mean()[0],
                        joint.weightPrecision(),
                        weights.covariance(),
                        0,
                        product);
        for (int i = 0; i < 9; i++) {
            assertThat(product[i]).isCloseTo(i % 4 == 0 ? 1 : 0, within(1e-12));
        }
        assertThat(joint.weights()).isEqualTo(3);
        assertThat(joint.quantile(0, 0.5)).isEqualTo(joint.weightMean()[0]);
    }

    @Test
    void givesQuantilesOfDrawsByInterpolation() {
        SamplesPosterior samples = new SamplesPosterior(List.of("a", "b"), new double[] {3, 0, 1, 0, 2, 0, 5, 1});
        assertThat(samples.quantile(0, 0.5)).isEqualTo(2.5);
        assertThat(samples.quantile(0, 1.0 / 3)).isCloseTo(2, within(1e-15));
        assertThat(samples.quantile(0, 0.9)).isCloseTo(4.4, within(1e-14));
        assertThat(samples.mean()).containsExactly(2.75, 0.25);
        assertThat(samples.standardDeviation()[1]).isEqualTo(0.5);
    }

    @Test
    void namesBlocks() {
        ProductPosterior product = (ProductPosterior) families()
                .filter(p -> p instanceof ProductPosterior)
                .findFirst()
                .orElseThrow();
        assertThat(product.parameterNames()).contains("weights.w0", "precision.alpha", "topics.w2");
        assertThat(product.block("topics")).isInstanceOf(DirichletPosterior.class);
        assertThatThrownBy(() -> product.block("nothing")).hasMessageContaining("weights, precision, topics");
        assertThat(product.naturalParameters().orElseThrow()).hasSize(4 + 10 + 2 + 3);
        double[] point = draw(product, 1)[0];
        assertThat(product.logDensity(point))
                .isEqualTo(product.block("weights").logDensity(Arrays.copyOfRange(point, 0, 4))
                        + product.block("precision").logDensity(Arrays.copyOfRange(point, 4, 5))
                        + product.block("topics").logDensity(Arrays.copyOfRange(point, 5, 8)));
    }
}
