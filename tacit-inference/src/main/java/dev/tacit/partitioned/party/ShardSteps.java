package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.partitioned.shard.ShardSum;

/** Steps whose releases are sums over shards of the party's records; one record moves such a sum by two bounds. */
public non-sealed interface ShardSteps extends LocalSteps {
    /** How many shards each party has. */
    int shards();

    /** Another key deals records in one place out to shards anew; a party with a door of its own draws its shards. */
    long shardKey();

    /** What the party's shards are asked next. */
    ShardSum query(double[] memory, PublicPart publicPart);

    @Override
    default PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return releases().plan(rounds).event(neighbours == Neighbours.ADD_REMOVE ? mechanism.scaled(0.5) : mechanism);
    }
}
