package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A slice of the simulation; {@link Simulation#main} runs ten thousand seeds. */
class SimulationTest {
    @Test
    void sumsAreRightAndNothingIsReleasedTwiceWhateverHappens() {
        Simulation.Outcome outcome = Simulation.runAll(1, 150, false);
        assertThat(outcome.opened()).isGreaterThan(250);
        assertThat(outcome.crashes()).isGreaterThan(400);
    }

    @Test
    void disksThatForgetWhatTheyWereToldToForceAreFound() {
        assertThatThrownBy(() -> Simulation.runAll(1, 60, true)).hasMessageContaining("seed");
    }
}
