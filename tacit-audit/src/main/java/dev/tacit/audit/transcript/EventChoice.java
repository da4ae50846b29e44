package dev.tacit.audit.transcript;

import dev.tacit.audit.bound.ClaimedCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Thresholds of a score that are worth counting, chosen on runs that are not counted.
 *
 * <p>For each direction: the threshold that should give the largest epsilon, the one at which the claimed curve is nearest or
 * exceeded, and the same far out in the tail, where something that happens rarely would show.
 */
final class EventChoice {
    private static final int QUANTILES = 80;
    private static final double TAIL = 0.02;
    private static final double STANDARD_ERRORS = 4;

    private final ClaimedCurve curve;
    private final double delta;
    private final long trials;

    /**
     * @param trials how many runs of a side will be counted
     */
    EventChoice(ClaimedCurve curve, double delta, long trials) {
        this.curve = curve;
        this.delta = delta;
        this.trials = trials;
    }

    /**
     * A set of transcripts: those whose score is at least, or below, a threshold.
     *
     * @param score which score
     * @param atLeast whether it is the set above the threshold
     * @param onData whether it should be likelier on the first table
     */
    record Event(String name, ToDoubleFunction<Transcript> score, double threshold, boolean atLeast, boolean onData) {
        boolean holds(Transcript transcript) {
            return score.applyAsDouble(transcript) >= threshold == atLeast;
        }

        String words() {
            return name
                    + (atLeast ? " at least " : " below ")
                    + threshold
                    + (onData ? ", on the table with the unit" : ", on its neighbour");
        }
    }

    /** The most promising events of a score in one direction. */
    List<Event> choose(
            String name,
            ToDoubleFunction<Transcript> score,
            boolean atLeast,
            boolean onData,
            List<Transcript> data,
            List<Transcript> neighbour) {
        List<Transcript> likely = onData ? data : neighbour;
        List<Transcript> unlikely = onData ? neighbour : data;
        Event forEpsilon = null;
        Event forCurve = null;
        Event inTail = null;
        double bestEpsilon = Double.NEGATIVE_INFINITY;
        double bestCurve = Double.NEGATIVE_INFINITY;
        double bestTail = Double.NEGATIVE_INFINITY;
        for (double threshold : thresholds(score, data, neighbour)) {
            Event event = new Event(name, score, threshold, atLeast, onData);
            double low = share(event, likely, -1);
            double high = share(event, unlikely, 1);
            double epsilon = low > delta ? Math.log((low - delta) / high) : Double.NEGATIVE_INFINITY;
            double excess = low - curve.mostLikely(Math.min(1, high));
            if (epsilon > bestEpsilon) {
                bestEpsilon = epsilon;
                forEpsilon = event;
            }
            if (excess > bestCurve) {
                bestCurve = excess;
                forCurve = event;
            }
            if (high < TAIL && excess > bestTail) {
                bestTail = excess;
                inTail = event;
            }
        }
        List<Event> chosen = new ArrayList<>();
        for (Event event : new Event[] {forEpsilon, forCurve, inTail}) {
            if (event != null && !chosen.contains(event)) {
                chosen.add(event);
            }
        }
        return chosen;
    }

    /** The most promising event far out where a score is large. */
    Optional<Event> inTail(
            String name,
            ToDoubleFunction<Transcript> score,
            boolean onData,
            List<Transcript> data,
            List<Transcript> neighbour) {
        Event best = null;
        double most = Double.NEGATIVE_INFINITY;
        for (double threshold : thresholds(score, data, neighbour)) {
            Event event = new Event(name, score, threshold, true, onData);
            double low = share(event, onData ? data : neighbour, -1);
            double high = share(event, onData ? neighbour : data, 1);
            double excess = low - curve.mostLikely(Math.min(1, high));
            if (high < TAIL && excess > most) {
                most = excess;
                best = event;
            }
        }
        return Optional.ofNullable(best);
    }

    /** What the bound will be about, from few runs: never zero, because none of few is not none of many. */
    private double share(Event event, List<Transcript> runs, int side) {
        double hits = runs.stream().filter(event::holds).count() + (side > 0 ? 0.5 : 0);
        double share = hits / (runs.size() + 0.5);
        double deviation = Math.sqrt(share * (1 - share) / trials);
        return Math.max(0, share + side * (STANDARD_ERRORS * deviation + (side > 0 ? 4.0 / trials : 0)));
    }

    private static Iterable<Double> thresholds(
            ToDoubleFunction<Transcript> score, List<Transcript> data, List<Transcript> neighbour) {
        TreeSet<Double> thresholds = new TreeSet<>();
        for (List<Transcript> side : List.of(data, neighbour)) {
            double[] sorted = side.stream().mapToDouble(score).sorted().toArray();
            for (int k = 0; k <= QUANTILES; k++) {
                thresholds.add(sorted[Math.min(sorted.length - 1, (int) ((long) k * sorted.length / QUANTILES))]);
            }
            for (int k = 1; k <= 8 && k <= sorted.length; k++) {
                thresholds.add(sorted[sorted.length - k]);
                thresholds.add(sorted[k - 1]);
            }
        }
        return thresholds;
    }
}
