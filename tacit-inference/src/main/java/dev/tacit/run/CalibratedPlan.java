package dev.tacit.run;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;

/**
 * A plan with the least noise that keeps a budget.
 *
 * @param plan all releases
 * @param noiseMultiplier of the phases whose relative noise is 1
 * @param event what the plan is to accounting
 * @param epsilon what the accountant shows for the event, at most that of the budget
 */
public record CalibratedPlan(ReleasePlan plan, double noiseMultiplier, PrivacyEvent event, EpsilonBound epsilon) {
    /** Less noise is not looked for: a budget that it keeps protects nobody. */
    private static final double LEAST_NOISE = 1e-4;

    /** Room for rounding at the ends of what the mechanism can make. */
    private static final double MARGIN = 1 + 1e-6;

    /** Against a shard, which moves by two bounds, the noise is half as much to accounting. */
    private static final double HALVED = 2;

    /** Finds the noise, among what the mechanism can make for every phase. */
    public static CalibratedPlan of(
            ReleasePlan plan, PrivacyBudget budget, PrivacyAccountant accountant, Neighbours neighbours)
            throws CalibrationException {
        double least = LEAST_NOISE;
        double most = DiscreteGaussianMechanism.MOST_NOISE / MARGIN;
        for (ReleasePlan.Phase phase : plan.phases()) {
            double scale = phase.relativeNoise();
            least = Math.max(least, HALVED * DiscreteGaussianMechanism.LEAST_NOISE * MARGIN / scale);
            most = Math.min(most, DiscreteGaussianMechanism.MOST_NOISE / (MARGIN * scale));
        }
        if (!(least < most)) {
            throw new CalibrationException("the releases of this plan differ too much in noise; give the smaller shares"
                    + " of the budget more");
        }
        double noiseMultiplier = NoiseCalibration.noiseMultiplier(
                noise -> plan.event(new DiscreteGaussianMechanism(noise)), least, most, budget, accountant, neighbours);
        return withNoise(plan, noiseMultiplier, budget.delta(), accountant, neighbours);
    }

    /** Takes noise as given. */
    public static CalibratedPlan withNoise(
            ReleasePlan plan,
            double noiseMultiplier,
            double delta,
            PrivacyAccountant accountant,
            Neighbours neighbours) {
        PrivacyEvent event = plan.event(new DiscreteGaussianMechanism(noiseMultiplier));
        return new CalibratedPlan(plan, noiseMultiplier, event, accountant.epsilon(event, delta, neighbours));
    }
}
