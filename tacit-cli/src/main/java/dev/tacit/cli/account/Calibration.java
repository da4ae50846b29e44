package dev.tacit.cli.account;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.text.SamplingForm;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Which noise, how many steps, or which sampling rate a budget pays for: two of them given, the third found on the safe
 * side.
 *
 * @param target what may be spent
 * @param noiseMultiplier noise over the bound of one record, or NaN if it is wanted
 * @param steps noisy releases, or 0 if they are wanted
 * @param sampling which records a step sees; its rate may be wanted
 * @param neighbours which data sets must be hard to tell apart
 * @param accountant who decides what is spent
 */
record Calibration(
        PrivacyBudget target,
        double noiseMultiplier,
        long steps,
        SamplingForm sampling,
        Neighbours neighbours,
        PrivacyAccountant accountant) {

    /** What was looked for. */
    enum Unknown {
        NOISE("noiseMultiplier", "noise multiplier"),
        STEPS("steps", "number of steps"),
        RATE("samplingRate", "sampling rate");

        private final String key;
        private final String words;

        Unknown(String key, String words) {
            this.key = key;
            this.words = words;
        }

        String key() {
            return key;
        }

        String words() {
            return words;
        }
    }

    /** A complete plan and the epsilon that it really spends, at most the target's. */
    record Solution(Calibration plan, Unknown solvedFor, double epsilon) {
        PrivacyEvent event() {
            return plan.event(plan.noiseMultiplier(), plan.steps(), plan.sampling());
        }

        /** The stable JSON form. */
        Map<String, Object> json() {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("noiseMultiplier", plan.noiseMultiplier());
            json.put("epsilon", epsilon);
            json.put("delta", plan.target().delta());
            json.put("accountant", plan.accountant().name());
            json.put("solvedFor", solvedFor.key());
            json.put("steps", plan.steps());
            json.put("sampling", plan.sampling().text());
            json.put("neighbours", plan.neighbours().label());
            return json;
        }
    }

    /** Exactly one of the three may be open. */
    Unknown unknown(ExitCode exitCode) {
        boolean noiseOpen = Double.isNaN(noiseMultiplier);
        boolean stepsOpen = steps == 0;
        boolean rateOpen = sampling instanceof SamplingForm.PoissonOfUnknownRate;
        int open = (noiseOpen ? 1 : 0) + (stepsOpen ? 1 : 0) + (rateOpen ? 1 : 0);
        if (open == 0) {
            throw new CommandFailure(
                    exitCode,
                    "nothing is left to find: leave out the noise multiplier, the steps or the rate"
                            + " (poisson:?), or ask account what all three cost.");
        }
        if (open > 1) {
            throw new CommandFailure(
                    exitCode,
                    "too much is left open: of the noise multiplier, the steps and the rate (poisson:?),"
                            + " exactly one can be found from the others.");
        }
        return noiseOpen ? Unknown.NOISE : stepsOpen ? Unknown.STEPS : Unknown.RATE;
    }

    /** Finds the open one, rounded to the private side. */
    Solution solve(ExitCode exitCode) {
        Unknown unknown = unknown(exitCode);
        try {
            Calibration plan = completed(unknown);
            PrivacyEvent event = event(plan.noiseMultiplier, plan.steps, plan.sampling);
            double spent = accountant.epsilon(event, target.delta(), neighbours).upper();
            return new Solution(plan, unknown, spent);
        } catch (CalibrationException e) {
            throw new CommandFailure(exitCode, e.getMessage() + ".", e);
        }
    }

    private Calibration completed(Unknown unknown) throws CalibrationException {
        if (unknown == Unknown.NOISE) {
            double found = NoiseCalibration.noiseMultiplier(
                    candidate -> event(candidate, steps, sampling), target, accountant, neighbours);
            return new Calibration(target, found, steps, sampling, neighbours, accountant);
        }
        if (unknown == Unknown.STEPS) {
            long found = NoiseCalibration.steps(
                    candidate -> event(noiseMultiplier, candidate, sampling), target, accountant, neighbours);
            return new Calibration(target, noiseMultiplier, found, sampling, neighbours, accountant);
        }
        double found = NoiseCalibration.samplingRate(
                candidate -> event(noiseMultiplier, steps, new SamplingForm.Poisson(candidate)),
                target,
                accountant,
                neighbours);
        return new Calibration(target, noiseMultiplier, steps, new SamplingForm.Poisson(found), neighbours, accountant);
    }

    private PrivacyEvent event(double multiplier, long times, SamplingForm how) {
        return how.around(PrivacyEvent.gaussian(multiplier)).times(times);
    }

    /** Replace-one with batches of fixed size, add-remove otherwise. */
    static Neighbours usualNeighbours(SamplingForm sampling) {
        return sampling instanceof SamplingForm.Fixed ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE;
    }

    static PrivacyAccountant accountant(String name, String where, ExitCode exitCode) {
        if (name.equals(Accounting.EXACT)) {
            return new ExactAccountant();
        }
        if (name.equals(Accounting.RENYI)) {
            return new RenyiAccountant();
        }
        throw new CommandFailure(exitCode, where + " must be exact or renyi.");
    }
}
