package dev.tacit.audit.transcript;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.bound.BinomialCount;
import dev.tacit.audit.bound.ClaimedCurve;
import dev.tacit.audit.bound.ErrorRates;
import dev.tacit.audit.bound.LatticeDeltas;
import dev.tacit.audit.bound.NoiseRatio;
import dev.tacit.audit.bound.RareRepeats;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.door.event.PrivacyEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Holds transcripts against a claim.
 *
 * <p>A quarter of the runs chooses events, the rest counts them. All bounds hold together at the stated confidence: the error
 * is shared out evenly (Bonferroni) over both counts of every event, the noise and its repeats. The lower bound on epsilon is
 * that of Jagielski, Ullman, Oprea 2020; that the whole curve is held against the counts is Nasr et al. 2023 and Mahloujifar,
 * Melis, Chaudhuri 2025.
 */
public final class TranscriptJudge {
    /** Two counts of up to three events in each direction of the ratio and one of the residuals, the noise, and its repeats. */
    private static final int SHARES = 2 * 2 * (3 + 1) + 2;

    private static final int CHOOSING = 4;
    private static final int HALVINGS = 6;
    private static final double LEAST_NOISE = 0.5;
    private static final double MOST_NOISE = 4;

    private final AuditSubject<?, ?> subject;
    private final ClaimedCurve curve;
    private final double share;

    /**
     * @param confidence at which nothing is said about an honest run
     */
    public TranscriptJudge(AuditSubject<?, ?> subject, double confidence) {
        this.subject = subject;
        this.curve = subject.claim().curve();
        this.share = (1 - confidence) / SHARES;
    }

    /** The claimed curve, with the printed point on it. */
    public ClaimedCurve curve() {
        return curve;
    }

    /** Judges runs, those of even number being on the first table. */
    public TranscriptVerdict judge(Transcript[] runs) {
        return judge(runs, true);
    }

    /**
     * Judges runs, those of even number being on the first table.
     *
     * @param wholeCurve whether it is asked, too, which epsilon the whole curve shows
     */
    public TranscriptVerdict judge(Transcript[] runs, boolean wholeCurve) {
        int half = runs.length / 2;
        int choosing = Math.max(1, half / CHOOSING);
        List<Transcript> data = side(runs, 0);
        List<Transcript> neighbour = side(runs, 1);
        List<EventChoice.Event> chosen =
                chosen(data.subList(0, choosing), neighbour.subList(0, choosing), half - choosing);
        List<ErrorRates> events = new ArrayList<>();
        for (EventChoice.Event event : chosen) {
            events.add(counted(event, data.subList(choosing, half), neighbour.subList(choosing, half)));
        }
        NoiseRatio noise = new NoiseRatio(
                Arrays.stream(runs).mapToDouble(Transcript::squares).sum(),
                Arrays.stream(runs).mapToLong(Transcript::residuals).sum());
        RareRepeats repeats = new RareRepeats(
                Arrays.stream(runs).mapToLong(Transcript::repeats).sum(),
                Arrays.stream(runs).mapToDouble(Transcript::expectedRepeats).sum());
        double delta = subject.claim().delta();
        double epsilon =
                events.stream().mapToDouble(event -> event.epsilon(delta)).max().orElse(0);
        double excess = excess(events, curve);
        double atLeast = noise.count() == 0 ? 0 : noise.atLeast(share);
        double atMost = noise.count() == 0 ? Double.POSITIVE_INFINITY : noise.atMost(share);
        return new TranscriptVerdict(
                half,
                epsilon,
                wholeCurve ? curveEpsilon(events, epsilon) : epsilon,
                excess,
                events,
                noise,
                atLeast,
                atMost,
                defects(events, excess, atMost, noise, repeats));
    }

    private static List<Transcript> side(Transcript[] runs, int first) {
        List<Transcript> side = new ArrayList<>();
        for (int run = first; run + 1 - first < runs.length; run += 2) {
            side.add(runs[run]);
        }
        return side;
    }

    private List<EventChoice.Event> chosen(List<Transcript> data, List<Transcript> neighbour, long trials) {
        EventChoice choice = new EventChoice(curve, subject.claim().delta(), trials);
        List<EventChoice.Event> events = new ArrayList<>();
        events.addAll(
                choice.choose("log likelihood ratio", Transcript::logLikelihoodRatio, true, true, data, neighbour));
        events.addAll(
                choice.choose("log likelihood ratio", Transcript::logLikelihoodRatio, false, false, data, neighbour));
        for (boolean onData : new boolean[] {true, false}) {
            choice.inTail("largest residual", Transcript::largestResidual, onData, data, neighbour)
                    .ifPresent(events::add);
        }
        return events;
    }

    private ErrorRates counted(EventChoice.Event event, List<Transcript> data, List<Transcript> neighbour) {
        BinomialCount onData =
                new BinomialCount(data.stream().filter(event::holds).count(), data.size());
        BinomialCount onNeighbour =
                new BinomialCount(neighbour.stream().filter(event::holds).count(), neighbour.size());
        return event.onData()
                ? ErrorRates.of(event.words(), onData, onNeighbour, share)
                : ErrorRates.of(event.words(), onNeighbour, onData, share);
    }

    private static double excess(List<ErrorRates> events, ClaimedCurve claimed) {
        return events.stream().mapToDouble(event -> event.excess(claimed)).max().orElse(Double.NEGATIVE_INFINITY);
    }

    /** The epsilon of the plan with the least noise that the counts contradict. */
    private double curveEpsilon(List<ErrorRates> events, double least) {
        double low = LEAST_NOISE;
        double high = MOST_NOISE;
        if (!(excess(events, scaled(high)) > 0)) {
            return least;
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = Math.sqrt(low * high);
            if (excess(events, scaled(middle)) > 0) {
                high = middle;
            } else {
                low = middle;
            }
        }
        // The lower end: what is said of the curve is a lower bound, too.
        return new ExactAccountant()
                                .epsilon(
                                        event(high),
                                        subject.claim().delta(),
                                        subject.claim().neighbours())
                        instanceof EpsilonBound.Between between
                ? Math.max(least, between.lower())
                : least;
    }

    private PrivacyEvent event(double noiseFactor) {
        return subject.plan().event(subject.mechanism().scaled(noiseFactor));
    }

    private ClaimedCurve scaled(double noiseFactor) {
        LatticeDeltas deltas =
                new LatticeDeltas(event(noiseFactor), subject.claim().neighbours());
        return new ClaimedCurve(deltas::at, subject.claim().epsilon() / noiseFactor);
    }

    private List<Defect> defects(
            List<ErrorRates> events, double excess, double noiseAtMost, NoiseRatio noise, RareRepeats repeats) {
        List<Defect> defects = new ArrayList<>();
        if (excess > 0) {
            ErrorRates worst = events.stream()
                    .max((one, other) -> Double.compare(one.excess(curve), other.excess(curve)))
                    .orElseThrow();
            defects.add(new Defect(
                    Kind.CURVE,
                    String.format(
                            Locale.ROOT,
                            "an event (%s) happened in %d of %d runs against %d of %d, so with probability at least"
                                    + " %.4g where the claim allows at most %.4g",
                            worst.event(),
                            worst.likely().hits(),
                            worst.likely().trials(),
                            worst.unlikely().hits(),
                            worst.unlikely().trials(),
                            worst.likelyAtLeast(),
                            curve.mostLikely(worst.unlikelyAtMost()))));
        }
        if (noiseAtMost < 1) {
            defects.add(new Defect(
                    Kind.NOISE,
                    String.format(
                            Locale.ROOT,
                            "the noise has %.4f of its claimed standard deviation, at most %.4f",
                            noise.estimate(),
                            noiseAtMost)));
        }
        if (repeats.probability() < share) {
            defects.add(new Defect(
                    Kind.REPEATED_NOISE,
                    String.format(
                            Locale.ROOT,
                            "%d releases had no noise, or the noise of another release of their run; chance has %.2g",
                            repeats.seen(),
                            repeats.expected())));
        }
        return defects;
    }
}
