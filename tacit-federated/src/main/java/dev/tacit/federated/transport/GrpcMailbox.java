package dev.tacit.federated.transport;

import dev.tacit.federated.protocol.Envelope;
import dev.tacit.federated.transport.GrpcCalls.Asking;
import dev.tacit.federated.transport.GrpcCalls.Cursor;
import dev.tacit.federated.transport.GrpcCalls.Portion;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A party's mailbox over gRPC with mutual TLS. The party dials out, through the proxy of {@code https.proxyHost} if that is set, and opens no port.
 *
 * <p>The connection is made when it is needed and made again when it breaks; whoever uses the mailbox only tries again.
 */
public final class GrpcMailbox implements Mailbox {
    private static final Duration PUT_PATIENCE = Duration.ofSeconds(60);
    /** For connections that have to be made first, on machines that are busy. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final String at;
    private final ManagedChannel channel;
    private Cursor cursor = new Cursor(0, 0);

    private GrpcMailbox(String at, ManagedChannel channel) {
        this.at = at;
        this.channel = channel;
    }

    /**
     * A mailbox at a coordinator.
     *
     * @param host that is dialled, and that the coordinator's certificate names
     * @param mostBytes how long an answer is at most
     */
    public static GrpcMailbox at(String host, int port, TlsFiles tls, int mostBytes) throws IOException {
        ManagedChannel channel = NettyChannelBuilder.forAddress(host, port)
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient()
                                .keyManager(
                                        tls.certificate().toFile(), tls.key().toFile())
                                .trustManager(tls.authority().toFile())
                                .protocols("TLSv1.3"))
                        .build())
                .maxInboundMessageSize(mostBytes)
                .keepAliveTime(20, TimeUnit.SECONDS)
                .build();
        return new GrpcMailbox(host + ":" + port, channel);
    }

    @Override
    public void put(Envelope envelope) throws MailboxUnavailable {
        call(GrpcCalls.PUT, envelope.toBytes(), PUT_PATIENCE);
    }

    @Override
    public List<byte[]> next(Duration patience) throws MailboxUnavailable {
        byte[] asking = new Asking(cursor, patience.toMillis()).toBytes();
        Portion portion = Portion.read(call(GrpcCalls.NEXT, asking, patience.plus(MARGIN)));
        cursor = portion.cursor();
        return portion.messages();
    }

    private byte[] call(MethodDescriptor<byte[], byte[]> method, byte[] request, Duration patience)
            throws MailboxUnavailable {
        try {
            return ClientCalls.blockingUnaryCall(
                    channel,
                    method,
                    CallOptions.DEFAULT.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS),
                    request);
        } catch (StatusRuntimeException failed) {
            throw new MailboxUnavailable(sentence(failed.getStatus()), failed);
        }
    }

    private String sentence(Status status) {
        return switch (status.getCode()) {
            case UNAVAILABLE ->
                "the coordinator at " + at
                        + " cannot be reached, or one of the two certificates is not trusted or has run out";
            case CANCELLED -> "the coordinator at " + at + " has ended the connection";
            case DEADLINE_EXCEEDED -> "the coordinator at " + at + " does not answer";
            case UNAUTHENTICATED, PERMISSION_DENIED -> "the coordinator at " + at + " does not know this certificate";
            case RESOURCE_EXHAUSTED -> "the coordinator at " + at + " takes no message of this length now";
            case UNIMPLEMENTED -> "what listens at " + at + " is no coordinator of this protocol";
            default -> "the connection to the coordinator at " + at + " failed (" + status.getCode() + ")";
        };
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
