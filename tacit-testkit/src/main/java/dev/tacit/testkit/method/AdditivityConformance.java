package dev.tacit.testkit.method;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import dev.tacit.engine.Plans;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.run.method.FitMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;

/**
 * What the guarantee of every release rests on, checked exactly at each release of a real kernel, in integers of the release's grid:
 *
 * <pre>
 *   S(D) − S(D without u) = S({u})   to the last bit,     ‖S({u})‖₂ ≤ {@link SumGrid#sensitivity()}     for every unit u
 *   over shards  ‖S(D) − S(D without u)‖₂ ≤ 2 sensitivities
 * </pre>
 *
 * The kernel runs through the ordinary door; sums over the sub-tables are taken in step with it, of all records, whatever the plan
 * samples, because a sample's sum is one of them. States that a run does not reach are not covered.
 */
public final class AdditivityConformance {
    /** A mistake to be found, for tests of this test. */
    public record Mistake(UnaryOperator<RecordSum> query, DoubleUnaryOperator bound) {
        /** No mistake. */
        public static final Mistake NONE = new Mistake(query -> query, bound -> bound);
    }

    /** What was checked. */
    public record Checked(long releases, long comparisons, double largestNorm) {
        /** Both together. */
        public Checked plus(Checked other) {
            return new Checked(
                    releases + other.releases,
                    comparisons + other.comparisons,
                    Math.max(largestNorm, other.largestNorm));
        }
    }

    private static final double NOISE_MULTIPLIER = 3;

    private AdditivityConformance() {}

    /** Runs a method on a table, and fails at the first unit that moves a release by anything but its own bounded contribution. */
    public static <M, S extends Record> Checked check(
            FitMethod<M, S> method, CatalogueTable table, boolean sparse, Mistake mistake) {
        ReleasePlan plan = method.kernel().plan(method.model(), table.shape().publicSize());
        int maxRecords = table.mostRecords();
        try {
            Audit audit = new Audit(table, plan, sparse, maxRecords, mistake);
            run(method.kernel(), method.model(), audit);
            return new Checked(audit.released(), audit.comparisons, audit.largestNorm);
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    private static <M, S extends Record> void run(InferenceKernel<M, S> kernel, M model, PrivateSession session) {
        RandomStream random = RandomStream.ofSeed(11);
        S state = kernel.init(model, session.publicSize(), random.fork("init"));
        while (session.released() < session.plan().releases()) {
            state = kernel.step(state, model, session, random.fork(session.released()))
                    .state();
        }
    }

    /** Shows the integers that the door added up, in place of noise. */
    private static final class Spy implements NoiseMechanism {
        private final DiscreteGaussianMechanism claimed;
        private final DoubleUnaryOperator bound;
        private final long[][] seen;
        private final SumGrid[] grid;

        Spy(DiscreteGaussianMechanism claimed, DoubleUnaryOperator bound, long[][] seen, SumGrid[] grid) {
            this.claimed = claimed;
            this.bound = bound;
            this.seen = seen;
            this.grid = grid;
        }

        @Override
        public PrivacyProfile profile(int dimension) {
            return claimed.profile(dimension);
        }

        @Override
        public NoiseMechanism scaled(double factor) {
            return new Spy(claimed.scaled(factor), bound, seen, grid);
        }

        @Override
        public double noiseStandardDeviation(double l2Bound) {
            return claimed.noiseStandardDeviation(l2Bound);
        }

        @Override
        public SumGrid grid(double l2Bound, int dimension) {
            grid[0] = claimed.grid(l2Bound, dimension);
            return claimed.grid(bound.applyAsDouble(l2Bound), dimension);
        }

        @Override
        public boolean forRelease() {
            return false;
        }

        @Override
        public void addNoise(long[] gridSums, double l2Bound, NoiseSource noise) {
            seen[0] = gridSums.clone();
        }
    }

    /** The sums of one table, release after release. */
    private static final class Sums {
        private final long[][] seen = new long[1][];
        private final SumGrid[] grid = new SumGrid[1];
        private final PrivateSession session;

        Sums(PrivateDataset data, ReleasePlan plan, Mistake mistake) throws BudgetExhausted {
            this.session = data.open(
                    RunRequest.of("audit", plan),
                    new Spy(new DiscreteGaussianMechanism(NOISE_MULTIPLIER), mistake.bound(), seen, grid),
                    new FreeLedger(data.unit()),
                    ReplayNoise.ofSeed(1));
        }

        long[] next(Consumer<PrivateSession> release) {
            release.accept(session);
            return seen[0];
        }
    }

    /** The kernel's session, which takes every query to all sub-tables before it answers. */
    private static final class Audit extends ForwardingSession {
        private final PrivateSession real;
        private final Sums whole;
        private final List<Sums> without = new ArrayList<>();
        private final List<Sums> only = new ArrayList<>();
        private final Mistake mistake;
        private final boolean sharded;
        private long comparisons;
        private double largestNorm;

        Audit(CatalogueTable table, ReleasePlan plan, boolean sparse, int maxRecords, Mistake mistake)
                throws BudgetExhausted {
            this(table.dataset(sparse, maxRecords), table, plan, sparse, maxRecords, mistake);
        }

        private Audit(
                PrivateDataset data,
                CatalogueTable table,
                ReleasePlan plan,
                boolean sparse,
                int maxRecords,
                Mistake mistake)
                throws BudgetExhausted {
            this(open(data, plan), data, table, plan, sparse, maxRecords, mistake);
        }

        private Audit(
                PrivateSession real,
                PrivateDataset data,
                CatalogueTable table,
                ReleasePlan plan,
                boolean sparse,
                int maxRecords,
                Mistake mistake)
                throws BudgetExhausted {
            super(real);
            this.real = real;
            this.mistake = mistake;
            this.sharded = PartyView.shardsOf(plan).isPresent();
            ReleasePlan everybody = Plans.withoutSampling(plan);
            this.whole = new Sums(data, everybody, mistake);
            for (int unit = 0; unit < table.units().size(); unit++) {
                without.add(new Sums(table.without(unit).dataset(sparse, maxRecords), everybody, mistake));
                only.add(new Sums(table.only(unit).dataset(sparse, maxRecords), everybody, mistake));
            }
        }

        private static PrivateSession open(PrivateDataset data, ReleasePlan plan) throws BudgetExhausted {
            return data.open(
                    RunRequest.of("kernel", plan),
                    new DiscreteGaussianMechanism(NOISE_MULTIPLIER),
                    new FreeLedger(data.unit()),
                    ReplayNoise.ofSeed(2));
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            RecordSum asked = mistake.query().apply(query);
            compare(session -> session.release(asked, l2Bound));
            return real.release(query, l2Bound);
        }

        private void compare(Consumer<PrivateSession> release) {
            long[] all = whole.next(release);
            double sensitivity = whole.grid[0].sensitivity();
            for (int unit = 0; unit < only.size(); unit++) {
                long[] moved = difference(all, without.get(unit).next(release));
                long[] own = only.get(unit).next(release);
                String where = "release " + (released() + 1) + ", unit " + unit;
                if (!sharded) {
                    assertThat(moved).as("what the unit moves; " + where).containsExactly(own);
                }
                double norm = norm(moved) / (sensitivity * (sharded ? 2 : 1));
                assertThat(norm).as("norm over sensitivity; " + where).isLessThanOrEqualTo(1);
                largestNorm = Math.max(largestNorm, norm);
                comparisons++;
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
    }
}
