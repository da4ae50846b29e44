package dev.tacit.fit.formula;

import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.IntervalText;
import dev.tacit.fit.text.Rounded;
import dev.tacit.report.section.EffectsSection;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.Table.Column;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code fit} prints about a formula, and what its report shows: the table of terms. */
public final class FormulaOutcome {
    public static final double LEVEL = 0.95;

    private FormulaOutcome() {}

    /** Whether a fit is one by a formula. */
    public static boolean is(StoredPosterior fitted) {
        return fitted.schema().encoding().formula().isPresent();
    }

    private static String ratio(StoredPosterior fitted) {
        return Family.ofModel(fitted.model()).map(Family::ratio).orElse("");
    }

    private static TermText text(FitOutcome outcome) {
        StoredPosterior shown = outcome.shown();
        return new TermText(shown, TermTable.of(shown, LEVEL).rows(), LEVEL, ratio(shown));
    }

    /** The table for a terminal, its header above it. */
    public static List<String> lines(FitOutcome outcome) {
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.addAll(FitHeader.lines(outcome));
        lines.add("");
        lines.addAll(text(outcome).lines());
        lines.add("");
        return lines;
    }

    /** The section of the report. */
    public static Section section(FitOutcome outcome) {
        StoredPosterior fitted = outcome.shown();
        String ratio = ratio(fitted);
        TermText text = text(outcome);
        TermTable table = TermTable.of(fitted, LEVEL);
        Map<String, DesignColumn> columns =
                CoefficientColumns.of(fitted, table.design().orElseThrow());
        List<EffectsSection.Effect> effects = new ArrayList<>();
        List<EffectsSection.Effect> groups = new ArrayList<>();
        for (TermRow row : text.rows()) {
            DesignColumn column = columns.get(row.term());
            if (column == null && row.term().endsWith("]")) {
                groups.add(effect(row, 1, TermText.shown(row.term()), ratio));
            } else if (column != null && column.kind() != DesignColumn.Kind.INTERCEPT && !uninformed(fitted, row)) {
                effects.add(effect(row, column, ratio));
            }
        }
        List<String> prose = new ArrayList<>();
        prose.add(fitted.schema().encoding().formula().orElseThrow() + ", "
                + Family.ofModel(fitted.model()).map(Family::withLink).orElse(fitted.model()) + ".");
        PriorText.sentence(fitted).ifPresent(prior -> prose.add("Prior: " + prior + "."));
        prose.add(IntervalText.of(outcome));
        prose.addAll(text.cautions());
        return new EffectsSection(
                        prose,
                        TermText.percent(LEVEL),
                        ratio.isEmpty() ? "effect" : "log " + ratio,
                        effects,
                        groups,
                        List.of(
                                Column.text("term"),
                                Column.text("per"),
                                Column.number(ratio.isEmpty() ? "effect" : ratio),
                                Column.number(TermText.percent(LEVEL) + " interval"),
                                Column.number("prior " + TermText.percent(LEVEL)),
                                Column.number("of the width, privacy")),
                        text.cells())
                .section();
    }

    /** What is only the prior would stretch the picture and show nothing; the table has it. */
    private static boolean uninformed(StoredPosterior fitted, TermRow row) {
        return fitted.cautions().stream()
                .anyMatch(caution ->
                        caution.kind().equals("uninformed") && caution.names().contains(row.term()));
    }

    private static EffectsSection.Effect effect(TermRow row, DesignColumn column, String ratio) {
        boolean number = column.kind() == DesignColumn.Kind.NUMBER;
        double step = number ? step(column.upper() - column.lower()) : 1;
        return effect(row, step, TermText.shown(row.term()) + (number ? ", per " + Rounded.brief(step) : ""), ratio);
    }

    private static EffectsSection.Effect effect(TermRow row, double step, String name, String ratio) {
        TermRow scaled = new TermRow(
                row.term(),
                row.unit(),
                row.positive(),
                step * row.mean(),
                step * row.sd(),
                step * row.lower(),
                step * row.upper(),
                row.prior(),
                row.privacyShare());
        double half = (scaled.upper() - scaled.lower()) / 2;
        double core =
                row.privacyShare().isPresent() ? half * (1 - row.privacyShare().getAsDouble()) : Double.NaN;
        String[] ends = TermText.interval(scaled, ratio).split(" to ", 2);
        return new EffectsSection.Effect(
                name,
                scaled.mean(),
                scaled.lower(),
                scaled.upper(),
                scaled.mean() - core,
                scaled.mean() + core,
                List.of(TermText.estimate(scaled, ratio), ends[0], ends[1]));
    }

    /** About a quarter of a range: 1, 2 or 5 times a power of ten. */
    static double step(double range) {
        double quarter = range / 4;
        double best = 1;
        for (int exponent = -12; exponent <= 12; exponent++) {
            for (int factor : new int[] {1, 2, 5}) {
                double candidate = Double.parseDouble(String.format(Locale.ROOT, "%de%d", factor, exponent));
                if (Math.abs(Math.log(candidate / quarter)) < Math.abs(Math.log(best / quarter))) {
                    best = candidate;
                }
            }
        }
        return best;
    }
}
