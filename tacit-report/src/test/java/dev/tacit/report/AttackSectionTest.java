package dev.tacit.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.report.plot.Series;
import dev.tacit.report.section.AttackSection;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalDouble;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class AttackSectionTest {
    private static final String RING = "<circle class=\"line s1\"";

    private static String page(List<String> defects, double curveEpsilon, Series.Point... counted) throws Exception {
        AttackSection attack = new AttackSection(
                new AttackSection.Claim(0.99996, 1e-5, "add-remove"),
                new AttackSection.Found("a model <b> by a method", 0.43219, curveEpsilon, 0.999, 4000, 1),
                "An audit can contradict a claim; it cannot prove one.",
                List.of(
                        new AttackSection.Layer(
                                "claim", "nothing found", OptionalDouble.empty(), "Computed.", List.of()),
                        new AttackSection.Layer("transcript", "defect", OptionalDouble.of(0.43219), "Runs.", defects)),
                List.of(new Series.Point(0, 1e-5), new Series.Point(0.5, 0.7), new Series.Point(1, 1)),
                List.of(counted));
        String html = new SectionPage("audit", "Audit of <it>", attack.section(), List.of()).html();
        DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
        return html;
    }

    @Test
    void theClaimIsRoundedUpAndWhatWasShownDown() throws Exception {
        assertThat(page(List.of(), 0.5))
                .contains("epsilon at most 1 at delta", "epsilon at least 0.4321 at", "by the whole curve at least 0.5")
                .contains("a model &lt;b&gt; by a method", "cannot prove one")
                .doesNotContain("Defect");
        assertThat(page(List.of(), 0.4)).doesNotContain("by the whole curve");
    }

    @Test
    void aDefectIsSaidBeforeAnythingIsDrawn() throws Exception {
        String html = page(List.of("noise: there is less of it."), 0.5);
        assertThat(html.indexOf("Defect, transcript: noise: there is less of it."))
                .isPositive()
                .isLessThan(html.indexOf("<svg"));
    }

    @Test
    void pointsAreDrawnInBothChartsUnlessTheyAreTooRareForOne() throws Exception {
        assertThat(page(List.of(), 0.5, new Series.Point(0.3, 0.4)).split(RING, -1))
                .hasSize(1 + 2);
        assertThat(page(List.of(), 0.5, new Series.Point(1e-3, 0)).split(RING, -1))
                .hasSize(1 + 1);
        assertThat(page(List.of(), 0.5).split(RING, -1)).hasSize(1);
    }
}
