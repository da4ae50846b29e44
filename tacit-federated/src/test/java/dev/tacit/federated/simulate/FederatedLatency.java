package dev.tacit.federated.simulate;

import dev.tacit.federated.crypto.ContentHash;
import dev.tacit.federated.crypto.Identity;
import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.protocol.Envelope;
import dev.tacit.federated.protocol.MessageKind;
import dev.tacit.federated.transport.GrpcMailbox;
import dev.tacit.federated.transport.GrpcService;
import dev.tacit.federated.transport.Mailbox;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * How long the messages of a study take, without its computing: parties put a message over gRPC and a line with a delay, and get the
 * next one when all of them have.
 *
 * <p>{@code main} takes parties, releases and the delay in milliseconds each way; a release of masked sums is three exchanges. The first exchange,
 * in which connections are made, is left out.
 */
final class FederatedLatency {
    private static final int EXCHANGES = 3;
    private static final int MOST_BYTES = 1 << 20;

    private FederatedLatency() {}

    public static void main(String[] arguments) throws Exception {
        int parties = Integer.parseInt(arguments[0]);
        int exchanges = EXCHANGES * Integer.parseInt(arguments[1]);
        int delay = Integer.parseInt(arguments[2]);
        Path folder = Files.createTempDirectory("latency");
        Instant now = Instant.now();
        Authority authority = Authority.create(folder.resolve("keys"), "latency", List.of("localhost"), now);
        KeyFolder coordinator = authority.coordinator();
        ExecutorService threads = Executors.newCachedThreadPool();
        try (GrpcService office =
                        GrpcService.open(new InetSocketAddress("localhost", 0), coordinator.tlsFiles(), 1, MOST_BYTES);
                DelayLine line = DelayLine.start(office.port(), delay)) {
            List<Future<Void>> ends = new ArrayList<>();
            for (int place = 0; place < parties; place++) {
                KeyFolder keys = KeyFolder.create(folder.resolve("party-" + place), "party-" + place);
                authority.sign(CertificateRequest.read(keys.request()), keys.certificate(), now);
                ends.add(threads.submit(party(keys, place, line.port(), exchanges)));
            }
            long begun = 0;
            for (int round = 0; round <= exchanges; round++) {
                Set<Integer> there = new HashSet<>();
                while (there.size() < parties) {
                    for (byte[] message : office.collect(Duration.ofSeconds(1))) {
                        there.add(Envelope.read(message, MOST_BYTES).sender());
                    }
                }
                begun = round == 0 ? System.nanoTime() : begun;
                Envelope answer = message(coordinator.identity(), round, MessageKind.RESULT, Envelope.COORDINATOR);
                for (int place = 0; place < parties; place++) {
                    office.post("party-" + place, answer);
                }
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            for (Future<Void> end : ends) {
                end.get();
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d parties, %d exchanges at %d ms each way: %.3f s, %.2f round trips an exchange%n",
                    parties,
                    exchanges,
                    delay,
                    seconds,
                    seconds / exchanges / (2e-3 * delay));
        } finally {
            threads.shutdownNow();
        }
    }

    private static Envelope message(Identity identity, int round, MessageKind kind, int sender) {
        return Envelope.signed(
                identity, ContentHash.of("latency"), round, kind, sender, Envelope.noContext(), new byte[8_000]);
    }

    private static Callable<Void> party(KeyFolder keys, int place, int port, int exchanges) {
        return () -> {
            try (Mailbox box = GrpcMailbox.at("localhost", port, keys.tlsFiles(), MOST_BYTES)) {
                for (int round = 0; round <= exchanges; round++) {
                    box.put(message(keys.identity(), round, MessageKind.REFUSAL, place));
                    int heard = -1;
                    while (heard < round) {
                        for (byte[] message : box.next(Duration.ofSeconds(5))) {
                            heard = Math.max(
                                    heard, Envelope.read(message, MOST_BYTES).round());
                        }
                    }
                }
            }
            return null;
        };
    }
}
