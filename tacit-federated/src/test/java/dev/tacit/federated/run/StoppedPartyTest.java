package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A party that was put back from an older copy says so in the round that it is asked for, and nobody waits for it, though none may miss. */
class StoppedPartyTest {
    private static final int STOPS = 2;

    private StudyPlan plan;
    private final List<ChangeDisk> disks = List.of(new ChangeDisk(), new ChangeDisk(), new ChangeDisk());

    private ChangeParty party(int place) {
        return ChangeStorm.party(plan, place, disks.get(place));
    }

    private List<Outgoing> answered(ChangeCoordinator coordinator, List<Outgoing> out, int party)
            throws ProtocolRefusal {
        List<Outgoing> next = new ArrayList<>();
        for (Outgoing each : out) {
            if (each.party() == party) {
                for (Envelope answer : party(party).receive(each.envelope().toBytes())) {
                    next.addAll(coordinator.receive(answer.toBytes()));
                }
            }
        }
        return next;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theStudyGoesOnWithoutAPartyThatStopped(boolean asynchronous) throws ProtocolRefusal {
        plan = ChangeStorm.plan(asynchronous, 0);
        ChangeDisk log = new ChangeDisk();
        ChangeCoordinator coordinator = ChangeCoordinator.open(
                plan.terms(), plan.changes().orElseThrow(), StudyFixture.identity(99), log.journal);
        List<Outgoing> out = new ArrayList<>(coordinator.start());
        party(STOPS); // has joined
        ChangeDisk older = disks.get(STOPS).copy();
        List<Outgoing> second = new ArrayList<>();
        for (int place = 0; place < disks.size(); place++) {
            second.addAll(answered(coordinator, out, place));
        }
        disks.get(STOPS).restore(older);
        ChangeParty stopped = party(STOPS);
        Envelope asked = second.stream()
                .filter(each -> each.party() == STOPS)
                .findFirst()
                .orElseThrow()
                .envelope();
        assertThat(asked.round()).isEqualTo(1);
        Envelope refusal = stopped.receive(asked.toBytes()).get(0);
        assertThat(refusal.kind()).isEqualTo(MessageKind.REFUSAL);
        assertThat(refusal.round()).isEqualTo(1);
        assertThat(stopped.outstanding()).containsExactly(refusal);
        assertThat(stopped.start()).containsExactly(refusal);

        List<Outgoing> next = new ArrayList<>(second);
        next.addAll(coordinator.receive(refusal.toBytes()));
        while (!coordinator.isOver()) {
            assertThat(next).as("somebody is asked").isNotEmpty();
            List<Outgoing> now = List.copyOf(next);
            next.clear();
            for (int place = 0; place < STOPS; place++) {
                next.addAll(answered(coordinator, now, place));
            }
        }
        assertThat(coordinator.used(STOPS)).isEqualTo(1);
        assertThat(coordinator.used(0)).isEqualTo(3);
        assertThat(ChangeCoordinator.replayed(plan.terms(), plan.changes().orElseThrow(), log.journal, true)
                        .global())
                .isEqualTo(coordinator.global());
    }
}
