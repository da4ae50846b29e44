package dev.tacit.testkit.neighbour;

import dev.tacit.audit.attack.EventSearch;
import dev.tacit.audit.attack.LearnedEvent;
import dev.tacit.audit.bound.BinomialCount;
import dev.tacit.audit.bound.ClaimedCurve;
import dev.tacit.audit.bound.DetectableDefect;
import dev.tacit.audit.bound.GaussianNeighbours;
import dev.tacit.audit.subject.PrivacyClaim;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Looks for evidence, in outputs on two neighbouring data sets, that a release does not keep its claimed guarantee.
 *
 * <pre>
 *   claim:   P(M(D) ∈ E) ≤ f(P(M(D') ∈ E))    for every event E, and with D and D' exchanged,
 *            f(a) = e^epsilon a + delta, or the curve that all epsilons of the release make together
 *   broken:  lower confidence bound of P(M(D) ∈ E)  >  f(upper confidence bound of P(M(D') ∈ E))
 * </pre>
 *
 * Half of the outputs choose events (thresholds and likelihood-ratio sets of coordinates, projections and a Gaussian
 * likelihood-ratio score), the other half counts them, so the exact bounds of {@link BinomialCount} hold; the
 * false-alarm rate is shared out over all events, both directions and both bounds (Bonferroni). A verdict that holds
 * is absence of evidence, never a proof. A test that is too small to find a defect worth finding ({@link #power}) does not
 * run, unless it says where finer ones are looked for. A whole curve finds defects that one epsilon at one delta would need a
 * hundred times as many outputs for (Nasr et al. 2023). Bichsel et al. 2018 and Ding et al. 2018 search for
 * counter-examples in the same way.
 *
 * @param <D> what the release reads
 */
public final class NeighbourTest<D> {
    /** A test must find noise times this. */
    public static final double NOISE_TO_FIND = 0.85;

    /** A test must find a record that is shown openly with this probability. */
    public static final double LEAK_TO_FIND = 0.05;

    /** Six learned events in each direction, and outputs that are not finite. */
    private static final int MOST_EVENTS = 14;

    private final D data;
    private final D neighbour;
    private final Claim claim;
    private final double falseAlarm;
    private final int samples;
    private final long seed;
    private final Optional<String> gross;

    /** What is claimed, and a release that uses it up. */
    private record Claim(
            double epsilon, double delta, boolean atOnePoint, ClaimedCurve curve, GaussianNeighbours tight) {
        EventSearch search(int trials, long seed) {
            return atOnePoint
                    ? EventSearch.against(epsilon, delta, trials, seed)
                    : EventSearch.against(curve, trials, seed);
        }

        static Claim ofPoint(double epsilon, double delta) {
            return new Claim(
                    epsilon,
                    delta,
                    true,
                    ClaimedCurve.ofPoint(epsilon, delta),
                    GaussianNeighbours.ofClaim(epsilon, delta));
        }
    }

    private NeighbourTest(
            D data, D neighbour, Claim claim, double falseAlarm, int samples, long seed, Optional<String> gross) {
        this.data = data;
        this.neighbour = neighbour;
        this.claim = claim;
        this.falseAlarm = falseAlarm;
        this.samples = samples;
        this.seed = seed;
        this.gross = gross;
    }

    /** A test on two data sets that differ in one privacy unit. */
    public static <D> NeighbourTest<D> of(D data, D neighbour) {
        return new NeighbourTest<>(data, neighbour, Claim.ofPoint(0, 0), 1e-6, 400_000, 20_261_115L, Optional.empty());
    }

    /** The guarantee that the release says it keeps. */
    public NeighbourTest<D> claimed(double claimedEpsilon, double claimedDelta) {
        return claimed(Claim.ofPoint(claimedEpsilon, claimedDelta));
    }

    /**
     * Everything that a claim says, at its printed delta and at all others.
     *
     * @param tight one Gaussian release that uses the claim up, from which the power of this test is computed
     */
    public NeighbourTest<D> claimed(PrivacyClaim everything, GaussianNeighbours tight) {
        return claimed(new Claim(everything.epsilon(), everything.delta(), false, everything.curve(), tight));
    }

    private NeighbourTest<D> claimed(Claim other) {
        return new NeighbourTest<>(data, neighbour, other, falseAlarm, samples, seed, gross);
    }

    /** The probability, at most, that a release which keeps its claim fails the test. */
    public NeighbourTest<D> falseAlarm(double probability) {
        return new NeighbourTest<>(data, neighbour, claim, probability, samples, seed, gross);
    }

    /** The number of outputs on each data set. */
    public NeighbourTest<D> samples(int outputs) {
        return new NeighbourTest<>(data, neighbour, claim, falseAlarm, outputs, seed, gross);
    }

    /** The seed of the random directions on which outputs are projected. */
    public NeighbourTest<D> seed(long directions) {
        return new NeighbourTest<>(data, neighbour, claim, falseAlarm, samples, directions, gross);
    }

    /**
     * Says that this test looks for gross defects only, and where finer ones are looked for: usually in a test of the same releases
     * by their exact likelihood ratios.
     */
    public NeighbourTest<D> grossBecause(String reason) {
        return new NeighbourTest<>(data, neighbour, claim, falseAlarm, samples, seed, Optional.of(reason));
    }

    /** The smallest defects that this test finds at its size, if outputs show all that is released. */
    public DetectableDefect power() {
        return DetectableDefect.of(claim.curve(), claim.tight(), samples / 2, falseAlarm / (2 * MOST_EVENTS));
    }

    private void requirePower() {
        if (gross.isPresent()) {
            return;
        }
        DetectableDefect power = power();
        if (!power.finds(NOISE_TO_FIND, LEAK_TO_FIND)) {
            throw new IllegalStateException(String.format(
                    Locale.ROOT,
                    "this test finds noise times %.2f and a leak of probability %.3f at best, and must find %.2f and"
                            + " %.2f: hold outputs against the whole curve, take more of them, or say where finer"
                            + " defects are looked for",
                    power.noiseFactor(),
                    power.leak(),
                    NOISE_TO_FIND,
                    LEAK_TO_FIND));
        }
    }

    /** Runs a release of one number. */
    public Verdict runScalar(ToDoubleFunction<? super D> release) {
        return run(input -> new double[] {release.applyAsDouble(input)});
    }

    /** Runs a release of a vector, whose length does not depend on the data. */
    public Verdict run(Function<? super D, double[]> release) {
        requirePower();
        int half = samples / 2;
        double[][] first = new double[half][];
        double[][] second = new double[half][];
        for (int i = 0; i < half; i++) {
            first[i] = release.apply(data);
            second[i] = release.apply(neighbour);
        }
        List<LearnedEvent> candidates = claim.search(half, seed).choose(first, second);
        long[] firstHits = new long[candidates.size()];
        long[] secondHits = new long[candidates.size()];
        for (int i = 0; i < half; i++) {
            count(candidates, release.apply(data), firstHits);
            count(candidates, release.apply(neighbour), secondHits);
        }
        double share = falseAlarm / (2 * candidates.size());
        List<Verdict.Finding> findings = new ArrayList<>();
        for (int i = 0; i < candidates.size(); i++) {
            LearnedEvent candidate = candidates.get(i);
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
                    claim.curve().mostLikely(unlikelyAtMost)));
        }
        return new Verdict(claim.epsilon(), claim.delta(), falseAlarm, seed, findings);
    }

    private static void count(List<LearnedEvent> candidates, double[] output, long[] hits) {
        for (int i = 0; i < hits.length; i++) {
            if (candidates.get(i).event().test(output)) {
                hits[i]++;
            }
        }
    }
}
