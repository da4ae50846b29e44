package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.PreliminaryRelease;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything that private topics release keeps the epsilon of the plan on neighbouring corpora, and sabotaged twins do
 * not.
 *
 * <p>Compared are the released numbers themselves: frequencies of words and the statistics of a step. The
 * probability that a correct run fails is below 1e-6; all noise is replayed from a fixed seed, which a failing verdict
 * names.
 */
class TopicGuaranteeTest {
    private static final long SEED = 51_907L;
    private static final int OUTPUTS = 3_000;
    private static final double DELTA = 0.1;
    private static final double NOISE_MULTIPLIER = 1;
    private static final int WORDS = 3;
    private static final int TOPICS = 2;
    private static final List<String> VOCABULARY = List.of("one", "two", "three");

    /** A long document about one word, and short ones about the others. */
    private static final double[] SOMEBODY = {5000, 0, 0};

    private static final double[][] OTHERS = {{0, 3, 1}, {0, 1, 4}, {0, 2, 2}, {0, 5, 1}, {0, 1, 1}};

    /** What is broken. */
    private enum Twin {
        NONE,
        /** Contributions are not clipped, and the noise is that of the claimed bound. */
        NO_CLIP,
        /** Noise of half the standard deviation. */
        HALF_NOISE,
        /** A document is looked at together with those before it. */
        STATE_CARRIED_ACROSS_DOCUMENTS;

        double clipFactor() {
            return this == NO_CLIP ? 1000 : 1;
        }

        double noiseFactor() {
            return this == HALF_NOISE ? 0.5 : 1 / clipFactor();
        }
    }

    private static LatentDirichletAllocation honest() {
        return LatentDirichletAllocation.forPrivacy(VOCABULARY, TOPICS);
    }

    /** The same model, except that its workers remember: the counts of earlier documents are added to the next. */
    private record Remembering(LatentDirichletAllocation model)
            implements ConjugateExponentialModel<ScaledDirichletPosterior> {
        @Override
        public ContributionSum expectedStatistics(ScaledDirichletPosterior posterior) {
            ContributionSum query = model.expectedStatistics(posterior);
            return new ContributionSum() {
                @Override
                public int dimension() {
                    return query.dimension();
                }

                @Override
                public Worker worker() {
                    Worker worker = query.worker();
                    double[] memory = new double[WORDS];
                    return (block, row, contribution) -> {
                        Rows.addTo(block, row, 1, memory, 0);
                        worker.contribute(corpus(new double[][] {memory}), 0, contribution);
                    };
                }
            };
        }

        @Override
        public int statisticsDimension() {
            return model.statisticsDimension();
        }

        @Override
        public double statisticsL2Bound() {
            return model.statisticsL2Bound();
        }

        @Override
        public Optional<PreliminaryRelease> preliminary() {
            return model.preliminary();
        }

        @Override
        public ScaledDirichletPosterior start(double[] hyperParameters, RandomStream random) {
            return model.start(hyperParameters, random);
        }

        @Override
        public double[] hyperParameters() {
            return model.hyperParameters();
        }

        @Override
        public double[] hyperParameters(ScaledDirichletPosterior posterior, double[] before) {
            return before;
        }

        @Override
        public ScaledDirichletPosterior posterior(double[] statistics, double noise, double[] hyperParameters) {
            return model.posterior(statistics, noise, hyperParameters);
        }
    }

    private static RecordBlock corpus(double[][] documents) {
        int[] starts = new int[documents.length + 1];
        int[] words = new int[documents.length * WORDS];
        double[] counts = new double[words.length];
        int entries = 0;
        for (int d = 0; d < documents.length; d++) {
            for (int w = 0; w < WORDS; w++) {
                if (documents[d][w] > 0) {
                    words[entries] = w;
                    counts[entries++] = documents[d][w];
                }
            }
            starts[d + 1] = entries;
        }
        return SparseBlock.of(
                documents.length, WORDS, starts, Arrays.copyOf(words, entries), Arrays.copyOf(counts, entries), null);
    }

    private static PrivateDataset data(boolean withSomebody) {
        double[][] documents = OTHERS;
        if (withSomebody) {
            documents = new double[OTHERS.length + 1][];
            documents[0] = SOMEBODY;
            System.arraycopy(OTHERS, 0, documents, 1, OTHERS.length);
        }
        RecordsInMemory records = new RecordsInMemory(WORDS, false, List.of(corpus(documents)), null);
        return LocalSummation.dataset(records, PrivacyUnit.record(Neighbours.ADD_REMOVE), OTHERS.length, 1);
    }

    private static PrivateVariationalBayes<ScaledDirichletPosterior> kernel() {
        return new PrivateVariationalBayes<>(new PrivateVariationalBayes.Settings(
                1, new SamplingScheme.FullPass(), new StepSchedule.FlooredAverage(0.25)));
    }

    /** As many runs on one corpus as anyone asks for: all that they release. */
    private static Supplier<double[]> runs(boolean withSomebody, Twin twin, long side) {
        ConjugateExponentialModel<ScaledDirichletPosterior> model =
                twin == Twin.STATE_CARRIED_ACROSS_DOCUMENTS ? new Remembering(honest()) : honest();
        PrivateDataset data = data(withSomebody);
        ReleasePlan plan = kernel().plan(model, data.publicSize());
        ReplayNoise bits = ReplayNoise.ofSeed(SEED).fork(side);
        long[] sample = {0};
        return () -> {
            try {
                PrivateSession door = data.open(
                        RunRequest.of("test", plan),
                        new DiscreteGaussianMechanism(NOISE_MULTIPLIER * twin.noiseFactor()),
                        new FreeLedger(data.unit()),
                        bits.fork(sample[0]++));
                PrivateSession session = new SabotagedSession(List.of(door), twin.clipFactor(), plan);
                // the public start is the same in every run, so that all runs ask the same question first
                PrivateVariationalBayes.State state = InferenceRun.once(
                                kernel(), model, session, RandomStream.ofSeed(SEED))
                        .state();
                double[] output = Arrays.copyOf(state.statistics(), state.statistics().length + WORDS);
                System.arraycopy(state.hyperParameters(), 0, output, state.statistics().length, WORDS);
                return output;
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }

    @ParameterizedTest
    @EnumSource(Twin.class)
    void topicsKeepTheirPromise(Twin twin) {
        ReleasePlan plan = kernel().plan(honest(), OTHERS.length);
        double epsilon = new ExactAccountant()
                .epsilon(plan.event(new DiscreteGaussianMechanism(NOISE_MULTIPLIER)), DELTA, Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(runs(true, twin, 1), runs(false, twin, 2))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    /** A document's contribution is its own, whatever stands beside it. */
    @Test
    void documentsStandAlone() {
        RandomStream random = RandomStream.ofSeed(SEED);
        double[][] documents = new double[40][WORDS];
        for (double[] document : documents) {
            for (int w = 0; w < WORDS; w++) {
                document[w] = random.nextInt(6);
            }
        }
        LatentDirichletAllocation model = honest();
        ScaledDirichletPosterior topics = model.start(model.hyperParameters(), random);
        RecordSumConformance.requireRowsStandAlone(model.expectedStatistics(topics), documents, null);
        RecordSumConformance.requireRowsStandAlone(
                model.preliminary().orElseThrow().query(), documents, null);
    }
}
