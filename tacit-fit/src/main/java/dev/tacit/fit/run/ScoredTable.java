package dev.tacit.fit.run;

import dev.tacit.diagnostics.CalibrationBins;
import dev.tacit.diagnostics.ClassScores;
import dev.tacit.diagnostics.ClassificationScores;
import dev.tacit.diagnostics.RegressionScores;
import dev.tacit.diagnostics.SurvivalScores;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How well a fit predicts records that somebody hands in for this purpose.
 *
 * @param name of the file
 * @param rows how many records
 * @param scores by name
 * @param bins of predicted probabilities, empty if the target is a number
 */
public record ScoredTable(String name, long rows, Map<String, Double> scores, List<CalibrationBins.Bin> bins) {
    /** Reads a file and scores a fit on it. */
    public static ScoredTable read(String file, StoredPosterior fitted) {
        ModelUse use = fitted.use();
        List<RecordBlock> records = TestTables.read(file, fitted.schema(), use instanceof PredictiveModel);
        long rows = records.stream().mapToLong(RecordBlock::rows).sum();
        if (rows == 0) {
            throw new FitException(
                    FitException.Kind.BAD_DATA, file + " holds no records that can be scored; name a file with some.");
        }
        if (use instanceof DescriptiveModel model) {
            return new ScoredTable(file, rows, model.scores(fitted.posterior(), records), List.of());
        }
        return of(file, records, Math.toIntExact(rows), ((PredictiveModel) use).predictor(fitted.posterior()));
    }

    /** The same scores under another name of the file. */
    public ScoredTable named(String other) {
        return new ScoredTable(other, rows, scores, bins);
    }

    private static ScoredTable of(String name, List<RecordBlock> records, int rows, Predictor predictor) {
        double[] labels = new double[rows];
        double[] predicted = new double[rows];
        double[] deviations = new double[rows];
        double[][] shares = new double[rows][];
        Prediction.Survival[] survival = new Prediction.Survival[rows];
        boolean times = false;
        boolean probabilities = false;
        boolean classes = false;
        int next = 0;
        for (RecordBlock block : records) {
            for (int row = 0; row < block.rows(); row++) {
                labels[next] = block.label(row);
                Prediction prediction = predictor.predict(block, row);
                if (prediction instanceof Prediction.Probability binary) {
                    predicted[next] = binary.probability();
                    probabilities = true;
                } else if (prediction instanceof Prediction.Numeric number) {
                    predicted[next] = number.mean();
                    deviations[next] = number.standardDeviation();
                } else if (prediction instanceof Prediction.Classes several) {
                    shares[next] = several.probabilities();
                    classes = true;
                } else if (prediction instanceof Prediction.Survival hazards) {
                    survival[next] = hazards;
                    times = true;
                }
                next++;
            }
        }
        Map<String, Double> scores = new LinkedHashMap<>();
        if (probabilities) {
            ClassificationScores binary = ClassificationScores.of(predicted, labels);
            scores.put("accuracy", binary.accuracy());
            if (!Double.isNaN(binary.auc())) { // both classes are there
                scores.put("auc", binary.auc());
            }
            scores.put("logLikelihood", binary.logLikelihood());
            scores.put("brier", binary.brier());
            scores.put("ece", binary.ece());
            return new ScoredTable(
                    name, rows, scores, CalibrationBins.of(predicted, labels).bins());
        }
        if (times) {
            SurvivalScores found = SurvivalScores.of(survival, labels);
            if (!Double.isNaN(found.concordance())) { // somebody is known to have had the event before another
                scores.put("concordance", found.concordance());
            }
            scores.put("logLikelihood", found.logLikelihood());
            return new ScoredTable(name, rows, scores, List.of());
        }
        if (classes) {
            ClassScores several = ClassScores.of(shares, labels);
            scores.put("accuracy", several.accuracy());
            scores.put("logLikelihood", several.logLikelihood());
            scores.put("brier", several.brier());
            scores.put("ece", several.ece());
            return new ScoredTable(name, rows, scores, List.of());
        }
        RegressionScores regression = RegressionScores.of(predicted, deviations, labels, 0.9);
        scores.put("rmse", regression.rmse());
        scores.put("logLikelihood", regression.logLikelihood());
        scores.put("coverage90", regression.coverage());
        scores.put("crps", regression.crps());
        return new ScoredTable(name, rows, scores, List.of());
    }

    /** The scores for JSON, which has no infinity. */
    public Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        scores.forEach((score, value) -> json.put(score, Double.isInfinite(value) ? "unbounded" : (Object) value));
        return json;
    }
}
