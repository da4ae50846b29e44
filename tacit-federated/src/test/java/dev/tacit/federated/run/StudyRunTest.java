package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.IntervalText;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.ledger.FileLedger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole studies: every method that can be masked, absences, and what is left behind. */
class StudyRunTest {
    private static final PrivacyBudget LARGE = new PrivacyBudget(30, 1e-5);
    private static final Duration LONG = Duration.ofMinutes(10);

    @TempDir
    Path folder;

    private final Schema schema = StudyFixture.schema(1200);

    static Stream<Arguments> methods() {
        return Stream.of(
                Arguments.of("residual Newton", PlayedParties.wish("logistic-regression", Map.of("rounds", "4")), 5),
                Arguments.of(
                        "virtual clients",
                        PlayedParties.wish("logistic-regression", Map.of("way", "virtual", "rounds", "6")),
                        6),
                Arguments.of(
                        "local averaging",
                        PlayedParties.wish("logistic-regression", Map.of("way", "local-averaging", "rounds", "6")),
                        6),
                Arguments.of(
                        "private likelihood",
                        new FederationRequest.FittedWish(
                                Optional.of("late ~ age + income"),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Map.of()),
                        -1));
    }

    /** With a large budget every method finds what the records say: late payments become rarer with age and income. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("methods")
    void everyMethodOfSumsRunsBehindMasks(String name, FederationRequest.FittedWish wish, int releases)
            throws Exception {
        PlayedParties played = new PlayedParties(folder, schema, wish, LARGE, 3, 0, 400);
        FitOutcome outcome = played.play(played.names, LONG);
        List<String> terms = outcome.fitted().posterior().parameterNames();
        double[] mean = outcome.fitted().posterior().mean();
        assertThat(mean[index(terms, "age")]).as(name).isNegative();
        assertThat(mean[index(terms, "income")]).as(name).isNegative();
        assertThat(outcome.release().study().orElseThrow().members())
                .allMatch(member -> member.present() == outcome.release().plan().releases());
        if (releases > 0) {
            assertThat(outcome.release().plan().releases()).isEqualTo(releases);
        }
        FitOutcome read = new FitFolder(folder.resolve("fit")).outcome();
        assertThat(read.release().fileText()).isEqualTo(outcome.release().fileText());
        assertThat(read.release().privacy().orElseThrow().epsilon()).isLessThanOrEqualTo(LARGE.epsilon());
        assertThat(Files.readString(folder.resolve("fit").resolve("report.html")))
                .contains("Who took part");
    }

    private static int index(List<String> terms, String column) {
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).startsWith(column)) {
                return i;
            }
        }
        throw new AssertionError("no term of " + column + " in " + terms);
    }

    /** A party that never comes costs nobody anything but its records; the noise is counted as it was. */
    @Test
    void aStudyGoesOnWithoutThoseWhoMayBeMissing() throws Exception {
        PlayedParties played = new PlayedParties(
                folder, schema, PlayedParties.wish("logistic-regression", Map.of("rounds", "2")), LARGE, 5, 1, 240);
        FitOutcome outcome = played.play(played.names.subList(0, 4), Duration.ofMillis(1500));
        assertThat(outcome.release().study().orElseThrow().members().get(4).present())
                .isZero();
        // four of five there, one missing, one colluding: 4/(5 − 1 − 1)
        assertThat(outcome.release().study().orElseThrow().noiseFactor()).isEqualTo(Math.sqrt(4.0 / 3));
        assertThat(folder.resolve("party-4/records.ledger")).doesNotExist();
        for (String name : played.names.subList(0, 4)) {
            List<LedgerEntry> entries = FileLedger.open(
                            folder.resolve(name).resolve("records.ledger"), LedgerView.accounting())
                    .entries();
            assertThat(entries).hasSize(1);
            assertThat(entries.get(0).released()).isEqualTo(3);
            PartyStatement statement = PartyWork.statement(new PartyFolder(played.partyFolder(name)));
            assertThat(statement.sent()).isEqualTo(3);
            assertThat(statement.text()).contains("Against everybody").contains("own noise alone promises");
            assertThat(PartyWork.status(new PartyFolder(played.partyFolder(name)))
                            .lines())
                    .contains("  last       sum 3 of 3: sent its keys to open the sum");
        }
        auditsAndRebuilds(played);
    }

    private void auditsAndRebuilds(PlayedParties played) {
        List<Path> logs = Stream.concat(
                        Stream.of(folder.resolve("fit")),
                        played.names.subList(0, 4).stream().map(played::partyFolder))
                .toList();
        assertThat(CoordinatorWork.audit(logs).json()).containsEntry("sums", 3L).containsEntry("clean", true);
        assertThat(CoordinatorWork.rebuild(new FederationRequest.CoordinatorRebuild(
                                folder.resolve("study.yaml"),
                                folder.resolve("keys"),
                                logs.subList(1, 5),
                                folder.resolve("again")))
                        .json())
                .containsEntry("opened", 3L);
        List<byte[]> before = hashes(folder.resolve("fit"));
        assertThat(hashes(folder.resolve("again"))).usingRecursiveComparison().isEqualTo(before);
    }

    private static List<byte[]> hashes(Path out) {
        return EnvelopeHistory.read(CoordinatorRun.log(out))
                .of(MessageKind.RESULT)
                .map(result -> result.body())
                .toList();
    }

    /** A study whose text was changed after it was approved is not run, and nothing is charged. */
    @Test
    void onlyWhatWasApprovedRuns() throws Exception {
        PlayedParties played = new PlayedParties(
                folder, schema, PlayedParties.wish("logistic-regression", Map.of("rounds", "2")), LARGE, 3, 0, 400);
        played.approve("party-0");
        Path file = played.partyFolder("party-0").resolve("study.yaml");
        Files.writeString(file, Files.readString(file).replace("\"test\"", "\"toast\""));
        assertThatThrownBy(() -> played.party("party-0")).hasMessageContaining("changed since it was approved");
        assertThat(folder.resolve("party-0/records.ledger")).doesNotExist();
    }

    private static FederationRequest.FittedWish own(String schedule) {
        return PlayedParties.wish(
                "logistic-regression",
                Map.of(
                        "way",
                        "dp-optimisation",
                        "schedule",
                        schedule,
                        "rounds",
                        "12",
                        "localSteps",
                        "5",
                        "damping",
                        "0.4"));
    }

    /** Without masks: one epsilon, which rests on a party's own noise, and the same folder of a fit. */
    @ParameterizedTest
    @ValueSource(strings = {"synchronous", "asynchronous"})
    void dpOptimisationRunsWithNoiseOfEachPartysOwn(String schedule) throws Exception {
        PlayedParties played = new PlayedParties(folder, schema, own(schedule), LARGE, 3, 0, 400);
        FitOutcome outcome = played.play(played.names, LONG);
        List<String> terms = outcome.fitted().posterior().parameterNames();
        double[] mean = outcome.fitted().posterior().mean();
        assertThat(mean[index(terms, "age")]).isNegative();
        assertThat(mean[index(terms, "income")]).isNegative();
        assertThat(outcome.fitted().settings()).containsEntry("schedule", schedule);
        assertThat(outcome.release().privacy().orElseThrow().epsilon()).isLessThanOrEqualTo(LARGE.epsilon());
        assertThat(outcome.release().study().orElseThrow().masked()).isFalse();
        assertThat(outcome.release().study().orElseThrow().members()).allMatch(member -> member.present() == 60);
        FitOutcome read = new FitFolder(folder.resolve("fit")).outcome();
        assertThat(read.release().fileText()).isEqualTo(outcome.release().fileText());
        assertThat(read.release().study().orElseThrow().noiseCounted()).isFalse();
        assertThat(Files.readString(folder.resolve("fit").resolve("report.html")))
                .contains("the intervals do not count it");
        boolean together = schedule.equals("synchronous");
        assertThat(IntervalText.checked(read))
                .startsWith("Intervals are too narrow")
                .contains(together ? "tacit diagnose" : "no simulated twin repeats");
        if (together) {
            assertThat(read.fitted().fitMethod().settings()).containsEntry("schedule", schedule);
        } else {
            assertThatThrownBy(() -> read.fitted().fitMethod())
                    .isInstanceOf(FitException.class)
                    .hasMessageContaining("did not wait for each other");
        }
        assertThat(CoordinatorWork.status(folder.resolve("fit")).json())
                .containsEntry("changes", 36L)
                .containsEntry("complete", true);
        for (String name : played.names) {
            PartyFolder party = new PartyFolder(played.partyFolder(name));
            List<LedgerEntry> entries = FileLedger.open(
                            folder.resolve(name).resolve("records.ledger"), LedgerView.accounting())
                    .entries();
            assertThat(entries).hasSize(1);
            assertThat(entries.get(0).released()).isEqualTo(60);
            assertThat(entries.get(0).label()).isEqualTo("study test");
            assertThat(entries.get(0).event())
                    .isEqualTo(StudyPlan.of(played.study).event());
            PartyStatement statement = PartyWork.statement(party);
            assertThat(statement.epsilonAlone()).isEqualTo(statement.epsilon());
            assertThat(statement.text())
                    .contains("whoever works together")
                    .contains("60 of 60 noisy sums")
                    .doesNotContain("mask keys")
                    .doesNotContain("X25519");
            assertThat(PartyWork.status(party).json()).containsEntry("changes", 12L);
            assertThat(PartyWork.status(party).lines())
                    .anyMatch(line -> line.startsWith("  last       round 12 of 12: "));
        }
        List<Path> logs = Stream.concat(
                        Stream.of(folder.resolve("fit")), played.names.stream().map(played::partyFolder))
                .toList();
        assertThat(CoordinatorWork.audit(logs).json()).containsEntry("clean", true);
        assertThat(CoordinatorWork.rebuild(new FederationRequest.CoordinatorRebuild(
                                folder.resolve("study.yaml"),
                                folder.resolve("keys"),
                                logs.subList(1, 4),
                                folder.resolve("again")))
                        .json())
                .containsEntry("changes", 36L)
                .containsEntry("roundsDone", 12);
        List<byte[]> before = hashes(folder.resolve("fit"));
        assertThat(hashes(folder.resolve("again"))).usingRecursiveComparison().isEqualTo(before);
    }

    /** A party that never comes is waited for as long as patience says in each round, and charged nothing. */
    @Test
    void changesGoOnWithoutThoseWhoMayBeMissing() throws Exception {
        PlayedParties played = new PlayedParties(
                folder,
                schema,
                PlayedParties.wish("logistic-regression", Map.of("way", "dp-optimisation", "rounds", "2")),
                LARGE,
                3,
                1,
                400);
        FitOutcome outcome = played.play(played.names.subList(0, 2), Duration.ofMillis(800));
        assertThat(outcome.release().study().orElseThrow().members().get(2).present())
                .isZero();
        assertThat(outcome.release().study().orElseThrow().noiseFactor()).isEqualTo(Math.sqrt(2));
        assertThat(folder.resolve("party-2/records.ledger")).doesNotExist();
    }

    /** A coordinator that sends another approximation than its log leads to is found by the audit. */
    @Test
    void anApproximationThatDoesNotFollowIsFound() throws Exception {
        PlayedParties played = new PlayedParties(
                folder,
                schema,
                PlayedParties.wish("logistic-regression", Map.of("way", "dp-optimisation", "rounds", "2")),
                LARGE,
                3,
                0,
                400);
        played.play(played.names, LONG);
        List<Envelope> right =
                EnvelopeHistory.read(CoordinatorRun.log(folder.resolve("fit"))).envelopes();
        FederationAudit.Log honest = new FederationAudit.Log("log", new EnvelopeHistory(right));
        assertThat(new FederationAudit(played.study).of(List.of(honest)).findings())
                .isEmpty();
        Envelope late = right.stream()
                .filter(each -> each.kind() == MessageKind.STATE && each.round() == 1)
                .findFirst()
                .orElseThrow();
        Envelope early = right.stream()
                .filter(each -> each.kind() == MessageKind.STATE && each.round() == 0)
                .findFirst()
                .orElseThrow();
        String old = new String(early.body(), StandardCharsets.UTF_8)
                .replace("\"lastUsed\":-1", "\"lastUsed\":0")
                .replace("\"round\":0", "\"round\":1");
        Envelope wrong = Envelope.signed(
                new Authority(folder.resolve("keys")).coordinator().identity(),
                late.study(),
                1,
                MessageKind.STATE,
                Envelope.COORDINATOR,
                late.context(),
                old.getBytes(StandardCharsets.UTF_8));
        List<Envelope> changed = new ArrayList<>(right);
        changed.set(right.indexOf(late), wrong);
        assertThat(new FederationAudit(played.study)
                        .of(List.of(new FederationAudit.Log("log", new EnvelopeHistory(changed))))
                        .findings())
                .anyMatch(finding -> finding.contains("does not follow from what stands before it"));
    }
}
