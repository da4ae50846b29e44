package dev.tacit.audit.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Against the program of the paper's appendix, with exact binomials. */
class OneRunBoundTest {
    @Test
    void probabilitiesAreThoseOfThePaper() {
        assertThat(new OneRunBound(1000, 100, 90).probability(1, 1e-5)).isCloseTo(0.0008412885614385309, within(1e-12));
        assertThat(new OneRunBound(100, 100, 60).probability(0.5, 0)).isCloseTo(0.7162925722279616, within(1e-10));
        assertThat(new OneRunBound(1000, 62, 62).probability(2, 1e-6)).isCloseTo(0.000560050403301745, within(1e-12));
    }

    @Test
    void epsilonsAreThoseOfThePaper() {
        assertThat(new OneRunBound(1000, 100, 95).epsilonAtLeast(1e-6, 1e-3))
                .isCloseTo(1.6812597054543794, within(1e-9));
        assertThat(new OneRunBound(200, 200, 150).epsilonAtLeast(1e-5, 0.05))
                .isCloseTo(0.8211126019526822, within(1e-9));
        assertThat(new OneRunBound(200, 200, 110).epsilonAtLeast(1e-5, 1e-3)).isZero();
    }
}
