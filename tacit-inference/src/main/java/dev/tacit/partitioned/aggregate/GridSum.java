package dev.tacit.partitioned.aggregate;

import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;
import java.util.List;
import java.util.Optional;

/**
 * Sums of released integers, exact modulo 2^64 on one grid.
 *
 * <p>On several grids there is no common unit. Numbers are added as doubles then, which is for those only who may see each of them.
 */
public final class GridSum {
    private GridSum() {}

    /**
     * The sum of shares, or nothing if they do not fit: shares of noise are as much as was charged on one grid only. Without noise
     * any grids fit.
     */
    static Optional<double[]> ofShares(List<Message.SumReply> shares) {
        boolean noisy = shares.stream().anyMatch(share -> share.noiseStandardDeviation() != 0);
        boolean alike = shares.stream()
                .allMatch(share -> share.units().size() == shares.get(0).units().size());
        return alike && (!noisy || onOneGrid(shares)) ? Optional.of(ofReleases(shares)) : Optional.empty();
    }

    /** The sum of releases each of which is protected on its own, or none of which is. */
    public static double[] ofReleases(List<Message.SumReply> releases) {
        Message.SumReply first = releases.get(0);
        if (onOneGrid(releases)) {
            long[] sum = new long[first.units().size()];
            for (Message.SumReply each : releases) {
                long[] units = each.units().toArray();
                for (int i = 0; i < sum.length; i++) {
                    sum[i] += units[i];
                }
            }
            return Message.SumReply.numbers(LongVector.of(sum), first.exponent());
        }
        double[] sum = new double[first.units().size()];
        releases.forEach(each -> add(sum, each.numbers()));
        return sum;
    }

    /** Adds numbers to a sum. */
    public static void add(double[] sum, double[] numbers) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += numbers[i];
        }
    }

    private static boolean onOneGrid(List<Message.SumReply> replies) {
        return replies.stream()
                .allMatch(reply -> reply.exponent() == replies.get(0).exponent());
    }
}
