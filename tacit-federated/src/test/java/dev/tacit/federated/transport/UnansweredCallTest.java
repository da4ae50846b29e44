package dev.tacit.federated.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.study.StudyFixture;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What listens ends every call in order and without an answer, as a proxy may: the party is told, and does not wait for ever. */
class UnansweredCallTest {
    /** As many as may be on their way, and one. */
    private static final int PUTS = 9;

    @TempDir
    Path folder;

    @Test
    void aCallThatEndsWithoutAnAnswerIsAnUnavailableMailbox() throws Exception {
        TlsKeys keys = new TlsKeys(folder);
        TlsFiles own = keys.coordinator();
        Server server = NettyServerBuilder.forPort(0)
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forServer(
                                own.certificate().toFile(), own.key().toFile()))
                        .build())
                .addService(ServerServiceDefinition.builder(GrpcCalls.SERVICE)
                        .addMethod(
                                unanswered(GrpcCalls.PUT),
                                ServerCalls.asyncServerStreamingCall(UnansweredCallTest::end))
                        .addMethod(
                                unanswered(GrpcCalls.NEXT),
                                ServerCalls.asyncServerStreamingCall(UnansweredCallTest::end))
                        .build())
                .build()
                .start();
        try (Mailbox box = GrpcMailbox.at("localhost", server.getPort(), keys.of("north"), 1 << 20)) {
            assertUnavailable(() -> box.next(Duration.ZERO));
            assertUnavailable(() -> {
                for (int put = 0; put < PUTS; put++) {
                    box.put(Envelope.signed(
                            StudyFixture.identity(1),
                            new byte[32],
                            0,
                            MessageKind.KEYS,
                            0,
                            Envelope.noContext(),
                            new byte[10]));
                }
            });
        } finally {
            server.shutdownNow();
        }
    }

    /** On a thread of its own, so that waiting for ever is found. */
    private static void assertUnavailable(ThrowingCallable call) throws Exception {
        assertThat(CompletableFuture.supplyAsync(() -> catchThrowable(call)).get(1, TimeUnit.MINUTES))
                .isInstanceOf(MailboxUnavailable.class)
                .hasMessageContaining("cannot be reached");
    }

    private static void end(byte[] request, StreamObserver<byte[]> answer) {
        answer.onCompleted();
    }

    private static MethodDescriptor<byte[], byte[]> unanswered(MethodDescriptor<byte[], byte[]> method) {
        return method.toBuilder().setType(MethodType.SERVER_STREAMING).build();
    }
}
