package dev.tacit.partitioned.shard;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.door.sum.Summand;
import dev.tacit.door.sum.UnitSum;
import java.util.List;

/**
 * What the shards of all parties contribute to a release: each party has a query of its own, and a block of numbers of its own
 * unless all are added up.
 *
 * <pre>
 *   a block for each party   (Σ_{k of party 1} clip(f_1(shard k)), …, Σ_{k of party M} clip(f_M(shard k)))
 *   one block                Σ_k clip(f(shard k))                      of one party's shards, or of all behind an aggregator
 * </pre>
 *
 * A shard's contribution is zero outside of its block, so the norm of the whole is that of its block, and one clip is the
 * clip of every party. {@link PartyShards} says by how much one record moves the release.
 *
 * @param queries one for each party, or one for all that are asked; all of the same dimension
 */
public record PartyShardSum(List<ShardSum> queries) implements RecordSum {
    public PartyShardSum {
        queries = List.copyOf(queries);
        if (queries.isEmpty()
                || queries.stream().mapToInt(ShardSum::dimension).distinct().count() != 1) {
            throw new IllegalArgumentException("every party has one query, all of the same dimension");
        }
    }

    /** One query for all shards that are asked. */
    public static PartyShardSum of(ShardSum query) {
        return new PartyShardSum(List.of(query));
    }

    @Override
    public int dimension() {
        return Math.multiplyExact(blockSize(), queries.size());
    }

    @Override
    public boolean overUnits() {
        return false;
    }

    /** How many numbers a shard contributes. */
    int blockSize() {
        return queries.get(0).dimension();
    }

    /** The block that a party's shards contribute to. */
    int block(int party) {
        return queries.size() == 1 ? 0 : party;
    }

    /** For the door's look at a public record, which is shown to each query as a shard of its own; sums are those of {@link ShardSummation}. */
    @Override
    public Summand summand(SumGrid grid) {
        return new Summand() {
            @Override
            public void addRows(RecordBlock block, UnitSum sum) {
                for (ShardSum query : queries) {
                    query.worker().contribute(block, new double[query.dimension()]);
                }
            }

            @Override
            public void addPart(RecordBlock block, boolean last, UnitSum sum) {
                throw new IllegalStateException("shards are not added up row by row");
            }
        };
    }
}
