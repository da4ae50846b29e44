package dev.tacit.federated.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody takes the coordinator's memory by uploads that are never finished, over however many connections. */
class KnownCallersTest {
    private static final int MOST_BYTES = 1 << 20;
    private static final int CONNECTIONS = 3;
    private static final int MOST_TRIES = 1_000;

    /** Fewer than a connection may have: what is found is the limit of the party. */
    private static final int CALLS_OF_A_CONNECTION = 6;

    @TempDir
    Path folder;

    /** How calls ended. */
    private final BlockingQueue<Status> ended = new LinkedBlockingQueue<>();

    @Test
    void unfinishedUploadsOfOnePartyAreCountedOverItsConnections() throws Exception {
        TlsKeys keys = new TlsKeys(folder);
        TlsFiles north = keys.of("north");
        List<ManagedChannel> channels = new ArrayList<>();
        try (GrpcService office = open(keys);
                Mailbox ofNorth = GrpcMailbox.at("localhost", office.port(), north, MOST_BYTES);
                Mailbox ofSouth = GrpcMailbox.at("localhost", office.port(), keys.of("south"), MOST_BYTES)) {
            for (int connection = 0; connection < CONNECTIONS; connection++) {
                channels.add(connect(office.port(), north));
                upload(channels.get(connection));
            }
            for (int over = KnownCallers.MOST_CALLS; over < CONNECTIONS * CALLS_OF_A_CONNECTION; over++) {
                Status status = ended.poll(1, TimeUnit.MINUTES);
                assertThat(status).as("the end of a call too many").isNotNull();
                assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            }
            assertThatThrownBy(() -> ofNorth.next(Duration.ZERO)).isInstanceOf(MailboxUnavailable.class);
            assertThat(ofSouth.next(Duration.ZERO)).isEmpty();
            assertThat(ended).isEmpty();

            channels.get(0).shutdownNow();
            assertThat(nextOnceItIsServed(ofNorth)).isEmpty();
        } finally {
            channels.forEach(ManagedChannel::shutdownNow);
        }
    }

    @Test
    void whoIsNoPartyOfTheStudyIsNotServed() throws Exception {
        TlsKeys keys = new TlsKeys(folder);
        try (GrpcService office = open(keys);
                Mailbox stranger = GrpcMailbox.at("localhost", office.port(), keys.of("east"), MOST_BYTES)) {
            assertThatThrownBy(() -> stranger.next(Duration.ZERO))
                    .isInstanceOf(MailboxUnavailable.class)
                    .hasMessageContaining("does not know this certificate");
        }
    }

    private static GrpcService open(TlsKeys keys) throws IOException {
        return GrpcService.open(
                new InetSocketAddress("localhost", 0), keys.coordinator(), 1, MOST_BYTES, Set.of("north", "south"));
    }

    private static ManagedChannel connect(int port, TlsFiles tls) throws IOException {
        return NettyChannelBuilder.forAddress("localhost", port)
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient()
                                .keyManager(
                                        tls.certificate().toFile(), tls.key().toFile())
                                .trustManager(tls.authority().toFile()))
                        .build())
                .build();
    }

    /** Begins calls with a whole message each and says of none that it was the last, for which the coordinator waits. */
    private void upload(ManagedChannel channel) {
        MethodDescriptor<byte[], byte[]> unfinished =
                GrpcCalls.PUT.toBuilder().setType(MethodType.BIDI_STREAMING).build();
        for (int call = 0; call < CALLS_OF_A_CONNECTION; call++) {
            ClientCalls.asyncBidiStreamingCall(
                            channel.newCall(unfinished, CallOptions.DEFAULT), new StreamObserver<byte[]>() {
                                @Override
                                public void onNext(byte[] value) {}

                                @Override
                                public void onError(Throwable failure) {
                                    ended.add(Status.fromThrowable(failure));
                                }

                                @Override
                                public void onCompleted() {
                                    ended.add(Status.OK);
                                }
                            })
                    .onNext(new byte[1 << 10]);
        }
    }

    /** The coordinator hears a little later that calls were given up. */
    private static List<byte[]> nextOnceItIsServed(Mailbox box) throws Exception {
        for (int attempt = 0; ; attempt++) {
            try {
                return box.next(Duration.ZERO);
            } catch (MailboxUnavailable e) {
                if (attempt == MOST_TRIES) {
                    throw e;
                }
                Thread.sleep(20);
            }
        }
    }
}
