package dev.tacit.partitioned.aggregate;

import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.message.Message;
import java.util.List;
import java.util.Optional;

/**
 * A trusted aggregator: adds the shares as they are and forgets them.
 *
 * <p>Releases are integers and their sum is exact; those with noise are added on one grid or not at all. Changes of factors, which
 * were read from releases already, are added as numbers.
 *
 * @param leastShares a sum of fewer would hold less noise than was charged, and is not handed out
 */
public record PlainSum(int leastShares) implements Aggregator {
    public PlainSum {
        if (leastShares < 1) {
            throw new IllegalArgumentException("a sum has at least one share");
        }
    }

    /** For noise that is shared so; refuses rounds in which too many parties are missing. */
    public static PlainSum of(NoiseSharing sharing) {
        return new PlainSum(sharing.parties() - sharing.dropouts());
    }

    @Override
    public Optional<double[]> sum(List<? extends Message.Answer> answers) {
        if (answers.size() < leastShares) {
            return Optional.empty();
        }
        if (answers.get(0) instanceof Message.FactorChange first) {
            double[] sum = new double[first.change().size()];
            all(answers, Message.FactorChange.class)
                    .forEach(change -> GridSum.add(sum, change.change().toArray()));
            return Optional.of(sum);
        }
        return GridSum.ofShares(all(answers, Message.SumReply.class));
    }

    private static <A extends Message.Answer> List<A> all(List<? extends Message.Answer> answers, Class<A> kind) {
        if (!answers.stream().allMatch(kind::isInstance)) {
            throw new IllegalArgumentException("a plain sum adds answers of one kind");
        }
        return answers.stream().map(kind::cast).toList();
    }
}
