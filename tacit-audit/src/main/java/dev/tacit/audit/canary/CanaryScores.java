package dev.tacit.audit.canary;

import dev.tacit.audit.bound.OneRunBound;
import dev.tacit.audit.subject.TableSums;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.engine.ForwardingSession;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Invented records of which each is in one run or not, by a fair coin, and a score of each that grows if it is in.
 *
 * <pre>
 *   score of record i  =  Σ over releases of  ( ⟨g_i, y⟩ − ‖g_i‖²/2 ) / σ²,      g_i what it would add to the release y
 * </pre>
 *
 * The records with the largest scores are guessed to be in, those with the smallest to be out, and the others not at all. That any
 * guess may be made makes the bound of {@link OneRunBound} hold whatever other records do to the scores; they make it weak in few
 * dimensions, where records are not orthogonal to each other and to the sum of all others. Differs from Steinke, Nasr, Jagielski
 * 2023 in nothing but that three numbers of guesses are tried, each at a third of the allowed error.
 */
public final class CanaryScores {
    /** Below as many numbers in a release, canaries hide each other. */
    public static final int LEAST_DIMENSION = 1000;

    private static final int[] GUESSED = {2, 8, 32};

    private final SyntheticTable table;
    private final boolean[] in;
    private final double[] scores;
    private long heard;

    /**
     * @param table the records, each a unit
     * @param in which of them are in the run
     */
    public CanaryScores(SyntheticTable table, boolean[] in) {
        this(table, in, new double[in.length], 0);
    }

    /**
     * Scores of a run that goes on.
     *
     * @param scores so far
     * @param heard how many releases they are of
     */
    public CanaryScores(SyntheticTable table, boolean[] in, double[] scores, long heard) {
        if (table.units().size() != in.length || scores.length != in.length) {
            throw new IllegalArgumentException("every canary has a coin and a score");
        }
        this.table = table;
        this.in = in.clone();
        this.scores = scores.clone();
        this.heard = heard;
    }

    /** The records that are in. */
    public RecordSource records() {
        List<double[][]> rows = new ArrayList<>();
        List<double[]> labels = new ArrayList<>();
        for (int i = 0; i < in.length; i++) {
            if (in[i]) {
                rows.add(table.units().get(i));
                labels.add(table.unitLabels().get(i));
            }
        }
        return new SyntheticTable(table.shape(), rows, labels).records(false, false);
    }

    /** So far. */
    public double[] scores() {
        return scores.clone();
    }

    /** How many releases were heard. */
    public long heard() {
        return heard;
    }

    /**
     * A session that is listened to.
     *
     * @param mechanism its noise
     * @param kept called after every release that was heard, before anybody else sees it
     */
    public PrivateSession listening(PrivateSession session, NoiseMechanism mechanism, Runnable kept) {
        List<TableSums> each = IntStream.range(0, in.length)
                .mapToObj(i -> new TableSums(table.only(i), unsampled(session.plan()), session.unit()))
                .toList();
        return new ForwardingSession(session) {
            @Override
            public NoisySum release(RecordSum query, double l2Bound) {
                long index = released();
                NoisySum sum = session.release(query, l2Bound);
                if (index >= heard) {
                    ReleasePlan.Phase phase = plan().phaseOf(index);
                    SumGrid grid = mechanism.scaled(phase.relativeNoise()).grid(l2Bound, phase.dimension());
                    hear(index, query, grid, sum, each);
                    heard = index + 1;
                    kept.run();
                }
                return sum;
            }
        };
    }

    private static ReleasePlan unsampled(ReleasePlan plan) {
        return new ReleasePlan(plan.phases());
    }

    private void hear(long index, RecordSum query, SumGrid grid, NoisySum sum, List<TableSums> each) {
        double[] released = sum.value();
        double step = grid.granularity();
        double variance = sum.noiseStandardDeviation() * sum.noiseStandardDeviation();
        for (int i = 0; i < scores.length; i++) {
            long[] own = each.get(i).of(index, query, grid);
            double product = 0;
            for (int j = 0; j < own.length; j++) {
                double number = own[j] * step;
                product += number * (released[j] - number / 2);
            }
            scores[i] += product / variance;
        }
    }

    /** What the scores say. */
    public CanaryVerdict verdict(double claimedEpsilon, double delta, double confidence) {
        int[] order = IntStream.range(0, scores.length)
                .boxed()
                .sorted((a, b) -> Double.compare(scores[a], scores[b]))
                .mapToInt(Integer::intValue)
                .toArray();
        OneRunBound best = null;
        double most = -1;
        for (int part : GUESSED) {
            int each = Math.min(order.length / 2, Math.max(1, order.length / part)); // no record is guessed twice
            int right = 0;
            for (int rank = 0; rank < each; rank++) {
                right += in[order[order.length - 1 - rank]] ? 1 : 0;
                right += in[order[rank]] ? 0 : 1;
            }
            OneRunBound guessed = new OneRunBound(order.length, 2 * each, right);
            double epsilon = guessed.epsilonAtLeast(delta, (1 - confidence) / GUESSED.length);
            if (epsilon > most) {
                most = epsilon;
                best = guessed;
            }
        }
        return new CanaryVerdict(best, claimedEpsilon, delta, most, confidence);
    }
}
