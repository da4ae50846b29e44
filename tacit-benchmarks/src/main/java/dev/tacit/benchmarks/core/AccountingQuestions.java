package dev.tacit.benchmarks.core;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;

/** The questions on which accountants are timed, the same for JMH and for {@link SideBySide}. */
final class AccountingQuestions {
    private static final Neighbours ADD_REMOVE = Neighbours.ADD_REMOVE;

    private AccountingQuestions() {}

    /** DP-SGD: noise multiplier 1, rate 0.01, 10 000 steps, delta 1e-5. */
    static EpsilonBound dpSgd(PrivacyAccountant accountant) {
        return epsilon(accountant, 1, 0.01, 10_000, 1e-5);
    }

    /** DP-SEP: noise multiplier 5, rate 0.001, 100 000 steps, delta 1e-5. */
    static EpsilonBound dpSep(PrivacyAccountant accountant) {
        return epsilon(accountant, 5, 0.001, 100_000, 1e-5);
    }

    /** Noise-aware DPVI: noise multiplier 45, rate 0.1, 10 000 steps, delta 1e-5. */
    static EpsilonBound noiseAware(PrivacyAccountant accountant) {
        return epsilon(accountant, 45, 0.1, 10_000, 1e-5);
    }

    /** VIPS: noise multiplier 1.24, rate 10 of 400 000, 16 000 steps, delta 1e-4. */
    static EpsilonBound vips(PrivacyAccountant accountant) {
        return epsilon(accountant, 1.24, 2.5e-5, 16_000, 1e-4);
    }

    /** Rare sampling: noise multiplier 0.5, rate 1e-6, a million steps, delta 1e-8. */
    static EpsilonBound rareSampling(PrivacyAccountant accountant) {
        return epsilon(accountant, 0.5, 1e-6, 1_000_000, 1e-8);
    }

    /** A thousand phases, no two alike: noise multipliers from 1 to 3, rates from 0.001 to 0.01, 10 steps each. */
    static PrivacyEvent thousandPhases() {
        PrivacyEvent event = PrivacyEvent.nothing();
        for (int phase = 0; phase < 1000; phase++) {
            double share = phase / 999.0;
            event = event.then(PrivacyEvent.gaussian(1 + 2 * share)
                    .poissonSampled(0.001 * Math.pow(10, share))
                    .times(10));
        }
        return event;
    }

    /** The noise multiplier for epsilon 1 and delta 1e-5 over 10 000 steps. */
    static double calibrated(PrivacyAccountant accountant, double rate) throws CalibrationException {
        return NoiseCalibration.noiseMultiplier(
                noise -> sampled(noise, rate, 10_000), new PrivacyBudget(1, 1e-5), accountant, ADD_REMOVE);
    }

    private static EpsilonBound epsilon(
            PrivacyAccountant accountant, double noiseMultiplier, double rate, long steps, double delta) {
        return accountant.epsilon(sampled(noiseMultiplier, rate, steps), delta, ADD_REMOVE);
    }

    private static PrivacyEvent sampled(double noiseMultiplier, double rate, long steps) {
        return PrivacyEvent.gaussian(noiseMultiplier).poissonSampled(rate).times(steps);
    }
}
