package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A party's folder is put back to where it was in some phase of an earlier sum, and the ledger beside its records is not. */
class RestoredFolderTest {
    private static final int SIZE = 4;
    private static final byte[] REQUEST = DoorSource.request(1);

    private final Federation federation = new Federation(SIZE, 1, 0, true, 4, 11);
    private final CoordinatorMachine coordinator = federation.coordinator();
    private final List<PartyMachine> parties = new ArrayList<>();
    private final List<PartyPhase> phases = new ArrayList<>();
    private final List<Disk> copies = new ArrayList<>();

    @Test
    void whatTheLedgerKnowsAndTheJournalDoesNotStopsThePartyInEveryPhase() {
        IntStream.range(0, SIZE).mapToObj(federation::party).forEach(parties::add);
        parties.forEach(PartyMachine::start);
        Federation.settle(coordinator, withoutTheFirst(), coordinator.request(REQUEST));
        copyOneMessageAfterTheOther();
        for (int round = 1; round < 3; round++) {
            Federation.settle(coordinator, parties, coordinator.outstanding());
            Federation.settle(coordinator, parties, coordinator.request(REQUEST));
        }
        assertThat(federation.disks.get(0).announced()).isEqualTo(3);
        assertThat(phases).contains(PartyPhase.KEYED, PartyPhase.SHARED, PartyPhase.AGREED);
        for (Disk copy : copies) {
            federation.disks.get(0).restoreFolder(copy);
            PartyMachine restored = federation.party(0);
            assertThat(restored.stopped().orElseThrow().reason()).isEqualTo(Reason.RESTORED);
            assertThat(restored.start().get(0).kind()).isEqualTo(MessageKind.REFUSAL);
        }
    }

    /** Between two sums the ledger is no help: a party that was put back before its agreement would agree to another list. */
    @Test
    void whoAgreedHasLeftAMarkThatOlderCopiesLack() {
        IntStream.range(0, SIZE).mapToObj(federation::party).forEach(parties::add);
        parties.forEach(PartyMachine::start);
        Federation.settle(coordinator, withoutTheFirst(), coordinator.request(REQUEST));
        copyOneMessageAfterTheOther();
        assertThat(phases).contains(PartyPhase.SHARED, PartyPhase.AGREED);
        for (int i = 0; i < copies.size(); i++) {
            boolean agreed = phases.get(i) == PartyPhase.AGREED || (phases.get(i) == PartyPhase.KEYED && i > 1);
            federation.disks.get(0).restoreFolder(copies.get(i));
            assertThat(federation.party(0).stopped().map(ProtocolRefusal::reason))
                    .as("copy " + i + ", when the party was " + phases.get(i))
                    .isEqualTo(agreed ? Optional.empty() : Optional.of(Reason.RESTORED));
        }
    }

    /** The twin: parties that leave no mark before they agree, of whom an older copy goes on and agrees to another list. */
    @Test
    void whoLeavesNoMarkAgreesTwiceAfterItWasPutBack() {
        PartyTable forgetful = WeakTable.without(PartyStep.OUTDATE_COPIES);
        IntStream.range(0, SIZE)
                .mapToObj(place -> federation.party(place, forgetful, RoundMessages::context))
                .forEach(parties::add);
        parties.forEach(PartyMachine::start);
        Federation.settle(coordinator, withoutTheFirst(), coordinator.request(REQUEST));
        copyOneMessageAfterTheOther();
        federation.disks.get(0).restoreFolder(copies.get(phases.indexOf(PartyPhase.SHARED)));
        PartyMachine restored = federation.party(0, forgetful, RoundMessages::context);
        assertThat(restored.stopped()).isEmpty();
        assertThat(restored.phase()).isEqualTo(PartyPhase.SHARED);
    }

    /** A coordinator that ran in a party's folder wrote down what others sent. */
    @Test
    void aJournalOfOthersIsNotAPartysOwn() {
        Envelope others = federation.party(1).start().get(0);
        federation.disks.get(0).journal.append(List.of(others.toBytes()));
        assertThat(federation.party(0).stopped().orElseThrow().sentence()).contains("holds messages of others");
    }

    /** The same folder without a release in between is where a crash leaves it. */
    @Test
    void aFolderThatIsNotBehindGoesOn() {
        IntStream.range(0, SIZE).mapToObj(federation::party).forEach(parties::add);
        parties.forEach(PartyMachine::start);
        Federation.settle(coordinator, withoutTheFirst(), coordinator.request(REQUEST));
        copyOneMessageAfterTheOther();
        federation.disks.get(0).restoreFolder(federation.disks.get(0).folder());
        assertThat(federation.party(0).stopped()).isEmpty();
    }

    private List<PartyMachine> withoutTheFirst() {
        List<PartyMachine> others = new ArrayList<>(parties);
        others.set(0, null);
        return others;
    }

    /** Plays the first sum with the first party message by message, and copies its folder before each. */
    private void copyOneMessageAfterTheOther() {
        PartyMachine first = parties.get(0);
        while (coordinator.round() == 0) {
            copy();
            try {
                for (Envelope message : first.outstanding()) {
                    coordinator.receive(message);
                }
            } catch (ProtocolRefusal refusal) {
                throw new IllegalStateException(refusal);
            }
            coordinator.outstanding().stream()
                    .filter(each -> each.party() == 0)
                    .toList()
                    .forEach(each -> first.receive(each.envelope()));
            Federation.settle(coordinator, withoutTheFirst(), coordinator.outstanding());
        }
        copy();
    }

    private void copy() {
        copies.add(federation.disks.get(0).folder());
        phases.add(parties.get(0).phase());
    }
}
