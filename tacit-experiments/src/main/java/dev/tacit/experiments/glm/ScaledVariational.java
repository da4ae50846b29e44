package dev.tacit.experiments.glm;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.experiments.harness.SimulatedRun;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;

/**
 * A logistic regression by private variational inference with its defaults: numbers scaled to [−1, 1] by their bounds, levels as they
 * are, rows as that leaves them or of length 1. What other private fits are compared with.
 */
final class ScaledVariational {
    private final GlmDesign design;

    ScaledVariational(GlmDesign design) {
        this.design = design;
    }

    /** The mean log-likelihood of held-out rows. */
    double logLikelihood(DenseBlock training, DenseBlock held, boolean unitRows, double epsilon, long seed)
            throws BudgetExhausted {
        double norm = unitRows
                ? 1
                : Math.sqrt(1.0 + design.numbers().length + design.factors().size());
        LogisticRegression model = new LogisticRegression(design.names(), norm, 0.3 * norm * norm);
        DpVariationalInference kernel =
                new DpVariationalInference(DpVariationalInference.Settings.forRows(model.rowNormBound()));
        DenseBlock rows = scaled(training, unitRows);
        CalibratedPlan calibrated = SimulatedRun.calibrated(kernel, model, rows.rows(), epsilon);
        Posterior posterior = SimulatedRun.of(kernel, model, rows, calibrated, seed, RandomStream.ofSeed(seed))
                .posterior();
        return classes(model.predictor(posterior), scaled(held, unitRows));
    }

    private DenseBlock scaled(DenseBlock block, boolean unitRows) {
        int d = design.size();
        double[] values = block.values();
        double[] x = new double[block.rows() * d];
        double[] y = new double[block.rows()];
        for (int r = 0; r < block.rows(); r++) {
            double squares = 0;
            for (int j = 0; j < d; j++) {
                GlmColumn column = design.columns().get(j);
                double value = values[block.start(r) + j];
                if (column.kind() == GlmColumn.Kind.NUMBER) {
                    value = Math.max(
                            -1,
                            Math.min(1, (2 * value - column.low() - column.high()) / (column.high() - column.low())));
                }
                x[r * d + j] = value;
                squares += value * value;
            }
            for (int j = 0; unitRows && j < d; j++) {
                x[r * d + j] /= Math.sqrt(squares);
            }
            y[r] = block.label(r);
        }
        return DenseBlock.of(block.rows(), d, x, y);
    }

    /** The mean log-probability of the classes that held-out rows have. */
    static double classes(Predictor predictor, DenseBlock held) {
        double sum = 0;
        for (int r = 0; r < held.rows(); r++) {
            Prediction prediction = predictor.predict(held, r);
            double y = held.label(r);
            sum += Math.log(
                    prediction instanceof Prediction.Classes levels
                            ? levels.probabilities()[(int) y]
                            : Math.abs(1 - y - ((Prediction.Probability) prediction).probability()));
        }
        return sum / held.rows();
    }
}
