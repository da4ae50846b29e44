package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.factor.ChangeRebuild;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A coordinator of changes whose disk is gone, made again from what its parties kept. {@link ChangeStorm} does the same after every seed. */
class ChangeRebuildTest {
    private static final int PARTIES = 3;

    private StudyPlan plan;
    private final List<ChangeDisk> disks = List.of(new ChangeDisk(), new ChangeDisk(), new ChangeDisk());
    private final ChangeDisk lost = new ChangeDisk();

    private ChangeCoordinator coordinator(ChangeDisk disk) throws ProtocolRefusal {
        return ChangeCoordinator.open(
                plan.terms(), plan.changes().orElseThrow(), StudyFixture.identity(99), disk.journal);
    }

    /** From logs, some of which may be empty. */
    private ChangeCoordinator rebuilt(List<ChangeDisk> of) throws ProtocolRefusal {
        List<Envelope> kept = new ArrayList<>();
        of.forEach(
                disk -> kept.addAll(EnvelopeHistory.of(disk.journal.entries()).envelopes()));
        ChangeDisk fresh = new ChangeDisk();
        fresh.journal.append(ChangeRebuild.entries(
                plan.terms(),
                plan.changes().orElseThrow(),
                StudyFixture.identity(99),
                kept,
                of.stream().filter(disk -> disk.journal.entries().isEmpty()).count()));
        return coordinator(fresh);
    }

    /** Hands everything to whom it is for, in rotating order, and what follows to the coordinator, which hears some parties only. */
    private List<Outgoing> exchange(ChangeCoordinator coordinator, List<Outgoing> out, List<Integer> heard, int turn)
            throws ProtocolRefusal {
        List<Outgoing> next = new ArrayList<>();
        for (int i = 0; i < PARTIES; i++) {
            int place = (turn + i) % PARTIES;
            ChangeParty party = ChangeStorm.party(plan, place, disks.get(place));
            for (Outgoing each : out) {
                for (Envelope answer :
                        each.party() == place ? party.receive(each.envelope().toBytes()) : List.<Envelope>of()) {
                    assertThat(party.lastRefusal()).isEmpty();
                    if (heard.contains(place)) {
                        next.addAll(coordinator.receive(answer));
                    }
                }
            }
        }
        return next;
    }

    /** One party is not heard in the first round, which goes on without it; then the coordinator's disk is gone. */
    @Test
    void whoWasMissingIsMissingAgain() throws ProtocolRefusal {
        plan = ChangeStorm.plan(false);
        ChangeCoordinator coordinator = coordinator(lost);
        exchange(coordinator, coordinator.start(), List.of(0, 2), 0);
        List<Outgoing> second = coordinator.hurry();
        exchange(coordinator, second.subList(0, 2), List.of(), 1);
        assertThat(coordinator.roundsDone()).isEqualTo(1);

        ChangeCoordinator again = rebuilt(disks);
        assertThat(again.used(1)).isZero();
        assertThat(again.used(0)).isEqualTo(1);
        for (List<Outgoing> out = again.outstanding(); !again.isOver(); ) {
            out = exchange(again, out, List.of(0, 1, 2), 0);
        }
        assertThat(again.used(1)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anEndThatPartiesKnowIsTheSameToTheBit(boolean asynchronous) throws ProtocolRefusal {
        plan = ChangeStorm.plan(asynchronous);
        ChangeCoordinator coordinator = coordinator(lost);
        List<Outgoing> out = coordinator.start();
        for (int turn = 0; !coordinator.isOver(); turn++) {
            out = exchange(coordinator, out, List.of(0, 1, 2), turn);
        }
        exchange(coordinator, coordinator.outstanding(), List.of(), 0);
        ChangeCoordinator again = rebuilt(disks);
        assertThat(again.isOver()).isTrue();
        assertThat(again.global()).isEqualTo(coordinator.global());
        assertThat(again.outstanding()).isEqualTo(coordinator.outstanding());
    }

    @Test
    void allLogsAreNeeded() throws ProtocolRefusal {
        plan = ChangeStorm.plan(true);
        ChangeCoordinator coordinator = coordinator(lost);
        exchange(coordinator, coordinator.start(), List.of(0, 1, 2), 0);
        assertThatThrownBy(() -> rebuilt(disks.subList(0, 2)))
                .hasMessageContaining("the log of party party-2 is not among them");
    }

    /** Its log is empty, and handed over; one that is not handed over is missed as ever. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPartyThatNeverTookPartHasAnEmptyLog(boolean asynchronous) throws ProtocolRefusal {
        plan = ChangeStorm.plan(asynchronous);
        ChangeCoordinator coordinator = coordinator(lost);
        List<Outgoing> out = coordinator.start();
        while (!coordinator.isOver()) {
            List<Outgoing> next = exchange(
                    coordinator, out.stream().filter(each -> each.party() != 2).toList(), List.of(0, 1), 0);
            out = next.isEmpty() ? coordinator.hurry() : next;
        }
        exchange(coordinator, coordinator.outstanding().subList(0, 2), List.of(), 0);
        assertThat(disks.get(2).journal.entries()).isEmpty();
        ChangeCoordinator again = rebuilt(disks);
        assertThat(again.isOver()).isTrue();
        assertThat(again.global()).isEqualTo(coordinator.global());
        assertThat(again.used(2)).isZero();
        assertThatThrownBy(() -> rebuilt(disks.subList(0, 2)))
                .hasMessageContaining("the log of party party-2 is not among them");
        assertThatThrownBy(() -> rebuilt(List.of(disks.get(0), disks.get(2))))
                .hasMessageContaining("the log of party party-2 is not among them");
    }

    /** One party of three answers the second round, the others are gone for good; they may have been asked or not. */
    @ParameterizedTest
    @CsvSource({"false, 1", "false, 0", "true, 1", "true, 0"})
    void aStudyThatWasGivenUpIsGivenUpAgain(boolean asynchronous, int answers) throws ProtocolRefusal {
        plan = ChangeStorm.plan(asynchronous);
        ChangeCoordinator coordinator = coordinator(lost);
        List<Outgoing> second = exchange(coordinator, coordinator.start(), List.of(0, 1, 2), 0);
        List<Outgoing> first = second.stream()
                .filter(each -> each.party() == 0 && each.envelope().round() == 1)
                .toList();
        exchange(coordinator, first.subList(0, answers), List.of(0), 0);
        coordinator.hurry();
        assertThat(coordinator.isOver()).isFalse();
        coordinator.giveUp();
        assertThat(coordinator.isOver()).isTrue();
        assertThat(coordinator.used(0)).isEqualTo(1 + answers);
        assertThat(coordinator.used(1)).isEqualTo(1);
        exchange(coordinator, coordinator.outstanding(), List.of(), 0);

        ChangeCoordinator again = rebuilt(disks);
        assertThat(again.isOver()).isTrue();
        assertThat(again.global()).isEqualTo(coordinator.global());
        assertThat(again.outstanding()).isEqualTo(coordinator.outstanding());
    }
}
