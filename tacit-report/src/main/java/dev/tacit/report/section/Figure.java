package dev.tacit.report.section;

import dev.tacit.report.plot.Chart;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;

/**
 * A chart with its caption.
 *
 * @param caption how to read it
 */
public record Figure(Chart chart, String caption) implements Exhibit {
    @Override
    public String html(String id) {
        return "<figure class=\"picture\">\n<figcaption><b>" + Markup.escape(chart.title()) + "</b> "
                + Markup.escape(caption) + "</figcaption>\n" + chart.svg(id) + "</figure>\n";
    }
}
