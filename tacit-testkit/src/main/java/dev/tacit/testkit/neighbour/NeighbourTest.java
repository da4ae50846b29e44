package dev.tacit.testkit.neighbour;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Looks for evidence, in outputs on two neighbouring data sets, that a release does not keep its claimed guarantee.
 *
 * <pre>
 *   claim:   P(M(D) ∈ E) ≤ e^epsilon P(M(D') ∈ E) + delta    for every event E, and with D and D' exchanged
 *   broken:  lower confidence bound of P(M(D) ∈ E)  >  e^epsilon · upper confidence bound of P(M(D') ∈ E) + delta
 * </pre>
 *
 * Half of the outputs choose events (thresholds and likelihood-ratio sets of coordinates, projections and a Gaussian
 * likelihood-ratio score), the other half counts them, so the exact bounds of {@link BinomialCount} hold; the
 * false-alarm rate is shared out over all events, both directions and both bounds (Bonferroni). A verdict that holds
 * is absence of evidence, never a proof. Bichsel et al. 2018 and Ding et al. 2018 search for counter-examples in the
 * same way.
 *
 * @param <D> what the release reads
 */
public final class NeighbourTest<D> {
    private static final int EVENTS_PER_DIRECTION = 6;

    private final D data;
    private final D neighbour;
    private final double epsilon;
    private final double delta;
    private final double falseAlarm;
    private final int samples;
    private final long seed;

    private NeighbourTest(
            D data, D neighbour, double epsilon, double delta, double falseAlarm, int samples, long seed) {
        this.data = data;
        this.neighbour = neighbour;
        this.epsilon = epsilon;
        this.delta = delta;
        this.falseAlarm = falseAlarm;
        this.samples = samples;
        this.seed = seed;
    }

    /** A test on two data sets that differ in one privacy unit. */
    public static <D> NeighbourTest<D> of(D data, D neighbour) {
        return new NeighbourTest<>(data, neighbour, 0, 0, 1e-6, 400_000, 20_261_115L);
    }

    /** The guarantee that the release says it keeps. */
    public NeighbourTest<D> claimed(double claimedEpsilon, double claimedDelta) {
        return new NeighbourTest<>(data, neighbour, claimedEpsilon, claimedDelta, falseAlarm, samples, seed);
    }

    /** The probability, at most, that a release which keeps its claim fails the test. */
    public NeighbourTest<D> falseAlarm(double probability) {
        return new NeighbourTest<>(data, neighbour, epsilon, delta, probability, samples, seed);
    }

    /** The number of outputs on each data set. */
    public NeighbourTest<D> samples(int outputs) {
        return new NeighbourTest<>(data, neighbour, epsilon, delta, falseAlarm, outputs, seed);
    }

    /** The seed of the random directions on which outputs are projected. */
    public NeighbourTest<D> seed(long directions) {
        return new NeighbourTest<>(data, neighbour, epsilon, delta, falseAlarm, samples, directions);
    }

    /** Runs a release of one number. */
    public Verdict runScalar(ToDoubleFunction<? super D> release) {
        return run(input -> new double[] {release.applyAsDouble(input)});
    }

    /** Runs a release of a vector, whose length does not depend on the data. */
    public Verdict run(Function<? super D, double[]> release) {
        int half = samples / 2;
        double[][] first = new double[half][];
        double[][] second = new double[half][];
        for (int i = 0; i < half; i++) {
            first[i] = release.apply(data);
            second[i] = release.apply(neighbour);
        }
        List<Candidate> candidates = choose(first, second);
        long[] firstHits = new long[candidates.size()];
        long[] secondHits = new long[candidates.size()];
        for (int i = 0; i < half; i++) {
            count(candidates, release.apply(data), firstHits);
            count(candidates, release.apply(neighbour), secondHits);
        }
        double share = falseAlarm / (2 * candidates.size());
        List<Verdict.Finding> findings = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            Candidate candidate = candidates.get(i);
            BinomialCount onData = new BinomialCount(firstHits[i], half);
            BinomialCount onNeighbour = new BinomialCount(secondHits[i], half);
            BinomialCount likely = candidate.likelyOnData() ? onData : onNeighbour;
            BinomialCount unlikely = candidate.likelyOnData() ? onNeighbour : onData;
            double unlikelyAtMost = unlikely.upperBound(share);
            findings.add(new Verdict.Finding(
                    candidate.name() + (candidate.likelyOnData() ? " (data over neighbour)" : " (neighbour over data)"),
                    likely,
                    unlikely,
                    likely.lowerBound(share),
                    unlikelyAtMost,
                    Math.exp(epsilon) * unlikelyAtMost + delta));
        }
        return new Verdict(epsilon, delta, falseAlarm, seed, findings);
    }

    /** An event, on which side it looked too likely, and how many standard errors above what the claim allows. */
    private record Candidate(String name, Predicate<double[]> event, boolean likelyOnData, double standardErrors) {}

    private static void count(List<Candidate> candidates, double[] output, long[] hits) {
        for (int i = 0; i < hits.length; i++) {
            if (candidates.get(i).event().test(output)) {
                hits[i]++;
            }
        }
    }

    private List<Candidate> choose(double[][] first, double[][] second) {
        List<Candidate> onData = new ArrayList<>();
        List<Candidate> onNeighbour = new ArrayList<>();
        for (Score score : Score.fitted(first, second, seed)) {
            double[] firstScores = score.sorted(first);
            double[] secondScores = score.sorted(second);
            addCandidates(score, firstScores, secondScores, true, onData);
            addCandidates(score, secondScores, firstScores, false, onNeighbour);
        }
        List<Candidate> chosen = new ArrayList<>();
        for (List<Candidate> found : List.of(onData, onNeighbour)) {
            found.sort(Comparator.comparingDouble(Candidate::standardErrors).reversed());
            chosen.addAll(found.subList(0, Math.min(EVENTS_PER_DIRECTION, found.size())));
            boolean likelyOnData = found == onData;
            chosen.add(new Candidate("output is not finite", output -> !Score.isFinite(output), likelyOnData, 0));
        }
        return chosen;
    }

    private void addCandidates(
            Score score, double[] likely, double[] unlikely, boolean likelyOnData, List<Candidate> found) {
        found.add(above(score, likely, unlikely, likelyOnData));
        found.add(below(score, likely, unlikely, likelyOnData));
        found.add(likelihoodRatio(score, likely, unlikely, likelyOnData));
    }

    /**
     * How far p exceeds e^epsilon p' + delta in units of its standard error, with half an extra hit so that empty
     * events do not win.
     */
    private double standardErrors(long likelyHits, long unlikelyHits, int trials) {
        double factor = Math.exp(epsilon);
        double excess = likelyHits - factor * unlikelyHits - delta * trials;
        return excess / Math.sqrt(likelyHits + 1 + factor * factor * (unlikelyHits + 1));
    }

    private Candidate above(Score score, double[] likely, double[] unlikely, boolean likelyOnData) {
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
            double gain = standardErrors(likely.length - i, unlikely.length - unlikelyBelow, samples / 2);
            if (gain > best) {
                best = gain;
                threshold = likely[i];
            }
        }
        double atLeast = threshold;
        return new Candidate(score.name() + " ≥ " + atLeast, output -> score.of(output) >= atLeast, likelyOnData, best);
    }

    private Candidate below(Score score, double[] likely, double[] unlikely, boolean likelyOnData) {
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
            double gain = standardErrors(i + 1L, unlikely.length - unlikelyAbove, samples / 2);
            if (gain > best) {
                best = gain;
                threshold = likely[i];
            }
        }
        double atMost = threshold;
        return new Candidate(score.name() + " ≤ " + atMost, output -> score.of(output) <= atMost, likelyOnData, best);
    }

    /**
     * The union of the bins of a score in which the first sample is most over-represented; bins are single values if
     * there are few.
     */
    private Candidate likelihoodRatio(Score score, double[] likely, double[] unlikely, boolean likelyOnData) {
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
            double gain = standardErrors(likelyHits, unlikelyHits, samples / 2);
            if (gain > best) {
                best = gain;
                bestSize = size;
            }
        }
        boolean[] member = new boolean[bins.size()];
        for (int bin : order.subList(0, bestSize)) {
            member[bin] = true;
        }
        return new Candidate(
                score.name() + " in " + bestSize + " of " + bins.size() + " bins",
                output -> {
                    int bin = bins.binOf(score.of(output));
                    return bin >= 0 && member[bin];
                },
                likelyOnData,
                best);
    }
}
