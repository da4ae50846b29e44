package dev.tacit.partitioned.dealt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.Step;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.Parties;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records in one place that a public rule deals out to parties end where parties with records of their own end. */
class FactorInferenceTest {
    private static final int ROWS = 120;
    private static final int COLUMNS = 3;
    private static final int ROUNDS = 4;
    private static final double DAMPING = 0.3;
    private static final PartyRule RULE = new PartyRule.Hashed(3, 9);
    private static final LogisticRegression MODEL = new LogisticRegression(List.of("a", "b", "c"), 2, 0.5);
    private static final NaturalGaussian PRIOR = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, COLUMNS, 0.5);

    private static DenseBlock rows() {
        RandomStream random = RandomStream.ofSeed(3);
        double[] values = new double[ROWS * COLUMNS];
        double[] labels = new double[ROWS];
        for (int row = 0; row < ROWS; row++) {
            for (int j = 0; j < COLUMNS; j++) {
                values[row * COLUMNS + j] = 2 * random.uniform() - 1;
            }
            double margin = 2 * values[row * COLUMNS] - values[row * COLUMNS + 1];
            labels[row] = random.uniform() < 1 / (1 + Math.exp(-margin)) ? 1 : 0;
        }
        return DenseBlock.of(ROWS, COLUMNS, values, labels);
    }

    private static PrivateDataset dataset(DenseBlock block, long publicSize) {
        return LocalSummation.dataset(RecordsInMemory.of(block, true), Parties.RECORD, publicSize, 1);
    }

    /** The records of each party, as a party of its own would have them. */
    private static List<PrivateDataset> apart() {
        DenseBlock rows = rows();
        List<PrivateDataset> parts = new ArrayList<>();
        for (int party = 0; party < RULE.parties(); party++) {
            List<Double> values = new ArrayList<>();
            List<Double> labels = new ArrayList<>();
            for (int row = 0; row < ROWS; row++) {
                if (RULE.party(rows, row) == party) {
                    for (int j = 0; j < COLUMNS; j++) {
                        values.add(rows.values()[rows.start(row) + j]);
                    }
                    labels.add(rows.label(row));
                }
            }
            parts.add(dataset(
                    DenseBlock.of(labels.size(), COLUMNS, numbers(values), numbers(labels)), ROWS / RULE.parties()));
        }
        return parts;
    }

    private static double[] numbers(List<Double> list) {
        return list.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static DpOptimisation.Settings climbing() {
        return new DpOptimisation.Settings(3, new FullPass(), 2, 0.05, 1);
    }

    private static final VirtualClients.Settings VIRTUAL = new VirtualClients.Settings(1, 2);

    /** How a party works. */
    private enum Way {
        OPTIMISATION,
        VIRTUAL,
        PERTURBATION,
        AVERAGING;

        LocalSteps steps() {
            return switch (this) {
                case OPTIMISATION -> new DpOptimisation(MODEL, climbing());
                case VIRTUAL -> new VirtualClients(MODEL, FactorInferenceTest.VIRTUAL);
                case PERTURBATION, AVERAGING -> new LocalAveraging(MODEL, shards(), 4);
            };
        }

        private LocalAveraging.Settings shards() {
            return new LocalAveraging.Settings(
                    GaussianFamily.MEAN_FIELD, this == AVERAGING ? 7 : 1, new ShardSolver.Settings(3, 0.2), 50);
        }
    }

    private static FactorInference kernel(Way way, boolean sequential) {
        return new FactorInference(RULE, false, way.steps(), settings(sequential));
    }

    private static Coordinator.Settings settings(boolean sequential) {
        return new Coordinator.Settings(
                ROUNDS,
                sequential ? new Schedule.Sequential() : new Schedule.Synchronous(),
                DAMPING,
                new Repair(0.3, 2));
    }

    private static PrivateSession session(ReleasePlan plan) {
        return dataset(rows(), ROWS).openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(1));
    }

    @ParameterizedTest
    @CsvSource({
        "VIRTUAL, true",
        "VIRTUAL, false",
        "OPTIMISATION, true",
        "OPTIMISATION, false",
        "PERTURBATION, true",
        "PERTURBATION, false"
    })
    void recordsInOnePlaceAndPartiesAgree(Way way, boolean sequential) {
        FactorInference kernel = kernel(way, sequential);
        Posterior together = InferenceRun.once(kernel, MODEL, session(kernel.plan(MODEL, ROWS)), RandomStream.ofSeed(1))
                .posterior();
        Coordinator.Outcome apart = new Coordinator(PRIOR, settings(sequential), Optional.empty())
                .run(Parties.notPrivate(apart(), way.steps(), PRIOR, DAMPING, ROUNDS), Coordinator.Listener.NONE);
        Posterior read = apart.read().normalise(MODEL.parameterNames()).orElseThrow("a raised approximation is proper");
        Posterior released = apart.global()
                .withPrecisionOf(PRIOR)
                .normalise(MODEL.parameterNames())
                .orElseThrow("a raised approximation is proper");
        assertThat(together.mean()).containsExactly(read.mean(), within(1e-6));
        assertThat(together.standardDeviation()).containsExactly(released.standardDeviation(), within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "VIRTUAL, true",
        "VIRTUAL, false",
        "OPTIMISATION, true",
        "OPTIMISATION, false",
        "PERTURBATION, true",
        "PERTURBATION, false",
        "AVERAGING, true",
        "AVERAGING, false"
    })
    void aStateThatIsWrittenDownGoesOnAsIfItHadNotBeen(Way way, boolean sequential) {
        FactorInference kernel = kernel(way, sequential);
        ReleasePlan plan = kernel.plan(MODEL, ROWS);
        PrivateSession session = session(plan);
        FactorInference.State kept = kernel.init(MODEL, ROWS, RandomStream.ofSeed(1));
        FactorInference.State written = kept;
        PrivateSession again = session(plan);
        for (long release = 0; release < plan.releases(); release++) {
            kept = kernel.step(kept, MODEL, session, RandomStream.ofSeed(release))
                    .state();
            Step<FactorInference.State> step = kernel.step(written, MODEL, again, RandomStream.ofSeed(release));
            written = kernel.fromJson(JsonFields.of(Json.read(Json.write(kernel.toJson(step.state()))), "state"));
        }
        assertThat(kernel.posterior(written, MODEL).mean())
                .isEqualTo(kernel.posterior(kept, MODEL).mean());
    }

    /** Nothing is known about the release that was lost, so the party's factor stays; the next rounds go on. */
    @ParameterizedTest
    @CsvSource({
        "VIRTUAL, true",
        "VIRTUAL, false",
        "OPTIMISATION, true",
        "OPTIMISATION, false",
        "PERTURBATION, true",
        "PERTURBATION, false",
        "AVERAGING, true",
        "AVERAGING, false"
    })
    void aLostReleaseLeavesTheRestInOrder(Way way, boolean sequential) {
        FactorInference kernel = kernel(way, sequential);
        FactorInference.State start = kernel.init(MODEL, ROWS, RandomStream.ofSeed(1));
        FactorInference.State lost = start;
        int inARound = way.steps().releases().times();
        for (int release = 0; release < inARound; release++) {
            lost = kernel.without(lost, MODEL);
        }
        assertThat(lost.releases()).isEqualTo(inARound);
        assertThat(kernel.posterior(lost, MODEL).mean())
                .containsExactly(kernel.posterior(start, MODEL).mean(), within(1e-12));
    }

    /**
     * Shards are other ones when they are drawn at random, so the two agree as far as averages over shards do: within a quarter of a
     * standard deviation for these seeds.
     */
    @Test
    void averagesOverOtherShardsAreNear() {
        FactorInference kernel = kernel(Way.AVERAGING, true);
        Posterior together = InferenceRun.once(kernel, MODEL, session(kernel.plan(MODEL, ROWS)), RandomStream.ofSeed(1))
                .posterior();
        Posterior apart = new Coordinator(PRIOR, settings(true), Optional.empty())
                .run(
                        Parties.notPrivate(apart(), Way.AVERAGING.steps(), PRIOR, DAMPING, ROUNDS),
                        Coordinator.Listener.NONE)
                .read()
                .normalise(MODEL.parameterNames())
                .orElseThrow("a raised approximation is proper");
        for (int j = 0; j < COLUMNS; j++) {
            assertThat(together.mean()[j]).isCloseTo(apart.mean()[j], within(0.25 * apart.standardDeviation()[j]));
        }
    }

    /** With equal factors behind an aggregator, all shards of all parties answer as one. */
    @Test
    void anAggregatorSeesTheSumOverAllShards() {
        FactorInference kernel = new FactorInference(RULE, true, Way.AVERAGING.steps(), settings(false));
        ReleasePlan plan = kernel.plan(MODEL, ROWS);
        assertThat(PartyView.shardsOf(plan).orElseThrow().shards()).isEqualTo(7);
        assertThat(plan.phases().get(0).dimension()).isEqualTo(2 * COLUMNS);
        Posterior behind = InferenceRun.once(kernel, MODEL, session(plan), RandomStream.ofSeed(1))
                .posterior();
        FactorInference open = kernel(Way.AVERAGING, false);
        Posterior each = InferenceRun.once(open, MODEL, session(open.plan(MODEL, ROWS)), RandomStream.ofSeed(1))
                .posterior();
        for (int j = 0; j < COLUMNS; j++) {
            assertThat(behind.mean()[j]).isCloseTo(each.mean()[j], within(0.3 * each.standardDeviation()[j]));
        }
    }

    @Test
    void aKernelOfSumsSeesWhatThePartiesAddUpTo() {
        ResidualNewton whole = new ResidualNewton(ResidualNewton.Settings.standard());
        AcrossParties<dev.tacit.model.ResidualModel, ResidualNewton.State> across =
                new AcrossParties<>(whole, RULE, false, COLUMNS);
        Posterior together = InferenceRun.once(whole, MODEL, session(whole.plan(MODEL, ROWS)), RandomStream.ofSeed(1))
                .posterior();
        Posterior apart = InferenceRun.once(across, MODEL, session(across.plan(MODEL, ROWS)), RandomStream.ofSeed(1))
                .posterior();
        assertThat(apart.mean()).containsExactly(together.mean(), within(1e-6));
        assertThat(across.plan(MODEL, ROWS).phases().get(1).dimension()).isEqualTo(RULE.parties() * COLUMNS);
    }

    @Test
    void noiseThatWentThroughAnOptimiserHasNoAggregator() {
        assertThatThrownBy(
                        () -> new FactorInference(RULE, true, new DpOptimisation(MODEL, climbing()), settings(false)))
                .hasMessageContaining("aggregator");
    }
}
