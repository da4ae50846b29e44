package dev.tacit.federated.transport;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.security.auth.x500.X500Principal;

/**
 * Lets parties of the study in, known by the common names of their certificates, and only so many calls of each at the same time.
 *
 * <p>A call is counted before its message is read and until it has ended, over all connections of its caller: an upload that is never
 * finished takes memory of nobody but whoever began it.
 */
final class KnownCallers implements ServerInterceptor {
    static final Context.Key<String> CALLER = Context.key("caller");

    /** How many calls of one party are served at the same time; it has at most ten. */
    static final int MOST_CALLS = 16;

    private static final String NAME = "CN=";

    private final Set<String> parties;
    private final Map<String, Integer> open = new HashMap<>();

    KnownCallers(Set<String> parties) {
        this.parties = Set.copyOf(parties);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Optional<String> name = commonName(call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION));
        if (name.isEmpty()) {
            return refused(call, Status.UNAUTHENTICATED.withDescription("the certificate names nobody"));
        }
        if (!parties.contains(name.get())) {
            return refused(
                    call, Status.PERMISSION_DENIED.withDescription("the certificate names no party of the study"));
        }
        String party = name.get();
        if (!begins(party)) {
            return refused(
                    call, Status.RESOURCE_EXHAUSTED.withDescription("so many calls of one party are not served"));
        }
        ServerCall.Listener<Q> listener;
        try {
            listener = Contexts.interceptCall(Context.current().withValue(CALLER, party), call, headers, next);
        } catch (RuntimeException e) {
            ends(party); // nobody is told how the call ends
            throw e;
        }
        return new SimpleForwardingServerCallListener<>(listener) {
            @Override
            public void onComplete() {
                ends(party);
                super.onComplete();
            }

            @Override
            public void onCancel() {
                ends(party);
                super.onCancel();
            }
        };
    }

    private static <Q> ServerCall.Listener<Q> refused(ServerCall<Q, ?> call, Status status) {
        call.close(status, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private boolean begins(String party) {
        synchronized (open) {
            int calls = open.getOrDefault(party, 0);
            if (calls < MOST_CALLS) {
                open.put(party, calls + 1);
            }
            return calls < MOST_CALLS;
        }
    }

    private void ends(String party) {
        synchronized (open) {
            open.merge(party, -1, Integer::sum);
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
}
