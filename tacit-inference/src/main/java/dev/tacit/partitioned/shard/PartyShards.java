package dev.tacit.partitioned.shard;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.ReleasePlan;
import java.util.Arrays;
import java.util.Objects;

/**
 * Shards inside parties: a query sees all records of one shard of one party and contributes one vector for it.
 *
 * <pre>
 *   party of a record   rule(x)                          shard of a record   hash(x, key) mod shards
 *   release             Σ_k clip(f(records of shard k), l2Bound) + noise of noiseMultiplier · l2Bound
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Sections 4.2 and 4.3, for local averaging and, with one shard, parameter
 * perturbation.
 *
 * <p><b>Who is where.</b> Party and shard are public functions of a record's own encoded numbers and label, so no record moves
 * when another comes or goes. A record's place in the file plays no part: one record that is removed would move all behind it, and
 * with them all shards. How many shards there are is public; those without records contribute too.
 *
 * <p><b>Sensitivity: 2 l2Bound for one record that is added or removed.</b> The records of one shard change, from R to R′, and
 * those of all others are the same. The shard does not leave the sum: its contribution changes from clip(f(R)) to clip(f(R′)).
 * Both lie in the ball of radius l2Bound, and may lie opposite each other, so the sum moves by up to two bounds, not by one. A
 * contribution that is not finite, or that cannot be computed, is the zero vector, which lies in the ball too. A replaced
 * record is one that is removed and one that is added, each at its own shard: four bounds, twice as much, which is how much more accountants
 * move under that relation. So one event holds for both.
 *
 * <p><b>Rounding.</b> Contributions are clipped, then rounded to the nearest point of the grid, which may take them out of the
 * ball: u = round(clip(f(R))/g) has ‖u‖ ≤ (1 + 2^−22) l2Bound/g + √dimension/2 =: s, the
 * {@link dev.tacit.door.mechanism.SumGrid#sensitivity}, whatever R is. So ‖u − u′‖ ≤ ‖u‖ + ‖u′‖ ≤ 2 s. Noise whose
 * multiplier against s is at least the requested one
 * ({@link dev.tacit.door.mechanism.DiscreteGaussianMechanism#deliveredNoiseMultiplier}) has at least half of that
 * against 2 s, and {@link ReleasePlan#event} charges that half.
 *
 * <p>Differs from {@link RandomShards}, whose shards are drawn at random and hold records of all parties. Units of several
 * records are refused: theirs may be in several shards.
 *
 * @param rule who is at which party
 * @param shards how many each party has
 * @param key another key deals records out to shards anew
 */
public record PartyShards(PartyRule rule, int shards, long key) {
    /** Contributions that a record can move apart, over the norm of one. */
    static final double BOUNDS_MOVED = 2;

    /** How many shards all parties have together, at most. */
    public static final int MOST_SHARDS = 1 << 24;

    /** Parties and shards are dealt out by different hashes, also if both have the same key. */
    private static final long SHARD_KEYS = 0xD1B54A32D192ED03L;

    public PartyShards {
        Objects.requireNonNull(rule, "rule");
        if (shards < 1 || (long) shards * rule.parties() > MOST_SHARDS) {
            throw new IllegalArgumentException("a party has at least one shard, and all parties have up to 2^24");
        }
    }

    /** The shard of a record, counted through all parties: those of party m are m · shards and following. */
    int shard(RecordBlock block, int row) {
        return rule.party(block, row) * shards + new PartyRule.Hashed(shards, key ^ SHARD_KEYS).party(block, row);
    }

    /** How many shards all parties have. */
    int count() {
        return shards * rule.parties();
    }

    /** In words. */
    public String words() {
        return shards == 1
                ? "all records of a party are one shard"
                : shards + " shards of each party, by another hash of the record's own encoded numbers, key " + key;
    }

    /** Which units are in which shard; private. */
    ShardUnits assign(RecordSource records) {
        int[] shardOf = new int[Math.toIntExact(records.units())];
        RecordSource.Reader reader = records.reader();
        int blockRows = records.blockRows();
        long current = -1;
        RecordBlock rows = null;
        for (int unit = 0; unit < shardOf.length; unit++) {
            long row = records.firstRow(unit);
            if (row / blockRows != current) {
                current = row / blockRows;
                rows = reader.block(current);
            }
            shardOf[unit] = shard(rows, (int) (row - current * blockRows));
        }
        return ShardUnits.of(shardOf, count());
    }

    /**
     * Units by shard.
     *
     * @param units those of shard k are {@code units[starts[k]]} up to, not including, {@code units[starts[k + 1]]}, ascending
     * @param starts one more than there are shards
     */
    record ShardUnits(int[] units, int[] starts) {
        static ShardUnits of(int[] shardOf, int shards) {
            int[] starts = new int[shards + 1];
            for (int shard : shardOf) {
                starts[shard + 1]++;
            }
            for (int shard = 0; shard < shards; shard++) {
                starts[shard + 1] += starts[shard];
            }
            int[] units = new int[shardOf.length];
            int[] next = Arrays.copyOf(starts, shards);
            for (int unit = 0; unit < shardOf.length; unit++) {
                units[next[shardOf[unit]]++] = unit;
            }
            return new ShardUnits(units, starts);
        }
    }
}
