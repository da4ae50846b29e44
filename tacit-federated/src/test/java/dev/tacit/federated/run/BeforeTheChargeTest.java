package dev.tacit.federated.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.message.ProtocolRefusal.Reason;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyFixture;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.federation.FederationRequest;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.posterior.Posterior;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What cannot run is found before a party is charged, and what is only away for a while is waited for. */
class BeforeTheChargeTest {
    private static final PrivacyBudget LARGE = new PrivacyBudget(30, 1e-5);

    @TempDir
    Path folder;

    private PlayedParties parties() throws IOException {
        return new PlayedParties(
                folder,
                StudyFixture.schema(300),
                PlayedParties.wish("logistic-regression", Map.of("rounds", "2")),
                LARGE,
                3,
                0,
                100);
    }

    private void requireUncharged(String party) {
        assertThat(folder.resolve(party).resolve("records.ledger")).doesNotExist();
        assertThat(folder.resolve(party).resolve("study/sealed")).doesNotExist();
    }

    /** The folder of keys was made anew after the study was approved: name and certificate fit, and nobody would believe a word. */
    @Test
    void keysThatTheStudyDoesNotName() throws Exception {
        PlayedParties played = parties();
        played.approve("party-0");
        Path keys = folder.resolve("party-0/keys");
        Files.move(keys, folder.resolve("party-0/old"));
        KeyFolder again = KeyFolder.create(keys, "party-0");
        new Authority(folder.resolve("keys"))
                .sign(CertificateRequest.read(again.request()), again.certificate(), Instant.now());
        assertThatThrownBy(() -> played.party("party-0"))
                .isInstanceOf(StudyException.class)
                .hasMessage("the study names other keys for party-0 than those in " + keys);
        requireUncharged("party-0");
        Files.delete(keys.resolve("sealing.key"));
        assertThatThrownBy(() -> played.party("party-0"))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("there is no file");
        requireUncharged("party-0");
    }

    /** An address may be mistyped, or the coordinator not there yet: the party asks again, and pays when it has an answer. */
    @Test
    void aCoordinatorThatNobodyHasReached() throws Exception {
        PlayedParties played = parties();
        int closed;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = socket.getLocalPort();
        }
        approve(played, "party-0", "localhost:" + closed, Optional.empty());
        CountDownLatch tries = new CountDownLatch(1);
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            Future<?> party = thread.submit(() -> new PartyRun(
                            new PartyFolder(played.partyFolder("party-0")),
                            sentence -> {
                                if (sentence.contains("cannot be reached")
                                        && sentence.endsWith("; party-0 tries again, and nothing is charged before")) {
                                    tries.countDown();
                                }
                            },
                            Times.of(Clock.systemUTC()))
                    .run());
            assertThat(tries.await(2, TimeUnit.MINUTES)).isTrue();
            party.cancel(true);
        } finally {
            thread.shutdownNow();
            assertThat(thread.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        }
        requireUncharged("party-0");
    }

    private void approve(PlayedParties played, String name, String at, Optional<Path> policy) {
        new FederatedRuntime(Clock.systemUTC())
                .perform(
                        new FederationRequest.PartyApprove(
                                folder.resolve("study.yaml"),
                                folder.resolve(name).resolve("records.csv").toString(),
                                folder.resolve(name).resolve("keys"),
                                Optional.empty(),
                                policy,
                                policy.isPresent() ? Optional.empty() : Optional.of(played.study.words()),
                                at,
                                played.partyFolder(name)),
                        sentence -> {});
    }

    /** Whoever coordinates is told why a party stays away, by a sentence that the party signed. */
    @Test
    void whatAPolicyRefusesIsSignedAndTold() throws Exception {
        PlayedParties played = parties();
        Path strict = Files.writeString(folder.resolve("policy.yaml"), "epsilon-at-most: 2\n");
        assertThatThrownBy(
                        () -> approve(played, "party-0", folder.resolve("post").toString(), Optional.of(strict)))
                .isInstanceOf(FitException.class)
                .hasMessageContaining("The policy refuses this study: its epsilon is");
        assertThat(played.partyFolder("party-0")).doesNotExist();
        List<Path> told;
        try (var files = Files.list(folder.resolve("post/to-coordinator"))) {
            told = files.toList();
        }
        assertThat(told).hasSize(1);
        Envelope envelope = Envelope.read(Files.readAllBytes(told.get(0)), 1 << 20);
        assertThat(envelope.kind()).isEqualTo(MessageKind.REFUSAL);
        ProtocolRefusal refusal = ProtocolRefusal.read(envelope.body());
        assertThat(refusal.reason()).isEqualTo(Reason.POLICY);
        assertThat(refusal.sentence())
                .startsWith("the policy of party-0 does not allow the study: its epsilon is")
                .endsWith("and at most 2 is allowed");

        // the coordinator says so, writes it down, and the party may still come when its policy is another one
        played.names.forEach(played::approve);
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        FitOutcome outcome = play(played, new PlayedParties.Silent() {
            @Override
            public void refuses(String party, ProtocolRefusal why) {
                heard.add(party + ": " + why.sentence());
            }
        });
        assertThat(heard).containsExactly("party-0: " + refusal.sentence());
        assertThat(outcome.release().study().orElseThrow().members()).allMatch(member -> member.present() == 3);
        assertThat(EnvelopeHistory.read(CoordinatorRun.log(folder.resolve("fit")))
                        .of(MessageKind.REFUSAL)
                        .filter(each -> each.isSignedBy(HexFormat.of()
                                .parseHex(played.study.member("party-0").identity())))
                        .count())
                .isEqualTo(1);
    }

    private FitOutcome play(PlayedParties played, RoundWatcher watcher) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<PartyStatement>> parties = new ArrayList<>();
            played.names.forEach(name -> parties.add(threads.submit(() -> played.party(name))));
            FitOutcome outcome = played.coordinator(Duration.ofHours(1), watcher);
            for (Future<PartyStatement> party : parties) {
                party.get(2, TimeUnit.MINUTES);
            }
            return outcome;
        } finally {
            threads.shutdownNow();
        }
    }

    /** The stick is pulled out in the middle of a study, and put in again when all have said that it is not there. */
    @Test
    void aFolderThatGoesAwayIsWaitedFor() throws Exception {
        PlayedParties played = parties();
        played.names.forEach(played::approve);
        Path post = folder.resolve("post");
        Path away = folder.resolve("away");
        CountDownLatch missed = new CountDownLatch(2);
        List<String> said = Collections.synchronizedList(new ArrayList<>());
        RoundWatcher watcher = new PlayedParties.Silent() {
            @Override
            public void opened(OpenedSum sum, String label, Supplier<Posterior> posterior) {
                if (sum.round() == 0) {
                    move(post, away);
                }
            }

            @Override
            public void away(String sentence) {
                if (said.stream().noneMatch(sentence::equals)) {
                    said.add(sentence);
                    missed.countDown();
                }
            }
        };
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<PartyStatement>> parties = new ArrayList<>();
            for (String name : played.names) {
                parties.add(threads.submit(() -> new PartyRun(
                                new PartyFolder(played.partyFolder(name)),
                                sentence -> {
                                    if (name.equals("party-0")
                                            && sentence.endsWith("is not there; party-0 tries again")) {
                                        missed.countDown();
                                    }
                                },
                                Times.of(Clock.systemUTC()))
                        .run()));
            }
            Future<FitOutcome> outcome = threads.submit(() -> played.coordinator(Duration.ofHours(1), watcher));
            assertThat(missed.await(2, TimeUnit.MINUTES)).isTrue();
            move(away, post);
            assertThat(outcome.get(2, TimeUnit.MINUTES)
                            .release()
                            .study()
                            .orElseThrow()
                            .members())
                    .allMatch(member -> member.present() == 3);
            for (Future<PartyStatement> party : parties) {
                assertThat(party.get(2, TimeUnit.MINUTES).sent()).isEqualTo(3);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(said.get(0)).startsWith("the folder " + post);
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A coordinator may be started on another machine; where it is was never part of what was approved. */
    @Test
    void aCoordinatorThatHasMoved() throws Exception {
        PlayedParties played = parties();
        Path old = Files.createDirectory(folder.resolve("old"));
        played.approve("party-1");
        played.approve("party-2");
        approve(played, "party-0", old.toString(), Optional.empty());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<?> moved = threads.submit(() -> new FederatedRuntime(Clock.systemUTC())
                    .perform(
                            new FederationRequest.PartyRun(
                                    played.partyFolder("party-0"),
                                    Optional.of(folder.resolve("post").toString())),
                            sentence -> {}));
            List<Future<?>> others = List.of(
                    threads.submit(() -> played.party("party-1")), threads.submit(() -> played.party("party-2")));
            assertThat(played.coordinator(Duration.ofHours(1), PlayedParties.SILENT)
                            .release()
                            .study()
                            .orElseThrow()
                            .members())
                    .allMatch(member -> member.present() == 3);
            moved.get(2, TimeUnit.MINUTES);
            for (Future<?> other : others) {
                other.get(2, TimeUnit.MINUTES);
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(new PartyFolder(played.partyFolder("party-0")).approval().at())
                .isEqualTo(folder.resolve("post").toString());
    }

    /** What somebody else wrote is shown as one sentence, whatever it holds. */
    @Test
    void refusalsOfOthersAreSentences() throws Exception {
        byte[] body = ("POLICY\nno\u001b[2J\nthank you" + "!".repeat(5_000)).getBytes(StandardCharsets.UTF_8);
        ProtocolRefusal read = ProtocolRefusal.read(body);
        assertThat(read.sentence()).startsWith("no [2J thank you!!").hasSizeLessThan(2_000);
        assertThatThrownBy(() -> ProtocolRefusal.read("NO SUCH\nreason".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("no reason that this version knows");
    }
}
