package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Everything that a fit across parties releases, from the table to the last round, keeps the epsilon of its plan when somebody
 * comes or goes, and twins with half the noise, or with turns that see everybody's records, do not.
 *
 * <p>The attacker sees all released numbers and takes the projection on the difference that the noise-free runs show. The
 * probability that a correct fit fails a test is below 1e-6; all noise is replayed from a fixed seed, which a failing verdict
 * names.
 */
class FitPartiesGuaranteeTest {
    private static final long SEED = 70_111L;
    private static final int OUTPUTS = 3_000;
    private static final double DELTA = 0.1;
    private static final double NOISE_MULTIPLIER = 1.5;

    private static final List<String> OTHERS = List.of("1,-1,0", "-1,1,1", "1,-1,1", "-1,1,0");
    private static final List<String> ALL = List.of("1,1,1", "1,-1,0", "-1,1,1", "1,-1,1", "-1,1,0");

    private static final Schema SCHEMA = SchemaYaml.read("""
            unit: record
            size: 5
            target: y
            encoding: {intercept: false}
            columns:
              a: {type: number, bounds: [-1, 1], center: true}
              b: {type: number, bounds: [-1, 1], center: true}
              y: {type: binary, positive: "1"}
            """);

    @TempDir
    private Path folder;

    private PrivateDataset open(List<String> rows) {
        return PartyFits.open(folder, SCHEMA, "a,b,y", rows);
    }

    private static FitMethod<?, ?> method(String settings) {
        return PartyFits.method(SCHEMA, settings);
    }

    /** Keeps all that leaves the door, in units of its noise. */
    private static final class Overheard extends SabotagedSession {
        private final ReleasePlan plan;
        private double[] heard = {};
        private long made;

        Overheard(PrivateSession door, ReleasePlan plan) {
            super(List.of(door), 1, plan);
            this.plan = plan;
        }

        @Override
        public NoisySum release(RecordSum query, double l2Bound) {
            NoisySum sum = super.release(query, l2Bound);
            double unit = plan.phaseOf(made++).relativeNoise() * l2Bound;
            heard = DoubleStream.concat(
                            Arrays.stream(heard), Arrays.stream(sum.value()).map(number -> number / unit))
                    .toArray();
            return sum;
        }
    }

    private static ReleasePlan plan(FitMethod<?, ?> method) {
        return PartyFits.plan(method, SCHEMA);
    }

    private static <M, S extends Record> double[] heard(FitMethod<M, S> method, PrivateSession door) {
        Overheard overheard = new Overheard(door, plan(method));
        InferenceRun.once(method.kernel(), method.model(), overheard, RandomStream.ofSeed(1));
        return overheard.heard;
    }

    private static double[] withoutNoise(FitMethod<?, ?> method, PrivateDataset data, ReleasePlan plan) {
        return heard(method, data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1)));
    }

    private static Supplier<double[]> fits(
            FitMethod<?, ?> method,
            PrivateDataset data,
            ReleasePlan plan,
            double noise,
            double[] direction,
            long side) {
        long[] sample = {0};
        return () -> {
            try {
                double[] heard = heard(
                        method,
                        data.open(
                                RunRequest.of("test", plan),
                                new DiscreteGaussianMechanism(noise),
                                new FreeLedger(data.unit()),
                                ReplayNoise.ofSeed(SEED).fork(side).fork(sample[0]++)));
                double projection = 0;
                for (int i = 0; i < heard.length; i++) {
                    projection += heard[i] * direction[i];
                }
                return new double[] {projection};
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "parties=2 rounds=2 firstShare=0.3 residualClip=0.1 startScale=1e-12 ridge=1e6, PLANNED, 1, true",
        "parties=2 rounds=2 firstShare=0.3 residualClip=0.1 startScale=1e-12 ridge=1e6, PLANNED, 0.5, false",
        "parties=2 rounds=2 firstShare=0.3 residualClip=0.1 startScale=1e-12 ridge=1e6 aggregator=trusted, PLANNED, 1, true",
        "parties=2 rounds=2 firstShare=0.3 residualClip=0.1 startScale=1e-12 ridge=1e6 aggregator=trusted, PLANNED, 0.5, false",
        "parties=2 rounds=2 way=virtual l2Bound=0.1, PLANNED, 1, true",
        "parties=2 rounds=2 way=virtual l2Bound=0.1, PLANNED, 0.5, false",
        "parties=3 rounds=2 way=virtual l2Bound=0.1, EVERYBODY, 1, false",
        "parties=2 rounds=2 way=virtual l2Bound=0.1 schedule=synchronous, PLANNED, 1, true",
        "parties=2 rounds=2 way=virtual l2Bound=0.1 schedule=synchronous, PLANNED, 0.5, false",
        "parties=2 rounds=1 localSteps=2 way=dp-optimisation l2Bound=0.1 sampling=full, PLANNED, 1, true",
        "parties=2 rounds=1 localSteps=2 way=dp-optimisation l2Bound=0.1 sampling=full, PLANNED, 0.5, false",
        "parties=3 rounds=1 localSteps=2 way=dp-optimisation l2Bound=0.1 sampling=full, EVERYBODY, 1, false"
    })
    void whatLeavesTheDoorKeepsTheEpsilonOfThePlan(String settings, Turns turns, double noiseFactor, boolean holds) {
        FitMethod<?, ?> method = method(settings);
        ReleasePlan plan = plan(method);
        // In the twin everybody's records are seen in every turn, and a record pays as if only its party's were.
        ReleasePlan run = turns == Turns.EVERYBODY ? new ReleasePlan(plan.phases()) : plan;
        PrivateDataset with = open(ALL);
        PrivateDataset without = open(OTHERS);
        double[] direction = withoutNoise(method, with, run);
        double[] other = withoutNoise(method, without, run);
        for (int i = 0; i < direction.length; i++) {
            direction[i] -= other[i];
        }
        double epsilon = new ExactAccountant()
                .epsilon(plan.event(new DiscreteGaussianMechanism(NOISE_MULTIPLIER)), DELTA, Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(
                        fits(method, with, run, NOISE_MULTIPLIER * noiseFactor, direction, 1),
                        fits(method, without, run, NOISE_MULTIPLIER * noiseFactor, direction, 2))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(holds);
    }

    private enum Turns {
        PLANNED,
        EVERYBODY
    }
}
