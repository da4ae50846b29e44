package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.transport.GrpcCalls.Asking;
import dev.tacit.federated.transport.GrpcCalls.Cursor;
import dev.tacit.federated.transport.GrpcCalls.Portion;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A party's mailbox over gRPC with mutual TLS. The party dials out, through the proxy of {@code https.proxyHost} if that is set, and opens no port.
 *
 * <p>The connection is made when it is needed and made again when it breaks; whoever uses the mailbox only tries again.
 */
public final class GrpcMailbox implements Mailbox {
    private static final Duration PUT_PATIENCE = Duration.ofSeconds(60);

    /** For connections that have to be made first, on machines that are busy. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    /** What is on its way when the mailbox is closed is waited for so long. */
    private static final Duration FAREWELL = Duration.ofSeconds(10);

    /** Messages that may be on their way at the same time. */
    private static final int MOST_UNDERWAY = 8;

    private final String at;
    private final ManagedChannel channel;
    private final Deque<CompletableFuture<byte[]>> underway = new ArrayDeque<>();
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
        GrpcLog.silence();
        ManagedChannel channel = NettyChannelBuilder.forAddress(host, port)
                .sslContext(GrpcSslContexts.configure(SslContextBuilder.forClient()
                                .keyManager(
                                        tls.certificate().toFile(), tls.key().toFile())
                                .trustManager(tls.authority().toFile())
                                .protocols("TLSv1.3"))
                        .build())
                .maxInboundMessageSize(mostBytes)
                .keepAliveTime(20, TimeUnit.SECONDS)
                .directExecutor() // an answer only completes a future
                .build();
        return new GrpcMailbox(host + ":" + port, channel);
    }

    @Override
    public void put(Envelope envelope) throws MailboxUnavailable {
        while (underway.size() >= MOST_UNDERWAY) {
            end(underway.remove());
        }
        underway.add(begin(GrpcCalls.PUT, envelope.toBytes(), PUT_PATIENCE));
    }

    @Override
    public List<byte[]> next(Duration patience) throws MailboxUnavailable {
        return next(patience, () -> {});
    }

    @Override
    public List<byte[]> next(Duration patience, Runnable meanwhile) throws MailboxUnavailable {
        byte[] asking = new Asking(cursor, patience.toMillis()).toBytes();
        // asked while what was put is on its way: the answer to it comes back after one round trip, not two
        CompletableFuture<byte[]> answer = begin(GrpcCalls.NEXT, asking, patience.plus(MARGIN));
        meanwhile.run();
        Portion portion = Portion.read(end(answer));
        while (!underway.isEmpty() && underway.peek().isDone()) {
            end(underway.remove());
        }
        cursor = portion.cursor();
        return portion.messages();
    }

    private CompletableFuture<byte[]> begin(
            MethodDescriptor<byte[], byte[]> method, byte[] request, Duration patience) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        ClientCalls.asyncUnaryCall(
                channel.newCall(
                        method, CallOptions.DEFAULT.withDeadlineAfter(patience.toMillis(), TimeUnit.MILLISECONDS)),
                request,
                new StreamObserver<>() {
                    @Override
                    public void onNext(byte[] value) {
                        answer.complete(value);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answer.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {
                        // a server or a proxy may end a call in order and without an answer; one that has come stays
                        answer.completeExceptionally(Status.UNAVAILABLE.asRuntimeException());
                    }
                });
        return answer;
    }

    private byte[] end(CompletableFuture<byte[]> call) throws MailboxUnavailable {
        try {
            return call.get();
        } catch (ExecutionException failed) {
            throw new MailboxUnavailable(sentence(Status.fromThrowable(failed)), failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MailboxUnavailable("the party was stopped while it waited for the coordinator at " + at, e);
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

    /** Waits a while for what was put last; whoever comes again puts it again. */
    @Override
    public void close() {
        long end = System.nanoTime() + FAREWELL.toNanos();
        for (CompletableFuture<byte[]> each : underway) {
            try {
                each.get(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException unknown) {
                // it may not have arrived, which its sender cannot know
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        channel.shutdownNow();
    }
}
