package dev.tacit.cli.verb;

import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.artefact.MeasuredIntervals;
import dev.tacit.fit.artefact.PartyRecord;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.SamplingText;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.IntervalText;
import dev.tacit.fit.formula.FormulaOutcome;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.fit.run.FitLedger;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.model.prediction.Finding;
import dev.tacit.report.BudgetWarnings;
import dev.tacit.report.PrivacyStatement;
import dev.tacit.report.UsableUnits;
import dev.tacit.report.section.ParameterRow;
import dev.tacit.run.CalibratedPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a fit says on the terminal. */
final class FitSummary {
    private static final int MOST_ROWS = 20;
    private static final int WORDS = 10;

    private FitSummary() {}

    /** Before the data are opened: what will happen and what it costs. */
    static List<String> plan(FitRequest request, FitRun.Prepared prepared) {
        List<String> lines = new ArrayList<>();
        Map<String, Long> times = new LinkedHashMap<>();
        for (ReleasePlan.Phase phase : prepared.plan().phases()) {
            String what = phase.label() + " (" + SamplingText.numbers(phase.dimension()) + ", "
                    + SamplingText.words(phase.sampling(), request.schema().size()) + ")";
            times.merge(what, phase.times(), Long::sum);
        }
        List<String> phases = new ArrayList<>();
        times.forEach((what, count) -> phases.add(count + " x " + what));
        lines.addAll(new Remark("plan", request.method() + ": " + String.join(", ", phases)).lines());
        PrivacyUnit unit = request.schema().privacyUnit();
        if (prepared.calibrated().isEmpty()) {
            lines.addAll(
                    new Remark("protects", "nobody: no noise is added, and the result is not for release").lines());
            return lines;
        }
        lines.addAll(new Remark("protects", protects(unit)).lines());
        PartyRecord.of(prepared.method().kernel(), prepared.kernelPlan())
                .ifPresent(parties -> lines.addAll(new Remark("parties", parties.brief()).lines()));
        CalibratedPlan calibrated = prepared.calibrated().get();
        lines.addAll(new Remark(
                        "noise",
                        "multiplier " + Rounded.brief(calibrated.noiseMultiplier()) + ", epsilon "
                                + Rounded.up(calibrated.epsilon().upper()) + " at delta "
                                + Rounded.asGiven(request.budget().orElseThrow().delta())
                                + " (upper bound, exact accountant)")
                .lines());
        lines.addAll(new Remark(
                        "ledger",
                        FitLedger.ownOfSimulation(request)
                                ? "of this simulation only; --ledger FILE would charge it to another"
                                : FitLedger.place(request)
                                        + (request.ledger().samePeople()
                                                ? "; that it is the ledger of these people is not checked, as you said"
                                                : ""))
                .lines());
        warnings(request).forEach(warning -> lines.addAll(new Remark("warning", warning).lines()));
        if (request.seed().isPresent()) {
            lines.addAll(new Remark("simulated", "the noise can be replayed, so nothing here is for release").lines());
        }
        return lines;
    }

    private static List<String> warnings(FitRequest request) {
        PrivacyBudget budget = request.budget().orElseThrow();
        List<String> warnings = new ArrayList<>(BudgetWarnings.ofBudget(
                "this run", budget.epsilon(), budget.delta(), request.schema().size()));
        request.ledger().limit().ifPresent(limit -> warnings.addAll(BudgetWarnings.ofLimit(limit)));
        return warnings;
    }

    /** What the ledger says about all runs. */
    private static List<String> together(FitOutcome outcome) {
        Optional<ReleaseRecord.Ledger> ledger = outcome.release().privacy().flatMap(ReleaseRecord.Privacy::ledger);
        if (ledger.isEmpty()) {
            return List.of();
        }
        ReleaseRecord.Ledger total = ledger.get();
        List<String> lines = new ArrayList<>(new Remark(
                        "together",
                        "epsilon <= " + Rounded.up(total.epsilon()) + " at delta " + Rounded.asGiven(total.delta())
                                + (total.entries() == 1
                                        ? ", for the only run in the ledger"
                                        : ", for " + (total.entries() == 2 ? "both" : "all " + total.entries())
                                                + " runs in the ledger"))
                .lines());
        if (total.entries() > 1) {
            BudgetWarnings.ofBudget(
                            "all runs together",
                            total.epsilon(),
                            total.delta(),
                            outcome.release().publicSize())
                    .forEach(warning -> lines.addAll(new Remark("warning", warning).lines()));
        }
        return lines;
    }

    static String protects(PrivacyUnit unit) {
        return "one " + unit.name()
                + (unit.maxRecords() == 1 ? "" : " (at most " + unit.maxRecords() + " records)")
                + ", " + (unit.neighbours().boundsMoved() == 1 ? "added or removed" : "replaced by another");
    }

    /** The bounds that the run bought, in whose units coefficients are read. */
    static Map<String, Bounds> bought(Schema asked, Schema used) {
        Map<String, Bounds> bought = new LinkedHashMap<>();
        for (NumberColumn column : asked.columnsWithPrivateBounds()) {
            if (used.column(column.name()) instanceof NumberColumn found) {
                found.bounds().ifPresent(bounds -> bought.put(column.name(), bounds));
            }
        }
        return bought;
    }

    /** The same for people. */
    static List<String> lines(Map<String, Bounds> bought) {
        if (bought.isEmpty()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        bought.forEach((name, bounds) ->
                texts.add(name + " [" + Rounded.brief(bounds.lower()) + ", " + Rounded.brief(bounds.upper()) + "]"));
        return new Remark("bought", "the bounds " + String.join(", ", texts) + ".").lines();
    }

    /** The posterior, its intervals and the files. */
    static List<String> outcome(FitOutcome outcome, Path out) {
        List<String> lines = new ArrayList<>();
        List<Finding> findings = outcome.fitted().findings();
        if (!findings.isEmpty()) {
            findings.forEach(finding -> lines.addAll(lines(finding)));
            lines.add("");
        } else if (FormulaOutcome.is(outcome.fitted())) {
            lines.addAll(FormulaOutcome.lines(outcome));
        } else {
            lines.addAll(parameters(outcome));
        }
        if (!outcome.fitted().provenance().forRelease() && !FormulaOutcome.is(outcome.fitted())) {
            lines.addAll(new Remark("stamp", outcome.fitted().provenance().label()).lines());
        }
        lines.addAll(counted(outcome.release()));
        lines.addAll(together(outcome));
        lines.addAll(new Remark(
                        "wrote",
                        String.join(
                                        "  ",
                                        out.resolve(FitFolder.POSTERIOR).toString(),
                                        FitFolder.RELEASE,
                                        FitFolder.STATEMENT,
                                        FitFolder.REPORT)
                                + (Files.exists(new FitFolder(out).sealed()) ? "  (sealed/ stays with you)" : ""))
                .lines());
        return lines;
    }

    /** How many units were usable, and a warning if they are too few. */
    private static List<String> counted(ReleaseRecord release) {
        if (release.usableUnits().isEmpty()) {
            return List.of();
        }
        UsableUnits usable = release.usableUnits().get();
        List<String> lines =
                new ArrayList<>(new Remark("counted", usable.sentence(release.unit(), release.publicSize())).lines());
        usable.warning(release.unit(), release.publicSize())
                .ifPresent(warning -> lines.addAll(new Remark("warning", warning).lines()));
        return lines;
    }

    private static List<String> lines(Finding finding) {
        List<String> lines = new ArrayList<>(List.of("", finding.title()));
        if (finding instanceof Finding.WordGroups words) {
            for (Finding.Group group : words.groups()) {
                String best = String.join(
                        " ",
                        group.words().stream()
                                .limit(WORDS)
                                .map(Finding.WeightedWord::word)
                                .toList());
                lines.add(String.format(Locale.ROOT, "  %-9s %5.1f%%  %s", group.name(), 100 * group.share(), best));
            }
        } else if (finding instanceof Finding.Pictures pictures) {
            lines.add("  " + pictures.pictures().size() + " pictures in " + FitFolder.REPORT);
        }
        return lines;
    }

    private static List<String> parameters(FitOutcome outcome) {
        List<String> lines = new ArrayList<>();
        List<ParameterRow> rows = FitWriting.parameters(outcome.shown());
        boolean compared =
                !rows.isEmpty() && rows.get(0).sdWithoutPrivacyNoise().isPresent();
        List<ParameterRow> shown = rows;
        if (rows.size() > MOST_ROWS) {
            shown = rows.stream()
                    .sorted(Comparator.comparingDouble((ParameterRow row) -> -Math.abs(row.mean() / row.sd())))
                    .limit(MOST_ROWS)
                    .toList();
        }
        TextTable table = new TextTable(List.of(false, true, true, true, true, true));
        table.row("parameter", "mean", "sd", "5%", "95%", compared ? "sd without privacy noise (estimate)" : "");
        for (ParameterRow row : shown) {
            table.row(
                    row.name(),
                    Rounded.decimals(row.mean()),
                    Rounded.decimals(row.sd()),
                    Rounded.decimals(row.lower5()),
                    Rounded.decimals(row.upper95()),
                    compared ? Rounded.decimals(row.sdWithoutPrivacyNoise().getAsDouble()) : "");
        }
        lines.add("");
        lines.addAll(table.lines());
        if (shown.size() < rows.size()) {
            lines.add("  ... and " + (rows.size() - shown.size()) + " more in " + FitFolder.REPORT
                    + "; these have the largest |mean / sd|.");
        }
        lines.add("");
        if (!outcome.fitted().identifiable()) {
            lines.addAll(new Remark("intervals", IntervalText.WEIGHTS_MEAN_NOTHING).lines());
        } else if (outcome.release()
                        .parties()
                        .map(parties -> !parties.noiseCounted())
                        .orElse(false)
                || outcome.release().study().map(study -> !study.noiseCounted()).orElse(false)) {
            lines.addAll(new Remark(
                            "intervals",
                            "are too narrow: they do not count the privacy noise, which went through an optimiser.")
                    .lines());
        } else if (outcome.release().privacy().isPresent()) {
            lines.addAll(new Remark("intervals", "include the privacy noise.").lines());
        }
        if (outcome.fitted().identifiable()) {
            lines.addAll(new Remark("checked", IntervalText.checked(outcome)).lines());
            MeasuredIntervals.of(outcome.fitted())
                    .ifPresent(measured -> lines.addAll(new Remark("measured", measured).lines()));
        }
        return lines;
    }

    static Map<String, Object> json(FitOutcome outcome, Path out) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("out", out.toString());
        json.put("provenance", outcome.fitted().provenance().label());
        json.put("model", outcome.fitted().model());
        json.put("method", outcome.fitted().method());
        Optional<ReleaseRecord.Privacy> privacy = outcome.release().privacy();
        json.put("epsilon", privacy.map(promised -> (Object) promised.epsilon()).orElse("unbounded"));
        privacy.ifPresent(promised -> {
            json.put("delta", promised.budget().delta());
            json.put("noiseMultiplier", promised.noiseMultiplier());
            json.put("accountant", promised.accountant());
            promised.ledger().ifPresent(ledger -> {
                json.put("ledgerEntries", ledger.entries());
                json.put("ledgerEntry", ledger.entry());
                json.put("ledgerEpsilon", LedgerView.finite(ledger.epsilon()));
                json.put("ledgerDelta", ledger.delta());
            });
            List<String> warnings =
                    PrivacyStatement.of(FitWriting.facts(outcome.release())).weaknesses();
            if (!warnings.isEmpty()) {
                json.put("warnings", new ArrayList<Object>(warnings));
            }
        });
        outcome.release().usableUnits().ifPresent(units -> json.put("usableUnits", UsableCount.toJson(units)));
        outcome.release().parties().ifPresent(parties -> {
            Map<String, Object> dealt = parties.toJson();
            dealt.put("bytesPerRound", parties.bytesPerRound());
            privacy.ifPresent(promised -> dealt.put("epsilonOfEveryParty", promised.epsilon()));
            json.put("parties", dealt);
        });
        List<Finding> found = outcome.fitted().findings();
        if (!found.isEmpty()) {
            json.put("findings", findings(found));
        } else {
            json.put("parameters", parameterObjects(outcome));
        }
        if (!outcome.fitted().cautions().isEmpty()) {
            json.put("cautions", outcome.fitted().cautionsJson());
        }
        outcome.check().ifPresent(check -> json.put("check", check.toJson()));
        MeasuredIntervals.of(outcome.fitted()).ifPresent(measured -> json.put("measured", measured));
        return json;
    }

    private static List<Object> findings(List<Finding> findings) {
        List<Object> objects = new ArrayList<>();
        for (Finding finding : findings) {
            if (finding instanceof Finding.WordGroups words) {
                for (Finding.Group group : words.groups()) {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("name", group.name());
                    object.put("share", group.share());
                    object.put(
                            "words",
                            group.words().stream()
                                    .map(word -> (Object) word.word())
                                    .toList());
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    private static List<Object> parameterObjects(FitOutcome outcome) {
        List<Object> parameters = new ArrayList<>();
        for (ParameterRow row : FitWriting.parameters(outcome.shown())) {
            Map<String, Object> parameter = new LinkedHashMap<>();
            parameter.put("name", row.name());
            parameter.put("mean", row.mean());
            parameter.put("sd", row.sd());
            parameter.put("lower5", row.lower5());
            parameter.put("upper95", row.upper95());
            row.sdWithoutPrivacyNoise().ifPresent(sd -> parameter.put("sdWithoutPrivacyNoise", sd));
            parameters.add(parameter);
        }
        return parameters;
    }
}
