package dev.tacit.partitioned.dealt;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.List;

/**
 * The sums of all parties side by side, as one sum over all records: a record contributes to the block of its party.
 *
 * <pre>
 *   contribution of record x  =  (0, …, 0, f_m(x), 0, …, 0)        m = rule(x)
 * </pre>
 *
 * The norm of the contribution is that of f_m(x), so one clip at the parties' common bound is the clip of every party, and
 * noise of one multiplier on all numbers is noise of that multiplier at each party. Hence the ordinary accounting of one
 * release covers all parties, for every unit, sampling and neighbouring relation; a record that is replaced by one of
 * another party moves two blocks by one bound each, less than the two bounds that are charged.
 */
final class PartyBlocks implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final PartyRule rule;
    private final List<? extends ContributionSum> queries;
    private final int size;

    /** @param queries one for each party, all of the same dimension */
    PartyBlocks(PartyRule rule, List<? extends ContributionSum> queries) {
        this.rule = rule;
        this.queries = List.copyOf(queries);
        this.size = queries.get(0).dimension();
        if (queries.size() != rule.parties() || queries.stream().anyMatch(query -> query.dimension() != size)) {
            throw new IllegalArgumentException("every party has one query, all of the same dimension");
        }
    }

    @Override
    public int dimension() {
        return Math.multiplyExact(size, queries.size());
    }

    @Override
    public Worker worker() {
        return new BlockWorker();
    }

    private final class BlockWorker implements Worker {
        private final Worker[] workers = new Worker[queries.size()];

        BlockWorker() {
            for (int party = 0; party < workers.length; party++) {
                workers[party] = party > 0 && queries.get(party) == queries.get(party - 1)
                        ? workers[party - 1]
                        : queries.get(party).worker();
            }
        }

        @Override
        public void prepare(RecordBlock block) {
            for (int party = 0; party < workers.length; party++) {
                if (party == 0 || workers[party] != workers[party - 1]) {
                    workers[party].prepare(block);
                }
            }
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            int party = rule.party(block, row);
            contribution.shiftBy(party * size);
            workers[party].contribute(block, row, contribution);
        }
    }
}
