package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the audit finds in studies without masks, where one party of three may be missing, and what it leaves alone. */
class DishonestChangesTest {
    private final StudyPlan plan = ChangeStorm.plan(false);
    private final ChangeRules rules = plan.changes().orElseThrow();
    private final List<ChangeDisk> disks = List.of(new ChangeDisk(), new ChangeDisk(), new ChangeDisk());
    private final ChangeDisk coordinatorDisk = new ChangeDisk();

    private ChangeCoordinator coordinator(int least) throws ProtocolRefusal {
        return ChangeCoordinator.open(
                plan.terms(),
                new ChangeRules(rules.prior(), rules.settings(), false, least),
                StudyFixture.identity(99),
                coordinatorDisk.journal);
    }

    private Envelope answer(int place, List<Outgoing> out) {
        ChangeParty party = ChangeStorm.party(plan, place, disks.get(place));
        return out.stream()
                .filter(each -> each.party() == place)
                .map(each -> party.receive(each.envelope().toBytes()).get(0))
                .findFirst()
                .orElseThrow();
    }

    private Envelope refusal(int place, ProtocolRefusal.Reason reason) {
        return Envelope.signed(
                StudyFixture.identity(place + 1),
                plan.terms().binding(),
                0,
                MessageKind.REFUSAL,
                place,
                Envelope.noContext(),
                new ProtocolRefusal(reason, "no").toBytes());
    }

    private static FederationAudit.Log log(String name, ChangeDisk disk) {
        return new FederationAudit.Log(name, EnvelopeHistory.of(disk.journal.entries()));
    }

    private List<String> found() {
        List<FederationAudit.Log> logs = new ArrayList<>(List.of(log("coordinator", coordinatorDisk)));
        for (int place = 0; place < disks.size(); place++) {
            if (!disks.get(place).journal.entries().isEmpty()) {
                logs.add(log("party-" + place, disks.get(place)));
            }
        }
        return new FederationAudit(plan.study()).of(logs).findings();
    }

    /** Nobody waits for the third of three parties, one of whom may be missing. */
    @Test
    void aRoundWithoutThoseWhoMayBeMissingIsClean() throws ProtocolRefusal {
        ChangeCoordinator coordinator = coordinator(rules.least());
        assertThat(rules.least()).isEqualTo(2);
        List<Outgoing> out = coordinator.start();
        coordinator.receive(answer(0, out));
        coordinator.receive(answer(1, out));
        assertThat(found()).isEmpty();
        coordinator.hurry();
        assertThat(coordinator.roundsDone()).isEqualTo(1);
        assertThat(found()).isEmpty();
    }

    /** A coordinator whose program asks for fewer answers than the study: everything else that it sends is right. */
    @Test
    void aRoundThatEndedWithTooFewAnswersIsFound() throws ProtocolRefusal {
        ChangeCoordinator coordinator = coordinator(1);
        List<Outgoing> out = coordinator.start();
        coordinator.receive(answer(0, out));
        assertThat(found()).isEmpty();
        coordinator.hurry();
        assertThat(coordinator.roundsDone()).isEqualTo(1);
        assertThat(found())
                .containsExactly("coordinator cannot be replayed: round 1 ended with 1 of 3 changes before all parties"
                        + " had answered, and the study needs at least 2.");
    }

    /** Whoever gives a study up signs that, and does so only if too few have answered. */
    @Test
    void onlyAStudyThatTooFewAnswerIsGivenUp() throws ProtocolRefusal {
        ChangeCoordinator coordinator = coordinator(rules.least() + 1);
        List<Outgoing> out = coordinator.start();
        coordinator.receive(answer(0, out));
        List<byte[]> one = coordinatorDisk.journal.entries();
        coordinator.giveUp();
        assertThat(coordinator.isOver()).isTrue();
        assertThat(coordinator.used(0)).isEqualTo(1);
        assertThat(found()).isEmpty();

        ChangeDisk early = new ChangeDisk();
        early.journal.append(one);
        ChangeCoordinator impatient = ChangeCoordinator.open(
                plan.terms(),
                new ChangeRules(rules.prior(), rules.settings(), false, rules.least() + 1),
                StudyFixture.identity(99),
                early.journal);
        impatient.start();
        impatient.receive(answer(1, out).toBytes());
        impatient.giveUp();
        assertThat(impatient.isOver()).isTrue();
        assertThat(new FederationAudit(plan.study())
                        .of(List.of(log("coordinator", early)))
                        .findings())
                .containsExactly(
                        "coordinator cannot be replayed: the study was given up in round 1 with 2 of 3 changes,"
                                + " which were enough to go on.");
    }

    /** A party that has nothing for a round has answered; one that refused a message has not. */
    @Test
    void onlyARefusalOfTheRoundIsAnAnswer() throws ProtocolRefusal {
        ChangeCoordinator coordinator = coordinator(rules.least());
        List<Outgoing> out = coordinator.start();
        List<byte[]> asked = coordinatorDisk.journal.entries();
        coordinator.receive(answer(0, out));
        coordinator.receive(refusal(1, ProtocolRefusal.Reason.RELEASE_LOST));
        coordinator.receive(refusal(2, ProtocolRefusal.Reason.RELEASE_LOST));
        assertThat(coordinator.roundsDone()).isEqualTo(1);
        assertThat(found()).isEmpty();

        Envelope change = EnvelopeHistory.of(coordinatorDisk.journal.entries())
                .of(MessageKind.CHANGE)
                .findFirst()
                .orElseThrow();
        ChangeDisk made = new ChangeDisk();
        made.journal.append(asked);
        made.journal.append(List.of(
                change.toBytes(),
                refusal(1, ProtocolRefusal.Reason.OUT_OF_ORDER).toBytes(),
                refusal(2, ProtocolRefusal.Reason.OUT_OF_ORDER).toBytes()));
        ChangeCoordinator dishonest =
                ChangeCoordinator.open(plan.terms(), rules, StudyFixture.identity(99), made.journal);
        dishonest.start();
        assertThat(dishonest.roundsDone()).isEqualTo(1);
        assertThat(new FederationAudit(plan.study())
                        .of(List.of(log("coordinator", made)))
                        .findings())
                .containsExactly("coordinator cannot be replayed: the log holds something that does not follow from"
                        + " what stands before it.");
    }

    @Test
    void aChangeThatIsMissingInItsPartysLogIsFound() throws ProtocolRefusal {
        ChangeCoordinator coordinator = coordinator(rules.least());
        List<Outgoing> out = coordinator.start();
        for (int place = 0; place < disks.size(); place++) {
            coordinator.receive(answer(place, out));
        }
        assertThat(found()).isEmpty();
        disks.get(1).forget();
        assertThat(found())
                .containsExactly("party-1 does not hold everything that party-1 sent, first in round 1 (CHANGE), as"
                        + " coordinator shows: it was shortened, put back from an older copy, or copied before the other"
                        + " log was.");
    }

    /** A coordinator's log that is cut before the first change is not taken for a party's. */
    @Test
    void whatACoordinatorAskedSeveralPartiesIsItsLog() throws ProtocolRefusal {
        coordinator(rules.least()).start();
        FederationAudit.Log log = log("coordinator", coordinatorDisk);
        assertThat(log.isCoordinators()).isTrue();
        assertThat(found()).isEmpty();
        List<Envelope> first = log.history().envelopes().subList(0, 1);
        List<FederationAudit.Log> logs = List.of(
                new FederationAudit.Log("fit", new EnvelopeHistory(first)),
                new FederationAudit.Log("party-0", new EnvelopeHistory(first)));
        assertThat(new FederationAudit(plan.study()).of(logs).findings())
                .containsExactly(
                        "fit and party-0 both hold messages of party-0 and of no other party: one is a copy, or"
                                + " the beginning of the coordinator's log.");
    }
}
