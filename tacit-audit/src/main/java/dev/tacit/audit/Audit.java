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
 * <p>Layers: the claim's own arithmetic, exact checks of door, resumption and reader, transcripts with their exact likelihood
 * ratio, and the published files with a learned score; and the transcripts of a twin with too little noise, which must be
 * caught. A quarter of the allowed error is the published files', the rest the transcripts'.
 */
public final class Audit {
    /** The noise of the control over the claimed noise. */
    public static final double CONTROL = 0.7;

    private static final double TRANSCRIPT_SHARE = 0.75;
    private static final int PILOT = 64;
    private static final int FEWEST = 200;
    private static final int MOST = 100_000;
    private static final int MOST_PUBLISHED = 4000;
    private static final double NANOS = 1e9;

    private Audit() {}

    /** Audits a run and, if it read a file, its reader. */
    public static <M, S extends Record> AuditResult run(
            AuditSubject<M, S> subject, Optional<AuditedFile> file, AuditOptions options) {
        List<LayerResult> layers = new ArrayList<>();
        layers.add(ExactLayer.claim(subject));
        layers.add(ExactLayer.door(subject));
        layers.add(ExactLayer.resume(subject));
        file.ifPresent(each -> layers.add(ExactLayer.reader(each, options.seed(), options)));
        NeighbourPair pair = WorstNeighbours.find(subject, options.seed());
        double error = 1 - options.confidence();
        TranscriptJudge judge = new TranscriptJudge(subject, 1 - TRANSCRIPT_SHARE * error);
        TranscriptRuns<M, S> honest = new TranscriptRuns<>(subject, pair, options.seed());
        int runs = options.runs().orElseGet(() -> affordable(honest, options));
        TranscriptVerdict verdict = judge.judge(honest.runs(0, 2 * runs, options.threads()));
        layers.add(transcript(verdict, pair));
        TranscriptRuns<M, S> lessNoise = new TranscriptRuns<>(subject.withNoise(CONTROL), pair, options.seed() + 1);
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

    /** How many runs of each table there is time for, once the code is warm: two fifths for these, as much for the control. */
    private static int affordable(TranscriptRuns<?, ?> runs, AuditOptions options) {
        double each = Double.POSITIVE_INFINITY;
        long start = options.clock().getAsLong();
        int from = 0;
        double spent = 0;
        while (spent < 0.04 * options.seconds() || from == 0) {
            long before = options.clock().getAsLong();
            runs.runs(from, from + PILOT, options.threads());
            each = Math.min(each, (options.clock().getAsLong() - before) / NANOS / PILOT);
            from += PILOT;
            spent = (options.clock().getAsLong() - start) / NANOS;
        }
        double affordable = 0.35 * options.seconds() / Math.max(each, 1e-9) / 2;
        double power = Math.pow(10, Math.max(0, Math.floor(Math.log10(affordable)) - 1));
        return (int) Math.max(FEWEST, Math.min(MOST, Math.floor(affordable / power) * power));
    }

    private static LayerResult transcript(TranscriptVerdict verdict, NeighbourPair pair) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("runs", verdict.runs());
        figures.put("auditedEpsilon", verdict.epsilon());
        figures.put("curveEpsilon", verdict.curveEpsilon());
        figures.put("excessOverCurve", verdict.excess());
        figures.put("noiseRatio", verdict.noise().estimate());
        figures.put("noiseRatioAtLeast", verdict.noiseAtLeast());
        figures.put("noiseRatioAtMost", verdict.noiseAtMost());
        figures.put("unit", pair.words());
        figures.put("reach", pair.reach());
        return new LayerResult(
                "transcript",
                true,
                String.format(
                        Locale.ROOT,
                        "%d runs of the whole method on each of two neighbours, told apart by the exact likelihood ratio of"
                                + " all that was released. The unit (%s) uses %.2f of its bound; noise over claimed noise"
                                + " %.4f, from %.4f to %.4f.",
                        verdict.runs(),
                        pair.words(),
                        pair.reach(),
                        verdict.noise().estimate(),
                        verdict.noiseAtLeast(),
                        verdict.noiseAtMost()),
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
        int fits = Math.min(MOST_PUBLISHED, Math.max(FEWEST / 2, runs / 10));
        PublishedAttack.Seen seen = PublishedAttack.run(
                subject,
                pair.data(),
                pair.neighbour(),
                judge.curve(),
                1 - (1 - TRANSCRIPT_SHARE) * (1 - options.confidence()),
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
