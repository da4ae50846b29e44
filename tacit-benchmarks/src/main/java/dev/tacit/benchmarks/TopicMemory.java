package dev.tacit.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.run.CalibratedPlan;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints the memory of private topics against K × V and the size of a batch.
 *
 * <p>Two steps of the private default on one thread for each setting, Poisson batches, noise included. "Allocated" is all
 * that the last step asked for, garbage included, documents not: at no time can the step hold more. It is also printed in
 * units of K × V numbers of 8 bytes: where memory is linear in K × V and does not grow with the batch, this column is the
 * same from line to line.
 */
final class TopicMemory {
    private static final int[] TOPICS = {25, 50, 100};
    private static final int STEPS = 2;
    private static final int[] BATCHES = {256, 4096};

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<String> vocabulary;
    private final List<RecordBlock> documents;

    TopicMemory(List<String> vocabulary, List<RecordBlock> documents) {
        this.vocabulary = vocabulary;
        this.documents = documents;
    }

    void print() {
        System.out.printf(
                Locale.ROOT,
                "%nMemory of private steps, one thread%n%8s %8s %8s %12s %14s %8s%n",
                "topics",
                "words",
                "batch",
                "K x V x 8 MB",
                "allocated MB",
                "/ KV");
        for (boolean half : new boolean[] {true, false}) {
            List<String> words = half ? everySecond() : vocabulary;
            List<RecordBlock> blocks =
                    half ? documents.stream().map(TopicMemory::halved).toList() : documents;
            PrivateDataset data = LocalSummation.dataset(
                    new RecordsInMemory(words.size(), false, blocks, null),
                    PrivacyUnit.record(Neighbours.ADD_REMOVE),
                    blocks.stream().mapToInt(RecordBlock::rows).sum(),
                    1);
            for (int topics : TOPICS) {
                for (int batch : BATCHES) {
                    row(data, LatentDirichletAllocation.forPrivacy(words, topics), batch);
                }
            }
        }
    }

    private List<String> everySecond() {
        List<String> words = new ArrayList<>();
        for (int word = 0; word < vocabulary.size(); word += 2) {
            words.add(vocabulary.get(word));
        }
        return words;
    }

    /** The same documents without every second word. */
    private static RecordBlock halved(RecordBlock block) {
        SparseBlock sparse = (SparseBlock) block;
        int[] starts = new int[sparse.rows() + 1];
        int size = sparse.end(sparse.rows() - 1) - sparse.start(0);
        int[] columns = new int[size];
        double[] values = new double[size];
        int entries = 0;
        for (int row = 0; row < sparse.rows(); row++) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                if (sparse.columnIndices()[entry] % 2 == 0) {
                    columns[entries] = sparse.columnIndices()[entry] / 2;
                    values[entries++] = sparse.values()[entry];
                }
            }
            starts[row + 1] = entries;
        }
        return SparseBlock.of(sparse.rows(), (sparse.columns() + 1) / 2, starts, columns, values, null);
    }

    private static void row(PrivateDataset data, LatentDirichletAllocation model, int batch) {
        PrivateVariationalBayes<ScaledDirichletPosterior> kernel =
                new PrivateVariationalBayes<>(new PrivateVariationalBayes.Settings(
                        STEPS,
                        new PoissonSampling(batch / (double) data.publicSize()),
                        new StepSchedule.FlooredAverage(0.25)));
        PrivateSession session = session(data, kernel.plan(model, data.publicSize()));
        RandomStream random = RandomStream.ofSeed(1);
        PrivateVariationalBayes.State state = kernel.init(model, data.publicSize(), random.fork("init"));
        long allocated = 0;
        for (int release = 0; release <= STEPS; release++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            state = kernel.step(state, model, session, random.fork(release)).state();
            allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        double cells = 8.0 * model.statisticsDimension();
        System.out.printf(
                Locale.ROOT,
                "%8d %8d %8d %12.1f %14.1f %8.1f%n",
                model.topics(),
                model.vocabulary().size(),
                batch,
                cells * 1e-6,
                allocated * 1e-6,
                allocated / cells);
    }

    private static PrivateSession session(PrivateDataset data, ReleasePlan plan) {
        CalibratedPlan calibrated =
                CalibratedPlan.withNoise(plan, 1, 1e-6, new ExactAccountant(), Neighbours.ADD_REMOVE);
        RenyiAccountant renyi = new RenyiAccountant();
        LedgerTerms terms = LedgerTerms.forPlan(
                data.unit(),
                new PrivacyBudget(calibrated.epsilon().upper(), 1e-6),
                calibrated.event(),
                renyi::divergence);
        try {
            return data.open(
                    RunRequest.of("benchmark", calibrated.plan()),
                    new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                    new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                    ReplayNoise.ofSeed(1));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException(e);
        }
    }
}
