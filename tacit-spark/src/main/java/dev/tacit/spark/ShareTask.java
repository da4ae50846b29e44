package dev.tacit.spark;

import dev.tacit.door.sum.PartSums;
import dev.tacit.door.sum.SumRequest;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.Function2;

/** Computes one part's share of a release on an executor; the same bits however often and wherever it runs. */
final class ShareTask implements Function2<Integer, Iterator<EncodedPart>, Iterator<Share>> {
    private static final long serialVersionUID = 1L;

    private final PartFacts[] facts;
    private final long[] unitsBefore;
    private final SumRequest request;
    private final RollCall roll;

    /**
     * @param facts what each part was when it was first read
     * @param roll what an executor must be like
     */
    ShareTask(List<PartFacts> facts, SumRequest request, RollCall roll) {
        this.facts = facts.stream()
                .map(fact -> new PartFacts(fact.units(), fact.digest(), null))
                .toArray(PartFacts[]::new);
        this.unitsBefore = new long[this.facts.length + 1];
        for (int i = 0; i < this.facts.length; i++) {
            unitsBefore[i + 1] = unitsBefore[i] + this.facts[i].units();
        }
        this.request = request;
        this.roll = roll;
    }

    @Override
    public Iterator<Share> call(Integer index, Iterator<EncodedPart> part) {
        return TaskFailure.guarded(() -> List.of(share(index, part.next())).iterator());
    }

    private Share share(int index, EncodedPart part) {
        if (!roll.answered()) {
            return Share.without(Share.Verdict.OTHER_MACHINE);
        }
        PartFacts now = part.facts();
        if (now.digest() != facts[index].digest() || now.units() != facts[index].units()) {
            return Share.without(Share.Verdict.CHANGED);
        }
        long units = unitsBefore[facts.length];
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
