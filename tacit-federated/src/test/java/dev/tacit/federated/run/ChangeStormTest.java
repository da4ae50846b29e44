package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.factor.ChangeParty;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.json.PackedNumbers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Parties that add all of their noise themselves: bad weather, crashes, copies that were put back, and a coordinator that lies. A slice;
 * {@link ChangeStorm#main} runs ten thousand seeds.
 */
class ChangeStormTest {
    private final StudyPlan plan = ChangeStorm.plan(false);
    private final ChangeDisk disk = new ChangeDisk();

    @Test
    void everyBitIsKeptWhateverHappens() {
        assertThat(ChangeStorm.runAll(1, 40, false)).isGreaterThan(100);
    }

    /** The twin's disk forgets what it was told to force. */
    @Test
    void disksThatForgetAreFound() {
        assertThatThrownBy(() -> ChangeStorm.runAll(1, 60, true)).hasMessageContaining("seed");
    }

    private ChangeCoordinator coordinator(ChangeDisk own) throws ProtocolRefusal {
        return ChangeCoordinator.open(
                plan.terms(), plan.changes().orElseThrow(), StudyFixture.identity(99), own.journal);
    }

    private static Envelope forParty(List<Outgoing> out, int place) {
        return out.stream()
                .filter(each -> each.party() == place)
                .findFirst()
                .orElseThrow()
                .envelope();
    }

    private Envelope state(String from, String to, Envelope like, byte[] context) {
        return Envelope.signed(
                StudyFixture.identity(99),
                like.study(),
                like.round(),
                MessageKind.STATE,
                Envelope.COORDINATOR,
                context,
                new String(like.body(), StandardCharsets.UTF_8)
                        .replace(from, to)
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void refuses(Envelope envelope, ProtocolRefusal.Reason reason) throws ProtocolRefusal {
        ChangeParty party = ChangeStorm.party(plan, 0, disk);
        List<Envelope> out = party.receive(envelope.toBytes());
        assertThat(out).hasSize(1).allMatch(each -> each.kind() == MessageKind.REFUSAL);
        assertThat(ProtocolRefusal.read(out.get(0).body()).reason()).isEqualTo(reason);
        assertThat(out.get(0).isSignedBy(plan.terms().parties().get(0).identityKey()))
                .isTrue();
    }

    @Test
    void aLyingCoordinatorIsRefusedInWordsAndGetsNothing() throws ProtocolRefusal {
        Envelope right = forParty(coordinator(new ChangeDisk()).start(), 0);
        Envelope other = forParty(coordinator(new ChangeDisk()).start(), 1);
        byte[] none = Envelope.noContext();
        refuses(other, ProtocolRefusal.Reason.NOT_IN_SET);
        refuses(state("\"party\":0", "\"party\":0,\"more\":1", right, none), ProtocolRefusal.Reason.MALFORMED);
        refuses(
                new Envelope(
                        right.version(),
                        right.study(),
                        right.round(),
                        right.kind(),
                        right.sender(),
                        right.context(),
                        other.body(),
                        right.attachment(),
                        right.signature()),
                ProtocolRefusal.Reason.NOT_SIGNED);
        double[] prior = plan.changes().orElseThrow().prior().naturalParameters();
        double[] improper = prior.clone();
        improper[prior.length - 1] = 1;
        double[] noNumber = prior.clone();
        noNumber[0] = Double.POSITIVE_INFINITY;
        for (double[] wrong : List.of(improper, noNumber, new double[prior.length - 1])) {
            refuses(
                    state(PackedNumbers.write(prior), PackedNumbers.write(wrong), right, none),
                    ProtocolRefusal.Reason.REQUEST_REFUSED);
        }
        assertThat(disk.drawn).as("nothing was released").isEmpty();
        refuses(state("lastUsed", "lastUsed", right, right.hash()), ProtocolRefusal.Reason.RESTORED);
        assertThat(disk.drawn).isEmpty();
    }

    /** Two approximations for one round would get two answers from the same noise budget. */
    @Test
    void oneRoundHasOneAnswer() throws ProtocolRefusal {
        Envelope right = forParty(coordinator(new ChangeDisk()).start(), 0);
        ChangeParty party = ChangeStorm.party(plan, 0, disk);
        List<Envelope> first = party.receive(right.toBytes());
        long drawn = disk.drawn.size();
        assertThat(first).hasSize(1).allMatch(each -> each.kind() == MessageKind.CHANGE);
        assertThat(party.receive(right.toBytes())).isEqualTo(first);
        assertThat(ChangeStorm.party(plan, 0, disk).receive(right.toBytes())).isEqualTo(first);
        ChangeRules rules = plan.changes().orElseThrow();
        String prior = PackedNumbers.write(rules.prior().naturalParameters());
        Envelope second = state(
                prior, PackedNumbers.write(rules.prior().power(2).naturalParameters()), right, Envelope.noContext());
        assertThat(second.body()).isNotEqualTo(right.body());
        refuses(second, ProtocolRefusal.Reason.OTHER_REQUEST);
        assertThat(disk.drawn).hasSize((int) drawn);
    }

    /** A party that was put back from an older copy releases nothing: the coordinator's next message names an answer it does not know. */
    @Test
    void anOlderCopyTakesNoFurtherPart() throws ProtocolRefusal {
        ChangeDisk own = new ChangeDisk();
        ChangeCoordinator coordinator = coordinator(own);
        List<Outgoing> asked = coordinator.start();
        ChangeParty zero = ChangeStorm.party(plan, 0, disk);
        ChangeDisk before = disk.copy();
        Envelope answer = zero.receive(forParty(asked, 0).toBytes()).get(0);
        coordinator.receive(answer);
        List<Outgoing> next = List.of();
        for (int place = 1; place < 3; place++) {
            ChangeParty other = ChangeStorm.party(plan, place, new ChangeDisk());
            next = coordinator.receive(
                    other.receive(forParty(asked, place).toBytes()).get(0));
        }
        long drawn = disk.drawn.size();
        disk.restore(before);
        refuses(forParty(next, 0), ProtocolRefusal.Reason.RESTORED);
        assertThat(disk.drawn).hasSize((int) drawn);
    }

    @Test
    void onlyThePartyItselfCanAnswer() throws ProtocolRefusal {
        ChangeCoordinator coordinator = coordinator(new ChangeDisk());
        List<Outgoing> asked = coordinator.start();
        Envelope answer = ChangeStorm.party(plan, 0, disk)
                .receive(forParty(asked, 0).toBytes())
                .get(0);
        Identity stranger = StudyFixture.identity(50);
        Envelope forged = Envelope.signed(
                stranger, answer.study(), answer.round(), MessageKind.CHANGE, 0, answer.context(), answer.body());
        assertThatThrownBy(() -> coordinator.receive(forged)).hasMessageContaining("is not signed by it");
        assertThat(coordinator.changes()).isZero();
        coordinator.receive(answer);
        assertThat(coordinator.changes()).isEqualTo(1);
    }
}
