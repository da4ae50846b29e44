package dev.tacit.partitioned;

import java.util.List;
import java.util.Optional;

/**
 * A trusted aggregator: adds the shares as they are and forgets them.
 *
 * @param leastShares a sum of fewer would hold less noise than was charged, and is not handed out
 */
public record PlainSum(int leastShares) implements Aggregator {
    public PlainSum {
        if (leastShares < 1) {
            throw new IllegalArgumentException("a sum has at least one share");
        }
    }

    @Override
    public Optional<double[]> sum(List<double[]> shares) {
        if (shares.size() < leastShares) {
            return Optional.empty();
        }
        double[] sum = new double[shares.get(0).length];
        for (double[] share : shares) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += share[i];
            }
        }
        return Optional.of(sum);
    }
}
