package dev.tacit.model.regression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.Runs;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.InferenceRun;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Golden values computed independently to 1e-14 for five records of three columns. */
class PolyaGammaLogisticTest {
    private static final double[] ROWS = {
        0.3, -0.2, 0.5, -0.4, 0.1, 0.6, 0.8, 0.2, -0.1, -0.1, -0.7, 0.2, 0.05, 0.6, -0.3
    };
    private static final double[] LABELS = {1, 0, 1, 0, 1};
    private static final double WEIGHT = 3;

    private static PolyaGammaLogistic model() {
        return new PolyaGammaLogistic(new LogisticRegression(Runs.names(3), 1, 1), WEIGHT, 0.5, true);
    }

    private static PrivateDataset data() {
        return Runs.dataset(DenseBlock.of(5, 3, ROWS, LABELS));
    }

    private static NoisySum sums(PolyaGammaLogistic model, GaussianPosterior posterior) {
        PrivateDataset data = data();
        ReleasePlan plan = ReleasePlan.of("statistics", 1, model.statisticsDimension(), new SamplingScheme.FullPass());
        return data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1))
                .release(model.expectedStatistics(posterior), model.statisticsL2Bound());
    }

    @Test
    void oneSweepGivesTheGoldenValues() {
        PolyaGammaLogistic model = model();
        double[] ones = {1, 1, 1};
        GaussianPosterior start = new GaussianPosterior(Runs.names(3), ones, SymmetricMatrix.scaledIdentity(3, 1e-30));
        double[] statistics = sums(model, start).value();
        double[] first = {0.825, 0.6, -0.35};
        for (int j = 0; j < 3; j++) {
            assertThat(statistics[j]).isCloseTo(first[j], within(1e-9));
        }
        double[] second = SymmetricMatrix.fromVector(3, statistics, 3);
        double[] golden = {
            0.04292119177255736,
            0.007485686780548497,
            -0.01009167919080101,
            0.007485686780548497,
            0.045922477612580954,
            -0.01852159385923696,
            -0.01009167919080101,
            -0.018521593859236955,
            0.036869708653444896
        };
        for (int i = 0; i < 9; i++) {
            assertThat(second[i] / WEIGHT / 5).isCloseTo(golden[i], within(1e-9));
        }
        GaussianPosterior next = model.posterior(statistics, 0, new double[] {1});
        assertThat(next.mean()[0]).isCloseTo(0.655697436719545, within(1e-8));
        assertThat(next.mean()[2]).isCloseTo(-0.23235955735571331, within(1e-8));
        assertThat(next.covariance()[1]).isCloseTo(-0.022609085459145768, within(1e-8));
        assertThat(model.hyperParameters(next, model.hyperParameters())[0]).isCloseTo(0.9649385337509535, within(1e-8));
    }

    @Test
    void theFixedPointIsTheGoldenOne() {
        PolyaGammaLogistic model = model();
        PrivateVariationalBayes<GaussianPosterior> kernel = new PrivateVariationalBayes<>(
                new PrivateVariationalBayes.Settings(500, new SamplingScheme.FullPass(), new StepSchedule.Last()));
        PrivateDataset data = data();
        GaussianPosterior posterior = (GaussianPosterior) InferenceRun.once(
                        kernel,
                        model,
                        data.openNotPrivate(
                                RunRequest.of("test", kernel.plan(model, data.publicSize())), ReplayNoise.ofSeed(1)),
                        RandomStream.ofSeed(1))
                .posterior();
        double[] mean = {0.715666158881652, 0.4899021323392268, -0.25128716594481376};
        double[] covariance = {
            0.9023229188296796,
            -0.026187045688411438,
            0.03725149068510569,
            -0.02618704568841144,
            0.8957547455774046,
            0.07413257804079008,
            0.0372514906851057,
            0.07413257804079008,
            0.9328548359557144
        };
        for (int j = 0; j < 3; j++) {
            assertThat(posterior.mean()[j]).isCloseTo(mean[j], within(1e-7));
        }
        for (int i = 0; i < 9; i++) {
            assertThat(posterior.covariance()[i]).isCloseTo(covariance[i], within(1e-7));
        }
    }

    @Test
    void impossibleSumsAreRepaired() {
        PolyaGammaLogistic model = model();
        double[] statistics = new double[model.statisticsDimension()];
        Arrays.fill(statistics, -5);
        GaussianPosterior posterior = model.posterior(statistics, 2, new double[] {1});
        for (int j = 0; j < 3; j++) {
            assertThat(posterior.standardDeviation()[j]).isPositive().isFinite();
            assertThat(posterior.mean()[j]).isFinite();
        }
    }
}
