package dev.tacit.partitioned.dealt;

import dev.tacit.partitioned.shard.ShardSum;

/** Steps whose releases are sums over shards of the party's records; one record moves such a sum by two bounds. */
public non-sealed interface ShardSteps extends LocalSteps {
    /** How many shards each party has. */
    int shards();

    /** Another key deals records out to shards anew. */
    long shardKey();

    /** What the party's shards are asked next. */
    ShardSum query(double[] memory);
}
