package dev.tacit.cli.audit;

import dev.tacit.audit.AuditResult;
import dev.tacit.audit.bound.ErrorRates;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.cli.shell.Version;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.report.plot.Axis;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.Palette;
import dev.tacit.report.plot.Series;
import java.util.ArrayList;
import java.util.List;

/** An audit as one page that loads nothing: the claimed curve, and what was counted below it. */
final class AuditPage {
    private static final double LEAST = 1e-4;
    private static final int POINTS = 120;

    private final AuditText text;
    private final AuditResult result;

    AuditPage(AuditText text, AuditResult result) {
        this.text = text;
        this.result = result;
    }

    String html() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <title>Audit of %s</title>
                <style>
                %s%s</style>
                </head>
                <body class="tacit">
                <main>
                <h1>Claimed at most %s, audited at least %s</h1>
                <p class="soft">%s: %s.</p>
                <p>%s</p>
                %s<p class="soft">How often an attacker recognises the table with the record, against how often the
                neighbour is taken for it. The claim says that no attack lies above its line. Each orange ring is a way of
                telling them apart that was counted, moved to the safe side by its confidence bounds; the dashed line is
                guessing. A ring below it shows nothing: there were too few runs for so rare an event.</p>
                <table>
                <tr><th>layer</th><th>outcome</th><th class="number">epsilon at least</th></tr>
                %s</table>
                <dl>
                %s</dl>
                <footer class="soft">%s. This page needs no network and no script.</footer>
                </main>
                </body>
                </html>
                """.formatted(
                        Markup.escape(text.name()),
                        Palette.stylesheet(),
                        stylesheet(),
                        Rounded.up(result.claim().epsilon()),
                        Rounded.down(result.auditedEpsilon()),
                        Markup.escape(text.name()),
                        Markup.escape(text.claimed()),
                        Markup.escape(result.verdict()),
                        chart().svg("curve"),
                        rows(),
                        definitions(),
                        Markup.escape(Version.text()));
    }

    private LineChart chart() {
        List<Series.Point> claimed = new ArrayList<>();
        List<Series.Point> guessing = new ArrayList<>();
        for (int i = 0; i <= POINTS; i++) {
            double x = Math.pow(LEAST, 1 - (double) i / POINTS);
            claimed.add(new Series.Point(x, result.curve().mostLikely(x)));
            guessing.add(new Series.Point(x, x));
        }
        List<Series> series = new ArrayList<>();
        series.add(new Series("claimed", 0, false, claimed));
        series.add(new Series("guessing", 7, true, guessing));
        for (ErrorRates event : result.transcript().events()) {
            if (event.unlikelyAtMost() >= LEAST && event.unlikelyAtMost() < 1 && event.likelyAtLeast() >= LEAST) {
                series.add(new Series(
                        "", 1, false, List.of(new Series.Point(event.unlikelyAtMost(), event.likelyAtLeast()))));
            }
        }
        return new LineChart(
                "The claimed curve and the audited points",
                new Axis("the neighbour is taken for the table with the record", LEAST, 1, true),
                new Axis("it is recognised", LEAST, 1, true),
                series,
                null);
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        for (LayerResult layer : result.layers()) {
            row(rows, layer.layer(), layer.outcome(), AuditText.epsilon(layer));
        }
        row(
                rows,
                "control",
                result.control().caught() ? "caught" : "not caught",
                Rounded.down(result.control().epsilon()));
        return rows.toString();
    }

    private static void row(StringBuilder rows, String layer, String outcome, String epsilon) {
        rows.append("<tr><td>")
                .append(Markup.escape(layer))
                .append("</td><td>")
                .append(Markup.escape(outcome))
                .append("</td><td class=\"number\">")
                .append(Markup.escape(epsilon))
                .append("</td></tr>\n");
    }

    private String definitions() {
        StringBuilder definitions = new StringBuilder();
        for (Remark remark : text.remarks()) {
            definitions
                    .append("<dt>")
                    .append(Markup.escape(remark.heading()))
                    .append("</dt><dd>")
                    .append(Markup.escape(remark.text()))
                    .append("</dd>\n");
        }
        return definitions.toString();
    }

    private static String stylesheet() {
        return """
                :root { color-scheme: light dark; }
                body.tacit { margin: 0; background: var(--paper); color: var(--ink);
                  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
                main { max-width: 860px; margin: 0 auto; padding: 28px 20px 40px; }
                h1 { font-size: 24px; font-weight: 600; margin: 0 0 4px; }
                .soft { color: var(--soft); }
                table { border-collapse: collapse; width: 100%; font-size: 14px; }
                th, td { text-align: left; padding: 6px 16px 6px 0; border-bottom: 1px solid var(--grid); }
                th { color: var(--soft); font-weight: 500; }
                .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
                dl { display: grid; grid-template-columns: max-content 1fr; gap: 8px 20px; margin: 24px 0; }
                dt { color: var(--soft); }
                dd { margin: 0; max-width: 75ch; }
                footer { font-size: 13px; margin-top: 28px; }
                """;
    }
}
