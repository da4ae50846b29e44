package dev.tacit.experiments.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.experiments.bayes.VipsCompositions.Published;
import dev.tacit.experiments.bayes.VipsHistoricalComposition.Recipe;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A few rows against an independent computation of the same table (numpy, and two other accountants). */
class VipsCompositionsTest {
    private static Published setting(int index) {
        return VipsCompositions.SETTINGS.get(index);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0.5, 0.9549, 1.469, 5.09",
        "0, 4, 0.7005, 0.959, 1.72",
        "1, 0.2, 1.5213, 3.857, 13.51",
        "1, 1, 0.9363, 1.713, 3.72",
        "5, 1, 13.9312, 76.542, 70.51",
        "6, 4, 11.7900, , 191.91"
    })
    void recipesAskForTheirNoise(int index, double epsilon, double concentrated, Double advanced, double linear) {
        Published setting = setting(index);
        assertThat(setting.recipe(Recipe.ZERO_CONCENTRATED, epsilon).orElseThrow())
                .isCloseTo(concentrated, within(1e-4));
        if (advanced == null) {
            assertThat(setting.recipe(Recipe.ADVANCED, epsilon)).isEmpty();
        } else {
            assertThat(setting.recipe(Recipe.ADVANCED, epsilon).orElseThrow()).isCloseTo(advanced, within(2e-3));
        }
        assertThat(setting.recipe(Recipe.LINEAR, epsilon).orElseThrow()).isCloseTo(linear, within(1e-2));
    }

    /** The other accountants' bounds are looser: their Rényi conversion is the older one, their lattice has an error of 0.01. */
    @ParameterizedTest
    @CsvSource({"5, 0.5, 20.6977, 18.6378", "5, 4, 3.2818, 3.0317", "6, 1, 35.0890, 31.8570", "1, 1, 0.7560, 0.5567"})
    void accountantsNeedLess(int index, double epsilon, double renyi, double exact) {
        Published setting = setting(index);
        assertThat(setting.calibrated(new RenyiAccountant(), epsilon)).isBetween(0.97 * renyi, renyi);
        double least = setting.calibrated(new ExactAccountant(), epsilon);
        assertThat(least).isBetween(0.985 * exact, exact + 1e-4);
    }

    /** 839 statistics of one batch share it: half a unit of epsilon is claimed, and more than fifty are spent. */
    @ParameterizedTest
    @CsvSource({"2, 0.5, 57.2", "4, 1, 33"})
    void whatHoldsForTheBeliefNetwork(int index, double epsilon, double atLeast) {
        Published setting = setting(index);
        EpsilonBound holds = VipsCompositions.exact(
                setting, setting.recipe(Recipe.ZERO_CONCENTRATED, epsilon).orElseThrow());
        assertThat(holds.upper()).isGreaterThan(atLeast);
        assertThat(((EpsilonBound.Between) holds).lower()).isGreaterThan(10 * epsilon);
    }
}
