package dev.tacit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.tacit.door.noise.Provenance;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.report.plot.CalibrationChart.Bin;
import dev.tacit.report.section.BudgetSection;
import dev.tacit.report.section.CalibrationSection;
import dev.tacit.report.section.EpsilonAfter;
import dev.tacit.report.section.NoiseSection;
import dev.tacit.report.section.ParameterOrder;
import dev.tacit.report.section.ParameterRow;
import dev.tacit.report.section.PhaseRow;
import dev.tacit.report.section.PosteriorSection;
import dev.tacit.report.section.ReleaseNoise;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.Table;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class FitReportTest {
    private static final Pattern LOADS =
            Pattern.compile("(https?:)?//|<script|<iframe|<img|<object|<embed|@import|url\\((?!#)|src=|\\son[a-z]+=");
    private static final int MOST_BYTES = 3_000_000;
    private static final String HOSTILE =
            "<script>alert('x')</script>\" onload=\"x\" &amp; \u202E\u0000\uD800 \uD83D\uDE00 ]]> --> </style> {{";

    @ParameterizedTest
    @EnumSource(Provenance.class)
    void aRealisticReportIsWhole(Provenance provenance) throws Exception {
        FitReport report = SampleReport.of(provenance, 16, 1000, true);
        Document page = checked(report);
        assertThat(page.getElementsByTagName("h1").item(0).getTextContent()).isEqualTo(report.title());
        String text = page.getDocumentElement().getTextContent();
        assertThat(text)
                .contains(
                        "logistic regression",
                        "noise-aware DP variational inference",
                        "32\u2009561",
                        "Poisson, rate 0.01")
                .contains("education: HS-grad", "What is not covered", "prior standard deviation", "17.0.15");
        assertThat(text.contains("ot for release")).isEqualTo(provenance != Provenance.RELEASABLE);
        assertThat(text.contains("\u03B5 \u2264 1")).isEqualTo(true);
    }

    @Test
    void theStampStandsBeforeEverythingElse() throws Exception {
        String html = SampleReport.of(Provenance.NOT_PRIVATE, 3, 3, false).html();
        assertThat(html.indexOf("class=\"stamp\"")).isPositive().isLessThan(html.indexOf("<main>"));
        assertThat(html).contains("<b>Not private, not for release</b>", "no \u03B5 holds", "no limit");
        assertThat(SampleReport.of(Provenance.RELEASABLE, 3, 3, false).html()).doesNotContain("class=\"stamp\"");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 60, 61, 5000, 20_000})
    void anyNumberOfParametersGivesAReadablePage(int parameters) throws Exception {
        Document page = checked(SampleReport.of(Provenance.RELEASABLE, parameters, 2, false));
        int strips = rows(page, "strips");
        assertThat(strips).isEqualTo(Math.min(parameters, PosteriorSection.MOST_DRAWN) + 2);
        String text = page.getDocumentElement().getTextContent();
        assertThat(text.contains("Drawn are the 60 parameters furthest from 0")).isEqualTo(parameters > 60);
        assertThat(text.contains("left out to keep this page small")).isEqualTo(parameters > 10_000);
        if (parameters == 5000) {
            assertThat(text).contains("All 5000 parameters", "weight 4984");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 24, 25, 100_000})
    void anyNumberOfReleasesGivesAReadablePage(int releases) throws Exception {
        checked(SampleReport.of(Provenance.RELEASABLE, 2, releases, false));
    }

    @Test
    void hostileTextIsOnlyText() throws Exception {
        StatementFacts facts = new StatementFacts(
                Provenance.RELEASABLE,
                new PrivacyUnit(HOSTILE, 2, Neighbours.REPLACE_ONE),
                7,
                1,
                1e-6,
                HOSTILE,
                OptionalDouble.empty(),
                List.of(),
                OptionalDouble.empty(),
                HOSTILE,
                List.of(HOSTILE),
                Optional.empty(),
                List.of(HOSTILE));
        ParameterRow row = new ParameterRow(HOSTILE, 1, 1, 0, 2);
        Table.Column column = Table.Column.text(HOSTILE);
        FitReport report = new FitReport(
                HOSTILE,
                HOSTILE,
                HOSTILE,
                facts,
                List.of(
                        new PosteriorSection(
                                        List.of(row), ParameterOrder.BY_MEAN, HOSTILE, List.of(row), HOSTILE, HOSTILE)
                                .section(),
                        BudgetSection.of(List.of(new PhaseRow(HOSTILE, 1, HOSTILE, 1, 1)), 1e-6, List.of()),
                        NoiseSection.of(List.of(new ReleaseNoise(HOSTILE, 3))),
                        CalibrationSection.of(HOSTILE, List.of(), List.of(new CalibrationSection.Score(HOSTILE, 1))),
                        new Section(
                                HOSTILE,
                                List.of(HOSTILE),
                                List.of(Table.of(HOSTILE, List.of(column), List.of(List.of(HOSTILE)))))),
                List.of(new Fact(HOSTILE, HOSTILE)),
                List.of(HOSTILE),
                List.of(new Fact(HOSTILE, HOSTILE)));
        Document page = checked(report);
        assertThat(page.getElementsByTagName("h1").item(0).getTextContent())
                .startsWith("<script>alert('x')</script>\" onload=\"x\" &amp; ");
        assertThat(page.getElementsByTagName("script").getLength()).isZero();
    }

    @Test
    void longNamesAndManySettingsStaySmall() throws Exception {
        String endless = "\"\u4E00".repeat(10_000);
        List<ParameterRow> rows = new ArrayList<>();
        List<Fact> settings = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            rows.add(new ParameterRow(endless, i, 1, i - 1, i + 1));
            settings.add(new Fact(endless, endless));
        }
        checked(new FitReport(
                endless,
                endless,
                endless,
                SampleReport.facts(Provenance.RELEASABLE),
                List.of(PosteriorSection.of(rows, ParameterOrder.AS_GIVEN)),
                settings,
                Collections.nCopies(5000, endless),
                List.of()));
    }

    @Test
    void numbersThatAreNoneNeverShow() throws Exception {
        double[] strange = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0, 1e300, -1e300, 1e-300};
        List<ParameterRow> rows = new ArrayList<>();
        List<ReleaseNoise> noise = new ArrayList<>();
        List<EpsilonAfter> curve = new ArrayList<>();
        List<PhaseRow> phases = new ArrayList<>();
        List<Bin> bins = new ArrayList<>();
        List<CalibrationSection.Score> scores = new ArrayList<>();
        for (double one : strange) {
            for (double other : strange) {
                rows.add(new ParameterRow(rows.size() + "", one, other, one, other, OptionalDouble.of(other)));
                noise.add(new ReleaseNoise("r", other));
                curve.add(new EpsilonAfter(one, other));
                phases.add(new PhaseRow("p", 1, "all", one, other));
                bins.add(new Bin(one, other, 1));
                scores.add(new CalibrationSection.Score("s", one));
            }
        }
        for (int count : new int[] {1, 7, rows.size()}) {
            checked(new FitReport(
                    "strange",
                    "m",
                    "m",
                    unbounded(),
                    List.of(
                            new PosteriorSection(rows.subList(0, count), ParameterOrder.BY_STRENGTH, "a", rows, "b", "")
                                    .section(),
                            PosteriorSection.of(rows.subList(0, count), ParameterOrder.BY_MEAN),
                            BudgetSection.of(phases.subList(0, count), 0, curve.subList(0, count)),
                            NoiseSection.of(noise.subList(0, count)),
                            CalibrationSection.of("t", bins, scores)),
                    List.of(),
                    List.of(),
                    List.of()));
        }
    }

    @Test
    void nothingAtAllIsStillAPage() throws Exception {
        Document page = checked(new FitReport("", "", "", unbounded(), List.of(), List.of(), List.of(), List.of()));
        assertThat(page.getDocumentElement().getTextContent()).contains("Untitled fit", "no \u03B5 holds");
    }

    @Test
    void theHeadlineIsRoundedUp() {
        StatementFacts facts = SampleReport.facts(Provenance.RELEASABLE);
        StatementFacts above = new StatementFacts(
                facts.provenance(),
                facts.unit(),
                facts.publicSize(),
                1.00001,
                facts.delta(),
                facts.accountant(),
                OptionalDouble.empty(),
                facts.sampling(),
                facts.epsilonWithoutSampling(),
                facts.noise(),
                facts.released(),
                facts.ledger(),
                facts.notCovered());
        String html = new FitReport("t", "m", "m", above, List.of(), List.of(), List.of(), List.of()).html();
        assertThat(html).contains("\u03B5 \u2264 1.001<", "\u2264 73.2% right").doesNotContain("\u03B5 \u2264 1<");
    }

    @Test
    void anOutlierDoesNotSqueezeTheOthers() {
        List<ParameterRow> rows = new ArrayList<>(SampleReport.parameters(20, 1));
        rows.add(new ParameterRow("far out", 500, 100, 335, 665));
        String html = PosteriorSection.of(rows, ParameterOrder.AS_GIVEN)
                .exhibits()
                .get(0)
                .html("f");
        assertThat(html).contains("\u25B6", "arrows go on outside", "far out").doesNotContain(">600<");
    }

    @Test
    void ordersSort() {
        List<ParameterRow> rows = List.of(
                new ParameterRow("weak", 3, 3, 0, 6),
                new ParameterRow("strong", -2, 0.1, -2, -2),
                new ParameterRow("middle", 2, 0.5, 1, 3));
        assertThat(ParameterOrder.AS_GIVEN.sorted(rows)).isEqualTo(rows);
        assertThat(ParameterOrder.BY_STRENGTH.sorted(rows))
                .extracting(ParameterRow::name)
                .containsExactly("strong", "middle", "weak");
        assertThat(ParameterOrder.BY_MEAN.sorted(rows))
                .extracting(ParameterRow::name)
                .containsExactly("weak", "middle", "strong");
    }

    @Test
    void aTableHasACellForEveryColumn() {
        List<Table.Column> columns = List.of(Table.Column.text("a"), Table.Column.number("b"));
        assertThatThrownBy(() -> Table.of("", columns, List.of(List.of("1"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static StatementFacts unbounded() {
        return new StatementFacts(
                Provenance.RELEASABLE,
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                0,
                Double.POSITIVE_INFINITY,
                0,
                "exact",
                OptionalDouble.of(1),
                List.of(),
                OptionalDouble.of(Double.POSITIVE_INFINITY),
                "",
                List.of(),
                Optional.of(new StatementFacts.LedgerTotal(
                        1, 1, Double.POSITIVE_INFINITY, 0, OptionalDouble.empty(), SampleReport.HEAD)),
                List.of());
    }

    /** Well-formed, small, loads nothing, says no NaN, and every name inside is unique and found. */
    private static Document checked(FitReport report) throws Exception {
        String html = report.html();
        byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length).isLessThan(MOST_BYTES);
        assertThat(html).startsWith("<!DOCTYPE html>\n").contains("default-src 'none'", "prefers-color-scheme: dark");
        Document page = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        html.substring(html.indexOf('\n') + 1).getBytes(StandardCharsets.UTF_8)));
        assertThat(page.getDocumentElement().getTextContent()).doesNotContain("NaN", "Infinity");
        Set<String> ids = new HashSet<>();
        List<String> references = new ArrayList<>();
        NodeList elements = page.getElementsByTagName("*");
        for (int i = 0; i < elements.getLength(); i++) {
            Element element = (Element) elements.item(i);
            if (wrong(element)) {
                fail("unexpected in a report: " + element.getTagName());
            }
            if (element.hasAttribute("id")) {
                assertThat(ids.add(element.getAttribute("id")))
                        .as(element.getAttribute("id"))
                        .isTrue();
            }
            if (element.hasAttribute("aria-labelledby")) {
                references.addAll(
                        List.of(element.getAttribute("aria-labelledby").split(" ", -1)));
            }
            if (element.hasAttribute("href")) {
                String target = element.getAttribute("href");
                assertThat(target).matches("#.+|data:,");
                if (target.startsWith("#")) {
                    references.add(target.substring(1));
                }
            }
        }
        assertThat(ids).containsAll(references);
        String style = page.getElementsByTagName("style").item(0).getTextContent();
        assertThat(LOADS.matcher(style).find()).isFalse();
        return page;
    }

    private static boolean wrong(Element element) {
        return LOADS.matcher("<" + element.getTagName()).find()
                || IntStream.range(0, element.getAttributes().getLength())
                        .mapToObj(index -> element.getAttributes().item(index))
                        .anyMatch(attribute -> attribute.getNodeName().startsWith("on")
                                || attribute.getNodeName().equals("src")
                                || attribute.getNodeValue().contains("NaN")
                                || attribute.getNodeValue().contains("Infinity"));
    }

    private static int rows(Document page, String style) {
        int rows = 0;
        NodeList figures = page.getElementsByTagName("figure");
        for (int i = 0; i < figures.getLength(); i++) {
            Element figure = (Element) figures.item(i);
            if (figure.getAttribute("class").startsWith(style)) {
                rows += ((Element) figure.getElementsByTagName("tbody").item(0))
                        .getElementsByTagName("tr")
                        .getLength();
            }
        }
        return rows;
    }
}
