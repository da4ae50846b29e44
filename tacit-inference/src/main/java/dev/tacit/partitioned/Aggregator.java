package dev.tacit.partitioned;

import java.util.List;
import java.util.Optional;

/**
 * Adds up what the parties send, and shows the coordinator the sum only.
 *
 * <p>With it each party adds a share of the noise ({@link dev.tacit.privacy.mechanism.NoiseShare}), so a single answer is
 * not private and must go nowhere else. {@link PlainSum} is trusted to keep them; masked sums need no such trust.
 */
public interface Aggregator {
    /** The sum of the shares of one round, or nothing if there are fewer than the noise was shared for. */
    Optional<double[]> sum(List<double[]> shares);
}
