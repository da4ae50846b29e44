package dev.tacit.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.inference.vi.FullRankVariationalInference;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.inference.vi.MeanFieldGradient;
import dev.tacit.model.DensityModel;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.conjugate.BetaBernoulliDensity;
import dev.tacit.model.conjugate.DirichletCategoricalDensity;
import dev.tacit.model.conjugate.GammaExponentialDensity;
import dev.tacit.model.regression.LinearRegressionDensity;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.Golden;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.json.PosteriorJson;
import dev.tacit.query.ContributionSum;
import dev.tacit.run.InferenceRun;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Models that are fitted by gradients: against published gradients, closed forms and each other. */
class GradientModelsTest {
    private static final List<String> SIDES = List.of("one", "two", "three");

    private static double[] sum(RecordBlock block, ContributionSum query) {
        return Runs.sum(block, query, 1);
    }

    private static DifferentiableModel published(String name) {
        return switch (name.substring(0, 2)) {
            case "M1" -> new GammaExponentialDensity(8, 2, 1e6, true, 1);
            case "M2" -> new BetaBernoulliDensity(10, 10, 1);
            case "M3" -> new DirichletCategoricalDensity(SIDES, 5);
            default -> new LinearRegressionDensity(Runs.names(3), 2, 0.05, 20, 0.5, -1, 1);
        };
    }

    /** The published bound divides prior and entropy by N and minimises. */
    @ParameterizedTest
    @ValueSource(strings = {"M1_x0.37", "M1_x1.9", "M2_x1.0", "M2_x0.0", "M3_x0", "M3_x1", "M3_x2", "LR_y0.4"})
    void gradientsAreThoseOfThePublishedBound(String name) {
        Map<?, ?> golden = Golden.object(Golden.read("/dev/tacit/inference/pairs-bound-gradient.json"), name);
        double[] means = Golden.numbers(golden, "mu");
        double[] links = Golden.numbers(golden, "u");
        int d = means.length;
        double[] scales = Arrays.stream(links).map(SpecialFunctions::softplus).toArray();
        double[] slopes = Arrays.stream(links).map(SpecialFunctions::sigmoid).toArray();
        double[] draws = new double[10 * d];
        for (int k = 0; k < 10; k++) {
            for (int j = 0; j < d; j++) {
                draws[k * d + j] = 1.2 * Math.sin(1.3 * (k + 1) + 0.7 * (j + 1) * (j + 1));
            }
        }
        double[] x;
        double label = Double.NaN;
        if (name.startsWith("LR")) {
            x = Golden.numbers(golden, "x");
            label = Golden.number(golden, "y");
        } else if (name.startsWith("M3")) {
            x = new double[3];
            x[(int) Golden.number(golden, "x")] = 1;
        } else {
            x = new double[] {0.3};
            label = Golden.number(golden, "x");
        }
        DifferentiableModel model = published(name);
        double[] likelihood = sum(
                DenseBlock.of(1, x.length, x, new double[] {label}),
                MeanFieldGradient.of(model, means, scales, slopes, draws, 1));
        double[] rest = DpVariationalInference.priorGradient(model, means, scales, slopes, draws);
        double size = Golden.number(golden, "N");
        for (int j = 0; j < d; j++) {
            double expected = Golden.numbers(golden, "grad_mu")[j];
            assertThat(-likelihood[2 * j] - rest[j] / size)
                    .isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
            expected = Golden.numbers(golden, "grad_u")[j];
            assertThat(-likelihood[2 * j + 1] - rest[d + j] / size)
                    .isCloseTo(expected, within(1e-6 * Math.max(1, Math.abs(expected))));
        }
    }

    @Test
    void theExpectationIsTheLimitOfManyDraws() {
        LogisticRegression model = new LogisticRegression(Runs.names(3), 2, 1);
        double[] means = {0.4, -1, 2};
        double[] scales = {0.3, 0.8, 0.5};
        double[] slopes = {0.2, 0.5, 0.4};
        double[] draws = new double[60_000];
        RandomStream.ofSeed(4).fillNormal(draws);
        RecordBlock block = DenseBlock.of(2, 3, new double[] {1, 0.5, -0.7, 0.2, 0, 0.9}, new double[] {1, 0});
        double[] many = sum(block, MeanFieldGradient.of(model, means, scales, slopes, draws, 3));
        double[] exact = sum(block, MarginExpectationGradient.ofLinks(model, means, scales, slopes, 3));
        for (int i = 0; i < exact.length; i++) {
            assertThat(exact[i]).isCloseTo(many[i], within(0.03));
        }
    }

    private static DenseBlock targets(double[] labels) {
        return DenseBlock.of(labels.length, 1, new double[labels.length], labels);
    }

    private static Posterior fit(
            InferenceKernel<DifferentiableModel, ?> kernel, DifferentiableModel model, DenseBlock block) {
        return run(kernel, model, block).posterior();
    }

    private static <S extends Record> InferenceRun.Result<S> run(
            InferenceKernel<DifferentiableModel, S> kernel, DifferentiableModel model, DenseBlock block) {
        PrivateDataset data = Runs.dataset(block);
        return InferenceRun.once(
                kernel,
                model,
                data.openNotPrivate(
                        RunRequest.of("test", kernel.plan(model, data.publicSize())), ReplayNoise.ofSeed(1)),
                RandomStream.ofSeed(1));
    }

    private static DpVariationalInference kernel(DpVariationalInference.Estimator estimator) {
        return new DpVariationalInference(new DpVariationalInference.Settings(
                        1500, new SamplingScheme.FullPass(), 100, 10, 10, 0.1, new GradientStep.Adam(0.005), 0.5)
                .with(estimator));
    }

    @Test
    void withoutNoiseConjugatePairsEndNearTheirClosedForms() {
        DpVariationalInference kernel = kernel(DpVariationalInference.Estimator.DRAWS);
        double[] yes = new double[400];
        double[] waits = new double[400];
        double[] sides = new double[1200];
        double total = 0;
        RandomStream random = RandomStream.ofSeed(3);
        for (int i = 0; i < 400; i++) {
            yes[i] = i % 4 == 0 ? 1 : 0;
            waits[i] = random.exponential() / 2;
            total += waits[i];
            sides[3 * i + (i % 4 == 3 ? 0 : i % 4)] = 1;
        }
        Posterior beta = fit(kernel, new BetaBernoulliDensity(1, 1, 1), targets(yes));
        assertThat(beta.mean()[0]).isCloseTo(101 / 402.0, within(0.004));
        assertThat(beta.standardDeviation()[0]).isCloseTo(Math.sqrt(101 * 301 / 403.0) / 402, within(0.005));
        Posterior gamma = fit(kernel, new GammaExponentialDensity(2, 1, 50, false, 1), targets(waits));
        double rate = 402 / (1 + total);
        assertThat(gamma.mean()[0]).isCloseTo(rate, within(0.03 * rate));
        assertThat(gamma.standardDeviation()[0]).isCloseTo(rate / Math.sqrt(402), within(0.04));
        Posterior shares =
                fit(kernel, new DirichletCategoricalDensity(SIDES, 1), DenseBlock.of(400, 3, sides, new double[400]));
        assertThat(shares.parameterNames()).isEqualTo(SIDES);
        assertThat(shares.mean()[0]).isCloseTo(201 / 403.0, within(0.01));
        assertThat(shares.mean()[2]).isCloseTo(101 / 403.0, within(0.01));
        assertThat(Arrays.stream(shares.mean()).sum()).isCloseTo(1, within(1e-9));
        Posterior read = PosteriorJson.read(PosteriorJson.write(shares));
        assertThat(read.mean()).containsExactly(shares.mean());
        assertThat(read.quantile(1, 0.9)).isEqualTo(shares.quantile(1, 0.9));
        assertThat(read.logDensity(shares.mean())).isEqualTo(shares.logDensity(shares.mean()));
    }

    /** Two columns that say nearly the same: weights are strongly correlated, and only a full covariance sees it. */
    @Test
    void estimatorsAgreeAndAFullCovarianceSeesCorrelation() {
        RandomStream random = RandomStream.ofSeed(6);
        double[] values = new double[800];
        double[] labels = new double[400];
        for (int i = 0; i < 400; i++) {
            values[2 * i] = 1;
            values[2 * i + 1] = 0.9 + 0.2 * random.uniform();
            labels[i] = random.uniform() < 0.7 ? 1 : 0;
        }
        DenseBlock block = DenseBlock.of(400, 2, values, labels);
        LogisticRegression model = new LogisticRegression(Runs.names(2), 1.5, 1);
        List<Double> sums = new ArrayList<>();
        for (DpVariationalInference.Estimator estimator : DpVariationalInference.Estimator.values()) {
            DpVariationalInference kernel = kernel(estimator);
            double[] mean = kernel.iterateAverage(run(kernel, model, block).state(), model)
                    .mean();
            sums.add(mean[0] + mean[1]);
        }
        assertThat(sums.get(1)).isCloseTo(sums.get(0), within(0.03));
        assertThat(sums.get(2)).isCloseTo(sums.get(0), within(0.05));
        Posterior full = fit(
                new FullRankVariationalInference(new FullRankVariationalInference.Settings(
                        2500, new SamplingScheme.FullPass(), 100, 0.1, new GradientStep.Adam(0.01), 0.5)),
                model,
                block);
        double[] deviations = full.standardDeviation();
        double squares = 0;
        double[] draw = new double[2];
        for (int i = 0; i < 4000; i++) {
            full.sample(random, draw);
            squares += Math.pow(draw[0] + draw[1] - full.mean()[0] - full.mean()[1], 2) / 4000;
        }
        // independent weights would have sqrt(sd0² + sd1²)
        assertThat(Math.sqrt(squares)).isLessThan(0.5 * Math.hypot(deviations[0], deviations[1]));
        assertThat(full.mean()[0] + full.mean()[1]).isCloseTo(sums.get(0), within(0.1));
    }

    /** The text of docs/guide/your-own-model.md is this code. */
    @Test
    void theModelOfTheDocumentationWorks() throws IOException {
        // begin of the example
        ParameterSpace space = ParameterSpace.of("centre", Transforms.real(1)).and("scale", Transforms.positive(1));
        DifferentiableModel model = DensityModel.of(
                space,
                new double[] {0, 1}, // where inference starts: public
                (parameters, gradient) -> { // centre ~ N(0, 1), scale ~ Exponential(1)
                    gradient[0] = -parameters[0];
                    gradient[1] = -1;
                    return -0.5 * parameters[0] * parameters[0] - parameters[1];
                },
                (row, label, parameters, gradient) -> { // label ~ Logistic(centre, scale)
                    double z = (label - parameters[0]) / parameters[1];
                    double slope = Math.tanh(z / 2);
                    gradient[0] = slope / parameters[1];
                    gradient[1] = (z * slope - 1) / parameters[1];
                    return -Math.abs(z) - 2 * Math.log1p(Math.exp(-Math.abs(z))) - Math.log(parameters[1]);
                });
        // end of the example
        RandomStream random = RandomStream.ofSeed(9);
        double[] labels = new double[600];
        for (int i = 0; i < labels.length; i++) {
            labels[i] = 1.5 + 0.5 * SpecialFunctions.logit(random.openUniform());
        }
        Posterior posterior = fit(kernel(DpVariationalInference.Estimator.DRAWS), model, targets(labels));
        assertThat(posterior.parameterNames()).containsExactly("centre", "scale");
        assertThat(posterior.mean()[0]).isCloseTo(1.5, within(0.12));
        assertThat(posterior.mean()[1]).isCloseTo(0.5, within(0.08));

        String source = Files.readString(Path.of("src/test/java/dev/tacit/inference/GradientModelsTest.java"));
        String example = source.substring(
                source.indexOf("// begin of the example\n") + 24,
                source.lastIndexOf("        // end of the example\n"));
        String page = Files.readString(Path.of("../docs/guide/your-own-model.md"));
        for (String line : example.lines().map(String::strip).toList()) {
            assertThat(page).contains(line);
        }
    }
}
