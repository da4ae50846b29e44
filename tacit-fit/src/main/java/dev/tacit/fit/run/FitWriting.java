package dev.tacit.fit.run;

import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.diagnostics.CalibrationBins;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.engine.Plans;
import dev.tacit.fit.artefact.PartyRecord;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.SamplingText;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.artefact.StudyRecord;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.base.Sha256;
import dev.tacit.fit.base.WorkListener;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.IntervalText;
import dev.tacit.fit.folder.TwinCheck;
import dev.tacit.fit.formula.FormulaOutcome;
import dev.tacit.fit.formula.MarginalPredictions;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.twin.IntervalCheck;
import dev.tacit.json.Json;
import dev.tacit.model.prediction.Finding;
import dev.tacit.posterior.Posterior;
import dev.tacit.report.Fact;
import dev.tacit.report.FitReport;
import dev.tacit.report.PrivacyStatement;
import dev.tacit.report.StatementFacts;
import dev.tacit.report.plot.CalibrationChart;
import dev.tacit.report.section.BudgetSection;
import dev.tacit.report.section.CalibrationSection;
import dev.tacit.report.section.EpsilonAfter;
import dev.tacit.report.section.NoiseSection;
import dev.tacit.report.section.ParameterOrder;
import dev.tacit.report.section.ParameterRow;
import dev.tacit.report.section.PhaseRow;
import dev.tacit.report.section.PicturesSection;
import dev.tacit.report.section.PosteriorSection;
import dev.tacit.report.section.ReleaseNoise;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.WordGroupsSection;
import dev.tacit.run.ReleaseNote;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** The files of a fit, written from its outcome alone; everything in them was released or declared. */
public final class FitWriting {
    private static final int CURVE_POINTS = 40;

    private FitWriting() {}

    /** Writes all files; the posterior comes last, because a folder that has it is complete. */
    static void write(FitFolder folder, FitOutcome outcome, FitLedger ledger) {
        write(folder, outcome, statement -> ledger.published(Sha256.of(statement)));
        ledger.ended();
    }

    /** Writes all files and tells of the statement before the posterior. */
    static void write(FitFolder folder, FitOutcome outcome, Consumer<String> stated) {
        folder.write(folder.release(), outcome.release().fileText());
        String statement = PrivacyStatement.of(facts(outcome.release())).text();
        folder.write(folder.statement(), statement);
        stated.accept(statement);
        folder.write(folder.report(), report(outcome, Optional.empty()).html());
        folder.write(folder.posterior(), outcome.fitted().toJson() + "\n");
    }

    /** Simulates twins of a complete fit and writes what they say beside it; nothing where there is nothing to say. */
    public static FitOutcome check(FitFolder folder, FitOutcome outcome, OptionalInt twins, WorkListener listener) {
        if (!TwinCheck.possible(outcome.fitted())) {
            return outcome;
        }
        FitOutcome checked = outcome.checked(IntervalCheck.of(TwinCheck.run(folder, outcome, twins, listener)));
        keep(folder, checked);
        return checked;
    }

    /** Writes what twins said, and the report with it. */
    public static void keep(FitFolder folder, FitOutcome checked) {
        AtomicFile.write(
                folder.check(), Json.write(checked.check().orElseThrow().toJson()) + "\n");
        AtomicFile.write(folder.report(), report(checked, Optional.empty()).html());
    }

    public static FitReport report(FitOutcome outcome, Optional<ScoredTable> scored) {
        StoredPosterior fitted = outcome.fitted();
        ReleaseRecord release = outcome.release();
        List<Section> sections = new ArrayList<>();
        List<Finding> findings = fitted.findings();
        findings.forEach(finding -> sections.add(section(finding)));
        if (FormulaOutcome.is(fitted)) {
            sections.add(FormulaOutcome.section(outcome));
            MarginalPredictions.section(outcome, FormulaOutcome.LEVEL).ifPresent(sections::add);
        } else if (findings.isEmpty()) {
            sections.add(PosteriorSection.of(
                    parameters(outcome.shown()), ParameterOrder.AS_GIVEN, IntervalText.of(outcome)));
        }
        release.privacy().ifPresent(privacy -> {
            sections.add(
                    BudgetSection.of(phases(release, privacy), privacy.budget().delta(), curve(release, privacy)));
            sections.add(NoiseSection.of(noise(release)));
        });
        outcome.audit().ifPresent(audit -> sections.add(audit.section()));
        release.parties()
                .ifPresent(parties -> sections.add(
                        parties.section(release.privacy().map(promised -> Rounded.up(promised.epsilon())))));
        release.study()
                .ifPresent(study -> sections.add(study.section(release.plan().releases())));
        scored.ifPresent(table -> sections.add(
                CalibrationSection.of(table.rows() + " records of " + table.name(), bins(table), scores(table))));
        sections.add(SchemaSection.of(fitted.schema(), release.boundsReleases() > 0));
        return new FitReport(
                fitted.model() + " on " + release.data(),
                fitted.model(),
                fitted.method(),
                facts(release),
                sections,
                configuration(fitted, release),
                List.of(),
                versions(release));
    }

    private static Section section(Finding finding) {
        if (finding instanceof Finding.WordGroups words) {
            return WordGroupsSection.of(
                    words.title(),
                    words.explanation(),
                    words.groups().stream()
                            .map(group -> new WordGroupsSection.Group(
                                    group.name(),
                                    group.share(),
                                    group.words().stream()
                                            .map(word -> new WordGroupsSection.Word(
                                                    word.word(), word.weight(), word.lower(), word.upper()))
                                            .toList()))
                            .toList());
        }
        Finding.Pictures pictures = (Finding.Pictures) finding;
        return PicturesSection.of(
                pictures.title(), pictures.explanation(), pictures.width(), pictures.height(), pictures.pictures());
    }

    /** One row for each parameter. */
    public static List<ParameterRow> parameters(StoredPosterior fitted) {
        Posterior posterior = fitted.posterior();
        double[] mean = posterior.mean();
        double[] deviation = posterior.standardDeviation();
        Optional<double[]> without = fitted.withoutPrivacyNoise().map(Posterior::standardDeviation);
        List<ParameterRow> rows = new ArrayList<>();
        for (int i = 0; i < mean.length; i++) {
            rows.add(new ParameterRow(
                    posterior.parameterNames().get(i),
                    mean[i],
                    deviation[i],
                    posterior.quantile(i, 0.05),
                    posterior.quantile(i, 0.95),
                    without.isPresent() ? OptionalDouble.of(without.get()[i]) : OptionalDouble.empty()));
        }
        return rows;
    }

    private static List<PhaseRow> phases(ReleaseRecord release, ReleaseRecord.Privacy privacy) {
        double whole = 0;
        for (ReleasePlan.Phase phase : release.plan().phases()) {
            whole += UsableCount.spending(phase);
        }
        List<PhaseRow> rows = new ArrayList<>();
        for (ReleasePlan.Phase phase : release.plan().phases()) {
            rows.add(new PhaseRow(
                    phase.label(),
                    phase.times(),
                    SamplingText.words(phase.sampling(), release.publicSize()),
                    phase.relativeNoise() * privacy.noiseMultiplier(),
                    UsableCount.spending(phase) / whole));
        }
        return rows;
    }

    private static List<EpsilonAfter> curve(ReleaseRecord release, ReleaseRecord.Privacy privacy) {
        long all = release.plan().releases();
        DiscreteGaussianMechanism mechanism = new DiscreteGaussianMechanism(privacy.noiseMultiplier());
        ExactAccountant accountant = new ExactAccountant();
        List<EpsilonAfter> points = new ArrayList<>();
        points.add(new EpsilonAfter(0, 0));
        long step = Math.max(1, all / CURVE_POINTS);
        for (long count = step; count < all; count += step) {
            double epsilon = accountant
                    .epsilon(
                            Plans.first(release.plan(), count).event(mechanism),
                            privacy.budget().delta(),
                            release.unit().neighbours())
                    .upper();
            points.add(new EpsilonAfter(count, epsilon));
        }
        points.add(new EpsilonAfter(all, privacy.epsilon()));
        return points;
    }

    private static List<ReleaseNoise> noise(ReleaseRecord release) {
        List<ReleaseNoise> rows = new ArrayList<>();
        for (int i = 0; i < release.notes().size(); i++) {
            ReleaseNote note = release.notes().get(i);
            rows.add(new ReleaseNoise((i + 1) + " " + note.label(), note.noiseToSignal()));
        }
        return rows;
    }

    private static List<CalibrationChart.Bin> bins(ScoredTable table) {
        List<CalibrationChart.Bin> bins = new ArrayList<>();
        for (CalibrationBins.Bin bin : table.bins()) {
            bins.add(new CalibrationChart.Bin(bin.meanPrediction(), bin.positiveShare(), bin.rows()));
        }
        return bins;
    }

    private static List<CalibrationSection.Score> scores(ScoredTable table) {
        List<CalibrationSection.Score> scores = new ArrayList<>();
        table.scores().forEach((name, value) -> scores.add(new CalibrationSection.Score(name, value)));
        return scores;
    }

    /** What the statement says. */
    public static StatementFacts facts(ReleaseRecord release) {
        Optional<ReleaseRecord.Privacy> privacy = release.privacy();
        List<SamplingScheme> sampling = release.plan().phases().stream()
                .map(ReleasePlan.Phase::sampling)
                .distinct()
                .toList();
        OptionalDouble atZero = OptionalDouble.empty();
        OptionalDouble withoutSampling = OptionalDouble.empty();
        if (privacy.isPresent()) {
            ExactAccountant accountant = new ExactAccountant();
            double delta = accountant
                    .delta(release.event(), 0, release.unit().neighbours())
                    .upper();
            atZero = Double.isFinite(delta) ? OptionalDouble.of(Math.min(1, delta)) : OptionalDouble.empty();
            boolean sampled = sampling.stream().anyMatch(scheme -> !(scheme instanceof SamplingScheme.FullPass));
            if (sampled) {
                withoutSampling = OptionalDouble.of(accountant
                        .epsilon(
                                Plans.withoutSampling(release.plan())
                                        .event(new DiscreteGaussianMechanism(
                                                privacy.get().noiseMultiplier())),
                                privacy.get().budget().delta(),
                                release.unit().neighbours())
                        .upper());
            }
        }
        return new StatementFacts(
                release.provenance(),
                release.unit(),
                release.publicSize(),
                privacy.map(ReleaseRecord.Privacy::epsilon).orElse(Double.POSITIVE_INFINITY),
                privacy.map(promised -> promised.budget().delta()).orElse(0.0),
                privacy.map(ReleaseRecord.Privacy::accountant).orElse("none"),
                privacy.flatMap(ReleaseRecord.Privacy::confirmed)
                        .map(Confirmed::sentence)
                        .orElse(""),
                atZero,
                sampling,
                withoutSampling,
                privacy.isPresent() ? "exact discrete Gaussian noise on every released number" : "no noise",
                ReleasedSums.lines(release),
                privacy.flatMap(ReleaseRecord.Privacy::ledger)
                        .map(ledger -> new StatementFacts.LedgerTotal(
                                ledger.entries(),
                                ledger.entry(),
                                ledger.epsilon(),
                                ledger.delta(),
                                ledger.limit(),
                                ledger.head())),
                List.of(),
                release.parties()
                        .map(PartyRecord::sentences)
                        .or(() -> release.study()
                                .map(study -> study.sentences(release.plan().releases())))
                        .orElse(""),
                release.study().map(StudyRecord::epsilonBeyondMasks).orElse(OptionalDouble.empty()),
                Optional.of(new StatementFacts.Origin(
                        release.time(), release.versions().getOrDefault("tacit", "?"), release.hash())),
                release.usableUnits());
    }

    private static List<Fact> configuration(StoredPosterior fitted, ReleaseRecord release) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("data", release.data()));
        facts.add(new Fact("model", fitted.model()));
        facts.add(new Fact("method", fitted.method()));
        release.privacy().ifPresent(privacy -> {
            facts.add(new Fact(
                    "epsilon asked for", Rounded.asGiven(privacy.budget().epsilon())));
            facts.add(new Fact("delta", Rounded.asGiven(privacy.budget().delta())));
            facts.add(new Fact("noise multiplier", Double.toString(privacy.noiseMultiplier())));
        });
        fitted.settings().forEach((name, value) -> facts.add(new Fact(name, value.toString())));
        facts.add(new Fact("unit", release.unit().name()));
        facts.add(new Fact(
                "records a unit may have", Integer.toString(release.unit().maxRecords())));
        facts.add(new Fact("neighbours", release.unit().neighbours().label()));
        facts.add(new Fact("declared size", Long.toString(release.publicSize())));
        return facts;
    }

    private static List<Fact> versions(ReleaseRecord release) {
        List<Fact> facts = new ArrayList<>();
        release.versions().forEach((name, version) -> facts.add(new Fact(name, version)));
        facts.add(new Fact("time", release.time()));
        return facts;
    }
}
