package dev.tacit.audit.attack;

import dev.tacit.audit.bound.ClaimedCurve;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Looks in outputs on two neighbours for events that are likelier on one than a claim allows: thresholds and likelihood-ratio
 * sets of coordinates, projections and a Gaussian likelihood-ratio score.
 *
 * <p>Bichsel et al. 2018 and Ding et al. 2018 search for counter-examples in the same way. Whoever counts the events takes
 * other outputs for it.
 */
public final class EventSearch {
    private static final int EVENTS_PER_DIRECTION = 6;

    private final ClaimedCurve claim;
    private final int trials;
    private final long seed;

    /**
     * @param claim that events are to contradict
     * @param trials how many outputs of each side are searched
     * @param seed of the random directions on which outputs are projected
     */
    public EventSearch(ClaimedCurve claim, int trials, long seed) {
        this.claim = claim;
        this.trials = trials;
        this.seed = seed;
    }

    /** The events of both directions that the outputs, which are not to be counted, point out most. */
    public List<LearnedEvent> choose(double[][] first, double[][] second) {
        List<LearnedEvent> onData = new ArrayList<>();
        List<LearnedEvent> onNeighbour = new ArrayList<>();
        for (Score score : Score.fitted(first, second, seed)) {
            double[] firstScores = score.sorted(first);
            double[] secondScores = score.sorted(second);
            addEvents(score, firstScores, secondScores, true, onData);
            addEvents(score, secondScores, firstScores, false, onNeighbour);
        }
        List<LearnedEvent> chosen = new ArrayList<>();
        for (List<LearnedEvent> found : List.of(onData, onNeighbour)) {
            found.sort(Comparator.comparingDouble(LearnedEvent::standardErrors).reversed());
            chosen.addAll(found.subList(0, Math.min(EVENTS_PER_DIRECTION, found.size())));
            boolean likelyOnData = found == onData;
            chosen.add(new LearnedEvent("output is not finite", output -> !Score.isFinite(output), likelyOnData, 0));
        }
        return chosen;
    }

    private void addEvents(
            Score score, double[] likely, double[] unlikely, boolean likelyOnData, List<LearnedEvent> found) {
        found.add(above(score, likely, unlikely, likelyOnData));
        found.add(below(score, likely, unlikely, likelyOnData));
        found.add(likelihoodRatio(score, likely, unlikely, likelyOnData));
    }

    /**
     * How far a share exceeds what the claim allows, in units of its standard error, with an extra hit on the side where it should
     * be unlikely, so that empty events do not win.
     */
    private double standardErrors(long likelyHits, long unlikelyHits) {
        double likely = (double) likelyHits / trials;
        double unlikely = Math.min(1, (unlikelyHits + 1.0) / trials);
        double allowed = claim.mostLikely(unlikely);
        double deviation = Math.sqrt(unlikely * Math.max(1 - unlikely, 1.0 / trials) / trials);
        double shifted = claim.mostLikely(Math.min(1, unlikely + deviation)) - allowed;
        double own = Math.max(likely * (1 - likely), 1.0 / trials) / trials;
        return (likely - allowed) / Math.sqrt(own + shifted * shifted);
    }

    private LearnedEvent above(Score score, double[] likely, double[] unlikely, boolean likelyOnData) {
        double best = Double.NEGATIVE_INFINITY;
        double threshold = Double.POSITIVE_INFINITY;
        int unlikelyBelow = 0;
        for (int i = 0; i < likely.length; i++) {
            if (i > 0 && likely[i] == likely[i - 1]) {
                continue;
            }
            while (unlikelyBelow < unlikely.length && unlikely[unlikelyBelow] < likely[i]) {
                unlikelyBelow++;
            }
            double gain = standardErrors(likely.length - i, unlikely.length - unlikelyBelow);
            if (gain > best) {
                best = gain;
                threshold = likely[i];
            }
        }
        double atLeast = threshold;
        return new LearnedEvent(
                score.name() + " ≥ " + atLeast, output -> score.of(output) >= atLeast, likelyOnData, best);
    }

    private LearnedEvent below(Score score, double[] likely, double[] unlikely, boolean likelyOnData) {
        double best = Double.NEGATIVE_INFINITY;
        double threshold = Double.NEGATIVE_INFINITY;
        int unlikelyAbove = 0;
        for (int i = likely.length - 1; i >= 0; i--) {
            if (i < likely.length - 1 && likely[i] == likely[i + 1]) {
                continue;
            }
            while (unlikelyAbove < unlikely.length && unlikely[unlikely.length - 1 - unlikelyAbove] > likely[i]) {
                unlikelyAbove++;
            }
            double gain = standardErrors(i + 1L, unlikely.length - unlikelyAbove);
            if (gain > best) {
                best = gain;
                threshold = likely[i];
            }
        }
        double atMost = threshold;
        return new LearnedEvent(
                score.name() + " ≤ " + atMost, output -> score.of(output) <= atMost, likelyOnData, best);
    }

    /**
     * The union of the bins of a score in which the first sample is most over-represented; bins are single values if
     * there are few.
     */
    private LearnedEvent likelihoodRatio(Score score, double[] likely, double[] unlikely, boolean likelyOnData) {
        ScoreBins bins = ScoreBins.of(likely, unlikely);
        long[] likelyCounts = bins.counts(likely);
        long[] unlikelyCounts = bins.counts(unlikely);
        List<Integer> order = new ArrayList<>();
        for (int bin = 0; bin < bins.size(); bin++) {
            order.add(bin);
        }
        order.sort(
                Comparator.comparingDouble((Integer bin) -> -(likelyCounts[bin] + 0.5) / (unlikelyCounts[bin] + 0.5)));
        double best = Double.NEGATIVE_INFINITY;
        int bestSize = 0;
        long likelyHits = 0;
        long unlikelyHits = 0;
        for (int size = 1; size <= order.size(); size++) {
            likelyHits += likelyCounts[order.get(size - 1)];
            unlikelyHits += unlikelyCounts[order.get(size - 1)];
            double gain = standardErrors(likelyHits, unlikelyHits);
            if (gain > best) {
                best = gain;
                bestSize = size;
            }
        }
        boolean[] member = new boolean[bins.size()];
        for (int bin : order.subList(0, bestSize)) {
            member[bin] = true;
        }
        return new LearnedEvent(
                score.name() + " in " + bestSize + " of " + bins.size() + " bins",
                output -> {
                    int bin = bins.binOf(score.of(output));
                    return bin >= 0 && member[bin];
                },
                likelyOnData,
                best);
    }
}
