package dev.tacit.federated.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People see sentences of the study, and no lines of libraries. */
class GrpcLogTest {
    @TempDir
    Path folder;

    @Test
    void nothingOfGrpcOrNettyIsLogged() throws Exception {
        TlsKeys keys = new TlsKeys(folder);
        try (GrpcService office =
                        GrpcService.open(new InetSocketAddress("localhost", 0), keys.coordinator(), 1, 1, Set.of());
                Mailbox box = GrpcMailbox.at("localhost", office.port(), keys.of("north"), 1)) {
            assertThat(box).isNotNull();
        }
        for (String name : new String[] {
            "io.grpc.internal.ManagedChannelImpl",
            "io.grpc.netty.shaded.io.grpc.netty.TcpMetrics",
            "io.grpc.netty.shaded.io.netty.channel.DefaultChannelPipeline"
        }) {
            assertThat(Logger.getLogger(name).isLoggable(Level.SEVERE)).as(name).isFalse();
        }
    }
}
