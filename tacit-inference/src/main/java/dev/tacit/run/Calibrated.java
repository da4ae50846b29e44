package dev.tacit.run;

import dev.tacit.privacy.accountant.EpsilonBound;
import dev.tacit.privacy.accountant.PrivacyAccountant;
import dev.tacit.privacy.calibration.CalibrationException;
import dev.tacit.privacy.calibration.NoiseCalibration;
import dev.tacit.privacy.data.ReleasePlan;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.mechanism.DiscreteGaussianMechanism;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;

/**
 * A plan with the least noise that keeps a budget.
 *
 * @param plan all releases
 * @param noiseMultiplier of the phases whose relative noise is 1
 * @param event what the plan is to accounting
 * @param epsilon what the accountant shows for the event, at most that of the budget
 */
public record Calibrated(ReleasePlan plan, double noiseMultiplier, PrivacyEvent event, EpsilonBound epsilon) {
    /** Finds the noise. */
    public static Calibrated of(
            ReleasePlan plan, PrivacyBudget budget, PrivacyAccountant accountant, Neighbours neighbours)
            throws CalibrationException {
        double noiseMultiplier = NoiseCalibration.noiseMultiplier(
                noise -> plan.event(new DiscreteGaussianMechanism(noise)), budget, accountant, neighbours);
        return withNoise(plan, noiseMultiplier, budget.delta(), accountant, neighbours);
    }

    /** Takes noise as given. */
    public static Calibrated withNoise(
            ReleasePlan plan,
            double noiseMultiplier,
            double delta,
            PrivacyAccountant accountant,
            Neighbours neighbours) {
        PrivacyEvent event = plan.event(new DiscreteGaussianMechanism(noiseMultiplier));
        return new Calibrated(plan, noiseMultiplier, event, accountant.epsilon(event, delta, neighbours));
    }
}
