package dev.tacit.experiments.ep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Numbers that the paper prints stand where they belong. */
class PublishedScoresTest {
    private static PublishedScores set(String name) {
        return PublishedScores.SETS.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void everySetHasEveryPrintedColumn() {
        for (PublishedScores set : PublishedScores.SETS) {
            for (String column : new String[] {
                PublishedScores.VI,
                PublishedScores.EP,
                PublishedScores.SEP,
                PublishedScores.CLIPPED_SEP,
                PublishedScores.DP_SEP,
                PublishedScores.DP_VI
            }) {
                assertThat(set.score(column, "rmse"))
                        .as(set.name() + " " + column)
                        .isPresent();
                assertThat(set.score(column, "logLikelihood"))
                        .as(set.name() + " " + column)
                        .isPresent();
            }
            assertThat(set.score(PublishedScores.POINT, "rmse")).isPresent();
            assertThat(set.score(PublishedScores.POINT, "logLikelihood")).isEmpty();
        }
        assertThat(set("protein").score(PublishedScores.DP_VI, "rmse")).hasValue(4.934);
        assertThat(set("kin8nm").score(PublishedScores.CLIPPED_SEP, "logLikelihood"))
                .hasValue(1.121);
    }

    @Test
    void everyBoundOfTheClipStandsBesideOurs() {
        assertThat(DpSepClipping.published("wine", 1, "rmse")).hasValue(0.6);
        assertThat(DpSepClipping.published("protein", 10, "logLikelihood")).hasValue(-3.096);
        assertThat(DpSepClipping.published("naval", 7, "rmse")).isEqualTo(OptionalDouble.empty());
    }
}
