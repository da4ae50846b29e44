package dev.tacit.experiments.bayes;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.catalogue.NamedCorpus;
import dev.tacit.data.catalogue.corpus.Corpus;
import dev.tacit.data.catalogue.corpus.CorpusSplit;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.model.topics.WordWeight;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Topics of Wikipedia articles: every twentieth document tests, the others train.
 *
 * <p>Quick runs take every tenth training document and 20 topics.
 */
final class TopicRuns {
    static final double DELTA = 1e-6;
    static final double RATE = 0.2;
    static final int STEPS = 20;

    /** The length to which the paper's code shortens documents, which is its bound on one document's statistics. */
    private static final double PUBLISHED_TOKENS = 500;

    private final PrivateDataset train;
    private final List<RecordBlock> test = new ArrayList<>();
    private final List<String> vocabulary;
    private final int topics;

    /** A fitted model with the epsilon that it claims and the one that holds. */
    record Run(ScaledDirichletPosterior topics, double epsilonClaimed, double epsilonHolds) {}

    TopicRuns(ExperimentOptions options) {
        CorpusSplit split;
        try {
            split = NamedCorpus.load("wikipedia", options.dataDirectory());
        } catch (DatasetException e) {
            throw new MissingDataException(e.getMessage(), e);
        }
        Corpus training = options.quick() ? split.training().only(document -> document % 10 == 0) : split.training();
        this.topics = options.quick() ? 20 : 50;
        this.vocabulary = training.vocabulary();
        this.train = LocalSummation.dataset(
                training.records(), PrivacyUnit.record(Neighbours.ADD_REMOVE), training.documents(), options.threads());
        RecordSource documents = split.test().records();
        RecordSource.Reader reader = documents.reader();
        for (long block = 0; block * documents.blockRows() < documents.rows(); block++) {
            test.add(reader.block(block));
        }
    }

    long documents() {
        return train.publicSize();
    }

    int topics() {
        return topics;
    }

    /** Perplexities on the test documents, all with the same concentration. */
    Map<String, Double> scores(Run run) {
        return honestModel().scores(run.topics(), test);
    }

    LatentDirichletAllocation honestModel() {
        return LatentDirichletAllocation.forPrivacy(vocabulary, topics);
    }

    private static PrivateVariationalBayes<ScaledDirichletPosterior> kernel(
            int steps, double rate, StepSchedule schedule) {
        return new PrivateVariationalBayes<>(new PrivateVariationalBayes.Settings(
                steps, rate == 1 ? new FullPass() : new PoissonSampling(rate), schedule));
    }

    Run notPrivate(int seed) {
        LatentDirichletAllocation model = LatentDirichletAllocation.withoutNoise(vocabulary, topics);
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel = kernel(STEPS, 1, new StepSchedule.Last());
        ReleasePlan plan = kernel.plan(model, documents());
        var session = train.openNotPrivate(RunRequest.of("not private", plan), ReplayNoise.ofSeed(seed));
        return new Run(
                (ScaledDirichletPosterior) InferenceRun.once(kernel, model, session, RandomStream.ofSeed(seed))
                        .posterior(),
                Double.POSITIVE_INFINITY,
                Double.POSITIVE_INFINITY);
    }

    /** The private default of {@code tacit fit --model lda}. */
    Run honest(double epsilon, int steps, double rate, int seed) {
        return calibrated(honestModel(), kernel(steps, rate, new StepSchedule.FlooredAverage(0.25)), epsilon, seed);
    }

    /** The paper's statistics and clamp, with the noise that its own sensitivity needs. */
    Run publishedHonestly(double epsilon, int seed) {
        return calibrated(publishedModel(), publishedKernel(), epsilon, seed);
    }

    private LatentDirichletAllocation publishedModel() {
        return new LatentDirichletAllocation(
                vocabulary,
                topics,
                1.0 / topics,
                1.0 / topics,
                WordWeight.RAW,
                PUBLISHED_TOKENS,
                PUBLISHED_TOKENS,
                new LatentDirichletAllocation.NoiseRepair.ClampAtZero(),
                15,
                1e-3);
    }

    private static PrivateVariationalBayes<ScaledDirichletPosterior> publishedKernel() {
        return kernel(STEPS, RATE, new StepSchedule.RobbinsMonro(1, 0.7));
    }

    /**
     * The paper's noise: that of its zCDP recipe for the sensitivity of a mean over all documents, on the mean over a
     * batch. In terms of what one document really moves it is too small by the sampling rate.
     */
    Run published(double epsilon, int seed) {
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel = publishedKernel();
        LatentDirichletAllocation model = publishedModel();
        VipsHistoricalComposition.Claim claim = VipsHistoricalComposition.forTarget(
                        VipsHistoricalComposition.Recipe.ZERO_CONCENTRATED,
                        new PrivacyBudget(epsilon, DELTA),
                        DELTA,
                        RATE,
                        STEPS)
                .orElseThrow();
        CalibratedPlan given = CalibratedPlan.withNoise(
                kernel.plan(model, documents()),
                claim.noiseMultiplier() * RATE,
                DELTA,
                new ExactAccountant(),
                Neighbours.ADD_REMOVE);
        return new Run(
                simulate(model, kernel, given, seed), epsilon, given.epsilon().upper());
    }

    private Run calibrated(
            LatentDirichletAllocation model,
            PrivateVariationalBayes<ScaledDirichletPosterior> kernel,
            double epsilon,
            int seed) {
        try {
            CalibratedPlan calibrated = CalibratedPlan.of(
                    kernel.plan(model, documents()),
                    new PrivacyBudget(epsilon, DELTA),
                    new ExactAccountant(),
                    Neighbours.ADD_REMOVE);
            return new Run(
                    simulate(model, kernel, calibrated, seed),
                    epsilon,
                    calibrated.epsilon().upper());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
    }

    private ScaledDirichletPosterior simulate(
            LatentDirichletAllocation model,
            PrivateVariationalBayes<ScaledDirichletPosterior> kernel,
            CalibratedPlan calibrated,
            int seed) {
        RenyiAccountant renyi = new RenyiAccountant();
        PrivacyBudget budget = new PrivacyBudget(calibrated.epsilon().upper(), DELTA);
        LedgerTerms terms = LedgerTerms.forPlan(train.unit(), budget, calibrated.event(), renyi::divergence);
        try {
            var session = train.open(
                    RunRequest.of("topics", calibrated.plan()),
                    new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                    new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                    ReplayNoise.ofSeed(seed));
            return (ScaledDirichletPosterior) InferenceRun.once(kernel, model, session, RandomStream.ofSeed(seed))
                    .posterior();
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }

    /** What one must know to read the numbers. */
    List<String> remarks() {
        return List.of(
                "epsilon holds = upper bound of the exact accountant for the code that ran, delta 1e-6, one document"
                        + " added or removed",
                "perplexity = by document completion on every twentieth document (docs/methods/latent-dirichlet-allocation.md)",
                "paper: its curves are drawn and no number is printed; they are scores of training batches, so they could"
                        + " not be compared with these",
                "the paper's noise is for a mean over all documents and is put on a mean over a batch; here the batch is"
                        + " a fifth of the documents, in the paper it is 10 of 400000, where the same slip is 40000-fold",
                "noise is replayed from seeds 1, 2, ...; settings are the defaults and were not tuned on the test"
                        + " documents");
    }
}
