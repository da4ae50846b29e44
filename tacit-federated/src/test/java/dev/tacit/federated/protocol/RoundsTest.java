package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.noise.RoundNoise;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
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

    /** Parties that all have a vector in the sum and answer the quorum; what they open is handed to a test. */
    private static List<Envelope> openings(Federation federation, CoordinatorMachine coordinator)
            throws ProtocolRefusal {
        List<PartyMachine> parties = new ArrayList<>();
        for (int place = 0; place < federation.terms.size(); place++) {
            parties.add(federation.party(place));
            coordinator.receive(parties.get(place).start().get(0));
        }
        List<Outgoing> down = coordinator.request(DoorSource.request(BOUND));
        List<Envelope> openings = new ArrayList<>();
        while (!down.isEmpty()) {
            List<Outgoing> next = new ArrayList<>();
            for (Outgoing each : down) {
                for (Envelope answer : parties.get(each.party()).receive(each.envelope())) {
                    if (answer.kind() == MessageKind.OPENING) {
                        openings.add(answer);
                    } else if (answer.round() == 0) {
                        next.addAll(coordinator.receive(answer));
                    }
                }
            }
            down = next;
        }
        return openings;
    }

    /** No three neighbours of five have right shares, and still three of them do; both who gave wrong ones are named. */
    @Test
    void twoWrongSharesDoNotKeepASumClosed() throws ProtocolRefusal {
        Federation federation = new Federation(5, 0, 2, true, 2, 7);
        CoordinatorMachine coordinator = federation.coordinator();
        List<Envelope> right = openings(federation, coordinator);
        assertThat(right).hasSize(5);
        for (Envelope opening : right) {
            byte[] body = opening.body().clone();
            if (opening.sender() == 1 || opening.sender() == 3) {
                body[0] ^= 1;
            }
            coordinator.receive(Envelope.signed(
                    federation.keys.get(opening.sender()).identity(),
                    opening.study(),
                    0,
                    MessageKind.OPENING,
                    opening.sender(),
                    opening.context(),
                    body));
        }
        OpenedSum opened = coordinator.opened(0).orElseThrow();
        assertThat(opened.integers()).isEqualTo(federation.plainSum(opened, BOUND));
        assertThat(coordinator.refusals(0)).containsOnlyKeys(1, 3);
        assertThat(coordinator.refusals(0).get(1).sentence())
                .contains("the share that party-1 gave of the seeds of party-0");
    }

    /** The length that the request implies counts, not that of whoever comes first. */
    @ParameterizedTest
    @CsvSource({"0, true", "1, false"})
    void vectorsAreAsLongAsTheRequestSays(int more, boolean taken) throws ProtocolRefusal {
        Federation federation = new Federation(3, 0, 0, false, 2, 7);
        RoundNoise noise = DoorSource.noise(federation.terms);
        CoordinatorMachine coordinator = CoordinatorMachine.open(
                federation.terms, federation.coordinator, federation.coordinatorDisk.journal, new RoundNoise() {
                    @Override
                    public double wholeSteps(int round, byte[] request) {
                        return noise.wholeSteps(round, request);
                    }

                    @Override
                    public OptionalInt numbers(int round) {
                        return OptionalInt.of(DoorSource.COLUMNS + more);
                    }
                });
        openings(federation, coordinator);
        assertThat(coordinator.phase()).isEqualTo(taken ? CoordinatorPhase.OPENING : CoordinatorPhase.ASKED);
    }

    /** Whoever carries messages cannot make a party's shares useless: the party signed which they are. */
    @Test
    void sharesThatSomebodyElsePutBesideKeysAreLeft() throws ProtocolRefusal {
        Federation federation = new Federation(3, 1, 0, true, 2, 8);
        CoordinatorMachine coordinator = federation.coordinator();
        List<PartyMachine> parties = new ArrayList<>();
        for (int place = 0; place < 3; place++) {
            parties.add(federation.party(place));
            parties.get(place).start();
        }
        Envelope keys = parties.get(0).outstanding().get(0);
        coordinator.receive(keys.with(new byte[keys.attachment().length]));
        assertThat(coordinator.waitedFor().contains(0)).isTrue();
        Federation.settle(coordinator, parties, coordinator.request(DoorSource.request(BOUND)));
        assertThat(coordinator.opened(0)).isPresent();
    }

    /** A signature on the list that nobody can read as one is none: the sum waits for a right one. */
    @Test
    void anAgreementThatOthersCannotReadDoesNotCount() throws ProtocolRefusal {
        Federation federation = new Federation(3, 1, 0, true, 2, 9);
        CoordinatorMachine coordinator = federation.coordinator();
        List<PartyMachine> parties = new ArrayList<>();
        for (int place = 0; place < 3; place++) {
            parties.add(federation.party(place));
            coordinator.receive(parties.get(place).start().get(0));
        }
        List<Outgoing> down = coordinator.request(DoorSource.request(BOUND));
        while (coordinator.phase() != CoordinatorPhase.LISTED) {
            List<Outgoing> next = new ArrayList<>();
            for (Outgoing each : down) {
                for (Envelope answer : parties.get(each.party()).receive(each.envelope())) {
                    next.addAll(coordinator.receive(answer));
                }
            }
            down = next;
        }
        List<Outgoing> lists = down;
        Envelope right = parties.get(0).receive(lists.get(0).envelope()).get(0);
        coordinator.receive(Envelope.signed(
                federation.keys.get(0).identity(),
                right.study(),
                0,
                MessageKind.AGREED,
                0,
                right.context(),
                new byte[] {1}));
        assertThat(coordinator.waitedFor().contains(0)).isTrue();
        Federation.settle(coordinator, parties, lists);
        assertThat(coordinator.opened(0)).isPresent();
    }
}
