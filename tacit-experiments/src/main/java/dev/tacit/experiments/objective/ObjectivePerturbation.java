package dev.tacit.experiments.objective;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.Rows;

/**
 * Private empirical-risk minimisation for logistic regression: one release of weights, no posterior. A baseline.
 *
 * <pre>
 *   θ = argmin Σ_n log(1 + exp(−y_n x_nᵀθ)) + Λ‖θ‖²/2 + bᵀθ,     Λ = α + s √α
 *   s standard deviation of each coordinate of b,  α prior precision of the weights
 * </pre>
 *
 * Chaudhuri, Monteleoni, Sarwate 2011, Algorithm 2, released as {@link PerturbedMinimum} describes. Differs from the paper:
 * Λ is a public function of the noise instead of the outcome of a cross-validation, which would have to be paid for. Along a
 * direction of curvature h the best Λ for weights of variance 1/α is α(1 + s²/h); the rule takes it at h = s √α, where data
 * and noise weigh the same. It also is what the paper adds if Λ is too small for epsilon: more noise means more Λ.
 */
public final class ObjectivePerturbation {
    /** The law of b. */
    public enum Noise {
        /** Kifer, Smith, Thakurta 2012: (epsilon, delta), length growing with the root of the number of columns. */
        GAUSSIAN,
        /** The published law: pure epsilon, length growing with the number of columns; for simulations. */
        GAMMA
    }

    private static final double FIRST_MARGIN = 0x1p-13;

    private ObjectivePerturbation() {}

    /**
     * The request with the least noise that keeps a budget for one record added or removed. The exact minimiser has a closed
     * form and is calibrated to a little less than the budget, until the noise that hides the tolerance fits in as well.
     */
    public static PerturbedMinimum calibrated(
            LogisticRegression model, Noise noise, PrivacyBudget budget, PrivacyAccountant accountant)
            throws CalibrationException {
        for (double margin = FIRST_MARGIN; margin < budget.epsilon(); margin *= 4) {
            PrivacyBudget most = new PrivacyBudget(budget.epsilon() - margin, budget.delta());
            double noiseMultiplier = NoiseCalibration.noiseMultiplier(
                    multiplier -> request(model, noise, multiplier).exactEvent(),
                    most,
                    accountant,
                    Neighbours.ADD_REMOVE);
            PerturbedMinimum request = request(model, noise, noiseMultiplier);
            double epsilon = accountant
                    .epsilon(request.event(), budget.delta(), Neighbours.ADD_REMOVE)
                    .upper();
            if (epsilon <= budget.epsilon()) {
                return request;
            }
        }
        throw new CalibrationException("no noise keeps this budget; allow more epsilon or delta");
    }

    private static PerturbedMinimum request(LogisticRegression model, Noise noise, double noiseMultiplier) {
        double within = Math.min(Math.max(noiseMultiplier, 0x1p-19), 0x1p19);
        int columns = model.parameterNames().size();
        PerturbedMinimum.LinearTerm term = noise == Noise.GAUSSIAN
                ? new PerturbedMinimum.GaussianTerm(within)
                : new PerturbedMinimum.GammaTerm(Math.max(Math.sqrt(columns + 1.0) / within, 0x1p-20));
        double deviation = within * model.rowNormBound();
        double regularisation = model.priorPrecision() + deviation * Math.sqrt(model.priorPrecision());
        return new PerturbedMinimum("weights by objective perturbation", model.rowNormBound(), regularisation, term);
    }

    /** Predicts with the weights as they are. */
    public static Predictor predictor(double[] weights) {
        double[] point = weights.clone();
        return (block, row) -> new Prediction.Probability(SpecialFunctions.sigmoid(Rows.dot(block, row, point, 0)));
    }
}
