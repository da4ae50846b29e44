package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.store.EnvelopeLog;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who comes late, twice, or with what cannot work: one sentence, and nothing is charged for it. */
class LatecomersTest {
    private static final PrivacyBudget LARGE = new PrivacyBudget(30, 1e-5);

    @TempDir
    Path folder;

    private PlayedParties parties(String way, int parties, int missing) throws IOException {
        return new PlayedParties(
                folder,
                StudyFixture.schema(300),
                PlayedParties.wish("logistic-regression", Map.of("way", way, "rounds", "2")),
                LARGE,
                parties,
                missing,
                300 / parties);
    }

    private static void perform(FederationRequest request) {
        new FederatedRuntime(Clock.systemUTC()).perform(request, sentence -> {});
    }

    /** The last party did its part and was stopped before it heard that the study is over; another one never came. */
    @ParameterizedTest
    @ValueSource(strings = {"residual-newton", "dp-optimisation"})
    void whoWasAwayHearsOfTheEndFromACoordinatorThatIsStartedOnceMore(String way) throws Exception {
        boolean masked = way.equals("residual-newton");
        PlayedParties played = parties(way, masked ? 5 : 3, 1);
        int there = played.names.size() - 1;
        played.play(played.names.subList(0, there), Duration.ofMillis(400));
        byte[] before = Files.readAllBytes(folder.resolve("fit/posterior.json"));
        String never = played.names.get(there);
        assertThatThrownBy(() -> perform(new FederationRequest.PartyRun(played.partyFolder(never), Optional.empty())))
                .isInstanceOf(FitException.class)
                .hasMessage("the study is over, and " + never + " took no part in it; nothing was charged.");
        assertThat(folder.resolve(never).resolve("records.ledger")).doesNotExist();
        assertThat(PartyWork.statement(new PartyFolder(played.partyFolder(never)))
                        .text())
                .contains("Nothing was charged so far.")
                .doesNotContain("spent");
        List<Path> logs = new ArrayList<>(List.of(folder.resolve("fit")));
        played.names.forEach(name -> logs.add(played.partyFolder(name)));
        assertThat(CoordinatorWork.audit(logs).lines())
                .anyMatch(line -> line.startsWith(played.partyFolder(never) + " has no log"));

        forgetTheEnd(played);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<PartyStatement> late = threads.submit(() -> played.party("party-0"));
            Thread.sleep(300);
            assertThat(late.isDone()).isFalse();
            assertThat(played.coordinatorVerb(1, false).json())
                    .containsEntry("over", true)
                    .containsEntry("fit", folder.resolve("fit").toString());
            assertThat(late.get(60, TimeUnit.SECONDS).releases())
                    .isEqualTo(late.get().sent());
        } finally {
            threads.shutdownNow();
        }
        assertThat(Files.readAllBytes(folder.resolve("fit/posterior.json"))).isEqualTo(before);
    }

    /** The mailboxes are emptied, and the newest party's log ends where it has done its part. */
    private void forgetTheEnd(PlayedParties played) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("post"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
        PartyFolder party = new PartyFolder(played.partyFolder("party-0"));
        Files.delete(party.statement());
        List<byte[]> entries = EnvelopeHistory.read(party.log()).envelopes().stream()
                .filter(envelope -> envelope.kind() != MessageKind.RESULT)
                .map(envelope -> envelope.toBytes())
                .toList();
        Files.delete(party.log());
        try (EnvelopeLog log = EnvelopeLog.open(party.log())) {
            log.append(entries);
        }
    }

    /** It has given all that it had to give, but cannot know whether that arrived: it says so, and is not done. */
    @Test
    void aPartyThatNobodyAnswersLeavesWithoutTheEnd() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        played.play(played.names, Duration.ofMillis(400));
        forgetTheEnd(played);
        PartyFolder party = new PartyFolder(played.partyFolder("party-0"));
        Path away = folder.resolve("carried away");
        List<String> said = new ArrayList<>();
        Federation.Progress progress = sentence -> {
            said.add(sentence);
            if (said.size() == 1) {
                assertThat(sentence).contains("has done its part");
                assertThat(folder.resolve("post").toFile().renameTo(away.toFile()))
                        .isTrue();
            }
        };
        PartyStatement statement =
                new PartyRun(party, progress, MovedClock.times(new MovedClock(Duration.ofMinutes(6)))).run();
        assertThat(statement.sent()).isEqualTo(statement.releases());
        assertThat(said.get(said.size() - 1)).contains("nobody has answered for 5 minutes");
        assertThat(party.statement()).doesNotExist();
        assertThat(PartyWork.status(party).json()).containsEntry("done", false).containsEntry("charged", true);

        Files.move(away, folder.resolve("post"));
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<PartyStatement> again = threads.submit(() -> played.party("party-0"));
            played.coordinatorVerb(1, false);
            again.get(60, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
        assertThat(PartyWork.status(party).json()).containsEntry("done", true);
    }

    /** Where nothing is masked the charge comes before the first message, so an empty log does not say that there was none. */
    @Test
    void whoWasChargedIsNotToldThatNothingWas() throws Exception {
        PlayedParties played = parties("dp-optimisation", 3, 1);
        played.names.forEach(played::approve);
        String early = played.names.get(2);
        PartyFolder party = new PartyFolder(played.partyFolder(early));
        assertThat(PartyWork.status(party).json()).containsEntry("charged", false);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<PartyStatement> stopped = threads.submit(() -> played.party(early));
            while (!stopped.isDone()
                    && PartyWork.status(party).json().get("charged").equals(false)) {
                Thread.sleep(20);
            }
            assertThat(stopped.isDone()).isFalse();
            stopped.cancel(true);
            Future<FitOutcome> outcome =
                    threads.submit(() -> played.coordinator(Duration.ofMillis(400), PlayedParties.SILENT));
            List<Future<PartyStatement>> others = new ArrayList<>();
            played.names.subList(0, 2).forEach(name -> others.add(threads.submit(() -> played.party(name))));
            outcome.get(60, TimeUnit.SECONDS);
            for (Future<PartyStatement> other : others) {
                other.get(60, TimeUnit.SECONDS);
            }
            assertThat(PartyWork.status(party).lines())
                    .anyMatch(line -> line.contains("charged, and nothing was sent"));
            Future<PartyStatement> late = threads.submit(() -> played.party(early));
            played.coordinatorVerb(1, false);
            assertThat(late.get(60, TimeUnit.SECONDS).ledger()).isPresent();
        } finally {
            threads.shutdownNow();
        }
    }

    /** It is asked once more whether somebody needs something again, and does not wait for a coordinator that is gone. */
    @Test
    void whoHeardOfTheEndIsDone() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        played.play(played.names, Duration.ofMillis(400));
        Path ledger = folder.resolve("party-0/records.ledger");
        String before = Files.readString(ledger);
        List<String> said = new ArrayList<>();
        PartyStatement statement = new PartyRun(
                        new PartyFolder(played.partyFolder("party-0")), said::add, Times.of(Clock.systemUTC()))
                .run();
        assertThat(statement.sent()).isEqualTo(statement.releases());
        assertThat(said).isEmpty();
        assertThat(Files.readString(ledger)).isEqualTo(before);
    }

    @Test
    void recordsThatCannotBeReadAreRefusedWhenAStudyIsApproved() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        Path records = folder.resolve("party-0/records.csv");
        String whole = Files.readString(records);
        Files.writeString(records, whole.replace("income", "wages"));
        assertThatThrownBy(() -> played.approve("party-0"))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("income");
        assertThat(played.partyFolder("party-0")).doesNotExist();
        Files.writeString(records, whole);
        Path ledger = Files.writeString(folder.resolve("party-0/records.ledger"), "a shopping list\n");
        assertThatThrownBy(() -> played.approve("party-0"))
                .isInstanceOf(FitException.class)
                .hasMessageStartingWith(ledger + " is not a whole ledger");
        assertThat(played.partyFolder("party-0")).doesNotExist();
        Files.delete(ledger);
        Files.writeString(Files.createDirectories(played.partyFolder("party-0")).resolve("letter.txt"), "Dear all");
        assertThatThrownBy(() -> played.approve("party-0"))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("holds other files; name a new folder with --out");
    }

    /** The coordinator would wait for it for ever otherwise. */
    @Test
    void aPartyThatFindsItselfPutBackSaysSo() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        played.play(played.names, Duration.ofMillis(400));
        Files.delete(new PartyFolder(played.partyFolder("party-0")).log());
        assertThatThrownBy(() -> played.party("party-0"))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("put back from an older copy")
                .hasMessageEndingWith("; the coordinator was told so.");
        try (Stream<Path> told = Files.list(folder.resolve("post/to-coordinator"))) {
            assertThat(told).anyMatch(file -> file.getFileName().toString().contains("-refusal-0-"));
        }
    }

    @Test
    void aPartysFolderIsNoCoordinators() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        played.names.forEach(played::approve);
        Path party = played.partyFolder("party-0");
        assertThatThrownBy(() -> CoordinatorWork.keepStudy(played.study, party))
                .isInstanceOf(StudyException.class)
                .hasMessage(party + " is the folder of a party; name another one with --out");
    }

    @Test
    void aFolderOfOtherThingsIsNoCoordinators() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(other.resolve("letter.txt"), "Dear all");
        assertThatThrownBy(() -> CoordinatorWork.keepStudy(played.study, other))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining("holds other files");
        assertThat(other.resolve("study.yaml")).doesNotExist();
    }

    /** What cannot be made again leaves nothing that a coordinator would begin with anew. */
    @Test
    void aLogThatCannotBeMadeAgainLeavesNothing() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        played.play(played.names, Duration.ofMillis(400));
        Path one = new PartyFolder(played.partyFolder("party-0")).log();
        assertThatThrownBy(() -> CoordinatorWork.rebuild(new FederationRequest.CoordinatorRebuild(
                        folder.resolve("study.yaml"), folder.resolve("keys"), List.of(one), folder.resolve("again"))))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining("is needed");
        assertThat(folder.resolve("again")).doesNotExist();
        Path letter = Files.writeString(folder.resolve("letter.txt"), "Dear all");
        assertThatThrownBy(() -> CoordinatorWork.rebuild(new FederationRequest.CoordinatorRebuild(
                        folder.resolve("study.yaml"),
                        folder.resolve("keys"),
                        List.of(one, letter),
                        folder.resolve("again"))))
                .isInstanceOf(FitException.class)
                .hasMessage(letter + " is no log of a study.");
    }

    @Test
    void nothingIsMadeAgainOfLogsWithoutMessages() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        Path empty = Files.createFile(folder.resolve("empty.log"));
        assertThatThrownBy(() -> CoordinatorWork.rebuild(new FederationRequest.CoordinatorRebuild(
                        folder.resolve("study.yaml"), folder.resolve("keys"), List.of(empty), folder.resolve("again"))))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("would begin the study again");
        assertThat(folder.resolve("again")).doesNotExist();
        assertThat(played.names).hasSize(3);
    }

    @Test
    void onePartyIsRunByOneProcess() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        played.approve("party-0");
        PartyFolder party = new PartyFolder(played.partyFolder("party-0"));
        try (EnvelopeLog running = EnvelopeLog.open(party.log())) {
            assertThat(running.entries()).isEmpty();
            assertThatThrownBy(() -> perform(new FederationRequest.PartyRun(party.path(), Optional.empty())))
                    .isInstanceOf(FitException.class)
                    .hasMessage("another process writes " + party.log() + " now; wait until it has ended.");
        }
        assertThat(folder.resolve("party-0/records.ledger")).doesNotExist();
    }

    @Test
    void anAddressThatIsNoneIsRefusedWhenAStudyIsApproved() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        assertThatThrownBy(() -> perform(new FederationRequest.PartyApprove(
                        folder.resolve("study.yaml"),
                        folder.resolve("party-0/records.csv").toString(),
                        folder.resolve("party-0/keys"),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(played.study.words()),
                        "nowhere",
                        played.partyFolder("party-0"))))
                .isInstanceOf(FitException.class)
                .hasMessage("\"nowhere\" is neither host:port nor a folder that is there.");
        assertThat(played.partyFolder("party-0")).doesNotExist();
    }

    /** Nothing is left of a coordinator that could not run. */
    @Test
    void aCoordinatorThatCannotRunWritesNothing() throws Exception {
        PlayedParties played = parties("residual-newton", 3, 0);
        Authority other = Authority.create(folder.resolve("other"), "other", List.of("localhost"), Instant.now());
        for (FederationRequest.CoordinatorRun wrong : List.of(
                coordinator(played, folder.resolve("keys"), "nowhere"),
                coordinator(played, folder.resolve("nothing"), "localhost:0"),
                coordinator(played, other.path(), "localhost:0"))) {
            assertThatThrownBy(() -> perform(wrong)).isInstanceOf(FitException.class);
            assertThat(folder.resolve("fit")).doesNotExist();
        }
        assertThatThrownBy(() -> perform(coordinator(played, other.path(), "localhost:0")))
                .hasMessageContaining("names another coordinator");
        played.approve("party-0");
        assertThatThrownBy(() -> CoordinatorWork.status(played.partyFolder("party-0")))
                .hasMessageContaining("tacit party status");
    }

    private FederationRequest.CoordinatorRun coordinator(PlayedParties played, Path authority, String at) {
        return new FederationRequest.CoordinatorRun(
                played.folder.resolve("study.yaml"),
                authority,
                at,
                folder.resolve("fit"),
                OptionalInt.empty(),
                OptionalInt.of(1),
                false);
    }

    /** A certificate that ran out is said to have, and what to do; a connection would only say that it is not trusted. */
    @Test
    void aCertificateThatDoesNotHoldTodayIsNamed() {
        Instant made = Instant.parse("2026-03-01T12:00:00Z");
        Authority authority = Authority.create(folder.resolve("keys"), "test", List.of("localhost"), made);
        KeyFolder north = KeyFolder.create(folder.resolve("north"), "north");
        assertThatThrownBy(() -> Links.require("localhost:7443", north, made))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining("no certificate.pem");
        authority.sign(CertificateRequest.read(north.request()), north.certificate(), made);
        Links.require("localhost:7443", north, made.plus(Duration.ofDays(89)));
        assertThatThrownBy(() -> Links.require("localhost:7443", north, made.plus(Duration.ofDays(91))))
                .isInstanceOf(StudyException.class)
                .hasMessage("the certificate in " + north.certificate()
                        + " ran out on 2026-05-30; renew it with tacit keys renew, which keeps the keys");
        assertThatThrownBy(() -> Links.require("localhost:7443", north, made.minus(Duration.ofDays(3))))
                .isInstanceOf(StudyException.class)
                .hasMessageContaining("set the clock of this machine");
    }
}
