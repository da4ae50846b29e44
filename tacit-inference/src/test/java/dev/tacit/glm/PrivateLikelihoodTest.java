package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.inference.OtherStatisticException;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Golden values: the reference implementation's, on a table of van der Corput numbers. */
class PrivateLikelihoodTest {
    private static final int ROWS = 2000;

    private static final double[] X = GlmRuns.rows(ROWS);
    private static final double[] Y = binary();

    /** The mode of the exact posterior, and the deviations of its Laplace approximation. */
    private static final double[] MODE = {-1.9946, 0.03015, 0.76192};

    private static final double[] DEVIATION = {0.156, 0.0028, 0.10234};

    private static double[] binary() {
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double eta = -2 + 0.03 * X[i * 3 + 1] + 0.8 * X[i * 3 + 2];
            y[i] = GlmRuns.corput(i + 1, 5) < SpecialFunctions.sigmoid(eta) ? 1 : 0;
        }
        return y;
    }

    private static GlmModel logistic() {
        return new GlmModel(GlmRuns.design(), GlmFamilies.named("bernoulli"), 0, 0, GlmPrior.standard());
    }

    @Test
    void withNextToNoNoiseItIsTheExactPosterior() {
        assertThat(Arrays.stream(Y).sum()).isEqualTo(881);
        PrivateLikelihood likelihood = GlmRuns.privately(logistic(), X, Y, 1e-4, 1);
        assertThat(likelihood.standardisation().centre()[0]).isCloseTo(49.96459473, within(1e-4));
        assertThat(likelihood.standardisation().scale()[0]).isCloseTo(17.50299929, within(1e-4));
        requireExact(likelihood.posterior(GlmPrior.standard()), 0.05, 0.08);
    }

    @Test
    void withoutNoiseItIsTheExactPosterior() {
        requireExact(GlmRuns.withoutNoise(logistic(), X, Y).posterior(GlmPrior.standard()), 0.03, 0.02);
    }

    private static void requireExact(PrivateLikelihood.Result result, double ofDeviation, double relative) {
        double[] mean = result.posterior().mean();
        double[] deviation = result.posterior().standardDeviation();
        for (int j = 0; j < MODE.length; j++) {
            assertThat(mean[j]).isCloseTo(MODE[j], within(ofDeviation * DEVIATION[j]));
            assertThat(deviation[j]).isCloseTo(DEVIATION[j], within(relative * DEVIATION[j]));
        }
    }

    @Test
    void theLikelihoodIsReadBackBitForBit() {
        PrivateLikelihood likelihood = GlmRuns.privately(logistic(), X, Y, 3, 2);
        PrivateLikelihood read =
                PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(likelihood.toJson())), "likelihood"));
        assertThat(read.toJson()).isEqualTo(likelihood.toJson());
        GlmPrior prior = GlmPrior.parse("x1 ~ normal(0.05, 0.01); b ~ normal(0, 1)");
        assertThat(read.posterior(prior).posterior().toJson())
                .isEqualTo(likelihood.posterior(prior).posterior().toJson());
    }

    /** Sums of another statistic look alike and mean something else; before statistics had numbers, each was the first. */
    @Test
    void sumsOfAnotherStatisticAreRefused() {
        GlmModel model = new GlmModel(GlmRuns.design(), GlmFamilies.named("ordinal:3"), 0, 2, GlmPrior.standard());
        Map<String, Object> json =
                new LinkedHashMap<>(GlmRuns.privately(model, X, Y, 3, 2).toJson());
        assertThat(json).containsEntry("statistic", 2);
        json.remove("statistic");
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(OtherStatisticException.class)
                .hasMessageContaining("ordinal are of statistic 1, and this version reads those of statistic 2");
        json.put("statistic", 3);
        assertThatThrownBy(() -> read(json)).isInstanceOf(OtherStatisticException.class);

        Map<String, Object> first =
                new LinkedHashMap<>(GlmRuns.privately(logistic(), X, Y, 3, 2).toJson());
        first.remove("statistic");
        assertThat(read(first).toJson()).containsEntry("statistic", 1);
    }

    private static PrivateLikelihood read(Map<String, Object> json) {
        return PrivateLikelihood.fromJson(JsonFields.of(Json.read(Json.write(json)), "likelihood"));
    }

    /** Ten priors after the fact are ten fits with those priors from the start, and what was released is the same in all. */
    @Test
    void whatIsReleasedDoesNotDependOnThePrior() {
        PrivateLikelihood standard = GlmRuns.privately(logistic(), X, Y, 3, 2);
        for (int i = 0; i < 10; i++) {
            GlmPrior prior =
                    GlmPrior.parse("x1 ~ normal(" + (0.1 * i - 1) + ", 0.001); b ~ normal(0, " + (1 + i) + ")");
            GlmModel model = new GlmModel(GlmRuns.design(), GlmFamilies.named("bernoulli"), 0, 0, prior);
            PrivateLikelihood fitted = GlmRuns.privately(model, X, Y, 3, 2);
            assertThat(fitted.toJson()).isEqualTo(standard.toJson());
            assertThat(standard.posterior(prior).posterior().toJson())
                    .isEqualTo(fitted.posterior(prior).posterior().toJson());
            assertThat(standard.posterior(prior).posterior().mean()[1]).isCloseTo(0.1 * i - 1, within(0.1));
        }
    }

    /** With noise far above every sum there is nothing but the prior, and never more. */
    @Test
    void neverWiderThanThePrior() {
        for (int seed = 0; seed < 5; seed++) {
            PrivateLikelihood.Result result =
                    GlmRuns.privately(logistic(), X, Y, 300, seed).posterior(GlmPrior.standard());
            double[] deviation = result.posterior().standardDeviation();
            double[] prior = result.prior().standardDeviation();
            for (int j = 0; j < deviation.length; j++) {
                assertThat(deviation[j]).isLessThanOrEqualTo(prior[j] * (1 + 1e-9));
            }
        }
    }
}
