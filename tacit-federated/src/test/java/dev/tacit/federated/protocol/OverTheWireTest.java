package dev.tacit.federated.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.message.Outgoing;
import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.transport.FolderMailbox;
import dev.tacit.federated.transport.GrpcMailbox;
import dev.tacit.federated.transport.GrpcService;
import dev.tacit.federated.transport.Mailbox;
import dev.tacit.federated.transport.MailboxUnavailable;
import dev.tacit.federated.transport.PostOffice;
import dev.tacit.federated.transport.TlsFiles;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same rounds as files in a folder and over gRPC with mutual TLS. */
class OverTheWireTest {
    private static final int SIZE = 3;
    private static final double BOUND = 1.5;
    private static final int MOST_TURNS = 2_000;
    private static final int MOST_BYTES = 1 << 20;

    @TempDir
    Path folder;

    private final Federation federation = new Federation(SIZE, 1, 0, true, 2, 12);

    /** One thread for all roles: each looks into its mailbox in turn. */
    private void run(PostOffice office, List<Mailbox> boxes) throws MailboxUnavailable {
        CoordinatorMachine coordinator = federation.coordinator();
        List<PartyMachine> parties = new ArrayList<>();
        for (int place = 0; place < SIZE; place++) {
            parties.add(federation.party(place));
            for (Envelope envelope : parties.get(place).start()) {
                boxes.get(place).put(envelope);
            }
        }
        for (int turn = 0; coordinator.round() < federation.terms.rounds(); turn++) {
            assertThat(turn).isLessThan(MOST_TURNS);
            post(office, coordinator.request(DoorSource.request(BOUND)));
            for (byte[] message : office.collect(Duration.ofMillis(5))) {
                try {
                    post(office, coordinator.receive(message));
                } catch (ProtocolRefusal refusal) {
                    throw new AssertionError(refusal);
                }
            }
            for (int place = 0; place < SIZE; place++) {
                for (byte[] message : boxes.get(place).next(Duration.ofMillis(5))) {
                    for (Envelope envelope : parties.get(place).receive(message)) {
                        boxes.get(place).put(envelope);
                    }
                }
            }
        }
        for (int round = 0; round < federation.terms.rounds(); round++) {
            OpenedSum opened = coordinator.opened(round).orElseThrow();
            assertThat(opened.integers()).isEqualTo(federation.plainSum(opened, BOUND));
        }
    }

    private static void post(PostOffice office, List<Outgoing> outgoing) throws MailboxUnavailable {
        for (Outgoing each : outgoing) {
            office.post("party-" + each.party(), each.envelope());
        }
    }

    private Mailbox box(Path folder, String party) throws MailboxUnavailable {
        return FolderMailbox.of(folder, federation.terms.binding(), party, MOST_BYTES);
    }

    private PostOffice office(Path folder) {
        return FolderMailbox.postOffice(folder, federation.terms.binding(), MOST_BYTES);
    }

    @Test
    void envelopesTravelAsFiles() throws Exception {
        List<Mailbox> boxes = new ArrayList<>();
        try (PostOffice office = office(folder)) {
            for (int place = 0; place < SIZE; place++) {
                boxes.add(box(folder, "party-" + place));
            }
            run(office, boxes);
        }
        try (var files = Files.list(folder.resolve("to-coordinator"))) {
            // keys, vector, agreement and opening of every party in both rounds
            assertThat(files).hasSize(2 * 4 * SIZE);
        }
        assertThat(box(folder, "party-0").next(Duration.ZERO)).isNotEmpty();
        assertThatThrownBy(() -> box(folder, "../party")).hasMessageContaining("letters, digits");
    }

    /** SFTP and sticks write a file piece by piece, some of them over a file of zeros that has its length already. */
    @Test
    void aFileThatIsStillBeingCarriedIsLeftUntilItIsWhole() throws Exception {
        Envelope message = result(0).with(new byte[] {4, 5, 6});
        Path carried = Files.createDirectory(folder.resolve("carried"));
        try (PostOffice office = office(Files.createDirectory(folder.resolve("origin")))) {
            office.post("party-0", message);
        }
        Path original;
        try (var files = Files.list(folder.resolve("origin/to-party-0"))) {
            original = files.findFirst().orElseThrow();
        }
        Mailbox box = box(carried, "party-0");
        Path copy = carried.resolve("to-party-0").resolve(original.getFileName());
        byte[] whole = Files.readAllBytes(original);
        for (int length : new int[] {0, 1, whole.length / 2, whole.length - 1}) {
            Files.write(copy, Arrays.copyOf(whole, length));
            assertThat(box.next(Duration.ZERO)).isEmpty();
            Files.write(copy, Arrays.copyOf(Arrays.copyOf(whole, length), whole.length));
            assertThat(box.next(Duration.ZERO)).isEmpty();
        }
        Files.write(copy, whole);
        assertThat(box.next(Duration.ZERO)).containsExactly(whole);
        assertThat(box.next(Duration.ZERO)).isEmpty();
    }

    /** As over gRPC, a party that starts again is not handed all rounds that are over. */
    @Test
    void aPartyReadsTheNewestRoundOfAFolder() throws Exception {
        try (PostOffice office = office(folder)) {
            for (int round = 0; round < 3; round++) {
                office.post("party-0", result(round));
            }
        }
        Files.writeString(
                folder.resolve("to-party-0/" + first(federation) + "-999999-result-255-0000000000000000.envelope"),
                "nothing whole");
        Files.writeString(folder.resolve("to-party-0/another file"), "of somebody else");
        Mailbox box = box(folder, "party-0");
        assertThat(box.next(Duration.ZERO)).containsExactly(result(2).toBytes());
        assertThat(box.next(Duration.ZERO)).isEmpty();
    }

    private static String first(Federation federation) {
        return HexFormat.of().formatHex(federation.terms.binding(), 0, 8);
    }

    /** A folder that served an earlier study, with more rounds, is as good as an empty one. */
    @Test
    void whatAnotherStudyLeftInTheFolderIsNotRead() throws Exception {
        Federation earlier = new Federation(SIZE, 1, 0, true, 9, 13);
        PostOffice before = FolderMailbox.postOffice(folder, earlier.terms.binding(), MOST_BYTES);
        before.post(
                "party-0",
                Envelope.signed(
                        earlier.coordinator,
                        earlier.terms.binding(),
                        8,
                        MessageKind.RESULT,
                        Envelope.COORDINATOR,
                        Envelope.noContext(),
                        new byte[] {1}));
        FolderMailbox.of(folder, earlier.terms.binding(), "party-1", MOST_BYTES)
                .put(earlier.party(1).start().get(0));
        Mailbox box = box(folder, "party-0");
        assertThat(box.next(Duration.ZERO)).isEmpty();
        office(folder).post("party-0", result(0));
        assertThat(box.next(Duration.ZERO)).containsExactly(result(0).toBytes());
        assertThat(office(folder).collect(Duration.ZERO)).isEmpty();
        assertThat(before.collect(Duration.ZERO)).hasSize(1);
    }

    /** A stick may bring a list before the request that it is about, which is refused then and has to come again. */
    @Test
    void aRoundIsReadAgainInItsOrderWhenSomethingOfItIsNew() throws Exception {
        Envelope ask = message(MessageKind.ASK);
        Envelope survivors = message(MessageKind.SURVIVORS);
        Envelope quorum = message(MessageKind.QUORUM);
        Mailbox box = box(folder, "party-0");
        try (PostOffice office = office(folder)) {
            office.post("party-0", survivors);
            assertThat(box.next(Duration.ZERO)).containsExactly(survivors.toBytes());
            office.post("party-0", ask);
            assertThat(box.next(Duration.ZERO)).containsExactly(ask.toBytes(), survivors.toBytes());
            assertThat(box.next(Duration.ZERO)).isEmpty();
            office.post("party-0", quorum);
            assertThat(box.next(Duration.ZERO)).containsExactly(ask.toBytes(), survivors.toBytes(), quorum.toBytes());
            assertThat(box.next(Duration.ZERO)).isEmpty();
        }
    }

    private Envelope message(MessageKind kind) {
        return Envelope.signed(
                federation.coordinator,
                federation.terms.binding(),
                0,
                kind,
                Envelope.COORDINATOR,
                Envelope.noContext(),
                new byte[] {4});
    }

    private Envelope result(int round) {
        return Envelope.signed(
                federation.coordinator,
                federation.terms.binding(),
                round,
                MessageKind.RESULT,
                Envelope.COORDINATOR,
                Envelope.noContext(),
                new byte[] {1, 2, 3});
    }

    @Test
    void envelopesTravelOverMutualTls() throws Exception {
        TestCertificates certificates = new TestCertificates(folder.resolve("tls"));
        int most = federation.terms.mostBytesOfTheCoordinator();
        InetSocketAddress here = new InetSocketAddress("localhost", 0);
        List<Mailbox> boxes = new ArrayList<>();
        int port;
        Set<String> parties = Set.of("party-0", "party-1", "party-2");
        try (GrpcService office = GrpcService.open(here, certificates.of("coordinator"), 1, most, parties)) {
            port = office.port();
            for (int place = 0; place < SIZE; place++) {
                boxes.add(GrpcMailbox.at("localhost", port, certificates.of("party-" + place), most));
            }
            run(office, boxes);
            strangersAreNotLetIn(certificates, port, most);
            eachGetsItsOwn(office, boxes, certificates, port, most);
            nobodyFillsTheMemory(office, certificates, port, most);
        }
        assertThatThrownBy(() -> boxes.get(0).next(Duration.ofMillis(10)))
                .isInstanceOf(MailboxUnavailable.class)
                .hasMessageContaining("the coordinator at localhost:" + port);
        boxes.forEach(Mailbox::close);
    }

    private void strangersAreNotLetIn(TestCertificates certificates, int port, int most) throws Exception {
        TlsFiles stranger = new TestCertificates(folder.resolve("other")).of("party-0");
        TlsFiles mixed = new TlsFiles(certificates.of("nobody").authority(), stranger.certificate(), stranger.key());
        try (Mailbox box = GrpcMailbox.at("localhost", port, mixed, most)) {
            assertThatThrownBy(() -> box.next(Duration.ofMillis(10)))
                    .isInstanceOf(MailboxUnavailable.class)
                    .hasMessageContaining("certificates");
        }
    }

    private void eachGetsItsOwn(
            GrpcService office, List<Mailbox> boxes, TestCertificates certificates, int port, int most)
            throws Exception {
        for (Mailbox box : boxes) {
            box.next(Duration.ZERO);
        }
        Envelope message = Envelope.signed(
                federation.coordinator,
                federation.terms.binding(),
                7,
                MessageKind.RESULT,
                Envelope.COORDINATOR,
                Envelope.noContext(),
                new byte[0]);
        office.post("party-1", message);
        office.post("party-1", message);
        assertThat(boxes.get(0).next(Duration.ofMillis(20))).isEmpty();
        assertThat(boxes.get(1).next(Duration.ofMillis(20))).containsExactly(message.toBytes());
        assertThat(boxes.get(1).next(Duration.ofMillis(20))).isEmpty();
        // A party that starts again gets what is current, and nothing of earlier rounds.
        try (Mailbox again = GrpcMailbox.at("localhost", port, certificates.of("party-1"), most)) {
            assertThat(again.next(Duration.ofMillis(20))).containsExactly(message.toBytes());
        }
    }

    /** What the coordinator has not read is kept of one caller up to a limit, and of others all the same. */
    private void nobodyFillsTheMemory(GrpcService office, TestCertificates certificates, int port, int most)
            throws Exception {
        Envelope message = Envelope.signed(
                federation.keys.get(0).identity(),
                federation.terms.binding(),
                0,
                MessageKind.REFUSAL,
                0,
                Envelope.noContext(),
                new byte[0]);
        while (!office.collect(Duration.ZERO).isEmpty()) {
            // what is left of before
        }
        try (Mailbox greedy = GrpcMailbox.at("localhost", port, certificates.of("party-0"), most);
                Mailbox other = GrpcMailbox.at("localhost", port, certificates.of("party-1"), most)) {
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 100; i++) {
                            greedy.put(message);
                        }
                    })
                    .isInstanceOf(MailboxUnavailable.class)
                    .hasMessageContaining("takes no message");
            for (int i = 0; i < 9; i++) {
                other.put(message); // the first is known to have arrived when the ninth is put
            }
        }
        List<byte[]> kept = office.collect(Duration.ofSeconds(10));
        assertThat(kept.size()).isGreaterThan(16).isLessThanOrEqualTo(16 + 9);
        try (Mailbox greedy = GrpcMailbox.at("localhost", port, certificates.of("party-0"), most)) {
            greedy.put(message);
        }
        assertThat(office.collect(Duration.ofSeconds(10))).hasSize(1);
    }
}
