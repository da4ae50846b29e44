package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.fit.base.FitException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** An audit finds nothing in an honest study, and every change to what was kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FederationAuditTest {
    private PlayedParties played;
    private EnvelopeHistory coordinator;
    private EnvelopeHistory party;

    @BeforeAll
    void play(@TempDir Path folder) throws Exception {
        played = new PlayedParties(
                folder,
                StudyFixture.schema(90),
                PlayedParties.wish("logistic-regression", Map.of("rounds", "1")),
                new PrivacyBudget(1, 1e-5),
                3,
                0,
                30);
        played.play(played.names, Duration.ofMinutes(10));
        coordinator = EnvelopeHistory.read(CoordinatorRun.log(folder.resolve("fit")));
        party = EnvelopeHistory.read(new PartyFolder(played.partyFolder("party-1")).log());
    }

    private FederationAudit.Findings audit(EnvelopeHistory first, EnvelopeHistory second) {
        return new FederationAudit(played.study)
                .of(List.of(new FederationAudit.Log("coordinator", first), new FederationAudit.Log("party-1", second)));
    }

    private static EnvelopeHistory changed(EnvelopeHistory history, MessageKind kind, UnaryOperator<Envelope> change) {
        List<Envelope> envelopes = new ArrayList<>();
        boolean done = false;
        for (Envelope envelope : history.envelopes()) {
            boolean now = !done && envelope.kind() == kind;
            envelopes.add(now ? change.apply(envelope) : envelope);
            done |= now;
        }
        assertThat(done).isTrue();
        return new EnvelopeHistory(envelopes);
    }

    private static Envelope with(Envelope envelope, byte[] body) {
        return new Envelope(
                envelope.version(),
                envelope.study(),
                envelope.round(),
                envelope.kind(),
                envelope.sender(),
                envelope.context(),
                body,
                envelope.attachment(),
                envelope.signature());
    }

    private static Envelope flipped(Envelope envelope) {
        byte[] body = envelope.body().clone();
        body[body.length - 1] ^= 1;
        return with(envelope, body);
    }

    @Test
    void anHonestStudyIsClean() {
        FederationAudit.Findings findings = audit(coordinator, party);
        assertThat(findings.findings()).isEmpty();
        assertThat(findings.sums()).isEqualTo(2);
    }

    /** One bit of a vector: neither its signature nor its hash fits. */
    @Test
    void aChangedVectorIsFound() {
        assertThat(audit(changed(coordinator, MessageKind.VECTOR, FederationAuditTest::flipped), party)
                        .findings())
                .anyMatch(finding -> finding.contains("did not sign"))
                .anyMatch(finding -> finding.contains("cannot be recomputed"));
    }

    /** A coordinator that signs a sum which it did not open is found by whoever has its log. */
    @Test
    void aWrongSumIsFoundAlthoughItIsSigned() {
        FederationAudit.Findings findings =
                audit(changed(coordinator, MessageKind.RESULT, FederationAuditTest::flipped), party);
        assertThat(findings.findings()).anyMatch(finding -> finding.contains("another sum"));
        assertThat(findings.sums()).isEqualTo(1);
    }

    @Test
    void twoThingsToTwoPartiesAreFound() {
        Identity signer =
                new Authority(played.folder.resolve("keys")).coordinator().identity();
        EnvelopeHistory other = changed(
                party,
                MessageKind.SURVIVORS,
                list -> Envelope.signed(
                        signer,
                        list.study(),
                        list.round(),
                        list.kind(),
                        list.sender(),
                        list.context(),
                        flipped(list).body()));
        assertThat(audit(coordinator, other).findings()).anyMatch(finding -> finding.contains("two different things"));
    }

    /** Whoever changed a log signed nothing: nobody is accused of having said it. */
    @Test
    void whatNobodySignedIsNobodysSecondWord() {
        EnvelopeHistory other = changed(party, MessageKind.SURVIVORS, FederationAuditTest::flipped);
        assertThat(audit(coordinator, other).findings())
                .anyMatch(finding -> finding.contains("that the coordinator did not sign"))
                .noneMatch(finding -> finding.contains("two different things"));
    }

    @Test
    void theLogOfAnotherStudyIsNobodysLie() {
        List<Envelope> others = party.envelopes().stream()
                .map(each -> new Envelope(
                        each.version(),
                        new byte[each.study().length],
                        each.round(),
                        each.kind(),
                        each.sender(),
                        each.context(),
                        each.body(),
                        each.attachment(),
                        each.signature()))
                .toList();
        FederationAudit.Findings findings = audit(coordinator, new EnvelopeHistory(others));
        assertThat(findings.findings()).containsExactly("party-1 is the log of another study.");
        assertThat(findings.sums()).isEqualTo(2);
    }

    /** What a log cannot show is not claimed of it. */
    @Test
    void whetherTheStudyWasOverIsSaid() {
        assertThat(audit(coordinator, party).over()).isTrue();
        List<Envelope> envelopes = coordinator.envelopes();
        EnvelopeHistory withoutItsEnd = new EnvelopeHistory(envelopes.subList(0, envelopes.size() - 1));
        assertThat(envelopes.get(envelopes.size() - 1).kind()).isEqualTo(MessageKind.RESULT);
        assertThat(audit(withoutItsEnd, party).over()).isFalse();
        List<String> lines =
                CoordinatorWork.audit(List.of(played.partyFolder("party-1"))).lines();
        assertThat(lines)
                .singleElement()
                .asString()
                .contains("nothing can be computed again from logs of parties alone");
    }

    @Test
    void aMissingOpeningIsFound() {
        List<Envelope> without = coordinator.envelopes().stream()
                .filter(envelope -> envelope.kind() != MessageKind.OPENING || envelope.round() > 0)
                .toList();
        assertThat(audit(new EnvelopeHistory(without), party).findings())
                .anyMatch(finding -> finding.contains("cannot be recomputed"));
    }

    /** A log that ends early is not clean because what is left of it is. */
    @Test
    void aShortenedLogIsFound() {
        List<Envelope> firstRound = coordinator.envelopes().stream()
                .filter(envelope -> envelope.round() == 0)
                .toList();
        FederationAudit.Findings findings = audit(new EnvelopeHistory(firstRound), party);
        assertThat(findings.findings())
                .containsExactly(
                        "coordinator does not hold everything that the coordinator sent in round 2, as party-1 shows.");
        assertThat(findings.sums()).isEqualTo(1);
    }

    /** A log that is named twice, by itself and by its folder, is one log and not a copy. */
    @Test
    void aLogThatIsNamedTwiceIsReadOnce() {
        Path fit = played.folder.resolve("fit");
        Path own = played.partyFolder("party-1");
        List<Path> paths =
                List.of(fit, own, own.resolve("../study"), CoordinatorRun.log(fit), new PartyFolder(own).log());
        assertThat(CoordinatorWork.audit(paths).json()).containsEntry("logs", 2).containsEntry("clean", true);
    }

    /** A byte in the middle of a log: what comes behind it is no message any more, and is not passed over. */
    @Test
    void aLogThatIsDamagedInTheMiddleIsFound(@TempDir Path other) throws Exception {
        byte[] log = Files.readAllBytes(CoordinatorRun.log(played.folder.resolve("fit")));
        log[log.length / 2] ^= 1;
        Path damaged = Files.write(other.resolve("envelopes.log"), log);
        EnvelopeHistory left = EnvelopeHistory.read(damaged);
        assertThat(left.envelopes().size()).isLessThan(coordinator.envelopes().size());
        FederationAudit alone = new FederationAudit(played.study);
        assertThat(alone.of(List.of(new FederationAudit.Log("coordinator", left)))
                        .findings())
                .singleElement()
                .asString()
                .startsWith("coordinator holds ")
                .contains(" bytes behind its message " + left.envelopes().size() + " that are no message");
        Files.copy(played.folder.resolve("study.yaml"), other.resolve("study.yaml"));
        assertThatThrownBy(() -> CoordinatorWork.audit(List.of(other)))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("the audit found 1 defect");
    }

    /** A coordinator that opens a sum without enough signatures on its list is found, although it signed what it says. */
    @Test
    void aSumWithoutAQuorumIsFound() {
        EnvelopeHistory without = changed(
                coordinator,
                MessageKind.QUORUM,
                quorum -> Envelope.signed(
                        new Authority(played.folder.resolve("keys"))
                                .coordinator()
                                .identity(),
                        quorum.study(),
                        quorum.round(),
                        MessageKind.QUORUM,
                        Envelope.COORDINATOR,
                        quorum.context(),
                        flipped(quorum).body()));
        FederationAudit.Findings findings = audit(without, party);
        assertThat(findings.findings())
                .hasSize(1)
                .allMatch(finding -> finding.contains("does not show that 3 parties signed its list of survivors"));
        assertThat(findings.sums()).isEqualTo(1);
    }
}
