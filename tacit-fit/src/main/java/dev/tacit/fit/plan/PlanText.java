package dev.tacit.fit.plan;

import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.base.TacitVersion;
import dev.tacit.fit.formula.Family;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.fit.formula.TermText;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.plot.Palette;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A plan as lines, as JSON and as a page. */
public record PlanText(
        FormulaRequest request,
        List<PrivacyBudget> budgets,
        PlanSimulation.Assumed assumed,
        PlanSimulation.Result result) {
    private static final String TERM = "term";

    private static final String STYLE = """
            body { margin: 0; background: var(--paper); color: var(--ink);
              font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
            main { max-width: 60rem; margin: 2.5rem auto; padding: 0 1.5rem; }
            h1, h2 { font-family: Georgia, "DejaVu Serif", serif; line-height: 1.2; }
            h2 { margin-top: 2.2rem; font-size: 1.3rem; }
            .soft { color: var(--soft); max-width: 72ch; }
            table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
            th, td { padding: 0.35rem 1.1rem; text-align: right; border-bottom: 1px solid var(--grid); font-weight: 400; }
            tr:first-child th { color: var(--soft); border-bottom-color: var(--soft); }
            th:first-child, td:first-child { text-align: left; padding-left: 0; }
            td.weak { color: var(--soft); }
            footer { margin-top: 2.5rem; font-size: 0.85rem; }
            """;

    private String model() {
        Family family = Family.ofModel(request.model()).orElseThrow();
        return family.withLink() + ", "
                + String.format(Locale.ROOT, "%,d", request.schema().size()) + " declared records, delta "
                + Rounded.asGiven(budgets.get(0).delta());
    }

    private String assumption() {
        boolean levels = request.model().equals(Family.MULTINOMIAL.model());
        return "an effect of " + Rounded.brief(assumed.effect()) + " per standard deviation of a number or against the"
                + " reference of a level, " + (levels ? "a share that is not at the reference" : "an average response")
                + " of " + Rounded.brief(assumed.expected())
                + ", numbers normal in the middle of their bounds, categories equally frequent; " + assumed.tables()
                + " simulated tables, no record was read";
    }

    private List<String> header(String first) {
        List<String> header = new ArrayList<>(List.of(first, "no privacy"));
        budgets.forEach(budget -> header.add("epsilon " + Rounded.brief(budget.epsilon())));
        return header;
    }

    private interface Reading {
        String of(PlanSimulation.Outlook outlook);
    }

    private List<List<String>> rows(Reading reading) {
        List<List<String>> rows = new ArrayList<>();
        for (int j = 0; j < result.terms().size(); j++) {
            List<String> row = new ArrayList<>();
            row.add(TermText.shown(result.terms().get(j).name()));
            row.add(reading.of(result.withoutPrivacy().get(j)));
            for (List<PlanSimulation.Outlook> outlooks : result.outlooks()) {
                row.add(reading.of(outlooks.get(j)));
            }
            rows.add(row);
        }
        return rows;
    }

    private static String width(PlanSimulation.Outlook outlook) {
        double value = outlook.width();
        return Rounded.nearest(Double.parseDouble(String.format(Locale.ROOT, "%.1e", value)));
    }

    private static String power(PlanSimulation.Outlook outlook) {
        return Math.round(100 * outlook.power()) + " %";
    }

    private List<String> scores() {
        List<String> scores = new ArrayList<>(List.of(result.metric(), decimals(result.scoreWithoutPrivacy())));
        result.scores().forEach(score -> scores.add(decimals(score)));
        return scores;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("  " + request.schema().encoding().formula().orElseThrow());
        lines.addAll(new Remark("model", model()).lines());
        lines.addAll(new Remark("assumed", assumption()).lines());
        String level = TermText.percent(assumed.level());
        lines.addAll(table(
                "expected width of " + level + " intervals, on the scale of the link", TERM, rows(PlanText::width)));
        lines.addAll(table("power: how often they exclude 0 if the effect is there", TERM, rows(PlanText::power)));
        lines.addAll(table("prediction of new records", "score", List.of(scores())));
        return lines;
    }

    private List<String> table(String title, String first, List<List<String>> rows) {
        List<String> header = header(first);
        List<Boolean> right = new ArrayList<>(List.of(false));
        header.subList(1, header.size()).forEach(heading -> right.add(true));
        TextTable table = new TextTable(right);
        table.row(header.toArray(String[]::new));
        rows.forEach(row -> table.row(row.toArray(String[]::new)));
        List<String> lines = new ArrayList<>(List.of("", "  " + title));
        lines.addAll(table.lines());
        return lines;
    }

    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("formula", request.schema().encoding().formula().orElseThrow());
        json.put("model", request.model());
        json.put("size", request.schema().size());
        json.put("delta", budgets.get(0).delta());
        json.put("level", assumed.level());
        json.put("effect", assumed.effect());
        json.put("expected", assumed.expected());
        List<Object> terms = new ArrayList<>();
        for (int j = 0; j < result.terms().size(); j++) {
            PlanSimulation.Term column = result.terms().get(j);
            Map<String, Object> term = new LinkedHashMap<>();
            term.put(TERM, column.name());
            term.put("unit", column.unit());
            term.put("widthWithoutPrivacy", result.withoutPrivacy().get(j).width());
            term.put("powerWithoutPrivacy", result.withoutPrivacy().get(j).power());
            List<Object> all = new ArrayList<>();
            for (int i = 0; i < budgets.size(); i++) {
                all.add(outlook(
                        budgets.get(i).epsilon(), result.outlooks().get(i).get(j)));
            }
            term.put("budgets", all);
            terms.add(term);
        }
        json.put("terms", terms);
        Map<String, Object> prediction = new LinkedHashMap<>();
        prediction.put("metric", result.metric());
        prediction.put("withoutPrivacy", result.scoreWithoutPrivacy());
        prediction.put("budgets", List.<Object>copyOf(result.scores()));
        json.put("prediction", prediction);
        return json;
    }

    /** One page that loads nothing. */
    public String page() {
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
                <title>What a fit would find</title>
                <style>
                %s%s</style>
                </head>
                <body class="tacit">
                <main>
                <h1>What a fit would find</h1>
                <p><b>%s</b></p>
                <p class="soft">%s. Assumed: %s.</p>
                <h2>Expected width of %s intervals</h2>
                <p class="soft">On the scale of the link, per unit of the column or against the reference.</p>
                %s<h2>Power</h2>
                <p class="soft">How often an interval excludes 0 if the assumed effect is there. Below 80 %% in grey.</p>
                %s<h2>Prediction of new records</h2>
                %s<footer class="soft">%s. This page needs no network and no script.</footer>
                </main>
                </body>
                </html>
                """.formatted(
                        Palette.stylesheet(),
                        STYLE,
                        Markup.escape(request.schema().encoding().formula().orElseThrow()),
                        Markup.escape(model()),
                        Markup.escape(assumption()),
                        TermText.percent(assumed.level()),
                        htmlTable(rows(PlanText::width), false),
                        htmlTable(rows(PlanText::power), true),
                        htmlTable(List.of(scores()), false),
                        Markup.escape(TacitVersion.text()));
    }

    private String htmlTable(List<List<String>> rows, boolean powers) {
        StringBuilder html = new StringBuilder("<table>\n<tr>");
        header(TERM)
                .forEach(heading ->
                        html.append("<th>").append(Markup.escape(heading)).append("</th>"));
        html.append("</tr>\n");
        for (List<String> row : rows) {
            html.append("<tr>");
            for (String cell : row) {
                boolean weak =
                        powers && cell.endsWith(" %") && Integer.parseInt(cell.substring(0, cell.length() - 2)) < 80;
                html.append(weak ? "<td class=\"weak\">" : "<td>")
                        .append(Markup.escape(cell))
                        .append("</td>");
            }
            html.append("</tr>\n");
        }
        return html.append("</table>\n").toString();
    }

    private static Map<String, Object> outlook(double epsilon, PlanSimulation.Outlook outlook) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("epsilon", epsilon);
        object.put("width", outlook.width());
        object.put("power", outlook.power());
        return object;
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
