package dev.tacit.partitioned.update;

import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.shard.ShardSum;

/** How each shard of a party solves its problem, and how the sum of their contributions is read. */
public interface ShardProblem {
    /** How many parameters the model has. */
    int dimension();

    /** How many units of a contribution a weighted mean of 1 has. */
    double unit();

    /**
     * What a shard contributes: a change of natural parameters, in public units.
     *
     * @param shards how many times a shard's likelihood counts
     */
    ShardSum query(
            NaturalGaussian global, NaturalGaussian cavity, NaturalGaussian prior, int shards, RandomStream random);

    /** The factor that a sum of contributions is, in the family of the given one. */
    NaturalGaussian factor(NaturalGaussian like, double[] sum);
}
