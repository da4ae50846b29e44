package dev.tacit.accounting.calibrate;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.Locale;
import java.util.function.DoubleFunction;
import java.util.function.LongFunction;

/**
 * The least noise, or the most steps or records per batch, that keep a budget.
 *
 * <p>A parameter is accepted only if the accountant's upper bound at that very value is within the budget, so the result is on the safe side
 * whatever the accountant's width; it is within a relative 2e-10 of the best value that the accountant can show. Epsilon must be monotone in the
 * parameter.
 */
public final class NoiseCalibration {
    private static final double RELATIVE_WIDTH = 2e-10;
    private static final double LEAST_NOISE = 1e-4;
    private static final double MOST_NOISE = 1e12;
    private static final double LEAST_RATE = 1e-15;
    private static final long MOST_STEPS = 1L << 40;

    private NoiseCalibration() {}

    /** The smallest noise multiplier whose event keeps the target. */
    public static double noiseMultiplier(
            DoubleFunction<PrivacyEvent> eventOfNoise,
            PrivacyBudget target,
            PrivacyAccountant accountant,
            Neighbours neighbours)
            throws CalibrationException {
        return noiseMultiplier(eventOfNoise, LEAST_NOISE, MOST_NOISE, target, accountant, neighbours);
    }

    /**
     * The smallest noise multiplier whose event keeps the target, among those that a mechanism can make.
     *
     * @param least the smallest that is tried; the result is this one if it keeps the target
     * @param most the largest that is tried, above the smallest
     */
    public static double noiseMultiplier(
            DoubleFunction<PrivacyEvent> eventOfNoise,
            double least,
            double most,
            PrivacyBudget target,
            PrivacyAccountant accountant,
            Neighbours neighbours)
            throws CalibrationException {
        Curve curve = new Curve(
                logNoise -> eventOfNoise.apply(Math.min(most, Math.max(least, Math.exp(-logNoise)))),
                target,
                accountant,
                neighbours);
        double start = Math.min(-Math.log(least), Math.max(-Math.log(most), 0));
        double largest = curve.largest(-Math.log(most), -Math.log(least), start);
        if (Double.isNaN(largest)) {
            throw new CalibrationException(
                    String.format(Locale.ROOT, "no noise multiplier up to %.3g keeps this budget", most)
                            + curve.refusal() + "; allow more epsilon or delta");
        }
        double noiseMultiplier = Math.max(least, Math.exp(-largest));
        while (!curve.keeps(eventOfNoise.apply(noiseMultiplier))) {
            noiseMultiplier *= 1 + 1e-12;
        }
        return noiseMultiplier;
    }

    /** The largest sampling rate whose event keeps the target. */
    public static double samplingRate(
            DoubleFunction<PrivacyEvent> eventOfRate,
            PrivacyBudget target,
            PrivacyAccountant accountant,
            Neighbours neighbours)
            throws CalibrationException {
        if (new Curve(eventOfRate, target, accountant, neighbours).keeps(eventOfRate.apply(1))) {
            return 1;
        }
        Curve curve = new Curve(logRate -> eventOfRate.apply(Math.exp(logRate)), target, accountant, neighbours);
        double largest = curve.largest(Math.log(LEAST_RATE), 0, Math.log(0.01));
        if (Double.isNaN(largest)) {
            throw new CalibrationException("no sampling rate above " + LEAST_RATE + " keeps this budget"
                    + curve.refusal() + "; allow more epsilon or more noise");
        }
        double rate = Math.exp(largest);
        while (!curve.keeps(eventOfRate.apply(rate))) {
            rate *= 1 - 1e-12;
        }
        return rate;
    }

    /** The largest number of steps whose event keeps the target. */
    public static long steps(
            LongFunction<PrivacyEvent> eventOfSteps,
            PrivacyBudget target,
            PrivacyAccountant accountant,
            Neighbours neighbours)
            throws CalibrationException {
        Curve curve = new Curve(steps -> eventOfSteps.apply((long) steps), target, accountant, neighbours);
        if (!curve.keeps(eventOfSteps.apply(1))) {
            throw new CalibrationException(
                    "not even one step keeps this budget" + curve.refusal() + "; allow more epsilon or more noise");
        }
        long kept = 1;
        long broken = 2;
        while (broken < MOST_STEPS && curve.keeps(eventOfSteps.apply(broken))) {
            kept = broken;
            broken *= 2;
        }
        if (broken >= MOST_STEPS && curve.keeps(eventOfSteps.apply(MOST_STEPS))) {
            return MOST_STEPS;
        }
        while (broken - kept > 1) {
            long middle = kept + (broken - kept) / 2;
            if (curve.keeps(eventOfSteps.apply(middle))) {
                kept = middle;
            } else {
                broken = middle;
            }
        }
        return kept;
    }

    /** Epsilon as an increasing function of a real parameter. */
    private static final class Curve {
        private final DoubleFunction<PrivacyEvent> eventOf;
        private final PrivacyBudget target;
        private final PrivacyAccountant accountant;
        private final Neighbours neighbours;
        private String refusal = "";

        Curve(
                DoubleFunction<PrivacyEvent> eventOf,
                PrivacyBudget target,
                PrivacyAccountant accountant,
                Neighbours neighbours) {
            this.eventOf = eventOf;
            this.target = target;
            this.accountant = accountant;
            this.neighbours = neighbours;
        }

        boolean keeps(PrivacyEvent event) {
            return epsilon(event) <= target.epsilon();
        }

        String refusal() {
            return refusal;
        }

        private double epsilon(PrivacyEvent event) {
            EpsilonBound bound = accountant.epsilon(event, target.delta(), neighbours);
            if (bound instanceof EpsilonBound.Unsupported unsupported) {
                refusal = " (" + accountant.name() + ": " + unsupported.reason() + ")";
            }
            return bound.upper();
        }

        /** log ε(x) − log target: negative or zero where the budget is kept. */
        private double excess(double x) {
            double epsilon = epsilon(eventOf.apply(x));
            if (target.epsilon() == 0) {
                return epsilon == 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
            }
            double excess = Math.log(epsilon) - Math.log(target.epsilon());
            return epsilon <= target.epsilon() ? Math.min(0, excess) : Math.max(Double.MIN_VALUE, excess);
        }

        /** The largest x in [low, high] that keeps the budget, within RELATIVE_WIDTH below it; NaN if none does. */
        double largest(double low, double high, double start) {
            double kept = low;
            double broken = high;
            double x = start;
            double value = excess(x);
            double step = 1;
            while (true) {
                if (value <= 0) {
                    kept = x;
                    if (x >= high) {
                        return high;
                    }
                    x = Math.min(high, x + step);
                } else {
                    broken = x;
                    if (x <= low) {
                        return Double.NaN;
                    }
                    x = Math.max(low, x - step);
                }
                double next = excess(x);
                if ((next <= 0) != (value <= 0)) {
                    return close(
                            next <= 0 ? x : kept,
                            next <= 0 ? next : value,
                            next <= 0 ? broken : x,
                            next <= 0 ? value : next);
                }
                value = next;
                step *= 2;
            }
        }

        /** Secant steps inside the bracket, aimed a little to either side of the root so that both ends close in. */
        private double close(double keptStart, double keptValue, double brokenStart, double brokenValue) {
            double kept = keptStart;
            double broken = brokenStart;
            double atKept = keptValue;
            double atBroken = brokenValue;
            boolean aimBelow = true;
            for (int i = 0; i < 200 && broken - kept > RELATIVE_WIDTH; i++) {
                double x = 0.5 * (kept + broken);
                if (i % 6 != 5 && !Double.isInfinite(atKept) && !Double.isInfinite(atBroken)) {
                    double root = kept + (broken - kept) * (atKept / (atKept - atBroken));
                    double nudge = Math.max(0.3 * RELATIVE_WIDTH, 0.002 * (broken - kept) * (broken - kept));
                    x = aimBelow ? root - nudge : root + nudge;
                    x = Math.min(broken - 0.1 * RELATIVE_WIDTH, Math.max(kept + 0.1 * RELATIVE_WIDTH, x));
                }
                double value = excess(x);
                if (value <= 0) {
                    kept = x;
                    atKept = value;
                    aimBelow = false;
                } else {
                    broken = x;
                    atBroken = value;
                    aimBelow = true;
                }
            }
            return kept;
        }
    }
}
