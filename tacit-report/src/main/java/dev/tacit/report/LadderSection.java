package dev.tacit.report;

import dev.tacit.report.section.Section;
import dev.tacit.report.section.Table;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;

/** What each safeguard costs: the same method without it and with it, on simulated records. */
public final class LadderSection {
    private LadderSection() {}

    /**
     * One rung, for example "exact", "clipped", "clipped and noisy".
     *
     * @param values one for each score; NaN where there is none
     */
    public record Rung(String label, String meaning, List<Double> values) {
        public Rung {
            values = List.copyOf(values);
        }
    }

    /** The section. */
    public static Section of(List<String> scores, List<Rung> rungs) {
        List<Table.Column> columns =
                new ArrayList<>(List.of(Table.Column.text("setting"), Table.Column.text("what is on")));
        scores.forEach(score -> columns.add(Table.Column.number(score)));
        List<List<String>> rows = new ArrayList<>();
        for (Rung rung : rungs) {
            List<String> cells = new ArrayList<>(List.of(rung.label(), rung.meaning()));
            rung.values().forEach(value -> cells.add(Rounding.nearest(value, 4)));
            rows.add(cells);
        }
        return new Section(
                "What each safeguard costs",
                List.of("From one row to the next one safeguard is added, on simulated records: the step to clipping is"
                        + " bias, the step to noise is variance."),
                List.of(Table.of("", columns, rows)));
    }
}
