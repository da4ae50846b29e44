package dev.tacit.experiments.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.DominatingPairs;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.accounting.exact.closed.SingleRelease;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.bayes.VipsHistoricalComposition.Claim;
import dev.tacit.experiments.bayes.VipsHistoricalComposition.Recipe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VipsHistoricalCompositionTest {
    private static final double RATE = 10 / 400_000.0;

    /**
     * The LDA rows of the table in the research on the paper: 16 000 iterations of 10 documents out of 400 000, delta
     * 1e-4.
     */
    @ParameterizedTest
    @CsvSource({
        "0.5, 5.5490, 0.9549, 1.469, 5.09",
        "1, 6.2306, 0.8505, 1.243, 3.29",
        "2, 6.9045, 0.7674, 1.080, 2.30",
        "4, 7.5646, 0.7005, 0.959, 1.72",
    })
    void reproducesTheTable(double epsilon, double ofIteration, double concentrated, double advanced, double linear) {
        PrivacyBudget target = new PrivacyBudget(epsilon, 1e-4);
        Claim claim = claim(Recipe.ZERO_CONCENTRATED, target);
        assertThat(claim.epsilonOfIteration()).isCloseTo(ofIteration, within(1e-4));
        assertThat(claim.noiseMultiplier()).isCloseTo(concentrated, within(1e-4));
        assertThat(claim(Recipe.ADVANCED, target).noiseMultiplier()).isCloseTo(advanced, within(1e-3));
        assertThat(claim(Recipe.LINEAR, target).noiseMultiplier()).isCloseTo(linear, within(1e-2));
    }

    private static Claim claim(Recipe recipe, PrivacyBudget target) {
        return VipsHistoricalComposition.forTarget(recipe, target, 1e-6, RATE, 16_000)
                .orElseThrow();
    }

    @Test
    void goldenValuesOfTheOtherRecipes() {
        PrivacyBudget target = new PrivacyBudget(0.5, 1e-4);
        assertThat(claim(Recipe.ADVANCED, target).noiseMultiplier()).isCloseTo(1.4685511781747669, within(1e-10));
        assertThat(claim(Recipe.LINEAR, target).noiseMultiplier()).isCloseTo(5.089499956976168, within(1e-10));
    }

    @Test
    void noiseAndTargetInvertEachOther() {
        Claim claim = claim(Recipe.ZERO_CONCENTRATED, new PrivacyBudget(0.5, 1e-4));
        Claim back = VipsHistoricalComposition.forNoise(claim.noiseMultiplier(), 1e-4, 1e-6, RATE, 16_000);
        assertThat(back.epsilon()).isCloseTo(0.5, within(1e-10));
    }

    /**
     * 839 statistics of one mini-batch, 300 iterations: claimed 0.5, while a certified lower bound on the truth is
     * above 50.
     */
    @Test
    void theClaimCanBeFarBelowTheTruth() {
        double rate = 50 / 60_000.0;
        Claim claim = VipsHistoricalComposition.forTarget(
                        Recipe.ZERO_CONCENTRATED, new PrivacyBudget(0.5, 1e-4), 1e-4, rate, 839L * 300)
                .orElseThrow();
        assertThat(claim.noiseMultiplier()).isCloseTo(4.5797, within(1e-3));
        PrivacyEvent batch =
                PrivacyEvent.gaussian(claim.noiseMultiplier()).times(839).poissonSampled(rate);
        double oneIteration = 0;
        try {
            Phase phase = Composition.of(batch, Neighbours.ADD_REMOVE)
                    .alternatives()
                    .get(0)
                    .get(0);
            oneIteration = SingleRelease.epsilonLower(
                    DominatingPairs.of(phase, Neighbours.ADD_REMOVE).get(0), 1e-4);
        } catch (UnsupportedEventException e) {
            throw new AssertionError(e);
        }
        assertThat(oneIteration).isGreaterThan(10);
        assertThat(claim.warning()).startsWith("not a privacy bound");
        assertThat(PrivacyAccountant.class.isAssignableFrom(VipsHistoricalComposition.class))
                .isFalse();
    }

    @Test
    void recipesWithoutASolutionSaySo() {
        assertThat(VipsHistoricalComposition.forTarget(Recipe.ADVANCED, new PrivacyBudget(1, 1e-6), 1e-6, 0.5, 1000))
                .isEmpty();
    }
}
