package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rounds in which everybody is honest, and some are missing. */
class RoundsTest {
    private static final double BOUND = 1.5;

    @ParameterizedTest
    @CsvSource({"3,0,0,false", "3,1,0,true", "5,1,1,true", "5,1,1,false", "7,0,3,true", "10,2,3,true"})
    void opensTheSumOfThoseWhoAreThere(int size, int colluders, int dropouts, boolean layered) {
        for (int missing = 0; missing <= dropouts; missing++) {
            Federation federation = new Federation(size, colluders, dropouts, layered, 3, 100 + missing);
            CoordinatorMachine coordinator = federation.coordinator();
            List<PartyMachine> parties = new ArrayList<>();
            for (int place = 0; place < size; place++) {
                parties.add(place < missing ? null : federation.party(place));
                if (place >= missing) {
                    assertThat(parties.get(place).start()).hasSize(1);
                }
            }
            for (int round = 0; round < 3; round++) {
                Federation.settle(coordinator, parties, coordinator.request(DoorSource.request(BOUND)));
                while (coordinator.round() == round) {
                    Federation.settle(coordinator, parties, coordinator.hurry());
                }
                OpenedSum opened = coordinator.opened(round).orElseThrow();
                assertThat(opened.survivors().size()).isEqualTo(size - missing);
                assertThat(opened.integers()).isEqualTo(federation.plainSum(opened, BOUND));
                double expected = layered
                        ? (double) (size - missing) / (size - colluders - missing)
                        : (double) (size - missing) / (size - colluders - dropouts);
                assertThat(opened.relativeVariance()).isEqualTo(expected);
            }
            for (int place = missing; place < size; place++) {
                assertThat(parties.get(place).isDone()).isTrue();
                assertThat(federation.disks.get(place).announced()).isEqualTo(3);
            }
        }
    }
}
