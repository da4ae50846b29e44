package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.protocol.CoordinatorMachine;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.StudyFixture;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Logs that somebody changed who has the coordinator's key, and where it says so a party's: each change is found by what others kept.
 * The study that they are of had an absent party, a lost release, a refusal, a round that was given up, and kills, and is clean.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DishonestLogsTest {
    private static final int ABSENCE = 1;
    private static final int LOSS = 2;
    private static final int GIVEN_UP = 3;
    private static final int LAST = 4;
    private static final int AUDIT_EVERY = 19;

    private MaskedStudy played;
    private EnvelopeHistory coordinator;
    private EnvelopeHistory party;
    private int messages;
    private int audits;

    /** Wherever all roles stop, their logs are clean, and a coordinator's that is made again from the others is as well. */
    @BeforeAll
    void play() throws ProtocolRefusal {
        played = new MaskedStudy();
        played.dropped.add("4 KEYS " + ABSENCE);
        played.lost.add("3 " + LOSS);
        played.dropped.add("0 OPENING " + GIVEN_UP);
        played.dropped.add("2 OPENING " + GIVEN_UP);
        while (played.rounds() < played.plan.releases()) {
            if (played.rounds() == LOSS) {
                played.refuses(2, new ProtocolRefusal(ProtocolRefusal.Reason.POLICY, "not on Sundays"));
            }
            played.round(played.rounds() == LAST, () -> {
                if (messages++ % AUDIT_EVERY == AUDIT_EVERY - 1) {
                    audits++;
                    assertThat(audit(played.logs()).findings())
                            .as("after message " + messages)
                            .isEmpty();
                    assertThat(audit(rebuilt()).findings())
                            .as("made again after message " + messages)
                            .isEmpty();
                }
            });
        }
        assertThat(audits).isGreaterThan(15);
        coordinator = played.coordinatorsLog();
        party = played.partysLog(1);
    }

    private List<FederationAudit.Log> rebuilt() {
        List<FederationAudit.Log> logs = new ArrayList<>(played.logs());
        try {
            logs.set(0, new FederationAudit.Log("coordinator", played.rebuiltLog()));
        } catch (ProtocolRefusal refusal) {
            throw new AssertionError("after message " + messages + ": " + refusal.sentence(), refusal);
        }
        return logs;
    }

    private FederationAudit.Findings audit(List<FederationAudit.Log> logs) {
        return new FederationAudit(played.study).of(logs);
    }

    private List<String> found(EnvelopeHistory coordinators, EnvelopeHistory partys) {
        return audit(List.of(
                        new FederationAudit.Log("coordinator", coordinators),
                        new FederationAudit.Log("party-1", partys)))
                .findings();
    }

    private static EnvelopeHistory without(EnvelopeHistory history, Predicate<Envelope> gone) {
        List<Envelope> left = new ArrayList<>(history.envelopes());
        assertThat(left.removeIf(gone)).isTrue();
        return new EnvelopeHistory(left);
    }

    private static EnvelopeHistory until(EnvelopeHistory history, Predicate<Envelope> last) {
        List<Envelope> all = history.envelopes();
        int end = 0;
        while (!last.test(all.get(end))) {
            end++;
        }
        return new EnvelopeHistory(all.subList(0, end + 1));
    }

    private static EnvelopeHistory with(
            EnvelopeHistory history, Predicate<Envelope> which, UnaryOperator<Envelope> change) {
        assertThat(history.envelopes()).anyMatch(which);
        return new EnvelopeHistory(history.envelopes().stream()
                .map(envelope -> which.test(envelope) ? change.apply(envelope) : envelope)
                .toList());
    }

    private static Predicate<Envelope> is(MessageKind kind, int round) {
        return envelope -> envelope.kind() == kind && envelope.round() == round;
    }

    private static Predicate<Envelope> is(MessageKind kind, int round, int sender) {
        return is(kind, round).and(envelope -> envelope.sender() == sender);
    }

    /** Says something else with the key of whoever said it. */
    private static UnaryOperator<Envelope> saying(byte[] body) {
        return envelope -> Envelope.signed(
                StudyFixture.identity(
                        envelope.sender() == Envelope.COORDINATOR
                                ? MaskedStudy.COORDINATOR_KEY
                                : envelope.sender() + 1),
                envelope.study(),
                envelope.round(),
                envelope.kind(),
                envelope.sender(),
                envelope.context(),
                body);
    }

    private static final UnaryOperator<Envelope> GIVING_UP = saying(new byte[0]);

    /** Absences, a lost release, a refusal, a round that was given up, kills of all roles: nothing to find. */
    @Test
    void honestLogsAreClean() {
        FederationAudit.Findings findings = audit(played.logs());
        assertThat(findings.findings()).isEmpty();
        assertThat(played.plan.releases()).isEqualTo(LAST + 1);
        assertThat(findings.sums()).isEqualTo(LAST);
        assertThat(coordinator.of(MessageKind.RESULT))
                .filteredOn(result -> result.body().length == 0)
                .extracting(Envelope::round)
                .containsExactly(GIVEN_UP);
        assertThat(coordinator.of(MessageKind.REFUSAL))
                .extracting(Envelope::sender)
                .containsExactly(2, 3);
        assertThat(party.of(MessageKind.OPENING)).extracting(Envelope::round).containsExactly(0, 1, 2, 3, 4);
    }

    /** The coordinator says afterwards that a sum was never opened, and takes away what opens it. */
    @Test
    void anEndThatIsBlankedIsFound() {
        EnvelopeHistory blanked = with(
                without(coordinator, is(MessageKind.OPENING, 0, 1).or(is(MessageKind.OPENING, 0, 2))),
                is(MessageKind.RESULT, 0),
                GIVING_UP);
        String finding =
                "the request of round 2 in coordinator does not name the end of the round before as it is kept:"
                        + " what the coordinator signed there was taken away or replaced.";
        assertThat(found(blanked, party)).containsExactly(finding);
        assertThat(found(without(coordinator, is(MessageKind.RESULT, 0)), party))
                .containsExactly(finding);
        assertThat(found(with(coordinator, is(MessageKind.RESULT, 0), saying(new byte[32])), party))
                .hasSize(2)
                .contains(finding)
                .anyMatch(other -> other.contains("another sum for round 1"));
    }

    /** Made again, a coordinator's log has the same sums and the same round that was given up. */
    @Test
    void aLogThatIsMadeAgainEndsAsTheFirstDid() throws ProtocolRefusal {
        assertThat(audit(rebuilt()).sums()).isEqualTo(LAST);
        assertThat(played.rebuiltLog().of(MessageKind.RESULT))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(coordinator.of(MessageKind.RESULT).toList());
    }

    /** Whoever does not hand over a log can keep a round from being made again, but not let it end otherwise. */
    @Test
    void aLogThatIsMadeAgainFromSomeEndsAsTheFirstDidOrIsRefused() {
        List<Envelope> ends = coordinator.of(MessageKind.RESULT).toList();
        int whole = 0;
        int refused = 0;
        for (int handed = 1; handed < 1 << MaskedStudy.PARTIES; handed++) {
            List<Envelope> kept = new ArrayList<>();
            for (int place = 0; place < MaskedStudy.PARTIES; place++) {
                if ((handed >> place & 1) == 1) {
                    kept.addAll(played.partysLog(place).envelopes());
                }
            }
            try {
                List<Envelope> again =
                        played.rebuiltLog(kept).of(MessageKind.RESULT).toList();
                assertThat(again)
                        .as("logs %s", Integer.toBinaryString(handed))
                        .usingRecursiveFieldByFieldElementComparator()
                        .containsExactlyElementsOf(ends.subList(0, again.size()));
                whole += again.size() == ends.size() ? 1 : 0;
            } catch (ProtocolRefusal refusal) {
                assertThat(refusal.sentence()).contains("cannot be made again").contains("log");
                refused++;
            }
        }
        assertThat(whole).isPositive();
        assertThat(refused).isPositive();
    }

    /** A log can hold anybody's keys without the shares beside them, or with others: those that were signed count. */
    @Test
    void sharesThatAreNotThoseThatWereSignedAreNotTaken() throws ProtocolRefusal {
        MaskedStudy begun = new MaskedStudy();
        begun.begin();
        for (UnaryOperator<Envelope> change :
                List.<UnaryOperator<Envelope>>of(Envelope::bare, keys -> keys.with(new byte[7]), keys -> keys)) {
            List<Envelope> kept = new ArrayList<>();
            begun.partysLog(1).of(MessageKind.KEYS).map(change).forEach(kept::add);
            for (int place = 0; place < MaskedStudy.PARTIES; place++) {
                kept.addAll(begun.partysLog(place).envelopes());
            }
            List<Envelope> again = begun.rebuiltLog(kept).of(MessageKind.KEYS).toList();
            assertThat(again)
                    .hasSize(MaskedStudy.PARTIES)
                    .allMatch(keys ->
                            begun.partysLog(keys.sender()).of(MessageKind.KEYS).anyMatch(own -> own.equals(keys)));
        }
    }

    /** A party's log alone has no ends of rounds that it opened, so nothing is missing there. */
    @Test
    void aPartysLogAloneIsClean() {
        assertThat(audit(List.of(new FederationAudit.Log("party-1", party))).findings())
                .isEmpty();
    }

    /** No party opens anything before it has seen t signatures, so a coordinator's log that ends before them is cut. */
    @Test
    void aLogThatIsCutBeforeTheSignaturesIsFound() {
        EnvelopeHistory cut = until(coordinator, is(MessageKind.SURVIVORS, LAST));
        assertThat(found(cut, party))
                .containsExactly(
                        "coordinator does not hold everything that the coordinator sent in round 5, as party-1 shows.");
        assertThat(found(cut, until(party, is(MessageKind.AGREED, LAST)))).isEmpty();
    }

    /** A round is given up although everything that opens it has arrived. */
    @Test
    void aRoundThatWasGivenUpWithoutNeedIsFound() {
        EnvelopeHistory givenUp = with(coordinator, is(MessageKind.RESULT, LAST), GIVING_UP);
        assertThat(found(givenUp, party))
                .containsExactly(
                        "the coordinator signed that round 5 was given up, and coordinator holds all that opens its sum.");
        EnvelopeHistory needed = without(givenUp, is(MessageKind.OPENING, LAST, 0));
        EnvelopeHistory enough = without(givenUp, is(MessageKind.OPENING, LAST, 3));
        assertThat(needed.of(MessageKind.OPENING).filter(is(MessageKind.OPENING, LAST)))
                .hasSameSizeAs(enough.of(MessageKind.OPENING)
                        .filter(is(MessageKind.OPENING, LAST))
                        .toList());
        assertThat(coordinator.of(MessageKind.OPENING).filter(is(MessageKind.OPENING, LAST)))
                .hasSize(played.plan.terms().threshold());
        assertThat(found(needed, party)).isEmpty();
    }

    /** A party's log that ends early, or was put back from an older copy, is named by what the coordinator has of it. */
    @Test
    void aShortenedLogOfAPartyIsFound() {
        String end = ", as coordinator shows: it was shortened, put back from an older copy, or copied before the other"
                + " log was.";
        assertThat(found(coordinator, until(party, is(MessageKind.ASK, GIVEN_UP))))
                .containsExactly("party-1 does not hold everything that party-1 sent, first in round 4 (VECTOR)" + end);
        for (MessageKind kind :
                List.of(MessageKind.KEYS, MessageKind.VECTOR, MessageKind.AGREED, MessageKind.OPENING)) {
            assertThat(found(coordinator, without(party, is(kind, 1))))
                    .containsExactly("party-1 does not hold everything that party-1 sent, first in round 2 (" + kind
                            + ")" + end);
        }
    }

    /** What a coordinator makes up about a party does not tell against the party's log. */
    @Test
    void whatAPartyDidNotSignIsNotMissingInItsLog() {
        Envelope keys = coordinator.of(MessageKind.KEYS).findFirst().orElseThrow();
        List<Envelope> more = new ArrayList<>(coordinator.envelopes());
        more.add(new Envelope(
                keys.version(),
                keys.study(),
                LAST + 1,
                MessageKind.KEYS,
                1,
                keys.context(),
                keys.body(),
                keys.attachment(),
                keys.signature()));
        assertThat(found(new EnvelopeHistory(more), party))
                .containsExactly("coordinator holds a message of round 6 that party-1 did not sign.");
    }

    /** What is left of a coordinator's log after its first message looks like a party's. */
    @Test
    void twoLogsOfOnePartyAreFound() {
        int place = coordinator.envelopes().get(0).sender();
        EnvelopeHistory first = new EnvelopeHistory(coordinator.envelopes().subList(0, 1));
        String end = " both hold messages of party-" + place
                + " and of no other party: one is a copy, or the beginning of the coordinator's log.";
        assertThat(audit(List.of(
                                new FederationAudit.Log("fit", first),
                                new FederationAudit.Log("own", played.partysLog(place))))
                        .findings())
                .containsExactly("fit and own" + end);
        assertThat(audit(List.of(
                                new FederationAudit.Log("own", played.partysLog(place)),
                                new FederationAudit.Log("copy", played.partysLog(place))))
                        .findings())
                .containsExactly("own and copy" + end);
        assertThat(audit(List.of(
                                new FederationAudit.Log("own", played.partysLog(place)),
                                new FederationAudit.Log("other", played.partysLog(place + 1))))
                        .findings())
                .isEmpty();
    }

    /** A message of another party makes a party's log no coordinator's that vouches for what the real one lacks. */
    @Test
    void aPartysLogThatLooksLikeACoordinatorsIsFound() {
        List<Envelope> mixed = new ArrayList<>(party.envelopes());
        mixed.add(coordinator
                .of(MessageKind.KEYS)
                .filter(is(MessageKind.KEYS, 0, 2))
                .findFirst()
                .orElseThrow());
        EnvelopeHistory cut = until(coordinator, is(MessageKind.SURVIVORS, LAST));
        assertThat(found(cut, new EnvelopeHistory(mixed)))
                .contains(
                        "coordinator does not hold everything that the coordinator sent in round 5, as party-1 shows.",
                        "party-1 does not hold everything that the coordinator sent in round 1, as coordinator shows.");
    }

    /** A coordinator and a party agree on another vector afterwards, and sign what follows: t parties signed the hash of the first. */
    @Test
    void aVectorThatIsReplacedIsFound() throws ProtocolRefusal {
        OpenedSum sum = CoordinatorMachine.replayed(
                        played.plan.terms(), new FederationAudit.Copy(coordinator), CoordinatorRun.noise(played.plan))
                .opened(LAST)
                .orElseThrow();
        byte[] vector = coordinator
                .of(MessageKind.VECTOR)
                .filter(is(MessageKind.VECTOR, LAST, 0))
                .findFirst()
                .orElseThrow()
                .body()
                .clone();
        ByteBuffer.wrap(vector).putLong(0, ByteBuffer.wrap(vector).getLong(0) + 1_000);
        long[] moved = sum.integers().clone();
        moved[0] += 1_000;
        byte[] hash = new OpenedSum(LAST, moved, sum.taking(), sum.survivors(), sum.relativeVariance()).hash();
        EnvelopeHistory replaced = with(
                with(coordinator, is(MessageKind.VECTOR, LAST, 0), saying(vector)),
                is(MessageKind.RESULT, LAST),
                saying(hash));
        assertThat(found(replaced, party)).containsExactly("the sum of round 5 cannot be recomputed from coordinator.");
        assertThat(found(with(coordinator, is(MessageKind.VECTOR, LAST, 0), saying(vector)), party))
                .containsExactly("the sum of round 5 cannot be recomputed from coordinator.");
    }
}
