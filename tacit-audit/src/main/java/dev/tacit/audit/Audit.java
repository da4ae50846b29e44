package dev.tacit.audit;

import dev.tacit.audit.attack.PublishedAttack;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.transcript.NeighbourPair;
import dev.tacit.audit.transcript.TranscriptJudge;
import dev.tacit.audit.transcript.TranscriptRuns;
import dev.tacit.audit.transcript.TranscriptVerdict;
import dev.tacit.audit.transcript.WorstNeighbours;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Holds a run's claim against what an attacker gets, without a private record and without spending anything.
 *
 * <p>Layers: the claim's own arithmetic, exact checks of door, resumption and reader, the law of batches, transcripts with their
 * exact likelihood ratio, and the published files with a learned score; and the transcripts of a twin with too little noise,
 * which must be caught. Seven tenths of the allowed error are the transcripts', two the published files', one the batches'.
 */
public final class Audit {
    /** The noise of the control over the claimed noise. */
    public static final double CONTROL = 0.7;

    private static final double TRANSCRIPT_SHARE = 0.7;
    private static final double PUBLISHED_SHARE = 0.2;
    private static final double BATCHES_SHARE = 0.1;
    private static final int PILOT = 16;
    private static final int ENOUGH = 4000;
    private static final int MOST_POINTS = 64;
    private static final int FEWEST = 200;
    private static final int MOST = 100_000;
    private static final int MOST_PUBLISHED = 4000;
    private static final int FEWEST_PUBLISHED = 40;
    private static final double NANOS = 1e9;

    private Audit() {}

    /** Audits a run and, if it read a file, its reader. */
    public static <M, S extends Record> AuditResult run(
            AuditSubject<M, S> subject, Optional<AuditedFile> file, AuditOptions options) {
        List<LayerResult> layers = new ArrayList<>();
        layers.add(ExactLayer.claim(subject));
        layers.add(ExactLayer.door(subject));
        double error = 1 - options.confidence();
        layers.add(ExactLayer.batches(subject, BATCHES_SHARE * error, options.seed()));
        layers.add(ExactLayer.resume(subject));
        file.ifPresent(each -> layers.add(ExactLayer.reader(each, options.seed(), options)));
        NeighbourPair pair = WorstNeighbours.find(subject, options.seed());
        TranscriptJudge judge = new TranscriptJudge(subject, 1 - TRANSCRIPT_SHARE * error);
        TranscriptRuns<M, S> honest = new TranscriptRuns<>(subject, pair, options.seed());
        if (options.queryPoints() > 0) {
            honest.fix(options.queryPoints());
        }
        int runs = options.runs().orElseGet(() -> affordable(honest, options));
        TranscriptRuns<M, S> lessNoise = honest.twin(subject.withNoise(CONTROL), options.seed() + 1);
        TranscriptVerdict verdict = judge.judge(honest.runs(0, 2 * runs, options.threads()));
        layers.add(transcript(verdict, pair, honest.queryPoints()));
        TranscriptVerdict caught = judge.judge(lessNoise.runs(0, 2 * runs, options.threads()), false);
        double published = published(subject, pair, judge, runs, options, layers);
        return new AuditResult(
                subject.claim(),
                Math.max(verdict.epsilon(), published),
                options.confidence(),
                options.seed(),
                runs,
                pair.words(),
                layers,
                new ControlResult(CONTROL, caught.found(Kind.CURVE), caught.found(Kind.NOISE), caught.epsilon()),
                judge.curve(),
                verdict);
    }

    /**
     * How many runs of each table there is time for: a third of it for these, as much for the control. Where the method itself takes
     * so long that few would be seen, what some of its runs ask is asked again and again.
     */
    private static int affordable(TranscriptRuns<?, ?> honest, AuditOptions options) {
        double each = seconds(honest, options);
        if (affordable(each, options) < ENOUGH && honest.queryPoints() == 0) {
            int points = (int) Math.max(1, Math.min(MOST_POINTS, 0.04 * options.seconds() / Math.max(each, 1e-9)));
            if (honest.fix(points)) {
                each = seconds(honest, options);
            }
        }
        double affordable = affordable(each, options);
        double power = Math.pow(10, Math.max(0, Math.floor(Math.log10(affordable)) - 1));
        return (int) Math.max(FEWEST, Math.min(MOST, Math.floor(affordable / power) * power));
    }

    private static double affordable(double each, AuditOptions options) {
        return 0.3 * options.seconds() / Math.max(each, 1e-9) / 2;
    }

    /** How long a run takes once the code is warm. */
    private static double seconds(TranscriptRuns<?, ?> runs, AuditOptions options) {
        double each = Double.POSITIVE_INFINITY;
        double spent = 0;
        for (int from = 0; from == 0 || spent < 0.02 * options.seconds(); from += PILOT) {
            long before = options.clock().getAsLong();
            runs.runs(from, from + PILOT, options.threads());
            double took = (options.clock().getAsLong() - before) / NANOS;
            each = Math.min(each, took / PILOT);
            spent += Math.max(took, 1e-6);
        }
        return each;
    }

    private static LayerResult transcript(TranscriptVerdict verdict, NeighbourPair pair, int queryPoints) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("runs", verdict.runs());
        figures.put("auditedEpsilon", verdict.epsilon());
        figures.put("curveEpsilon", verdict.curveEpsilon());
        figures.put("excessOverCurve", verdict.excess());
        boolean residuals = verdict.noise().count() > 0;
        if (residuals) {
            figures.put("noiseRatio", verdict.noise().estimate());
            figures.put("noiseRatioAtLeast", verdict.noiseAtLeast());
            figures.put("noiseRatioAtMost", verdict.noiseAtMost());
        }
        figures.put("queryPoints", queryPoints);
        figures.put("unit", pair.words());
        figures.put("reach", pair.reach());
        return new LayerResult(
                "transcript",
                true,
                String.format(
                                Locale.ROOT,
                                "%d runs on each of two neighbours%s, told apart by the exact likelihood ratio of all that"
                                        + " was released. The unit (%s) uses %.2f of its bound; ",
                                verdict.runs(),
                                queryPoints == 0
                                        ? ", the whole method each time"
                                        : queryPoints == 1
                                                ? ""
                                                : ", asking what " + queryPoints + " runs of the method asked",
                                pair.words(),
                                pair.reach())
                        + (residuals
                                ? String.format(
                                        Locale.ROOT,
                                        "noise over claimed noise %.4f, from %.4f to %.4f.",
                                        verdict.noise().estimate(),
                                        verdict.noiseAtLeast(),
                                        verdict.noiseAtMost())
                                : "no release shows its noise alone, because the unit may be in any batch."),
                figures,
                verdict.defects());
    }

    private static <M, S extends Record> double published(
            AuditSubject<M, S> subject,
            NeighbourPair pair,
            TranscriptJudge judge,
            int runs,
            AuditOptions options,
            List<LayerResult> layers) {
        int fits = options.fits().orElse(Math.min(MOST_PUBLISHED, Math.max(FEWEST / 2, runs / 10)));
        if (options.runs().isEmpty() && options.fits().isEmpty()) {
            long before = options.clock().getAsLong();
            PublishedAttack.fit(subject, pair.data(), options.seed() + 2);
            double each = (options.clock().getAsLong() - before) / NANOS;
            fits = (int) Math.min(fits, 0.15 * options.seconds() / Math.max(each, 1e-9) / 2);
        }
        if (fits < FEWEST_PUBLISHED) {
            layers.add(LayerResult.notRun(
                    "black box",
                    "Whole fits were not made, or take so long that the time is for fewer than " + FEWEST_PUBLISHED
                            + "."));
            return 0;
        }
        PublishedAttack.Seen seen = PublishedAttack.run(
                subject,
                pair.data(),
                pair.neighbour(),
                judge.curve(),
                1 - PUBLISHED_SHARE * (1 - options.confidence()),
                fits,
                options.seed() + 2);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("runs", seen.runs());
        figures.put("auditedEpsilon", seen.epsilon());
        figures.put("excessOverCurve", seen.excess());
        layers.add(new LayerResult(
                "black box",
                true,
                seen.runs() + " fits of a small table with and without the unit, told apart by a learned score of the"
                        + " published posterior alone.",
                figures,
                seen.excess() > 0
                        ? List.of(new Defect(
                                Kind.PUBLISHED,
                                "the posterior tells the two tables apart more often than the claimed curve allows"))
                        : List.of()));
        return seen.epsilon();
    }
}
