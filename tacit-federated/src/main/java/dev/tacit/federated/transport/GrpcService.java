package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.transport.GrpcCalls.Asking;
import dev.tacit.federated.transport.GrpcCalls.Cursor;
import dev.tacit.federated.transport.GrpcCalls.Portion;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The coordinator's post office over gRPC with mutual TLS: one port, to which parties dial.
 *
 * <p>A party is known by the common name of its certificate, and asks for its own messages only. Messages that parties put are handed on as
 * they came; who signed them is for the protocol to see. What waits for parties is in memory: after a restart the coordinator posts what is
 * outstanding again, and a party whose cursor is of another start gets all of it.
 */
public final class GrpcService implements PostOffice {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);

    /** A connection without calls is closed after so long; parties dial again when they need one. */
    private static final Duration LONGEST_IDLE = Duration.ofMinutes(5);

    /** A connection is made anew after so long, and its calls may end before: certificates that ran out are found. */
    private static final Duration LONGEST_LIFE = Duration.ofHours(1);

    /** Longer than any call of a party lasts. */
    private static final Duration LAST_CALLS = Duration.ofMinutes(2);

    /** Somebody who waits for messages. */
    private static final class Waiting {
        final Cursor cursor;
        final StreamObserver<byte[]> answer;
        Future<?> end = CompletableFuture.completedFuture(null);

        Waiting(Cursor cursor, StreamObserver<byte[]> answer) {
            this.cursor = cursor;
            this.answer = answer;
        }
    }

    /** How many messages of one caller are kept that the coordinator has not read: nobody fills the memory for the others. */
    static final int MOST_UNREAD = 16;

    /** How many calls of one caller may wait for messages; an older one is answered. */
    static final int MOST_WAITING = 4;

    private final long start;
    private final Outboxes outboxes = new Outboxes();
    private final BlockingQueue<byte[]> inbox = new LinkedBlockingQueue<>();
    private final Map<String, Integer> unread = new HashMap<>();
    private final Map<String, List<Waiting>> waiting = new HashMap<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "tacit-post-office");
        thread.setDaemon(true);
        return thread;
    });
    private final Server server;

    private GrpcService(long start, InetSocketAddress address, SslContext tls, int mostBytes, Set<String> parties)
            throws IOException {
        this.start = start;
        ServerServiceDefinition service = ServerServiceDefinition.builder(GrpcCalls.SERVICE)
                .addMethod(GrpcCalls.PUT, ServerCalls.asyncUnaryCall(this::take))
                .addMethod(GrpcCalls.NEXT, ServerCalls.asyncUnaryCall(this::answer))
                .build();
        server = NettyServerBuilder.forAddress(address)
                .sslContext(tls)
                .maxInboundMessageSize(mostBytes)
                .maxConcurrentCallsPerConnection(KnownCallers.MOST_CALLS)
                .maxConnectionIdle(LONGEST_IDLE.toSeconds(), TimeUnit.SECONDS)
                .maxConnectionAge(LONGEST_LIFE.toSeconds(), TimeUnit.SECONDS)
                .maxConnectionAgeGrace(LAST_CALLS.toSeconds(), TimeUnit.SECONDS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .directExecutor() // no call waits for anything: messages are put in a queue, and answers are sent when
                // there are some
                .addService(ServerInterceptors.intercept(service, new KnownCallers(parties)))
                .build()
                .start();
    }

    /**
     * Opens the port.
     *
     * @param address where to listen; port 0 takes one that is free
     * @param start another number at every start of the program
     * @param mostBytes how long a message of a party is at most
     * @param parties by the names in their certificates; nobody else is served
     */
    public static GrpcService open(
            InetSocketAddress address, TlsFiles tls, long start, int mostBytes, Set<String> parties)
            throws IOException {
        GrpcLog.silence();
        SslContext context = GrpcSslContexts.configure(SslContextBuilder.forServer(
                                tls.certificate().toFile(), tls.key().toFile())
                        .trustManager(tls.authority().toFile())
                        .clientAuth(ClientAuth.REQUIRE)
                        .protocols("TLSv1.3"))
                .build();
        return new GrpcService(start, address, context, mostBytes, parties);
    }

    /** The port that parties dial. */
    public int port() {
        return server.getPort();
    }

    private void take(byte[] envelope, StreamObserver<byte[]> answer) {
        if (keeps(KnownCallers.CALLER.get(), envelope)) {
            answer.onNext(new byte[0]);
            answer.onCompleted();
        } else {
            answer.onError(Status.RESOURCE_EXHAUSTED
                    .withDescription("the coordinator is busy; try again")
                    .asRuntimeException());
        }
    }

    private boolean keeps(String caller, byte[] envelope) {
        synchronized (unread) {
            return unread.merge(caller, 1, (count, one) -> Math.min(count + one, MOST_UNREAD + 1)) <= MOST_UNREAD
                    && inbox.offer(envelope);
        }
    }

    private void answer(byte[] request, StreamObserver<byte[]> answer) {
        String party = KnownCallers.CALLER.get();
        Asking asked = Asking.read(request);
        Waiting asking = new Waiting(asked.cursor(), answer);
        // Whoever has hung up is forgotten; an answer to it goes nowhere, and its messages wait until it asks again.
        ((ServerCallStreamObserver<byte[]>) answer).setOnCancelHandler(() -> forget(party, asking));
        long wait = Math.max(0, Math.min(asked.millis(), LONGEST_WAIT.toMillis()));
        synchronized (waiting) {
            if (!reply(party, asking, wait == 0)) {
                List<Waiting> all = waiting.computeIfAbsent(party, unused -> new ArrayList<>());
                if (all.size() >= MOST_WAITING) {
                    Waiting oldest = all.remove(0);
                    oldest.end.cancel(false);
                    reply(party, oldest, true);
                }
                all.add(asking);
                asking.end = timer.schedule(() -> giveUp(party, asking), wait, TimeUnit.MILLISECONDS);
            }
        }
    }

    private void forget(String party, Waiting asking) {
        synchronized (waiting) {
            asking.end.cancel(false);
            waiting.getOrDefault(party, new ArrayList<>()).remove(asking);
        }
    }

    private void giveUp(String party, Waiting asking) {
        synchronized (waiting) {
            if (waiting.getOrDefault(party, new ArrayList<>()).remove(asking)) {
                reply(party, asking, true);
            }
        }
    }

    /** Answers if there is something to say, or if there must be an answer. */
    private boolean reply(String party, Waiting asking, boolean anyway) {
        long from = asking.cursor.start() == start ? asking.cursor.number() : 0;
        List<Outboxes.Numbered> found = outboxes.after(party, from);
        if (found.isEmpty() && !anyway) {
            return false;
        }
        long last = found.isEmpty() ? from : found.get(found.size() - 1).number();
        List<byte[]> messages =
                found.stream().map(each -> each.envelope().toBytes()).toList();
        asking.answer.onNext(new Portion(new Cursor(start, last), messages).toBytes());
        asking.answer.onCompleted();
        return true;
    }

    @Override
    public void post(String party, Envelope envelope) {
        outboxes.post(party, envelope);
        synchronized (waiting) {
            for (Iterator<Waiting> each =
                            waiting.getOrDefault(party, new ArrayList<>()).iterator();
                    each.hasNext(); ) {
                Waiting asking = each.next();
                if (reply(party, asking, false)) {
                    asking.end.cancel(false);
                    each.remove();
                }
            }
        }
    }

    @Override
    public List<byte[]> collect(Duration patience) {
        List<byte[]> messages = new ArrayList<>();
        try {
            byte[] first = inbox.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            synchronized (unread) {
                for (byte[] each = first; each != null; each = inbox.poll()) {
                    messages.add(each);
                }
                if (first != null) {
                    unread.clear(); // all that were kept are read
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return messages;
    }

    @Override
    public void close() {
        timer.shutdownNow();
        server.shutdownNow();
    }
}
