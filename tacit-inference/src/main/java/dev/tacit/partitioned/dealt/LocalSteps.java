package dev.tacit.partitioned.dealt;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import java.util.Optional;

/**
 * A local update in single releases, so that a run can be kept and resumed between any two of them.
 *
 * <p>A party's memory is an array of released and public numbers. Nothing else is carried from one release to the next.
 */
public sealed interface LocalSteps permits RecordSteps, ShardSteps {
    /** What is released, in words. */
    String label();

    /** How many releases a party makes in a round. */
    int releases();

    /** How many numbers each has. */
    int dimension();

    /** Which records a release sees. */
    SamplingScheme sampling();

    /** The bound at which the contribution of a unit, or of a shard, is clipped. */
    double l2Bound();

    /**
     * Whether a change is a sum over records or shards times public numbers, the same for all parties, so that an aggregator may
     * add it up.
     */
    boolean addsUp();

    /** The memory at the start of a round. */
    double[] begin(double[] memory, NaturalGaussian global, NaturalGaussian cavity);

    /** The memory after a release of the party. */
    double[] after(double[] memory, NoisySum released, double publicSize);

    /** The memory after a release that a crash took. */
    double[] withoutRelease(double[] memory);

    /** The change of the party's factor at the end of a round; {@code last} is the round's last release, if it was not lost. */
    LocalUpdate.Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last);
}
