package dev.tacit.experiments.bayes;

import dev.tacit.door.unit.PrivacyBudget;
import java.util.Optional;

/**
 * HISTORICAL, NOT A BOUND: the composition recipes by which the paper on private variational Bayes chose its noise,
 * kept to reproduce its tables.
 *
 * <pre>
 *   m releases, rate ν, d = delta of one iteration, c² = 2·log(1.25/d)
 *   noiseMultiplier = c / ε_iter,   ε_iter = log(1 + (e^ε' − 1)/ν)
 *   zCDP      ε' = √(2ρ·2·log(1.25/(νd)) / m),   ρ = (√(log(1/delta) + epsilon) − √log(1/delta))²
 *   advanced  ε'·√(2m·log(1/(delta − mνd))) + m·ε'(e^ε' − 1) = epsilon
 *   linear    ε' = epsilon/m,   d = delta/(mν)
 * </pre>
 *
 * Park, Foulds, Chaudhuri, Welling, arXiv 1611.00340v3, Table 1. The zCDP line amplifies an (ε, δ) statement by
 * sampling and then composes it as if the sampled release were zero-concentrated, which it is not; all lines treat
 * several statistics of one batch as separately sampled releases and use c/ε for ε above 1, where that form of the
 * Gaussian mechanism is not proven. The result is a {@link Claim}, which no release can be guarded with; print it next
 * to the epsilon that holds.
 */
public final class VipsHistoricalComposition {
    private VipsHistoricalComposition() {}

    /** The three lines of the paper's Table 1. */
    public enum Recipe {
        ZERO_CONCENTRATED,
        ADVANCED,
        LINEAR
    }

    /**
     * What the paper would have printed.
     *
     * @param epsilon the epsilon the recipe claims for the whole run
     * @param epsilonOfIteration the epsilon the recipe assigns to one release before sampling
     * @param noiseMultiplier noise standard deviation over sensitivity
     */
    public record Claim(double epsilon, double epsilonOfIteration, double noiseMultiplier) {
        /** Why the numbers guarantee nothing. */
        public String warning() {
            return "not a privacy bound: the recipe composes sampled releases by a rule that does not hold for them";
        }
    }

    /** The noise the recipe chooses for a target; empty if it has no solution. */
    public static Optional<Claim> forTarget(
            Recipe recipe, PrivacyBudget target, double deltaOfIteration, double rate, long releases) {
        require(deltaOfIteration, rate, releases);
        double delta = recipe == Recipe.LINEAR ? target.delta() / (releases * rate) : deltaOfIteration;
        double sampled = sampledEpsilon(recipe, target, delta, rate, releases);
        double epsilonOfIteration = Math.log1p(Math.expm1(sampled) / rate);
        double noiseMultiplier = Math.sqrt(2 * Math.log(1.25 / delta)) / epsilonOfIteration;
        return noiseMultiplier > 0 && noiseMultiplier < Double.POSITIVE_INFINITY
                ? Optional.of(new Claim(target.epsilon(), epsilonOfIteration, noiseMultiplier))
                : Optional.empty();
    }

    /** The epsilon the zCDP recipe claims for a noise level. */
    public static Claim forNoise(
            double noiseMultiplier, double delta, double deltaOfIteration, double rate, long releases) {
        require(deltaOfIteration, rate, releases);
        PrivacyBudget.requireDelta(delta);
        double epsilonOfIteration = Math.sqrt(2 * Math.log(1.25 / deltaOfIteration)) / noiseMultiplier;
        double sampled = Math.log1p(rate * Math.expm1(epsilonOfIteration));
        double rho = releases * sampled * sampled / (4 * Math.log(1.25 / (rate * deltaOfIteration)));
        return new Claim(rho + 2 * Math.sqrt(rho * -Math.log(delta)), epsilonOfIteration, noiseMultiplier);
    }

    private static double sampledEpsilon(
            Recipe recipe, PrivacyBudget target, double delta, double rate, long releases) {
        if (recipe == Recipe.LINEAR) {
            return target.epsilon() / releases;
        }
        if (recipe == Recipe.ZERO_CONCENTRATED) {
            double logDelta = -Math.log(target.delta());
            double root = target.epsilon() / (Math.sqrt(logDelta + target.epsilon()) + Math.sqrt(logDelta));
            return root * Math.sqrt(4 * Math.log(1.25 / (rate * delta)) / releases);
        }
        double rest = target.delta() - releases * rate * delta;
        if (!(rest > 0)) {
            return 0;
        }
        double spread = Math.sqrt(-2 * releases * Math.log(rest));
        double low = 0;
        double high = target.epsilon() / spread;
        for (int i = 0; i < 200; i++) {
            double middle = 0.5 * (low + high);
            if (middle * spread + releases * middle * Math.expm1(middle) <= target.epsilon()) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static void require(double deltaOfIteration, double rate, long releases) {
        PrivacyBudget.requireDelta(deltaOfIteration);
        if (!(rate > 0 && rate <= 1) || releases < 1) {
            throw new IllegalArgumentException("the recipe is for a rate in (0, 1] and at least one release");
        }
    }
}
