package dev.tacit.experiments.harness;

import dev.tacit.report.plot.Frame;
import dev.tacit.report.plot.LineChart;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.Palette;
import java.util.List;
import java.util.TreeMap;

/** The figures and pictures of an experiment as one page that needs no network and no script. */
public final class FigurePage {
    private static final double LETTER_WIDTH = 7;
    private static final int GAP_BEFORE_NAMES = 20;

    private FigurePage() {}

    /** Room for the longest name of a line in any chart, so that all are drawn at the same scale. */
    private static int width(List<LineChart> charts) {
        int letters = charts.stream()
                .flatMap(chart -> chart.series().stream())
                .mapToInt(line -> line.label().length())
                .max()
                .orElse(0);
        return Math.max(
                Frame.WIDE.width(), Frame.WIDE.right() + GAP_BEFORE_NAMES + (int) Math.ceil(LETTER_WIDTH * letters));
    }

    /** The text of the page. */
    public static String of(ExperimentResult result) {
        StringBuilder charts = new StringBuilder();
        int width = width(result.figures());
        int number = 0;
        for (LineChart chart : result.figures()) {
            charts.append("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">\n%s</svg>\n"
                    .formatted(
                            width,
                            Frame.WIDE.height(),
                            Markup.escape(chart.description()),
                            chart.elements("figure-" + number)));
            number++;
        }
        StringBuilder pictures = new StringBuilder();
        new TreeMap<>(result.files()).forEach((file, text) -> {
            if (file.endsWith(".svg")) {
                pictures.append(text).append('\n');
            }
        });
        StringBuilder remarks = new StringBuilder();
        result.remarks()
                .forEach(remark ->
                        remarks.append("<li>").append(Markup.escape(remark)).append("</li>\n"));
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <style>
                %s:root { color-scheme: light dark; }
                body.tacit { margin: 0; background: var(--paper); color: var(--ink);
                  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
                main { max-width: 1240px; margin: 0 auto; padding: 28px 20px 40px; }
                h1 { font-size: 24px; font-weight: 600; margin: 0 0 4px; }
                .charts { display: flex; flex-wrap: wrap; gap: 8px; margin: 20px 0; }
                .charts svg { flex: 1 1 460px; max-width: 620px; min-width: 0; }
                .pictures > svg { display: block; max-width: 850px; margin: 20px 0; }
                ul { color: var(--soft); max-width: 90ch; }
                </style>
                </head>
                <body class="tacit">
                <main>
                <h1>%s</h1>
                <div class="charts">
                %s</div>
                <div class="pictures">
                %s</div>
                <ul>
                %s</ul>
                </main>
                </body>
                </html>
                """.formatted(
                        Markup.escape(result.experiment()),
                        Palette.stylesheet(),
                        Markup.escape(result.experiment()),
                        charts,
                        pictures,
                        remarks);
    }
}
