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
import java.util.ArrayList;
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
    private final NeighbourPair tables;
    private final PrivateDataset data;
    private final PrivateDataset neighbour;
    private final TranscriptSession.Pair adaptive;
    private final List<FixedQueries> fixed = new ArrayList<>();
    private final ReplayNoise noise;
    private final RandomStream random;

    /** What one run asked, and the sums that belong to it. */
    private record FixedQueries(List<AuditSubject.Asked> asked, TranscriptSession.Pair sums) {}

    /** Runs of the whole method; if it makes one release, what that asks is the same in every run. */
    public TranscriptRuns(AuditSubject<M, S> subject, NeighbourPair tables, long seed) {
        this.subject = subject;
        this.tables = tables;
        this.data = subject.door().records(tables.data(), false, subject.unit());
        this.neighbour = subject.door().records(tables.neighbour(), false, subject.unit());
        this.noise = ReplayNoise.ofSeed(seed);
        this.random = RandomStream.ofSeed(seed);
        this.adaptive = sums(subject.prelude().size());
        if (subject.plan().releases() == subject.prelude().size() + 1L) {
            fix(1);
        }
    }

    private TranscriptSession.Pair sums(int same) {
        SyntheticTable nobody = SyntheticTable.empty(subject.shape());
        return new TranscriptSession.Pair(
                new TableSums(tables.data(), subject.plan(), subject.unit(), same),
                new TableSums(tables.neighbour(), subject.plan(), subject.unit(), same),
                new TableSums(nobody, subject.plan(), subject.unit(), same));
    }

    /** Runs of a twin, which ask what these runs ask if that is fixed: a claim holds whatever is asked. */
    public TranscriptRuns<M, S> twin(AuditSubject<M, S> other, long seed) {
        TranscriptRuns<M, S> runs = new TranscriptRuns<>(other, tables, seed);
        runs.fixed.clear();
        runs.fixed.addAll(fixed);
        return runs;
    }

    private PrivateSession open(PrivateDataset records, long run) {
        return subject.door().open(records, RunRequest.of("audit", subject.plan()), subject.added(), noise.fork(run));
    }

    /**
     * From here on, runs ask what some runs of the method asked, one after the other, and the method itself is not run again. Their
     * claim is the same, because it holds whatever is asked; they cost what the door costs.
     *
     * @param points how many runs of the method say what is asked
     * @return whether that is possible: a run that diverges asks too little
     */
    public boolean fix(int points) {
        fixed.clear();
        for (int point = 0; point < points; point++) {
            List<AuditSubject.Asked> asked = KernelRun.questions(
                    subject, open(point % 2 == 0 ? neighbour : data, -1L - point), random.fork(-1L - point));
            if (asked.size() == subject.plan().releases()) {
                fixed.add(new FixedQueries(asked, sums(asked.size())));
            }
        }
        return !fixed.isEmpty();
    }

    /** How many runs of the method say what is asked; 0 if every run is one of the method. */
    public int queryPoints() {
        return fixed.size();
    }

    /** One run. */
    public Transcript run(long number) {
        boolean onData = number % 2 == 0;
        PrivateSession door = open(onData ? data : neighbour, number);
        if (!fixed.isEmpty()) {
            FixedQueries queries = fixed.get((int) (number / 2 % fixed.size()));
            TranscriptSession session = new TranscriptSession(door, subject.mechanism(), queries.sums(), onData);
            return complete(
                    session, () -> queries.asked().forEach(asked -> session.release(asked.query(), asked.l2Bound())));
        }
        TranscriptSession session = new TranscriptSession(door, subject.mechanism(), adaptive, onData);
        return complete(session, () -> KernelRun.drive(subject, session, random.fork(number)));
    }

    private static Transcript complete(TranscriptSession session, Runnable run) {
        try {
            run.run();
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
