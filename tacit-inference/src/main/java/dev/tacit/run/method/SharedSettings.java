package dev.tacit.run.method;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.text.SamplingForm;
import java.util.List;
import java.util.Optional;

/** Settings that several methods have. */
final class SharedSettings {
    /** More releases than any budget is worth. */
    static final int MOST_STEPS = 1_000_000;

    /** More components, topics or hidden units than a machine has room for. */
    static final int MOST_PARTS = 100_000;

    private SharedSettings() {}

    /** The precision of a prior on weights, by default that of the method for rows of the declared length. */
    static double precision(SettingValues settings, double standard) {
        return settings.number("priorPrecision", standard, Limits.around(standard, 1e6));
    }

    static PrivateVariationalBayes.Settings variationalBayes(
            DataShape shape, SettingValues settings, int steps, String standardSchedule, String standardSampling) {
        String schedule = settings.choice(
                "schedule", standardSchedule, List.of("linear-average", "floored-average", "robbins-monro", "last"));
        StepSchedule rates = switch (schedule) {
            case "linear-average" -> new StepSchedule.LinearAverage();
            case "floored-average" ->
                new StepSchedule.FlooredAverage(settings.number("floor", 0.25, Limits.between(0, 1)));
            case "last" -> new StepSchedule.Last();
            default ->
                new StepSchedule.RobbinsMonro(
                        settings.number("delay", 1, Limits.between(0, 1e6)),
                        settings.number("forgetting", 0.7, Limits.between(0.51, 1)));
        };
        return new PrivateVariationalBayes.Settings(
                settings.integer("steps", steps, 1, MOST_STEPS), sampling(settings, shape, standardSampling), rates);
    }

    /** {@code full} or {@code poisson:RATE}; below the standard rate with at least one record in an expected batch. */
    static SamplingScheme sampling(SettingValues settings, DataShape shape, String standard) {
        Limits limits = Limits.between(1.0 / shape.publicSize(), 1);
        if (SamplingForm.read(standard) instanceof SamplingForm.Poisson poisson) {
            limits = limits.including(poisson.rate());
        }
        Optional<SamplingForm> asked = read(settings.text("sampling", standard));
        if (asked.isPresent() && asked.get() instanceof SamplingForm.None all) {
            return all.scheme();
        }
        if (asked.isPresent()
                && asked.get() instanceof SamplingForm.Poisson poisson
                && limits.contain(poisson.rate())) {
            return poisson.scheme();
        }
        throw new SettingException("the setting sampling must be full or poisson:RATE with a rate " + limits.text());
    }

    /** Empty for a text that is none. */
    private static Optional<SamplingForm> read(String text) {
        try {
            return Optional.of(SamplingForm.read(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
