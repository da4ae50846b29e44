package dev.tacit.cli.audit;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.AuditedFile;
import dev.tacit.audit.parties.CoordinatorView;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.run.WantedFit;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.FitMethod;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is audited, from the files of a fit or from what would be fitted.
 *
 * @param name in words
 * @param release the SHA-256 of the public record of the fit; empty of one that was not made yet
 * @param subject the run
 * @param file the format of its records
 */
record AuditedRun(String name, Optional<String> release, AuditSubject<?, ?> subject, AuditedFile file) {
    private static final int READER_TABLES = 150;

    /** A fit, by its published files alone. */
    static AuditedRun of(String folder, FitOutcome outcome) {
        ReleaseRecord release = outcome.release();
        StoredPosterior fitted = outcome.fitted();
        ReleaseRecord.Privacy privacy = release.privacy()
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_DATA, folder + " was fitted without privacy, so it claims nothing to audit."));
        PrivacyClaim claim = new PrivacyClaim(
                release.event(),
                release.unit().neighbours(),
                privacy.epsilon(),
                privacy.budget().delta());
        List<ReleasePlan.Phase> phases = release.plan().phases();
        ReleasePlan plan = release.plan().withPhases(phases.subList(release.boundsReleases(), phases.size()));
        AuditSubject<?, ?> subject = subject(
                fitted.fitMethod(),
                fitted.schema(),
                plan,
                release.usableUnits().isPresent(),
                privacy.noiseMultiplier(),
                claim);
        return new AuditedRun(
                fitted.model() + " by " + fitted.method(),
                Optional.of(release.hash()),
                subject,
                AuditedFile.of(release.data(), fitted.schema(), READER_TABLES));
    }

    /** A fit that nobody has made yet. */
    static AuditedRun of(WantedFit wanted, Map<String, String> settings, PrivacyBudget budget) {
        Schema schema = wanted.schema();
        try {
            FitMethod<?, ?> method = MethodCatalogue.find(
                    wanted.model(), wanted.method(), DataShapes.of(schema), new SettingValues(settings), true);
            ReleasePlan own = plan(method, schema.size());
            boolean counts = UsableCount.fits(method.kernel());
            ReleasePlan plan = counts ? UsableCount.plan(UsableCount.SHARE, own) : own;
            Neighbours neighbours = schema.privacyUnit().neighbours();
            CalibratedPlan calibrated = CalibratedPlan.of(plan, budget, new ExactAccountant(), neighbours);
            PrivacyClaim claim = new PrivacyClaim(
                    calibrated.event(), neighbours, calibrated.epsilon().upper(), budget.delta());
            return new AuditedRun(
                    wanted.model() + " by " + wanted.method() + ", as planned",
                    Optional.empty(),
                    subject(method, schema, plan, counts, calibrated.noiseMultiplier(), claim),
                    AuditedFile.of("records.csv", schema, READER_TABLES));
        } catch (SettingException | CalibrationException e) {
            throw new CommandFailure(ExitCode.USAGE, CommandFailure.sentence(e.getMessage()), e);
        } catch (SchemaException e) {
            throw new CommandFailure(ExitCode.CONFIG, CommandFailure.sentence(e.getMessage()), e);
        }
    }

    /** The same releases, of parties who share their noise, as a coordinator sees them. */
    AuditedRun across(NoiseSharing sharing) {
        if (subject.plan().view().isPresent()) {
            throw CommandFailure.usage("noise is shared where all parties answer at once and one record gives one sum;"
                    + " the releases of this method are those of single parties or shards.");
        }
        double multiplier = ((DiscreteGaussianMechanism) subject.mechanism()).noiseMultiplier();
        return new AuditedRun(
                name + ", by " + sharing.parties() + " parties who share the noise (" + sharing.colluders()
                        + " collude, " + sharing.dropouts() + " missing)",
                release,
                subject.through(CoordinatorView.worst(sharing)).adding(sharing.share(multiplier)),
                file);
    }

    private static <M, S extends Record> ReleasePlan plan(FitMethod<M, S> method, long publicSize) {
        try {
            return method.kernel().plan(method.model(), publicSize);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new SettingException(e.getMessage());
        }
    }

    private static <M, S extends Record> AuditSubject<M, S> subject(
            FitMethod<M, S> method,
            Schema schema,
            ReleasePlan plan,
            boolean counts,
            double noiseMultiplier,
            PrivacyClaim claim) {
        DataShape shape = DataShapes.of(schema);
        AuditSubject<M, S> subject = AuditSubject.of(
                method, shape, schema.privacyUnit(), plan, new DiscreteGaussianMechanism(noiseMultiplier), claim);
        return counts
                ? subject.after(List.of(new AuditSubject.Asked(UsableCount.query(), UsableCount.L2_BOUND)))
                : subject;
    }
}
