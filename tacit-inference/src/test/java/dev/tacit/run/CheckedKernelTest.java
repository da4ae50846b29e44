package dev.tacit.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.inference.DivergedException;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.dealt.FactorInference;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.update.DpOptimisation;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What released numbers lead to is a posterior, or a run that diverged. */
class CheckedKernelTest {
    private static final LogisticRegression MODEL = new LogisticRegression(List.of("a"), 2, 0.5);
    private static final FactorInference KERNEL = new FactorInference(
            new PartyRule.Hashed(3, 9),
            false,
            new DpOptimisation(MODEL, new DpOptimisation.Settings(1, new FullPass(), 2, 0.05, 1)),
            new Coordinator.Settings(2, new Schedule.Synchronous(), 0.5, Repair.floor()));

    private static FactorInference.State at(double weightedMean) {
        return KERNEL.reached(NaturalGaussian.of(GaussianFamily.MEAN_FIELD, 1, new double[] {weightedMean, -0.25}), 0);
    }

    private static CheckedKernel<GaussianMarginModel, FactorInference.State> checked() {
        return new CheckedKernel<>(KERNEL, MODEL);
    }

    /** The mean of the first is no number any more, although its natural parameters are. */
    @ParameterizedTest
    @ValueSource(doubles = {1.7e308, Double.POSITIVE_INFINITY})
    void anImproperPosteriorIsOneThatDiverged(double weightedMean) {
        assertThatThrownBy(() -> checked().posterior(at(weightedMean), 2))
                .isInstanceOf(DivergedException.class)
                .hasMessageContaining("diverged at release 2 of 2");
    }

    @Test
    void aProperOneIsThePosterior() {
        assertThat(checked().posterior(at(1), 2).mean()).containsExactly(2);
    }
}
