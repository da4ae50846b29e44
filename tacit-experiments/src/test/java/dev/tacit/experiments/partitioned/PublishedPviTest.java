package dev.tacit.experiments.partitioned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.experiments.Experiments;
import dev.tacit.report.plot.Series;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The published numbers can be read for every split that the experiments run. */
class PublishedPviTest {
    @Test
    void everySplitOfTheExperimentsHasPublishedCurves() {
        for (String figure : List.of("10 parties, ", "200 parties, ", "network, ")) {
            for (String split : DpPviAdult.splits().keySet()) {
                String name = figure + split;
                assertThat(PublishedPvi.curves(name, true)).as(name).containsKey("DP optimisation");
                for (List<Series.Point> curve : PublishedPvi.curves(name, true).values()) {
                    assertThat(curve).allMatch(point -> point.y() > 0.7 && point.y() < 0.9);
                }
                for (List<Series.Point> curve : PublishedPvi.curves(name, false).values()) {
                    assertThat(curve).allMatch(point -> point.y() < -0.3 && point.y() > -0.6);
                }
            }
        }
    }

    @Test
    void theLastNumberIsComparedWith() {
        assertThat(PublishedPvi.accuracy("10 parties, balanced", "DP optimisation"))
                .isEqualTo(OptionalDouble.of(0.838));
        assertThat(PublishedPvi.logLikelihood("10 parties, unbalanced 2", "virtual clients, aggregator"))
                .isEqualTo(OptionalDouble.of(-0.337));
        assertThat(PublishedPvi.accuracy("10 parties, balanced", "residual Newton"))
                .isEmpty();
    }

    @Test
    void experimentsAreFoundByName() {
        assertThat(List.of(
                        "dp-pvi-adult-10", "dp-pvi-adult-200", "dp-pvi-mortality", "dp-pvi-bnn", "dp-pvi-partitions"))
                .allMatch(name -> Experiments.find(name).isPresent());
    }
}
