package dev.tacit.audit.exact;

import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.subject.AuditLedger;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.KernelRun;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.session.SealedConflict;
import dev.tacit.door.session.SealedRelease;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A run that is cut off and resumed releases every sum once: what was sealed is handed out again bit by bit, and no release
 * has the noise of another one.
 *
 * <p>The table is empty, so what is released is noise and nothing else. A run that makes a single release cannot be cut off.
 */
public final class ResumeCheck {
    private static final long MOST_RELEASES = 8;

    private ResumeCheck() {}

    /**
     * What a run that was interrupted did.
     *
     * @param resumed whether the subject has releases enough to be cut off between two
     * @param defect what went wrong
     */
    public record Resumed(boolean resumed, Optional<Defect> defect) {}

    /** Cuts a run off after half of its releases, of which few are looked at, and goes on. */
    public static Resumed run(AuditSubject<?, ?> subject) {
        long releases = Math.min(MOST_RELEASES, subject.plan().releases());
        if (releases < 2 || subject.plan().view().isPresent() || !subject.door().resumes()) {
            return new Resumed(false, Optional.empty());
        }
        PrivateDataset data = subject.door().records(SyntheticTable.empty(subject.shape()), false, subject.unit());
        AuditLedger ledger = new AuditLedger(subject.unit());
        Kept kept = new Kept();
        RunRequest request =
                RunRequest.of("audit", subject.plan()).named("audit").sealedIn(kept);
        try {
            Log before = drive(subject, open(subject, data, request, ledger), releases / 2);
            RunPosition position = before.position;
            if (position == null) {
                return new Resumed(false, Optional.empty());
            }
            // A checkpoint that is one release behind: that release was sealed and must come out as it was.
            RunPosition behind = new RunPosition(position.sequence(), position.hash(), position.released() - 1);
            Log after = follow(subject, before, open(subject, data, request.resumedAt(behind), ledger), releases);
            return new Resumed(true, judge(before, after));
        } catch (SealedConflict e) {
            return new Resumed(
                    true,
                    Optional.of(new Defect(
                            Kind.RESUME,
                            "the door refuses what it sealed itself: its bound or noise is not what was asked for")));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException("a ledger that admits everything refused", e);
        }
    }

    private static PrivateSession open(
            AuditSubject<?, ?> subject, PrivateDataset data, RunRequest request, AuditLedger ledger)
            throws BudgetExhausted {
        return subject.door().open(data, request, subject.added(), ledger, ReplayNoise.ofSeed(3));
    }

    private static Optional<Defect> judge(Log before, Log after) {
        int overlap = before.released.size() - 1;
        if (!Arrays.equals(before.released.get(overlap), after.released.get(0))) {
            return Optional.of(new Defect(
                    Kind.RESUME, "a release that had been made came out of the resumed run with other noise"));
        }
        List<double[]> all = new ArrayList<>(before.released);
        all.addAll(after.released.subList(1, after.released.size()));
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (Arrays.equals(all.get(i), all.get(j))) {
                    return Optional.of(new Defect(
                            Kind.RESUME,
                            "release " + (i + 1) + ", after the run was resumed, has the noise of release " + (j + 1)));
                }
            }
        }
        return Optional.empty();
    }

    /** What a session was asked and what it released. */
    private static final class Log {
        private final List<AuditSubject.Asked> asked = new ArrayList<>();
        private final List<double[]> released = new ArrayList<>();
        private RunPosition position;
    }

    private static Log drive(AuditSubject<?, ?> subject, PrivateSession session, long until) {
        Log log = new Log();
        try {
            KernelRun.drive(subject, new Cut(session, log, until), RandomStream.ofSeed(5));
        } catch (CutOff e) {
            log.position = session.position().orElse(null);
        }
        return log;
    }

    /** The resumed run is asked the last question again and again; its answers are noise of the releases that follow. */
    private static Log follow(AuditSubject<?, ?> subject, Log before, PrivateSession session, long until) {
        Log log = new Log();
        AuditSubject.Asked last = before.asked.get(before.asked.size() - 1);
        while (session.released() < until) {
            int dimension = subject.plan().phaseOf(session.released()).dimension();
            if (last.query().dimension() != dimension) {
                return log; // another phase, whose questions are not known here
            }
            log.released.add(session.release(last.query(), last.l2Bound()).value());
        }
        return log;
    }

    private static final class CutOff extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CutOff() {
            super("the run was cut off", null, false, false);
        }
    }

    private static final class Cut extends ForwardingSession {
        private final PrivateSession session;
        private final Log log;
        private final long until;

        Cut(PrivateSession session, Log log, long until) {
            super(session);
            this.session = session;
            this.log = log;
            this.until = until;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            NoisySum sum = session.release(query, l2Bound);
            log.asked.add(new AuditSubject.Asked(query, l2Bound));
            log.released.add(sum.value());
            if (released() >= until) {
                throw new CutOff();
            }
            return sum;
        }
    }

    /** Sealed releases in memory. */
    private static final class Kept implements SealedReleases {
        private final TreeMap<Long, SealedRelease> releases = new TreeMap<>();

        @Override
        public OptionalLong firstFrom(long index) {
            Long found = releases.ceilingKey(index);
            return found == null ? OptionalLong.empty() : OptionalLong.of(found);
        }

        @Override
        public double l2Bound(long index) {
            return releases.get(index).l2Bound();
        }

        @Override
        public SealedRelease read(long index, SumGrid grid) {
            return releases.get(index);
        }

        @Override
        public void keep(SealedRelease release) {
            releases.put(release.index(), release);
        }

        @Override
        public void dropBefore(long index) {
            releases.headMap(index).clear();
        }
    }
}
