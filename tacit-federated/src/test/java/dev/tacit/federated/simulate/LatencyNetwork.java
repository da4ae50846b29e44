package dev.tacit.federated.simulate;

import dev.tacit.federated.keys.Authority;
import dev.tacit.federated.keys.CertificateRequest;
import dev.tacit.federated.keys.KeyFolder;
import dev.tacit.federated.transport.GrpcMailbox;
import dev.tacit.federated.transport.GrpcService;
import dev.tacit.federated.transport.Mailbox;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Keys of a coordinator and its parties, and a line with a delay between them, for measuring. */
final class LatencyNetwork implements AutoCloseable {
    static final int MOST_BYTES = 1 << 22;

    final Path folder;
    final KeyFolder coordinator;
    final List<KeyFolder> parties = new ArrayList<>();
    final GrpcService office;
    private final DelayLine line;

    /**
     * Opens the line.
     *
     * @param within where files are made
     * @param delay in milliseconds, each way
     */
    LatencyNetwork(Path within, int size, int delay) throws IOException {
        folder = Files.createTempDirectory(Files.createDirectories(within), "latency");
        Instant now = Instant.now();
        Authority authority = Authority.create(folder.resolve("keys"), "latency", List.of("localhost"), now);
        coordinator = authority.coordinator();
        for (int place = 0; place < size; place++) {
            KeyFolder keys = KeyFolder.create(folder.resolve(name(place)), name(place));
            authority.sign(CertificateRequest.read(keys.request()), keys.certificate(), now);
            parties.add(keys);
        }
        office = GrpcService.open(
                new InetSocketAddress("localhost", 0),
                coordinator.tlsFiles(),
                1,
                MOST_BYTES,
                IntStream.range(0, size).mapToObj(LatencyNetwork::name).collect(Collectors.toSet()));
        line = DelayLine.start(office.port(), delay);
    }

    static String name(int place) {
        return "party-" + place;
    }

    Mailbox mailbox(int place) throws IOException {
        return GrpcMailbox.at("localhost", line.port(), parties.get(place).tlsFiles(), MOST_BYTES);
    }

    @Override
    public void close() throws IOException {
        line.close();
        office.close();
    }
}
