package dev.tacit.fit;

import dev.tacit.data.schema.Schema;
import dev.tacit.door.noise.Provenance;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.WorkListener;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.formula.TermRow;
import dev.tacit.fit.formula.TermTable;
import dev.tacit.fit.predict.PredictedRow;
import dev.tacit.fit.predict.PredictedTable;
import dev.tacit.fit.predict.PredictionRequest;
import dev.tacit.fit.run.Diagnosis;
import dev.tacit.fit.run.FitWriting;
import dev.tacit.fit.run.Refit;
import dev.tacit.fit.run.ScoredTable;
import dev.tacit.fit.run.TrainingRecords;
import dev.tacit.model.prediction.Finding;
import dev.tacit.posterior.Posterior;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A complete fit in its folder: what was learned, what it cost, and what can be done with it. Nothing here reads a private record
 * or spends anything.
 *
 * <p>Records that are predicted or scored are those of whoever hands them in, and not protected. A folder does not change by
 * itself, but {@link #diagnose()} may widen the intervals that are shown.
 */
public final class FittedModel {
    private final FitFolder folder;
    private final StoredPosterior stored;
    private final ReleaseRecord release;

    FittedModel(FitFolder folder) {
        FitOutcome outcome = folder.outcome();
        this.folder = folder;
        this.stored = outcome.fitted();
        this.release = outcome.release();
    }

    /** The fit in a folder that {@link Fit#run} or the command line wrote. */
    public static FittedModel read(Path folder) {
        return new FittedModel(new FitFolder(folder));
    }

    /** Where it lies. */
    public FitFolder folder() {
        return folder;
    }

    /** The name of the model. */
    public String model() {
        return stored.model();
    }

    /** The name of the method that fitted it. */
    public String method() {
        return stored.method();
    }

    /** The formula, if it was fitted by one. */
    public Optional<String> formula() {
        return schema().encoding().formula();
    }

    /** How records are encoded. */
    public Schema schema() {
        return stored.schema();
    }

    /** Whether it may be published. */
    public Provenance provenance() {
        return stored.provenance();
    }

    /** What is known about the parameters, as the method found it. */
    public Posterior posterior() {
        return stored.posterior();
    }

    /** The public record of the run: what was released and what it cost. */
    public ReleaseRecord release() {
        return release;
    }

    /**
     * One line for each term, in natural units on the scale of the link, with intervals that hold with this probability. Intervals
     * are as wide as simulated twins need them.
     */
    public List<TermRow> summary(double level) {
        return terms(level).rows();
    }

    /** The line of a weighted sum of terms: {@code icu[surgery] - icu[medical]}, {@code 10 * age}. */
    public TermRow contrast(String terms, double level) {
        return terms(level).contrast(terms);
    }

    private TermTable terms(double level) {
        if (!stored.findings().isEmpty() || !stored.identifiable()) {
            throw FitException.usage("single parameters of " + model()
                    + " mean nothing by themselves; look at the report or at the findings instead.");
        }
        return TermTable.of(folder.widening().of(stored), PredictionRequest.requireLevel(level));
    }

    /** What a model of whole records learned, such as the words of topics; empty for models whose terms mean something. */
    public List<Finding> findings() {
        return stored.findings();
    }

    /** Predicts the target of the records in a file, or describes them if there is none; in their order. */
    public List<PredictedRow> predict(Path file) {
        return predict(PredictionRequest.of(file));
    }

    /** The same with intervals of the expected response, which only fits by a formula have. */
    public List<PredictedRow> predict(Path file, double level) {
        return predict(PredictionRequest.of(file).withLevel(level));
    }

    /** The same with identifiers, or at times that the request says. */
    public List<PredictedRow> predict(PredictionRequest request) {
        return PredictedTable.of(stored, folder.widening(), request).rows();
    }

    /**
     * How well the records in a file are predicted, by the name of the score. Scores are exact functions of these records, which
     * the guarantee of the fit does not cover; the records that the fit came from are refused.
     */
    public Map<String, Double> score(Path file) {
        TrainingRecords.require(folder, stored, file.toString(), false);
        return ScoredTable.read(file.toString(), stored).scores();
    }

    /** The same on any records, the fit's own among them: such scores say what the guarantee does not cover. */
    public Map<String, Double> scoreUncovered(Path file) {
        return ScoredTable.read(file.toString(), stored).scores();
    }

    /** Whether intervals hold the truth on simulated twins of the fit; what is found is kept in the folder. */
    public Diagnosis diagnose() {
        return diagnose(OptionalInt.empty(), WorkListener.NONE);
    }

    /** The same on a number of twins, with somebody who sees them go by. */
    public Diagnosis diagnose(int twins, WorkListener listener) {
        return diagnose(OptionalInt.of(twins), listener);
    }

    private Diagnosis diagnose(OptionalInt twins, WorkListener listener) {
        Diagnosis.obstacle(stored).ifPresent(reason -> {
            throw FitException.usage("intervals cannot be checked: " + reason + ".");
        });
        return Diagnosis.of(folder, twins, listener);
    }

    /** The same release under other priors, in a folder of its own; costs nothing. Only fits by a formula can. */
    public FittedModel refit(List<String> priors, Path into) {
        FitFolder written = new FitFolder(into);
        FitOutcome outcome = Refit.run(folder, priors, written);
        FitWriting.check(written, outcome, OptionalInt.empty(), WorkListener.NONE);
        return new FittedModel(written);
    }

    /** The privacy statement, in plain words. */
    public String statement() {
        return folder.read(folder.statement());
    }

    /** The report: one HTML page that loads nothing. */
    public String report() {
        return FitWriting.report(folder.outcome(), Optional.empty()).html();
    }
}
