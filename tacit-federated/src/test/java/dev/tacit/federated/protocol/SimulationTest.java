package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** A slice of the simulation; {@link Simulation#main} runs ten thousand seeds. */
class SimulationTest {
    @Test
    void sumsAreRightAndNothingIsReleasedTwiceWhateverHappens() {
        Simulation.Outcome outcome = Simulation.runAll(1, 150, Simulation.Trouble.NONE);
        assertThat(outcome.opened()).isGreaterThan(250);
        assertThat(outcome.crashes()).isGreaterThan(400);
    }

    @Test
    void disksThatForgetWhatTheyWereToldToForceAreFound() {
        assertThatThrownBy(() -> Simulation.runAll(1, 60, Simulation.Trouble.FORGETFUL_DISKS))
                .hasMessageContaining("seed");
    }

    /** Whatever is under way when a coordinator's disk is gone goes on with one that was made again from parties' logs. */
    @Test
    void aLogThatIsMadeAgainFromThoseOfAllPartiesLosesNoRound() {
        Simulation.Outcome outcome = Simulation.runAll(1, 100, Simulation.Trouble.LOST_LOGS);
        assertThat(outcome.opened()).isGreaterThan(120);
        assertThat(outcome.rebuilds()).isGreaterThan(100);
    }
}
