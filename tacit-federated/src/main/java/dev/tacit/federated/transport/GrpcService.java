package dev.tacit.federated.transport;

import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.transport.GrpcCalls.Asking;
import dev.tacit.federated.transport.GrpcCalls.Cursor;
import dev.tacit.federated.transport.GrpcCalls.Portion;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
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
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;

/**
 * The coordinator's post office over gRPC with mutual TLS: one port, to which parties dial.
 *
 * <p>A party is known by the common name of its certificate, and asks for its own messages only. Messages that parties put are handed on as
 * they came; who signed them is for the protocol to see. What waits for parties is in memory: after a restart the coordinator posts what is
 * outstanding again, and a party whose cursor is of another start gets all of it.
 */
public final class GrpcService implements PostOffice {
    private static final Context.Key<String> CALLER = Context.key("caller");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
    private static final String NAME = "CN=";

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

    /** How many calls of one connection are served at the same time; a party has at most ten. */
    private static final int MOST_CALLS = 16;

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

    private GrpcService(long start, InetSocketAddress address, SslContext tls, int mostBytes) throws IOException {
        this.start = start;
        ServerServiceDefinition service = ServerServiceDefinition.builder(GrpcCalls.SERVICE)
                .addMethod(GrpcCalls.PUT, ServerCalls.asyncUnaryCall(this::take))
                .addMethod(GrpcCalls.NEXT, ServerCalls.asyncUnaryCall(this::answer))
                .build();
        server = NettyServerBuilder.forAddress(address)
                .sslContext(tls)
                .maxInboundMessageSize(mostBytes)
                .maxConcurrentCallsPerConnection(MOST_CALLS)
                .permitKeepAliveTime(10, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .directExecutor() // no call waits for anything: messages are put in a queue, and answers are sent when
                // there are some
                .addService(ServerInterceptors.intercept(service, new Caller()))
                .build()
                .start();
    }

    /**
     * Opens the port.
     *
     * @param address where to listen; port 0 takes one that is free
     * @param start another number at every start of the program
     * @param mostBytes how long a message of a party is at most
     */
    public static GrpcService open(InetSocketAddress address, TlsFiles tls, long start, int mostBytes)
            throws IOException {
        SslContext context = GrpcSslContexts.configure(SslContextBuilder.forServer(
                                tls.certificate().toFile(), tls.key().toFile())
                        .trustManager(tls.authority().toFile())
                        .clientAuth(ClientAuth.REQUIRE)
                        .protocols("TLSv1.3"))
                .build();
        return new GrpcService(start, address, context, mostBytes);
    }

    /** The port that parties dial. */
    public int port() {
        return server.getPort();
    }

    /** Reads the caller's name from its certificate. */
    private static final class Caller implements ServerInterceptor {
        @Override
        public <Q, R> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
            Optional<String> name = commonName(session);
            if (name.isEmpty()) {
                call.close(Status.UNAUTHENTICATED.withDescription("the certificate names nobody"), new Metadata());
                return new ServerCall.Listener<>() {};
            }
            return Contexts.interceptCall(Context.current().withValue(CALLER, name.get()), call, headers, next);
        }
    }

    private static Optional<String> commonName(SSLSession session) {
        try {
            X500Principal subject = ((X509Certificate) session.getPeerCertificates()[0]).getSubjectX500Principal();
            for (String part : subject.getName(X500Principal.RFC2253).split(",", -1)) {
                if (part.startsWith(NAME)) {
                    return Optional.of(part.substring(NAME.length()));
                }
            }
            return Optional.empty();
        } catch (SSLPeerUnverifiedException nobody) {
            return Optional.empty();
        }
    }

    private void take(byte[] envelope, StreamObserver<byte[]> answer) {
        if (keeps(CALLER.get(), envelope)) {
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
        String party = CALLER.get();
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
