package dev.tacit.partitioned.aggregate;

import dev.tacit.partitioned.message.Message;
import java.util.List;
import java.util.Optional;

/**
 * Adds up what the parties send, and shows the coordinator the sum only.
 *
 * <p>With it each party adds a share of the noise ({@link dev.tacit.partitioned.NoiseShare}), so a single answer is
 * not private and must go nowhere else. {@link PlainSum} is trusted to keep them; module tacit-federated masks sums across machines
 * and needs no such trust.
 */
public interface Aggregator {
    /** The sum of the answers of one round, or nothing if there are fewer than the noise was shared for. */
    Optional<double[]> sum(List<? extends Message.Answer> answers);
}
