package dev.tacit.report.section;

import dev.tacit.report.plot.CalibrationChart;
import dev.tacit.report.plot.Exhibit;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.List;

/** How well predictions fit test records that were handed in for this purpose. */
public final class CalibrationSection {
    private CalibrationSection() {}

    /** A score of the predictions, for example {@code logLikelihood}. */
    public record Score(String name, double value) {}

    /**
     * The section.
     *
     * @param testData which records, in words, for example "8000 records of test.csv"
     * @param bins may be empty if the predictions are not probabilities
     */
    public static Section of(String testData, List<CalibrationChart.Bin> bins, List<Score> scores) {
        List<Exhibit> exhibits = new ArrayList<>();
        if (!bins.isEmpty()) {
            exhibits.add(new Figure(
                    new CalibrationChart("Predicted against observed.", bins),
                    "Points on the dashed line are predictions that can be taken at their word; bars are 95% intervals"
                            + " of a binomial fraction (Wilson). Below: how many predictions."));
        }
        if (!scores.isEmpty()) {
            List<List<String>> rows = scores.stream()
                    .map(score -> List.of(score.name(), Rounding.nearest(score.value(), 4)))
                    .toList();
            exhibits.add(Table.of("Scores", List.of(Table.Column.text("score"), Table.Column.number("value")), rows));
        }
        return new Section(
                "How well it predicts",
                List.of("Test data: " + testData
                        + ". These numbers are exact functions of the test records; the privacy"
                        + " statement below does not cover those records."),
                exhibits);
    }
}
