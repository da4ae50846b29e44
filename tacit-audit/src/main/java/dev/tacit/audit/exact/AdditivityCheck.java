package dev.tacit.audit.exact;

import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.KernelRun;
import dev.tacit.audit.subject.SpyMechanism;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.Plans;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.shard.PartyView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the guarantee of every release rests on, checked exactly at each release of a real kernel, in integers of the release's grid:
 *
 * <pre>
 *   S(D) − S(D without u) = S({u})   to the last bit,     ‖S({u})‖₂ ≤ {@link SumGrid#sensitivity()} of the claimed grid    for every unit u
 *   over shards  ‖S(D) − S(D without u)‖₂ ≤ 2 sensitivities
 * </pre>
 *
 * The kernel runs through the ordinary door; sums over the sub-tables are taken in step with it, of all records, whatever the plan
 * samples, because a sample's sum is one of them. States that a run does not reach are not covered.
 */
public final class AdditivityCheck {
    private static final long KERNEL_SEED = 11;

    /**
     * What was checked.
     *
     * @param releases how many were looked at
     * @param comparisons how many units were removed, over all of them
     * @param largestNorm of what a unit moved, in sensitivities
     * @param defect the first unit that moved something else
     */
    public record Checked(long releases, long comparisons, double largestNorm, Optional<Defect> defect) {
        /** Nothing yet. */
        public static final Checked NOTHING = new Checked(0, 0, 0, Optional.empty());

        /** Both together. */
        public Checked plus(Checked other) {
            return new Checked(
                    releases + other.releases,
                    comparisons + other.comparisons,
                    Math.max(largestNorm, other.largestNorm),
                    defect.or(() -> other.defect));
        }
    }

    private AdditivityCheck() {}

    /** Runs a subject on a table up to a number of releases, or to the first unit that moves what it must not. */
    public static Checked run(AuditSubject<?, ?> subject, SyntheticTable table, boolean sparse, long mostReleases) {
        return run(subject, table, sparse, mostReleases, UnaryOperator.identity());
    }

    /**
     * Runs a subject on a table and checks every unit.
     *
     * @param asked what the door is asked in place of a query, for tests of this check
     */
    public static Checked run(
            AuditSubject<?, ?> subject,
            SyntheticTable table,
            boolean sparse,
            long mostReleases,
            UnaryOperator<RecordSum> asked) {
        Listener listener = new Listener(subject, table, sparse, mostReleases, asked);
        try {
            KernelRun.drive(subject, listener, RandomStream.ofSeed(KERNEL_SEED));
        } catch (Enough e) {
            return listener.checked();
        }
        return listener.checked();
    }

    /** Ends a run that was looked at long enough. */
    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Enough() {
            super("looked at long enough", null, false, false);
        }
    }

    /** The sums of one table, release after release. */
    private static final class Sums {
        private final SpyMechanism.Seen seen = new SpyMechanism.Seen();
        private final PrivateSession session;

        Sums(AuditSubject<?, ?> subject, SyntheticTable table, boolean sparse, ReleasePlan plan) {
            PrivateDataset data = subject.door().records(table, sparse, subject.unit());
            this.session = subject.door()
                    .open(
                            data,
                            RunRequest.of("audit", plan),
                            new SpyMechanism(subject.added(), seen),
                            ReplayNoise.ofSeed(1));
        }

        long[] next(RecordSum query, double l2Bound) {
            session.release(query, l2Bound);
            return seen.sums();
        }
    }

    /** The kernel's session, which takes every query to all sub-tables before it answers. */
    private static final class Listener extends ForwardingSession {
        private final AuditSubject<?, ?> subject;
        private final PrivateSession session;
        private final Sums whole;
        private final List<Sums> without = new ArrayList<>();
        private final List<Sums> only = new ArrayList<>();
        private final boolean sharded;
        private final long mostReleases;
        private final UnaryOperator<RecordSum> asked;
        private long comparisons;
        private double largestNorm;
        private Optional<Defect> defect = Optional.empty();

        Listener(
                AuditSubject<?, ?> subject,
                SyntheticTable table,
                boolean sparse,
                long mostReleases,
                UnaryOperator<RecordSum> asked) {
            this(subject, open(subject, table, sparse), table, sparse, mostReleases, asked);
        }

        private Listener(
                AuditSubject<?, ?> subject,
                PrivateSession session,
                SyntheticTable table,
                boolean sparse,
                long mostReleases,
                UnaryOperator<RecordSum> asked) {
            super(session);
            this.subject = subject;
            this.session = session;
            this.mostReleases = mostReleases;
            this.asked = asked;
            this.sharded = PartyView.shardsOf(subject.plan()).isPresent();
            ReleasePlan everybody = Plans.withoutSampling(subject.plan());
            this.whole = new Sums(subject, table, sparse, everybody);
            for (int unit = 0; unit < table.units().size(); unit++) {
                without.add(new Sums(subject, table.without(unit), sparse, everybody));
                only.add(new Sums(subject, table.only(unit), sparse, everybody));
            }
        }

        private static PrivateSession open(AuditSubject<?, ?> subject, SyntheticTable table, boolean sparse) {
            return subject.door()
                    .open(
                            subject.door().records(table, sparse, subject.unit()),
                            RunRequest.of("audit", subject.plan()),
                            subject.mechanism(),
                            ReplayNoise.ofSeed(2));
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            compare(asked.apply(query), l2Bound);
            if (defect.isPresent()) {
                throw new Enough();
            }
            NoisySum released = session.release(query, l2Bound);
            if (released() >= mostReleases) {
                throw new Enough();
            }
            return released;
        }

        private void compare(RecordSum query, double l2Bound) {
            ReleasePlan.Phase phase = plan().phaseOf(released());
            SumGrid claimed = subject.mechanism().scaled(phase.relativeNoise()).grid(l2Bound, phase.dimension());
            long[] all = whole.next(query, l2Bound);
            // In numbers, not in steps: a grid that is too wide has steps that are too wide.
            double most = claimed.sensitivity() * claimed.granularity() / whole.seen.granularity() * (sharded ? 2 : 1);
            for (int unit = 0; unit < only.size() && defect.isEmpty(); unit++) {
                long[] moved = difference(all, without.get(unit).next(query, l2Bound));
                long[] own = only.get(unit).next(query, l2Bound);
                String where = " (release " + (released() + 1) + " of " + plan().releases() + ", unit " + (unit + 1)
                        + " of " + only.size() + ")";
                double norm = norm(moved) / most;
                largestNorm = Math.max(largestNorm, norm);
                comparisons++;
                if (!sharded && !Arrays.equals(moved, own)) {
                    defect = Optional.of(new Defect(
                            Kind.ADDITIVITY,
                            "removing a unit moves a sum by something else than what the unit contributes alone"
                                    + where));
                } else if (!(norm <= 1)) {
                    defect = Optional.of(new Defect(
                            Kind.NORM, "a unit moves a sum by " + norm + " times what its bound allows" + where));
                }
            }
        }

        private static long[] difference(long[] a, long[] b) {
            long[] result = new long[a.length];
            for (int i = 0; i < a.length; i++) {
                result[i] = a[i] - b[i];
            }
            return result;
        }

        private static double norm(long[] numbers) {
            double squares = 0;
            for (long number : numbers) {
                squares += (double) number * number;
            }
            return Math.sqrt(squares);
        }

        Checked checked() {
            return new Checked(released(), comparisons, largestNorm, defect);
        }
    }
}
