package dev.tacit.fit.run;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredLikelihood;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.artefact.StudyRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.inference.DivergedException;
import dev.tacit.inference.FreePrior;
import dev.tacit.inference.noiseaware.StoredTrace;
import dev.tacit.run.CheckedKernel;
import dev.tacit.run.ReleaseNote;
import dev.tacit.run.method.FitMethod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A fit whose sums others released, as the folder that every fit leaves.
 *
 * @param name of the data, for reports
 * @param schema of all records
 * @param model its name
 * @param methodName its name
 * @param plan all releases
 * @param budget what each record may cost
 * @param noiseMultiplier of the charge
 * @param study who took part
 */
public record ReceivedFit(
        String name,
        Schema schema,
        String model,
        String methodName,
        ReleasePlan plan,
        PrivacyBudget budget,
        double noiseMultiplier,
        StudyRecord study) {
    /**
     * Writes the folder; the posterior comes last.
     *
     * @param state where the sums have led
     * @param notes one for each sum that was opened
     */
    public <M, S extends Record> FitOutcome write(
            FitFolder folder, FitMethod<M, S> method, S state, List<ReleaseNote> notes, Instant now) {
        PrivacyEvent event = plan.event(new DiscreteGaussianMechanism(noiseMultiplier));
        EpsilonBound epsilon = new ExactAccountant()
                .epsilon(event, budget.delta(), schema.privacyUnit().neighbours());
        Optional<FreePrior.Reading> reading = StoredLikelihood.reading(method, state);
        StoredPosterior fitted;
        try {
            fitted = new StoredPosterior(
                    model,
                    method.use(),
                    methodName,
                    method.settings(),
                    schema,
                    new CheckedKernel<>(method.kernel(), method.model()).posterior(state, plan.releases()),
                    method.withoutPrivacyNoise().map(other -> other.posterior(state)),
                    reading.map(FreePrior.Reading::prior),
                    reading.map(FreePrior.Reading::cautions).orElse(List.of()),
                    reading.map(FreePrior.Reading::centre).orElse(Map.of()),
                    Provenance.RELEASABLE);
        } catch (DivergedException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, e.getMessage() + ".", e);
        }
        ReleaseRecord release = new ReleaseRecord(
                name,
                schema.privacyUnit(),
                schema.size(),
                plan,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(study),
                Optional.of(new ReleaseRecord.Privacy(
                        budget,
                        noiseMultiplier,
                        epsilon.upper(),
                        "exact",
                        PlanChecks.confirmed(
                                epsilon,
                                event,
                                budget.delta(),
                                schema.privacyUnit().neighbours()),
                        Optional.empty())),
                notes,
                Provenance.RELEASABLE,
                now.truncatedTo(ChronoUnit.SECONDS).toString(),
                FitRun.versions());
        FitOutcome outcome = new FitOutcome(fitted, release);
        if (state instanceof StoredTrace.Holder holder && holder.stored().steps() > 0) {
            folder.write(folder.path().resolve(FitFolder.TRACE), holder.stored().csv());
        }
        StoredLikelihood.text(method, state, Provenance.RELEASABLE)
                .ifPresent(text -> folder.write(folder.likelihood(), text));
        FitWriting.write(folder, outcome, statement -> {});
        return outcome;
    }
}
