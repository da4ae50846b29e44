package dev.tacit.fit.formula;

import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.fit.twin.SyntheticRows;
import dev.tacit.inference.FreePrior;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A summary as text: lines for people, CSV and JSON.
 *
 * @param fitted the fit
 * @param rows what is shown
 * @param level of the intervals
 * @param ratio what the exponential of a coefficient is called, if that is shown; empty for the scale of the link
 */
public record TermText(StoredPosterior fitted, List<TermRow> rows, double level, String ratio) {
    /** Ends of a ratio's interval that are a factor of 100 apart. */
    private static final double MOST_SPREAD = Math.log(100);

    /** How many groups a terminal shows. */
    private static final int MOST_GROUPS = 20;

    /** The table, a header above it; groups in tables of their own, the largest effects first. */
    public List<String> lines() {
        List<TermRow> deviations =
                rows.stream().filter(TermRow::isBetweenGroups).toList();
        List<TermRow> groups = rows.stream()
                .filter(TermRow::isGroup)
                .sorted(Comparator.comparingDouble((TermRow row) -> -Math.abs(row.mean())))
                .toList();
        List<TermRow> terms = rows.stream()
                .filter(row -> !row.isGroup() && !row.isBetweenGroups())
                .toList();
        List<String> lines = new ArrayList<>(table("term", "per", terms));
        if (!deviations.isEmpty()) {
            lines.add("");
            lines.addAll(table("groups", "", deviations));
        }
        if (!groups.isEmpty()) {
            lines.add("");
            int shown = Math.min(MOST_GROUPS, groups.size());
            lines.addAll(table("group", "", groups.subList(0, shown)));
            if (shown < groups.size()) {
                lines.add("... and " + (groups.size() - shown)
                        + " groups with smaller effects; tacit summary --csv shows all.");
            }
        }
        for (int i = 0; i < fitted.cautions().size(); i++) {
            lines.addAll(new Remark(mark(i), said(i)).lines());
        }
        return lines;
    }

    private List<String> table(String first, String second, List<TermRow> shown) {
        boolean prior = rows.stream().anyMatch(row -> row.prior().isPresent());
        boolean privacy = rows.stream().anyMatch(row -> row.privacyShare().isPresent());
        String percent = percent(level);
        boolean between = shown.stream().allMatch(TermRow::isBetweenGroups);
        TextTable table = new TextTable(List.of(false, false, true, true, true, true, true));
        table.row(
                first,
                second,
                between && !shown.isEmpty() ? "sd" : ratio.isEmpty() ? "effect" : ratio,
                percent + " interval",
                "",
                prior ? "prior " + percent : "",
                privacy ? "of the width, privacy" : "");
        for (TermRow row : shown) {
            List<String> cells = cells(row);
            String[] ends = cells.get(3).split(" to ", 2);
            String unit = second.isEmpty() ? "" : cells.get(1);
            table.row(cells.get(0), unit, cells.get(2), ends[0], "to " + ends[1], cells.get(4), cells.get(5));
        }
        return table.lines();
    }

    /** What must be said about terms, each behind the mark that stands beside them in the table. */
    List<String> cautions() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < fitted.cautions().size(); i++) {
            lines.add(mark(i) + " " + said(i));
        }
        return lines;
    }

    private String said(int caution) {
        String sentence = fitted.cautions().get(caution).sentence();
        return FitException.sentence(sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1));
    }

    private static String mark(int caution) {
        return "[" + (caution + 1) + "]";
    }

    private String marked(TermRow row) {
        StringBuilder marks = new StringBuilder(shown(name(row)));
        for (int i = 0; i < fitted.cautions().size(); i++) {
            if (fitted.cautions().get(i).names().contains(row.term())) {
                marks.append(' ').append(mark(i));
            }
        }
        return marks.toString();
    }

    /** Term, unit, estimate, interval, prior and privacy's share of each row. */
    List<List<String>> cells() {
        return rows.stream().map(this::cells).toList();
    }

    private List<String> cells(TermRow row) {
        return List.of(
                marked(row),
                row.unit().replaceFirst("^per 1$", "1"),
                estimate(row, ratio),
                interval(row, ratio),
                row.prior()
                        .map(before -> prior(before, exponentiated(row, ratio)))
                        .orElse(""),
                row.privacyShare().isPresent()
                        ? Math.round(100 * row.privacyShare().getAsDouble()) + " %"
                        : "");
    }

    /** The estimate, with as many digits as its interval is worth. */
    public static String estimate(TermRow row, String ratio) {
        if (spreads(row, ratio)) {
            return brief(Math.exp(row.mean()));
        }
        return number(scaled(row.mean(), row, ratio), size(row, ratio));
    }

    /** The interval. */
    public static String interval(TermRow row, String ratio) {
        if (spreads(row, ratio)) {
            return brief(Math.exp(row.lower())) + " to " + brief(Math.exp(row.upper()));
        }
        double size = size(row, ratio);
        return number(scaled(row.lower(), row, ratio), size) + " to " + number(scaled(row.upper(), row, ratio), size);
    }

    /** Whether a ratio is known so badly that common decimals would pretend otherwise. */
    private static boolean spreads(TermRow row, String ratio) {
        return exponentiated(row, ratio) && row.upper() - row.lower() > MOST_SPREAD;
    }

    private static double size(TermRow row, String ratio) {
        if (!exponentiated(row, ratio)) {
            return row.sd();
        }
        return Math.min((Math.exp(row.upper()) - Math.exp(row.lower())) / 4, Math.exp(row.lower()));
    }

    private static double scaled(double value, TermRow row, String ratio) {
        return exponentiated(row, ratio) ? Math.exp(value) : value;
    }

    /** Whether a parameter is named as the logarithm of another. */
    static boolean isLogarithm(String name) {
        return name.startsWith("log(") && name.endsWith(")");
    }

    /** The name of what is shown: a positive parameter's own, otherwise the term's. */
    public static String name(TermRow row) {
        return row.positive() ? row.term().substring(4, row.term().length() - 1) : row.term();
    }

    /** {@code sex[male]} as {@code sex: male}; what is not a level stays as it is. */
    public static String shown(String term) {
        boolean level = term.endsWith("]") && term.indexOf('[') > 0 && term.indexOf('[') == term.lastIndexOf('[');
        return level
                        && !term.contains(":")
                        && !term.substring(0, term.indexOf('[')).contains("(")
                ? term.substring(0, term.indexOf('[')) + ": " + term.substring(term.indexOf('[') + 1, term.length() - 1)
                : term;
    }

    private static boolean exponentiated(TermRow row, String ratio) {
        return row.positive() || (!ratio.isEmpty() && !row.term().startsWith("sd("));
    }

    private static String prior(TermRow.Prior prior, boolean exp) {
        double lower = exp ? Math.exp(prior.lower()) : prior.lower();
        double upper = exp ? Math.exp(prior.upper()) : prior.upper();
        if (exp && upper > 1e6) {
            return "any";
        }
        double middle = (Math.abs(lower) + Math.abs(upper)) / 2;
        return upper - lower < middle / 2
                ? number(lower, (upper - lower) / 4) + " to " + number(upper, (upper - lower) / 4)
                : brief(lower) + " to " + brief(upper);
    }

    /** Two digits are enough to know how wide a prior is. */
    private static String brief(double value) {
        return Rounded.nearest(Double.parseDouble(String.format(Locale.ROOT, "%.1e", value)));
    }

    /** As many decimals as show two digits of the given size. */
    static String number(double value, double size) {
        if (!Double.isFinite(value) || !(size > 0) || Math.abs(value) >= 1e6) {
            return Rounded.nearest(value);
        }
        int decimals = (int) Math.max(0, Math.min(10, 1 - Math.floor(Math.log10(size))));
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }

    public static String percent(double level) {
        return Rounded.brief(Math.round(level * 1e6) / 1e4) + " %";
    }

    /** One line for each term. */
    public String csv() {
        StringBuilder csv = new StringBuilder("term,unit,mean,sd,lower,upper,priorSd,privacyShare,cautions\n");
        for (TermRow row : rows) {
            csv.append(String.join(
                            ",",
                            SyntheticRows.quotedIfNeeded(name(row)),
                            SyntheticRows.quotedIfNeeded(row.unit()),
                            Double.toString(scaled(row.mean(), row, ratio)),
                            Double.toString(row.sd()),
                            Double.toString(scaled(row.lower(), row, ratio)),
                            Double.toString(scaled(row.upper(), row, ratio)),
                            row.prior()
                                    .map(before -> Double.toString(before.sd()))
                                    .orElse(""),
                            row.privacyShare().isPresent()
                                    ? Double.toString(row.privacyShare().getAsDouble())
                                    : "",
                            String.join(" ", kinds(row))))
                    .append('\n');
        }
        return csv.toString();
    }

    /** With the keys of the reference. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("level", level);
        json.put("terms", rows.stream().map(row -> (Object) withCautions(row)).toList());
        json.put("scale", ratio.isEmpty() ? "link" : ratio);
        fitted.schema().encoding().formula().ifPresent(formula -> json.put("formula", formula));
        json.put("provenance", fitted.provenance().label());
        if (!fitted.cautions().isEmpty()) {
            json.put("cautions", fitted.cautionsJson());
        }
        return json;
    }

    private Map<String, Object> withCautions(TermRow row) {
        Map<String, Object> term = object(row, ratio);
        List<String> kinds = kinds(row);
        if (!kinds.isEmpty()) {
            term.put("cautions", new ArrayList<Object>(kinds));
        }
        return term;
    }

    private List<String> kinds(TermRow row) {
        return fitted.cautions().stream()
                .filter(caution -> caution.names().contains(row.term()))
                .map(FreePrior.Caution::kind)
                .toList();
    }

    /** One term with all digits; the standard deviation stays on the scale of the link, or of the logarithm. */
    public static Map<String, Object> object(TermRow row, String ratio) {
        Map<String, Object> term = new LinkedHashMap<>();
        term.put("term", name(row));
        term.put("unit", row.unit());
        term.put("mean", scaled(row.mean(), row, ratio));
        term.put("sd", row.sd());
        term.put("lower", scaled(row.lower(), row, ratio));
        term.put("upper", scaled(row.upper(), row, ratio));
        row.prior().ifPresent(before -> term.put("priorSd", before.sd()));
        row.privacyShare().ifPresent(share -> term.put("privacyShare", share));
        return term;
    }
}
