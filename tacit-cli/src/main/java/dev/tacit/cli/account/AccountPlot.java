package dev.tacit.cli.account;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.PlotFile;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Version;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.Frame;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.Palette;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Epsilon against delta and against steps, by every accountant that comes close, as one page or picture that needs no
 * network and no script.
 */
final class AccountPlot {
    private static final int DECADES = 4;
    private static final int POINTS_PER_DECADE = 4;
    private static final int STEP_POINTS = 32;
    private static final int FEW_STEPS = 16;
    private static final double PATIENCE_SECONDS = 10;

    /** A line further above the best one than this would only squeeze the others. */
    private static final double TOO_FAR = 4;

    private final Accounting accounting;

    AccountPlot(Accounting accounting) {
        this.accounting = accounting;
    }

    /** The text of the file. */
    String draw(PlotFile file, AccountingQuestion question, List<Answer> answers) {
        Answer best = Accounting.best(answers);
        if (Double.isInfinite(best.upper())) {
            throw new CommandFailure(
                    ExitCode.BAD_DATA,
                    "no accountant can bound this event, so there is nothing to draw; leave out --plot.");
        }
        double[] deltas = deltas(question.given());
        double[] counts = counts(times(question.event()));
        LineChart overDelta;
        LineChart overSteps;
        try (Progress progress = Progress.of("drawing", deltas.length + counts.length)) {
            overDelta = overDelta(question, deltas, answers, best, progress);
            overSteps = overSteps(question, counts, answers, best, progress);
        }
        return file.page() ? page(question, answers, overDelta, overSteps) : picture(question, overDelta, overSteps);
    }

    private LineChart overDelta(
            AccountingQuestion question, double[] deltas, List<Answer> answers, Answer best, Progress progress) {
        List<Series> series = curves(
                answers,
                best,
                deltas,
                i -> new AccountingQuestion(
                        question.event(), question.neighbours(), AccountingQuestion.Wanted.EPSILON, deltas[i]),
                progress);
        Axis horizontal = new Axis("delta (stricter to the right)", deltas[0], deltas[deltas.length - 1], true);
        return chart("Epsilon against delta", horizontal, series, best, question.given());
    }

    private LineChart overSteps(
            AccountingQuestion question, double[] counts, List<Answer> answers, Answer best, Progress progress) {
        List<Series> series = curves(
                answers, best, counts, i -> question.about(repeated(question.event(), (long) counts[i])), progress);
        String title = question.event() instanceof PrivacyEvent.Repeated ? "steps" : "repetitions of the whole plan";
        Axis horizontal = new Axis(title, 0, counts[counts.length - 1], false);
        return chart("Epsilon against " + title, horizontal, series, best, (double) times(question.event()));
    }

    private static LineChart chart(String title, Axis horizontal, List<Series> series, Answer best, double markedAt) {
        double largest = 0;
        double tallest = 0;
        for (Series line : series) {
            largest = Math.max(largest, line.largest());
            tallest = line.label().equals(best.accountant()) ? line.largest() : tallest;
        }
        Axis vertical = Axis.fromZero("epsilon", Math.min(largest, 2 * tallest));
        String text = "epsilon \u2264 " + Rounded.up(best.upper());
        return new LineChart(title, horizontal, vertical, series, new LineChart.Marked(markedAt, best.upper(), text));
    }

    private List<Series> curves(
            List<Answer> answers,
            Answer best,
            double[] x,
            IntFunction<AccountingQuestion> question,
            Progress progress) {
        Map<Integer, List<Answer>> columns = new PointByPoint(PATIENCE_SECONDS)
                .compute(x.length, point -> accounting.ask(question.apply(point)), progress);
        List<Series> series = new ArrayList<>();
        for (int row = 0; row < answers.size(); row++) {
            Answer answer = answers.get(row);
            if (drawn(answer, best)) {
                List<Series.Point> points = new ArrayList<>();
                for (Map.Entry<Integer, List<Answer>> column : columns.entrySet()) {
                    points.add(new Series.Point(
                            x[column.getKey()], shown(column.getValue().get(row))));
                }
                boolean estimate = answer.finding() instanceof Answer.Estimate;
                series.add(new Series(answer.accountant() + (estimate ? " (estimate)" : ""), row, estimate, points));
            }
        }
        return series;
    }

    private static boolean drawn(Answer answer, Answer best) {
        return shown(answer) <= TOO_FAR * best.upper();
    }

    /** The number to draw: the bound, or the estimate. */
    private static double shown(Answer answer) {
        return answer.finding() instanceof Answer.Estimate estimate ? estimate.value() : answer.upper();
    }

    private static double[] deltas(double delta) {
        int middle = (int) Math.round(Math.log10(delta));
        int last = Math.min(-1, middle + DECADES);
        int first = Math.max(-300, Math.min(middle, last) - DECADES);
        double[] deltas = new double[(last - first) * POINTS_PER_DECADE + 1];
        for (int i = 0; i < deltas.length; i++) {
            deltas[i] = Math.pow(10, last - (double) i / POINTS_PER_DECADE);
        }
        return deltas;
    }

    private static long times(PrivacyEvent event) {
        return event instanceof PrivacyEvent.Repeated repeated ? Math.max(1, repeated.times()) : 1;
    }

    private static PrivacyEvent repeated(PrivacyEvent event, long times) {
        return event instanceof PrivacyEvent.Repeated repeated
                ? repeated.event().times(times)
                : event.times(times);
    }

    /** From one step to twice as many as were asked for, closer together where the curve bends. */
    private static double[] counts(long times) {
        long last = Math.max(4, 2 * times);
        if (last <= FEW_STEPS) {
            return IntStream.rangeClosed(1, (int) last).asDoubleStream().toArray();
        }
        double[] counts = new double[STEP_POINTS + 1];
        counts[0] = 1;
        for (int i = 1; i <= STEP_POINTS; i++) {
            double share = (double) i / STEP_POINTS;
            counts[i] = Math.max(1, Math.rint((double) last * share * share));
        }
        return counts;
    }

    private static String picture(AccountingQuestion question, LineChart overDelta, LineChart overSteps) {
        int width = 2 * Frame.WIDE.width();
        int height = Frame.WIDE.height() + 40;
        return """
                <svg xmlns="http://www.w3.org/2000/svg" class="tacit" role="img"
                  viewBox="0 0 %d %d" width="%d" height="%d">
                <title>%s</title>
                <style>
                %s</style>
                <rect class="paper" width="100%%" height="100%%"/>
                <text class="soft" x="62" y="28">%s</text>
                <g transform="translate(0 40)">
                %s</g>
                <g transform="translate(%d 40)">
                %s</g>
                </svg>
                """.formatted(
                        width,
                        height,
                        width,
                        height,
                        Markup.escape(AccountReport.setting(question)),
                        Palette.stylesheet(),
                        Markup.escape(AccountReport.setting(question)),
                        overDelta.elements("delta"),
                        Frame.WIDE.width(),
                        overSteps.elements("steps"));
    }

    private String page(AccountingQuestion question, List<Answer> answers, LineChart overDelta, LineChart overSteps) {
        Answer best = Accounting.best(answers);
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <title>What this plan reveals</title>
                <style>
                %s%s</style>
                </head>
                <body class="tacit">
                <main>
                <h1>Epsilon is at most %s at delta %s</h1>
                <p class="soft">%s</p>
                <div class="charts">
                %s%s</div>
                %s<table>
                <tr><th>accountant</th><th class="number">epsilon</th><th class="number">at least</th>
                <th>what it is</th><th>source</th></tr>
                %s</table>
                <dl>
                %s</dl>
                <footer class="soft">%s. This page needs no network and no script.</footer>
                </main>
                </body>
                </html>
                """.formatted(
                        Palette.stylesheet(),
                        pageStylesheet(),
                        Rounded.up(best.upper()),
                        Rounded.asGiven(question.given()),
                        Markup.escape(AccountReport.setting(question)),
                        svg(overDelta, "delta"),
                        svg(overSteps, "steps"),
                        notDrawn(answers, best),
                        rows(answers),
                        definitions(new AccountReport(accounting).remarks(question, answers)),
                        Markup.escape(Version.text()));
    }

    private static String svg(LineChart chart, String id) {
        return "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n"
                .formatted(Frame.WIDE.width(), Frame.WIDE.height(), Markup.escape(chart.title()), chart.elements(id));
    }

    private static String notDrawn(List<Answer> answers, Answer best) {
        List<String> names = new ArrayList<>();
        for (Answer answer : answers) {
            if (Double.isFinite(shown(answer)) && !drawn(answer, best)) {
                names.add(answer.accountant());
            }
        }
        return names.isEmpty()
                ? ""
                : "<p class=\"soft\">Not drawn, because far above: " + String.join(", ", names) + ".</p>\n";
    }

    private static String rows(List<Answer> answers) {
        StringBuilder rows = new StringBuilder();
        for (Answer answer : answers) {
            rows.append("<tr><td>").append(Markup.escape(answer.accountant()));
            rows.append("</td><td class=\"number\">").append(Markup.escape(AccountReport.value(answer)));
            rows.append("</td><td class=\"number\">").append(Markup.escape(AccountReport.atLeast(answer)));
            rows.append("</td><td>").append(Markup.escape(AccountReport.kind(answer)));
            rows.append("</td><td>")
                    .append(Markup.escape(AccountReport.source(answer)))
                    .append("</td></tr>\n");
        }
        return rows.toString();
    }

    private static String definitions(List<Remark> remarks) {
        StringBuilder definitions = new StringBuilder();
        for (Remark remark : remarks) {
            definitions.append("<dt>").append(Markup.escape(remark.heading()));
            definitions.append("</dt><dd>").append(Markup.escape(remark.text())).append("</dd>\n");
        }
        return definitions.toString();
    }

    private static String pageStylesheet() {
        return """
                :root { color-scheme: light dark; }
                body.tacit { margin: 0; background: var(--paper); color: var(--ink);
                  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
                main { max-width: 1140px; margin: 0 auto; padding: 28px 20px 40px; }
                h1 { font-size: 24px; font-weight: 600; margin: 0 0 4px; }
                .soft { color: var(--soft); }
                .charts { display: flex; flex-wrap: wrap; gap: 8px; margin: 20px 0; }
                .charts svg { flex: 1 1 460px; min-width: 0; }
                table { border-collapse: collapse; width: 100%; font-size: 14px; }
                th, td { text-align: left; vertical-align: top;
                  padding: 6px 16px 6px 0; border-bottom: 1px solid var(--grid); }
                th { color: var(--soft); font-weight: 500; }
                td:first-child { white-space: nowrap; }
                .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
                dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 20px; margin: 24px 0; }
                dt { color: var(--soft); }
                dd { margin: 0; max-width: 75ch; }
                footer { font-size: 13px; margin-top: 28px; }
                """;
    }
}
