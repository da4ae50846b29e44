package dev.tacit.spark;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.storage.StorageLevel;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Adds up records that lie in the memory of a cluster.
 *
 * <p>Every part is summed by {@link dev.tacit.door.sum.PartSums} from the same key, so all attempts at a part give the same integers,
 * and one share a part is counted, whichever attempt came first. A part that an executor lost is read and encoded again; if it is
 * not what it was, the release is refused before anything of it is announced. Failures decide whether a release is computed, never
 * what it is (docs/privacy-model.md, section 6).
 */
final class SparkEngine implements Summation {
    /** Bytes of all shares together that the driver takes at once; more go through a tree. */
    private static final long COLLECTED_BYTES = 256L << 20;

    private static final int TREE_DEPTH = 2;

    private final JavaRDD<EncodedPart> parts;
    private final int columns;
    private final RollCall roll;
    private final List<PartFacts> facts;

    /** Reads, encodes and keeps the parts; the facts about them stay in the driver. */
    SparkEngine(JavaRDD<EncodedPart> parts, int columns, RollCall roll) {
        this.parts = parts.persist(StorageLevel.MEMORY_ONLY());
        this.columns = columns;
        this.roll = roll;
        this.facts = ran(
                "the table could not be read on the cluster; look at the executors' health and at who may read"
                        + " its files",
                () -> new ArrayList<>(this.parts.map(new Facts()).collect()));
    }

    /** Tells the driver what a part is. */
    private static final class Facts implements Function<EncodedPart, PartFacts> {
        private static final long serialVersionUID = 1L;

        @Override
        public PartFacts call(EncodedPart part) {
            return part.facts();
        }
    }

    /** What is done on the cluster. */
    interface Job<T> {
        T run() throws Exception;
    }

    /** Spark's own words go nowhere: they may quote what a task met. */
    static <T> T ran(String sentence, Job<T> job) {
        try {
            return job.run();
        } catch (EngineException e) {
            throw e;
        } catch (Exception e) { // Scala throws checked exceptions without saying so
            throw EngineException.unreachable(sentence);
        }
    }

    @Override
    public int columns() {
        return columns;
    }

    @Override
    public long units() {
        return facts.stream().mapToLong(PartFacts::units).sum();
    }

    /** The sketch of all parts in their order, if they were sketched. */
    Optional<RecordSketch> sketch(SketchKey key, boolean persons) {
        if (facts.stream().anyMatch(fact -> fact.sketch() == null)) {
            return Optional.empty();
        }
        RecordSketch.Builder whole = new RecordSketch.Builder(key, persons);
        facts.forEach(fact -> whole.add(fact.sketch()));
        return Optional.of(whole.build());
    }

    @Override
    public long[] sum(SumRequest request) {
        ShareTask task = new ShareTask(facts, request, roll);
        boolean collected = (long) Long.BYTES * request.grid().dimension() * facts.size() <= COLLECTED_BYTES;
        Share sum = ran(
                "the cluster did not compute the release; nothing of it was announced, and nothing is charged twice: go on"
                        + " with --resume",
                () -> collected ? collected(task, request.grid().dimension()) : throughTree(task));
        return switch (sum.verdict()) {
            case SUMMED -> sum.sums();
            case CHANGED ->
                throw EngineException.refused("a part of the table is not what it was when it was first read,"
                        + " so the release was not made; restore the table as it was, then go on with --resume");
            case OTHER_MACHINE -> throw RollCall.refusal();
        };
    }

    /** One job, whose answers go into places of their own: an answer that came twice would count once. */
    private Share collected(ShareTask task, int dimension) {
        Share[] shares = new Share[facts.size()];
        parts.context().runJob(parts.rdd(), task, new Places(shares), ClassTag.apply(Share.class));
        if (Arrays.asList(shares).contains(null)) {
            throw EngineException.unreachable("the cluster answered for another number of parts than there are");
        }
        return Arrays.stream(shares).reduce(new Share(Share.Verdict.SUMMED, new long[dimension]), Share::and);
    }

    private Share throughTree(ShareTask task) {
        return parts.mapPartitionsWithIndex(
                        (index, part) -> TaskFailure.guarded(
                                () -> List.of(task.share(index, part.next())).iterator()),
                        true)
                .treeReduce(Share::and, TREE_DEPTH);
    }

    /** Puts the answer for each part into its place. */
    private static final class Places extends AbstractFunction2<Object, Share, BoxedUnit> {
        private final Share[] shares;

        Places(Share[] shares) {
            this.shares = shares;
        }

        @Override
        public BoxedUnit apply(Object index, Share share) {
            shares[(Integer) index] = share;
            return BoxedUnit.UNIT;
        }
    }

    @Override
    public void close() {
        parts.unpersist(false);
    }
}
