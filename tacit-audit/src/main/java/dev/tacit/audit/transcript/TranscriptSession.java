package dev.tacit.audit.transcript;

import dev.tacit.audit.subject.TableSums;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A session that is listened to: after every release it knows how much more likely what was released is on one neighbour
 * than on the other.
 *
 * <pre>
 *   y = s + Z,  Z discrete Gaussian of σ steps:    log p(y | s) = −‖y − s‖²/2σ² + constant
 *   a unit that is in the batch with probability q:  p(y) = (1 − q) p(y | o) + q p(y | s),    o the sum without it
 * </pre>
 *
 * The constant does not depend on s, because sums are integers. Releases depend on each other only through what was released
 * before, so logarithms add up.
 */
final class TranscriptSession extends ForwardingSession {
    /** Noise has at least this many steps, so that no single integer is likelier than the inverse of √(2π) times it. */
    private static final double ROOT_OF_TWO_PI = Math.sqrt(2 * Math.PI);

    private final PrivateSession session;
    private final NoiseMechanism claimed;
    private final Pair pair;
    private final boolean onData;
    private final Map<Integer, Map<Long, Integer>> noiseSeen = new HashMap<>();

    private double logLikelihoodRatio;
    private double largestResidual;
    private double squares;
    private long residuals;
    private long repeats;
    private double expectedRepeats;

    /**
     * Two neighbours that an attacker tells apart, and what they have in common.
     *
     * @param data sums with the record
     * @param neighbour sums without it, or with the other one
     * @param common sums of what both have
     */
    record Pair(TableSums data, TableSums neighbour, TableSums common) {}

    /**
     * @param session the door, which has the records of one of the two
     * @param claimed the noise that it is said to add
     * @param onData which one
     */
    TranscriptSession(PrivateSession session, NoiseMechanism claimed, Pair pair, boolean onData) {
        super(session);
        this.session = session;
        this.claimed = claimed;
        this.pair = pair;
        this.onData = onData;
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        long index = released();
        ReleasePlan.Phase phase = plan().phaseOf(index);
        NoiseMechanism scaled = claimed.scaled(phase.relativeNoise());
        SumGrid grid = scaled.grid(l2Bound, phase.dimension());
        double deviation = scaled.noiseStandardDeviation(l2Bound) / grid.granularity();
        NoisySum released = session.release(query, l2Bound);
        hear(
                onGrid(released.value(), grid),
                pair.data.of(index, query, grid),
                pair.neighbour.of(index, query, grid),
                pair.common.of(index, query, grid),
                deviation,
                rate(phase.sampling()));
        if (released() == plan().releases()) {
            throw new EndOfTranscript();
        }
        return released;
    }

    /** On the grid of the claim, whatever the door's own is. */
    private static long[] onGrid(double[] numbers, SumGrid grid) {
        return Arrays.stream(numbers)
                .mapToLong(number -> (long) (number / grid.granularity()))
                .toArray();
    }

    private static double rate(SamplingScheme sampling) {
        if (sampling instanceof PoissonSampling poisson) {
            return poisson.samplingRate();
        }
        return sampling instanceof FixedSizeSampling fixed ? (double) fixed.batch() / fixed.population() : 1;
    }

    private void hear(long[] seen, long[] data, long[] neighbour, long[] common, double deviation, double rate) {
        double onOne = logRatio(seen, data, common, deviation);
        double onOther = logRatio(seen, neighbour, common, deviation);
        logLikelihoodRatio += mixed(onOne, rate) - mixed(onOther, rate);
        long[] own = onData ? data : neighbour;
        boolean inBatch = rate == 1 || (onData ? onOne : onOther) > 0;
        boolean certain = rate == 1 || moves(own, common) == 0;
        residuals(seen, inBatch ? own : common, deviation, certain);
        repeats(seen, own, common, inBatch, deviation);
    }

    /** log p(y | s) − log p(y | o). */
    private static double logRatio(long[] seen, long[] sums, long[] common, double deviation) {
        double product = 0;
        for (int j = 0; j < seen.length; j++) {
            double moved = (sums[j] - common[j]) / deviation;
            product += moved * ((seen[j] - common[j]) / deviation - moved / 2);
        }
        return product;
    }

    private static double mixed(double logRatio, double rate) {
        return rate == 1
                ? logRatio
                : logRatio > 0
                        ? logRatio + Math.log(rate + (1 - rate) * Math.exp(-logRatio))
                        : Math.log1p(rate * Math.expm1(logRatio));
    }

    private static double moves(long[] sums, long[] common) {
        double squares = 0;
        for (int j = 0; j < sums.length; j++) {
            double moved = sums[j] - common[j];
            squares += moved * moved;
        }
        return squares;
    }

    private void residuals(long[] seen, long[] sums, double deviation, boolean certain) {
        for (int j = 0; j < seen.length; j++) {
            double residual = (seen[j] - sums[j]) / deviation;
            largestResidual = Math.max(largestResidual, Math.abs(residual));
            if (certain) {
                squares += residual * residual;
                residuals++;
            }
        }
    }

    /** Counts a release whose noise is that of an earlier one of as many numbers, or zero. */
    private void repeats(long[] seen, long[] own, long[] common, boolean inBatch, double deviation) {
        long hash = 1;
        boolean noNoise = true;
        boolean noNoiseWithout = true;
        for (int j = 0; j < seen.length; j++) {
            long residual = seen[j] - (inBatch ? own[j] : common[j]);
            hash = (hash ^ residual) * 0x9E3779B97F4A7C15L;
            hash ^= hash >>> 29;
            noNoise &= seen[j] == own[j];
            noNoiseWithout &= seen[j] == common[j];
        }
        Map<Long, Integer> before = noiseSeen.computeIfAbsent(seen.length, length -> new HashMap<>());
        double likeliest = Math.pow(1 / (ROOT_OF_TWO_PI * deviation), seen.length) + 0x1p-63;
        expectedRepeats += (before.size() + 2) * likeliest;
        if (noNoise || noNoiseWithout || before.merge(hash, 1, Integer::sum) > 1) {
            repeats++;
        }
    }

    Transcript transcript() {
        return new Transcript(
                logLikelihoodRatio, largestResidual, squares, residuals, repeats, expectedRepeats, released());
    }
}
