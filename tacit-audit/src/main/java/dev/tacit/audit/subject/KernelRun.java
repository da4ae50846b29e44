package dev.tacit.audit.subject;

import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A kernel's way through a session, as a run takes it, without what a run writes. */
public final class KernelRun {
    private KernelRun() {}

    /**
     * Makes the releases of a subject's prelude, then those of its kernel.
     *
     * @return the last state; empty if the run diverged, which depends on nothing but what was released
     */
    public static <M, S extends Record> Optional<S> drive(
            AuditSubject<M, S> subject, PrivateSession session, RandomStream random) {
        for (long made = session.released(); made < subject.prelude().size(); made++) {
            AuditSubject.Asked asked = subject.prelude().get((int) made);
            session.release(asked.query(), asked.l2Bound());
        }
        InferenceKernel<M, S> kernel = subject.method().kernel();
        M model = subject.method().model();
        try {
            S state = kernel.init(model, session.publicSize(), random.fork("init"));
            while (session.released() < session.plan().releases()) {
                state = kernel.step(state, model, session, random.fork(session.released()))
                        .state();
            }
            return Optional.of(state);
        } catch (IllegalArgumentException | ArithmeticException e) {
            return Optional.empty();
        }
    }

    /** What one run asks, release by release. */
    public static <M, S extends Record> List<AuditSubject.Asked> questions(
            AuditSubject<M, S> subject, PrivateSession session, RandomStream random) {
        List<AuditSubject.Asked> asked = new ArrayList<>();
        try {
            drive(subject, new Listening(session, asked), random);
        } catch (AllAsked e) {
            return List.copyOf(asked);
        }
        return List.copyOf(asked);
    }

    private static final class Listening extends ForwardingSession {
        private final PrivateSession session;
        private final List<AuditSubject.Asked> asked;

        Listening(PrivateSession session, List<AuditSubject.Asked> asked) {
            super(session);
            this.session = session;
            this.asked = asked;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            asked.add(new AuditSubject.Asked(query, l2Bound));
            NoisySum sum = session.release(query, l2Bound);
            if (released() == plan().releases()) {
                throw new AllAsked();
            }
            return sum;
        }
    }

    /** Ends a run whose last question was asked. */
    private static final class AllAsked extends RuntimeException {
        private static final long serialVersionUID = 1L;

        AllAsked() {
            super("everything was asked", null, false, false);
        }
    }
}
