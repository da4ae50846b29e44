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
    public Optional<double[]> sum(List<? extends Message.Answer> answers) {
        if (answers.size() < leastShares) {
            return Optional.empty();
        }
        double[] sum = new double[answers.get(0).numbers().size()];
        for (Message.Answer answer : answers) {
            double[] share = answer.numbers().toArray();
            for (int i = 0; i < sum.length; i++) {
                sum[i] += share[i];
            }
        }
        return Optional.of(sum);
    }
}
