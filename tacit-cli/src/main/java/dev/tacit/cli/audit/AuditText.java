package dev.tacit.cli.audit;

import dev.tacit.audit.AuditResult;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * An audit in words.
 *
 * @param name of what was audited
 * @param result what was found
 */
record AuditText(String name, AuditResult result) {
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.addAll(new Remark("audit of", name).lines());
        lines.addAll(new Remark("claimed", claimed()).lines());
        lines.addAll(new Remark("audited", audited()).lines());
        lines.add("");
        TextTable table = new TextTable(List.of(false, false, true));
        table.row("layer", "outcome", "epsilon at least");
        for (LayerResult layer : result.layers()) {
            table.row(layer.layer(), layer.outcome(), epsilon(layer));
        }
        table.row(
                "control",
                result.control().caught() ? "caught" : "not caught",
                Rounded.down(result.control().epsilon()));
        lines.addAll(table.lines());
        lines.add("");
        for (Remark remark : remarks()) {
            lines.addAll(remark.lines());
        }
        return lines;
    }

    private String claimed() {
        return "epsilon at most " + Rounded.up(result.claim().epsilon()) + " at delta "
                + Rounded.asGiven(result.claim().delta()) + ", "
                + result.claim().neighbours().label() + " neighbours";
    }

    private String audited() {
        double curve = result.transcript().curveEpsilon();
        return "epsilon at least " + Rounded.down(result.auditedEpsilon()) + " at confidence "
                + Rounded.asGiven(result.confidence()) + ", from " + result.runs()
                + " runs on each of two tables (seed " + result.seed() + ")"
                + (curve > result.auditedEpsilon()
                        ? "; by the whole curve at least " + Rounded.down(curve)
                                + ", if the true curve is that of the plan with some other noise"
                        : "");
    }

    private static String epsilon(LayerResult layer) {
        return layer.figures().get("auditedEpsilon") instanceof Double epsilon ? Rounded.down(epsilon) : "";
    }

    /** What each layer did, what it found, and what all say together. */
    private List<Remark> remarks() {
        List<Remark> remarks = new ArrayList<>();
        for (LayerResult layer : result.layers()) {
            remarks.add(new Remark(layer.layer(), layer.sentence()));
            for (Defect defect : layer.defects()) {
                remarks.add(new Remark("DEFECT", defect.kind().label() + ": " + defect.sentence() + "."));
            }
        }
        remarks.add(new Remark("control", result.control().sentence()));
        remarks.add(new Remark("verdict", result.verdict()));
        return remarks;
    }
}
