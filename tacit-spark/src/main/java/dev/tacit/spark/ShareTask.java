package dev.tacit.spark;

import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.SumRequest;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/**
 * Computes one part's share of a release on an executor; the same bits however often and wherever it runs.
 *
 * <p>A class and no lambda, over arrays: Spark looks through the bytes of a lambda at every job, and what a task is sent is read anew
 * by every task.
 */
final class ShareTask extends AbstractFunction2<TaskContext, Iterator<EncodedPart>, Share> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final long[] digests;
    private final long[] unitsBefore;
    private final SumRequest request;
    private final RollCall roll;

    /**
     * @param facts what each part was when it was first read
     * @param roll what an executor must be like
     */
    ShareTask(List<PartFacts> facts, SumRequest request, RollCall roll) {
        this.digests = facts.stream().mapToLong(PartFacts::digest).toArray();
        this.unitsBefore = new long[digests.length + 1];
        for (int i = 0; i < digests.length; i++) {
            unitsBefore[i + 1] = unitsBefore[i] + facts.get(i).units();
        }
        this.request = request;
        this.roll = roll;
    }

    @Override
    public Share apply(TaskContext context, Iterator<EncodedPart> part) {
        return TaskFailure.guarded(() -> share(context.partitionId(), part.next()));
    }

    /** The share of the part with a number. */
    Share share(int index, EncodedPart part) {
        if (!roll.answered()) {
            return Share.without(Share.Verdict.OTHER_MACHINE);
        }
        PartFacts now = part.facts();
        if (now.digest() != digests[index] || now.units() != unitsBefore[index + 1] - unitsBefore[index]) {
            return Share.without(Share.Verdict.CHANGED);
        }
        long units = unitsBefore[digests.length];
        PlacedPart placed = new PlacedPart(part, unitsBefore[index], units - unitsBefore[index + 1]);
        SumRequest here = new SumRequest(
                request.query(),
                request.grid(),
                request.sampling(),
                placed.whole(request.batch()),
                request.maxRecords());
        return new Share(Share.Verdict.SUMMED, PartSums.of(placed, here));
    }
}
