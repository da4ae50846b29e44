package dev.tacit.report.section;

import dev.tacit.report.plot.Chart;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.plot.Markup;
import java.util.List;

/**
 * Small charts side by side, as many in a row as there is room for.
 *
 * @param title what they show
 * @param caption how to read them
 */
public record Panels(String title, String caption, List<? extends Chart> charts) implements Exhibit {
    public Panels {
        charts = List.copyOf(charts);
    }

    @Override
    public String html(String id) {
        StringBuilder html = new StringBuilder("<figure>\n<figcaption><b>" + Markup.escape(title) + "</b> "
                + Markup.escape(caption) + "</figcaption>\n<div class=\"panels\">\n");
        for (int i = 0; i < charts.size(); i++) {
            html.append(charts.get(i).svg(id + "-" + i));
        }
        return html.append("</div>\n</figure>\n").toString();
    }
}
