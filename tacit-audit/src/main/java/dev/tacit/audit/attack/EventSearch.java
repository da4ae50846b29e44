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

    private final Gain gain;
    private final long seed;

    /** How far an event exceeds what is allowed, in units of its standard error, from its counts on two tables. */
    private interface Gain {
        double of(long likelyHits, long unlikelyHits);
    }

    private EventSearch(Gain gain, long seed) {
        this.gain = gain;
        this.seed = seed;
    }

    /**
     * Looks for events that contradict a whole curve.
     *
     * @param trials how many outputs of each side are searched
     * @param seed of the random directions on which outputs are projected
     */
    public static EventSearch against(ClaimedCurve claim, int trials, long seed) {
        return new EventSearch((likely, unlikely) -> standardErrors(claim, likely, unlikely, trials), seed);
    }

    /**
     * Looks for events that show a large epsilon at one delta.
     *
     * @param trials how many outputs of each side are searched
     * @param seed of the random directions on which outputs are projected
     */
    public static EventSearch against(double epsilon, double delta, int trials, long seed) {
        double factor = Math.exp(epsilon);
        return new EventSearch(
                (likely, unlikely) -> (likely - factor * unlikely - delta * trials)
                        / Math.sqrt(likely + 1 + factor * factor * (unlikely + 1)),
                seed);
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

    /** With an extra hit on the side where an event should be unlikely, so that empty ones do not win. */
    private static double standardErrors(ClaimedCurve claim, long likelyHits, long unlikelyHits, int trials) {
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
            double gained = gain.of(likely.length - i, unlikely.length - unlikelyBelow);
            if (gained > best) {
                best = gained;
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
            double gained = gain.of(i + 1L, unlikely.length - unlikelyAbove);
            if (gained > best) {
                best = gained;
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
            double gained = gain.of(likelyHits, unlikelyHits);
            if (gained > best) {
                best = gained;
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
