package dev.tacit.glm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PrivateLikelihoodTest {
    private static double[] binary(double[] x) {
        double[] y = new double[x.length / 3];
        for (int i = 0; i < y.length; i++) {
            double eta = -2 + 0.03 * x[i * 3 + 1] + 0.8 * x[i * 3 + 2];
            y[i] = GlmRuns.corput(i + 1, 5) < SpecialFunctions.sigmoid(eta) ? 1 : 0;
        }
        return y;
    }

    @Test
    void golden() {
        double[] x = GlmRuns.rows(2000);
        double[] y = binary(x);
        assertThat(Arrays.stream(y).sum()).isEqualTo(881);
        GlmModel model = new GlmModel(GlmRuns.design(), new BernoulliLogit(), 0, 0, GlmPrior.standard());
        for (double noise : new double[] {1e-4, 1e-3}) {
            PrivateLikelihood likelihood = GlmRuns.privately(model, x, y, noise, 1);
            Standardisation standard = likelihood.standardisation();
            System.out.println(standard.centre()[0] + " " + standard.scale()[0]);
            PrivateLikelihood.Result result = likelihood.posterior(GlmPrior.standard());
            System.out.println(Arrays.toString(result.posterior().mean()) + " "
                    + Arrays.toString(result.posterior().standardDeviation()) + " "
                    + Arrays.toString(result.withoutNoise().standardDeviation()));
        }
        PrivateLikelihood.Result result =
                GlmRuns.withoutNoise(model, x, y).posterior(GlmPrior.standard());
        System.out.println(Arrays.toString(result.posterior().mean()) + " "
                + Arrays.toString(result.posterior().standardDeviation()));
    }
}
