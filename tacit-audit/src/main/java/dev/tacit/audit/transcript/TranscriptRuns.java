package dev.tacit.audit.transcript;

import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.KernelRun;
import dev.tacit.audit.subject.TableSums;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * As many runs on two neighbours as anyone asks for, each of them the same whenever it is asked for again.
 *
 * <p>Run k is on the first table if k is even, and draws its noise from fork k of a seed, so results depend neither on the
 * number of threads nor on who ran before. What a method asks in every run alike is summed once.
 */
public final class TranscriptRuns<M, S extends Record> {
    private final AuditSubject<M, S> subject;
    private final PrivateDataset data;
    private final PrivateDataset neighbour;
    private final TranscriptSession.Pair pair;
    private final List<AuditSubject.Asked> always;
    private final boolean whole;
    private final ReplayNoise noise;
    private final RandomStream random;

    public TranscriptRuns(AuditSubject<M, S> subject, NeighbourPair tables, long seed) {
        this.subject = subject;
        this.data = subject.door().records(tables.data(), false, subject.unit());
        this.neighbour = subject.door().records(tables.neighbour(), false, subject.unit());
        this.noise = ReplayNoise.ofSeed(seed);
        this.random = RandomStream.ofSeed(seed);
        this.whole = subject.plan().releases() == subject.prelude().size() + 1L;
        this.always = whole ? KernelRun.sameInEveryRun(subject, open(neighbour, 1), random.fork(0)) : subject.prelude();
        int same = always.size();
        SyntheticTable nobody = SyntheticTable.empty(subject.shape());
        this.pair = new TranscriptSession.Pair(
                new TableSums(tables.data(), subject.plan(), subject.unit(), same),
                new TableSums(tables.neighbour(), subject.plan(), subject.unit(), same),
                new TableSums(nobody, subject.plan(), subject.unit(), same));
    }

    private PrivateSession open(PrivateDataset records, long run) {
        return subject.door().open(records, RunRequest.of("audit", subject.plan()), subject.added(), noise.fork(run));
    }

    /** One run. */
    public Transcript run(long number) {
        boolean onData = number % 2 == 0;
        TranscriptSession session =
                new TranscriptSession(open(onData ? data : neighbour, number), subject.mechanism(), pair, onData);
        try {
            if (whole) {
                for (AuditSubject.Asked asked : always) {
                    session.release(asked.query(), asked.l2Bound());
                }
            } else {
                KernelRun.drive(subject, session, random.fork(number));
            }
        } catch (EndOfTranscript e) {
            return session.transcript();
        }
        return session.transcript();
    }

    /** Runs from a number up to another, on some threads. */
    public Transcript[] runs(int from, int to, int threads) {
        Transcript[] found = new Transcript[to - from];
        AtomicInteger next = new AtomicInteger(from);
        Workers.run(
                threads,
                () -> IntStream.generate(next::getAndIncrement)
                        .takeWhile(run -> run < to)
                        .forEach(run -> found[run - from] = run(run)));
        return found;
    }
}
