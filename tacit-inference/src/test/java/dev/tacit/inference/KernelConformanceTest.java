package dev.tacit.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.inference.bayes.ResidualVariationalBayes;
import dev.tacit.inference.ep.DpStochasticEp;
import dev.tacit.inference.ep.FixedPrecisionStochasticEp;
import dev.tacit.inference.noiseaware.ModelImpliedField;
import dev.tacit.inference.noiseaware.NoisyStatisticsGibbs;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.inference.vi.FullRankVariationalInference;
import dev.tacit.json.Json;
import dev.tacit.model.belief.BeliefGradients;
import dev.tacit.model.belief.PolyaGammaBelief;
import dev.tacit.model.belief.SigmoidBeliefNetwork;
import dev.tacit.model.conjugate.BetaBernoulli;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponentialScore;
import dev.tacit.model.conjugate.NoisyBetaBernoulli;
import dev.tacit.model.mixture.ClusterStart;
import dev.tacit.model.mixture.CorrelatedGaussianMixture;
import dev.tacit.model.mixture.GaussianMixture;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LinearRegressionScore;
import dev.tacit.model.regression.LinearSites;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.model.regression.LogisticSites;
import dev.tacit.model.regression.NoisyLinearRegression;
import dev.tacit.model.regression.PolyaGammaLogistic;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import dev.tacit.posterior.family.BetaPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.run.Checkpoint;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.ReleaseNote;
import dev.tacit.run.RunListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every kernel must do, for every kernel. */
class KernelConformanceTest {
    private static final double NOISE = 2;
    private static final long SEED = 5;

    /** A run without noise does not clip, so the kernels compared with it must not either. */
    private static final ResidualNewton.Settings UNCLIPPED =
            new ResidualNewton.Settings(8, 0.15, 4, OptionalDouble.of(1), 2, 0.5, 0.35, 0.3);

    /** A kernel with its model on a small data set. */
    record Case<M, S extends Record>(String name, InferenceKernel<M, S> kernel, M model) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Case<?, ?>> kernels() {
        LogisticRegression logistic = new LogisticRegression(Runs.names(4), 1, 0.3);
        LinearRegression linear = new LinearRegression(Runs.names(4), 1, 0.1, -2, 2, 300, 1);
        SigmoidBeliefNetwork network = new SigmoidBeliefNetwork(Runs.names(4), 2, 3, 0.1, 0);
        return Stream.of(
                new Case<>("residual-newton", new ResidualNewton(UNCLIPPED), logistic),
                new Case<>(
                        "private-vb full",
                        new PrivateVariationalBayes<GaussianPosterior>(new PrivateVariationalBayes.Settings(
                                5, new SamplingScheme.FullPass(), new StepSchedule.LinearAverage())),
                        PolyaGammaLogistic.of(logistic)),
                new Case<>(
                        "private-vb poisson hierarchical",
                        new PrivateVariationalBayes<GaussianPosterior>(new PrivateVariationalBayes.Settings(
                                7, new SamplingScheme.PoissonSampling(0.3), new StepSchedule.RobbinsMonro(1, 0.7))),
                        new PolyaGammaLogistic(logistic, 2, 0.5, true)),
                new Case<>(
                        "private-vb linear",
                        new PrivateVariationalBayes<Posterior>(new PrivateVariationalBayes.Settings(
                                2, new SamplingScheme.FullPass(), new StepSchedule.LinearAverage())),
                        linear),
                new Case<>(
                        "private-vb topics",
                        new PrivateVariationalBayes<ScaledDirichletPosterior>(new PrivateVariationalBayes.Settings(
                                3, new SamplingScheme.PoissonSampling(0.5), new StepSchedule.FlooredAverage(0.25))),
                        LatentDirichletAllocation.forPrivacy(Runs.names(4), 2)),
                new Case<>(
                        "residual-vb",
                        new ResidualVariationalBayes(new ResidualVariationalBayes.Settings(
                                6, new SamplingScheme.PoissonSampling(0.4), 0.5, 1)),
                        new BeliefGradients(network, 300, 20, 2, 0.3, 1)),
                new Case<>(
                        "private-vb belief network",
                        new PrivateVariationalBayes<BeliefNetworkPosterior>(new PrivateVariationalBayes.Settings(
                                3, new SamplingScheme.FullPass(), new StepSchedule.LinearAverage())),
                        new PolyaGammaBelief(network, 300, 1, 2, 1, 0.5, true)),
                new Case<>(
                        "private-vb beta-bernoulli",
                        new PrivateVariationalBayes<BetaPosterior>(new PrivateVariationalBayes.Settings(
                                2, new SamplingScheme.PoissonSampling(0.5), new StepSchedule.LinearAverage())),
                        new BetaBernoulli(1, 1, 300)),
                new Case<>(
                        "private-vb gaussian-mixture",
                        new PrivateVariationalBayes<ProductPosterior>(new PrivateVariationalBayes.Settings(
                                4, new SamplingScheme.FullPass(), new StepSchedule.LinearAverage())),
                        new GaussianMixture(Runs.names(4), 2, 1, 300)),
                new Case<>(
                        "private-vb gaussian-mixture with full covariances",
                        new PrivateVariationalBayes<ProductPosterior>(new PrivateVariationalBayes.Settings(
                                4, new SamplingScheme.PoissonSampling(0.5), new StepSchedule.LinearAverage())),
                        new CorrelatedGaussianMixture(Runs.names(4), 2, 1, 300)),
                new Case<>(
                        "dp-sep neural network",
                        new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                                6, new SamplingScheme.PoissonSampling(0.4), 5, 0.2, 0.1, 0.5, 0.5)),
                        NeuralNetwork.regression(
                                Runs.names(4),
                                0,
                                1,
                                new NeuralNetwork.Design(List.of(3, 2), 5, 1, 75, 300, 0.5, 0.5, 0.1, 0.1))),
                new Case<>(
                        "dp-sep neural network of classes",
                        new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                                4, new SamplingScheme.FullPass(), 5, 0.2, 0.1, 0.5, 0.5)),
                        NeuralNetwork.classification(
                                Runs.names(4),
                                new NeuralNetwork.Design(List.of(3), 5, 1, 75, 300, 0.5, 0.5, 0.1, 0.1))),
                new Case<>(
                        "dp-sep logistic",
                        new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                                6, new SamplingScheme.PoissonSampling(0.5), 1, 0.5, 0.5, 0.3, 0.4)),
                        new LogisticSites(logistic, 300, 0.2)),
                new Case<>(
                        "dp-sep linear with noise variance",
                        new FixedPrecisionStochasticEp(new FixedPrecisionStochasticEp.Settings(
                                6, new SamplingScheme.FullPass(), 1, 0.5, 1, 0, 0.4)),
                        new LinearSites(linear, 0.1, true, 0.1)),
                new Case<>(
                        "dp-sep learned precision",
                        new DpStochasticEp(new DpStochasticEp.Settings(
                                5, new SamplingScheme.PoissonSampling(0.5), 2, 0.5, true, 200, 0.5, 0, 0.4)),
                        new MixtureMeans(
                                Runs.names(4),
                                MixtureMeans.equalWeights(2),
                                0.25,
                                new double[] {0.5, 0, 0, 0, -0.5, 0, 0, 0},
                                0.1,
                                300,
                                Optional.of(new ClusterStart(4, 2, 3, 2, 0.5, 0, 1, 0.3)))),
                new Case<>("field beta-bernoulli", new ModelImpliedField(6), new BetaBernoulliScore(2, 2, 300)),
                new Case<>(
                        "field gamma-exponential", new ModelImpliedField(6), new GammaExponentialScore(2, 1, 5, 300)),
                new Case<>(
                        "field dirichlet-categorical",
                        new ModelImpliedField(6),
                        new DirichletCategoricalScore(Runs.names(4), 1, 300)),
                new Case<>(
                        "field linear",
                        new ModelImpliedField(6),
                        LinearRegressionScore.of(
                                new LinearRegressionScore.Setting(Runs.names(4), false, 1, 3, 1, 300), 1)),
                new Case<>(
                        "noisy statistics beta-bernoulli",
                        new NoisyStatisticsGibbs(new NoisyStatisticsGibbs.Settings(10, 50)),
                        new NoisyBetaBernoulli(2, 2, 300)),
                new Case<>(
                        "noisy statistics linear",
                        new NoisyStatisticsGibbs(new NoisyStatisticsGibbs.Settings(10, 50)),
                        new NoisyLinearRegression(Runs.names(4), 1, 3, 1, 2, 1, true, 300)));
    }

    /** What reads the noise off its trace ends elsewhere when there is none. */
    static Stream<Case<?, ?>> kernelsAndNoiseAwareOnes() {
        Case<?, ?> inference = new Case<>(
                "dpvi",
                new DpVariationalInference(new DpVariationalInference.Settings(
                        12, new SamplingScheme.PoissonSampling(0.5), 1, 3, 5, 0.2, new GradientStep.Adam(0.1), 0.2)),
                new LogisticRegression(Runs.names(4), 1, 0.3));
        LogisticRegression logistic = new LogisticRegression(Runs.names(4), 1, 0.3);
        DpVariationalInference.Settings settings = new DpVariationalInference.Settings(
                12, new SamplingScheme.PoissonSampling(0.5), 1, 3, 5, 0.2, new GradientStep.Adam(0.1), 0.2);
        Case<?, ?> aligned = new Case<>(
                "dpvi aligned",
                new DpVariationalInference(settings.with(DpVariationalInference.Estimator.ALIGNED)),
                logistic);
        Case<?, ?> fullRank = new Case<>(
                "dpvi full rank",
                new FullRankVariationalInference(new FullRankVariationalInference.Settings(
                        12, new SamplingScheme.PoissonSampling(0.5), 1, 0.2, new GradientStep.Adam(0.1), 0.2)),
                logistic);
        return Stream.concat(kernels(), Stream.of(inference, aligned, fullRank));
    }

    private static PrivateDataset data() {
        return Runs.dataset(Runs.logistic(300, new double[] {2, -1, 0.5, 0}, RandomStream.ofSeed(SEED)));
    }

    private static PrivateSession open(
            PrivateDataset data, ReleasePlan plan, PrivacyLedger ledger, Optional<Checkpoint> checkpoint)
            throws Exception {
        RunRequest run = RunRequest.of("test", plan).named("run");
        RunRequest position =
                checkpoint.flatMap(Checkpoint::position).map(run::resumedAt).orElse(run);
        return data.open(position, new DiscreteGaussianMechanism(NOISE), ledger, ReplayNoise.ofSeed(SEED));
    }

    @ParameterizedTest
    @MethodSource("kernelsAndNoiseAwareOnes")
    <M, S extends Record> void theLedgerHoldsThePlanAndNothingElse(Case<M, S> tested) throws Exception {
        PrivateDataset data = data();
        ReleasePlan plan = tested.kernel().plan(tested.model(), data.publicSize());
        PrivacyLedger ledger = Runs.ledger(data, plan, NOISE);
        InferenceRun.Result<S> result = InferenceRun.once(
                tested.kernel(), tested.model(), open(data, plan, ledger, Optional.empty()), RandomStream.ofSeed(SEED));
        assertThat(ledger.entries()).hasSize(1);
        assertThat(ledger.entries().get(0).event()).isEqualTo(plan.event(new DiscreteGaussianMechanism(NOISE)));
        assertThat(ledger.entries().get(0).released()).isEqualTo(plan.releases());
        assertThat(result.event()).isEqualTo(ledger.entries().get(0).event());
        assertThat(result.provenance()).isEqualTo(Provenance.SIMULATED_NOT_FOR_RELEASE);
        assertThat(result.notes()).hasSize((int) plan.releases());
    }

    /** Interrupts after every release in turn and goes on from the checkpoint. */
    @ParameterizedTest
    @MethodSource("kernelsAndNoiseAwareOnes")
    <M, S extends Record> void aResumedRunEndsInTheSameBits(Case<M, S> tested) throws Exception {
        PrivateDataset data = data();
        ReleasePlan plan = tested.kernel().plan(tested.model(), data.publicSize());
        String whole = finished(tested, data, plan, new Memory(Long.MAX_VALUE), Runs.ledger(data, plan, NOISE));
        for (long stop = 1; stop <= plan.releases(); stop++) {
            Memory checkpoints = new Memory(stop);
            PrivacyLedger ledger = Runs.ledger(data, plan, NOISE);
            assertThatThrownBy(() -> finished(tested, data, plan, checkpoints, ledger))
                    .isInstanceOf(Crash.class);
            checkpoints.crashAt = Long.MAX_VALUE;
            assertThat(finished(tested, data, plan, checkpoints, ledger))
                    .as("stop " + stop)
                    .isEqualTo(whole);
            assertThat(ledger.entries()).hasSize(1);
        }
    }

    private static <M, S extends Record> String finished(
            Case<M, S> tested, PrivateDataset data, ReleasePlan plan, Memory checkpoints, PrivacyLedger ledger)
            throws Exception {
        InferenceRun<M, S> run = new InferenceRun<>(tested.kernel(), tested.model(), "test", checkpoints, checkpoints);
        InferenceRun.Result<S> result =
                run.run(checkpoint -> open(data, plan, ledger, checkpoint), RandomStream.ofSeed(SEED));
        return Json.write(result.posterior().toJson()) + result.notes();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    <M, S extends Record> void littleNoiseGivesTheResultWithoutNoise(Case<M, S> tested) throws Exception {
        PrivateDataset data = data();
        ReleasePlan plan = tested.kernel().plan(tested.model(), data.publicSize());
        double noise = 1e-6;
        Posterior quiet = InferenceRun.once(
                        tested.kernel(),
                        tested.model(),
                        data.open(
                                RunRequest.of("test", plan),
                                new DiscreteGaussianMechanism(noise),
                                Runs.ledger(data, plan, noise),
                                ReplayNoise.ofSeed(SEED)),
                        RandomStream.ofSeed(SEED))
                .posterior();
        Posterior silent = InferenceRun.once(
                        tested.kernel(),
                        tested.model(),
                        data.openNotPrivate(RunRequest.of("test", plan), ReplayNoise.ofSeed(SEED)),
                        RandomStream.ofSeed(SEED))
                .posterior();
        for (int i = 0; i < quiet.dimension(); i++) {
            assertThat(quiet.mean()[i]).isCloseTo(silent.mean()[i], within(1e-3));
        }
    }

    private static final class Crash extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Keeps checkpoints as text, and crashes after one of the releases. */
    private static final class Memory implements Checkpoint.Store, RunListener {
        private final List<String> kept = new ArrayList<>();
        private long crashAt;

        Memory(long crashAt) {
            this.crashAt = crashAt;
        }

        @Override
        public void save(Checkpoint checkpoint) {
            kept.add(checkpoint.toJson());
        }

        @Override
        public void released(ReleaseNote note, long released, long planned) {
            if (released == crashAt) {
                throw new Crash();
            }
        }

        @Override
        public Optional<Checkpoint> load() {
            return kept.isEmpty() ? Optional.empty() : Optional.of(Checkpoint.fromJson(kept.get(kept.size() - 1)));
        }
    }
}
