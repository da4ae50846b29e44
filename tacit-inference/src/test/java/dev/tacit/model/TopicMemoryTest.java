package dev.tacit.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.model.topics.LatentDirichletAllocation;
import dev.tacit.model.topics.LatentDirichletAllocationTest;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.family.ScaledDirichletPosterior;
import dev.tacit.query.ContributionSum;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A release of statistics of topics needs memory for K × V numbers, however many documents it sees. */
class TopicMemoryTest {
    private static final long SEED = 5;
    private static final int WORDS = 3_000;
    private static final int TOPICS = 50;

    /** Bytes of K × V numbers: what the statistics of a single document would need, if they were written down. */
    private static final long CELLS = (long) Double.BYTES * WORDS * TOPICS;

    @Test
    void memoryOfAReleaseDoesNotGrowWithDocuments() {
        long few = allocated(100, false);
        long many = allocated(1_100, false);
        assertThat(few).isLessThan(40 * CELLS);
        assertThat(many - few).isLessThan(CELLS);
    }

    /** The same measure catches a vector of the whole dimension for each document. */
    @Test
    void aVectorForEachDocumentWouldBeSeen() {
        assertThat(allocated(150, true) - allocated(100, true)).isGreaterThan(40 * CELLS);
    }

    private static long allocated(int documents, boolean vectors) {
        LatentDirichletAllocation model = LatentDirichletAllocation.withoutNoise(
                IntStream.range(0, WORDS).mapToObj(word -> "w" + word).toList(), TOPICS);
        SparseBlock corpus = LatentDirichletAllocationTest.corpus(documents, WORDS, RandomStream.ofSeed(SEED));
        PrivateDataset data = LocalSummation.dataset(
                new RecordsInMemory(WORDS, false, List.of(corpus), null),
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                documents,
                1);
        PrivateSession session = data.openNotPrivate(
                RunRequest.of("test", ReleasePlan.of("statistics", 1, model.statisticsDimension(), new FullPass())),
                ReplayNoise.ofSeed(1));
        ScaledDirichletPosterior start = model.start(model.hyperParameters(), RandomStream.ofSeed(SEED));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        ContributionSum query = model.expectedStatistics(start);
        session.release(vectors ? wasteful(query) : query, model.statisticsL2Bound());
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    private static ContributionSum wasteful(ContributionSum query) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return query.dimension();
            }

            @Override
            public Worker worker() {
                return (block, row, contribution) -> {
                    double[] vector = new double[query.dimension()];
                    vector[row % vector.length] = 1;
                    contribution.addAll(0, vector, 0, vector.length);
                };
            }
        };
    }
}
