package dev.tacit.audit.transcript;

import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.KernelRun;
import dev.tacit.audit.subject.TableSums;
import dev.tacit.audit.table.CornerRecords;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds the unit that is easiest to see.
 *
 * <pre>
 *   largest over units u of  Σ over releases of  ‖S({u}) − S({})‖² / σ²,       with replaced units  ‖S({u}) − S({v})‖² / σ²
 * </pre>
 *
 * in a few runs of the method on an empty table, over the corners of what is declared ({@link CornerRecords}). A unit that
 * is not among them may be easier to see; then the audit says less than it could.
 */
public final class WorstNeighbours {
    private static final int RUNS = 4;
    private static final long MOST_RELEASES = 400;

    private WorstNeighbours() {}

    /** The pair that is furthest apart in a few runs. */
    public static <M, S extends Record> NeighbourPair find(AuditSubject<M, S> subject, long seed) {
        return find(subject, seed, RUNS);
    }

    /** The pair that is furthest apart in so many runs. */
    public static <M, S extends Record> NeighbourPair find(AuditSubject<M, S> subject, long seed, int runs) {
        Map<String, SyntheticTable> corners =
                CornerRecords.of(subject.shape(), subject.unit().maxRecords(), seed);
        List<String> names = new ArrayList<>(corners.keySet());
        List<TableSums> sums = new ArrayList<>();
        for (SyntheticTable table : corners.values()) {
            sums.add(new TableSums(table, subject.plan(), subject.unit()));
        }
        SyntheticTable empty = SyntheticTable.empty(subject.shape());
        sums.add(new TableSums(empty, subject.plan(), subject.unit()));
        double[][] apart = new double[sums.size()][sums.size()];
        double[] most = new double[1];
        for (int run = 0; run < runs; run++) {
            PrivateSession session = subject.door()
                    .open(
                            subject.door().records(empty, false, subject.unit()),
                            RunRequest.of("audit", subject.plan()),
                            subject.mechanism(),
                            ReplayNoise.ofSeed(seed).fork(run));
            Search search = new Search(session, subject.mechanism(), sums, apart, most);
            try {
                KernelRun.drive(subject, search, RandomStream.ofSeed(seed).fork(run));
            } catch (EndOfTranscript seenEnough) {
                // the search has what it wants of this run, and goes on with the next
            }
        }
        return pair(subject, names, new ArrayList<>(corners.values()), apart, most[0]);
    }

    private static NeighbourPair pair(
            AuditSubject<?, ?> subject,
            List<String> names,
            List<SyntheticTable> tables,
            double[][] apart,
            double most) {
        int nobody = names.size();
        boolean replace = subject.unit().neighbours() == Neighbours.REPLACE_ONE;
        int one = 0;
        int other = nobody;
        for (int i = 0; i < nobody; i++) {
            for (int j = replace ? 0 : nobody; j <= (replace ? nobody - 1 : nobody); j++) {
                if (apart[i][j] > apart[one][other] || (replace && other == nobody)) {
                    one = i;
                    other = j;
                }
            }
        }
        double reach = most > 0 ? Math.sqrt(apart[one][other] / most) : 0;
        return new NeighbourPair(
                tables.get(one),
                other == nobody ? SyntheticTable.empty(subject.shape()) : tables.get(other),
                other == nobody ? names.get(one) : names.get(one) + " in place of " + names.get(other),
                reach);
    }

    /** Asks every release what each candidate would add to it. */
    private static final class Search extends ForwardingSession {
        private final PrivateSession session;
        private final NoiseMechanism mechanism;
        private final List<TableSums> candidates;
        private final double[][] apart;
        private final double[] most;

        Search(
                PrivateSession session,
                NoiseMechanism mechanism,
                List<TableSums> candidates,
                double[][] apart,
                double[] most) {
            super(session);
            this.session = session;
            this.mechanism = mechanism;
            this.candidates = candidates;
            this.apart = apart;
            this.most = most;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            long index = released();
            ReleasePlan.Phase phase = plan().phaseOf(index);
            NoiseMechanism scaled = mechanism.scaled(phase.relativeNoise());
            SumGrid grid = scaled.grid(l2Bound, phase.dimension());
            double deviation = scaled.noiseStandardDeviation(l2Bound) / grid.granularity();
            List<long[]> sums = new ArrayList<>();
            for (TableSums candidate : candidates) {
                sums.add(candidate.of(index, query, grid));
            }
            for (int i = 0; i < sums.size(); i++) {
                for (int j = 0; j < i; j++) {
                    double squares = squares(sums.get(i), sums.get(j)) / (deviation * deviation);
                    apart[i][j] += squares;
                    apart[j][i] += squares;
                }
            }
            double bounds = grid.sensitivity() * unit().neighbours().boundsMoved() / deviation;
            most[0] += bounds * bounds;
            NoisySum released = session.release(query, l2Bound);
            if (released() >= Math.min(MOST_RELEASES, plan().releases())) {
                throw new EndOfTranscript();
            }
            return released;
        }

        private static double squares(long[] a, long[] b) {
            double sum = 0;
            for (int j = 0; j < a.length; j++) {
                double moved = a[j] - b[j];
                sum += moved * moved;
            }
            return sum;
        }
    }
}
