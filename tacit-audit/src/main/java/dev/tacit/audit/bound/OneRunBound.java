package dev.tacit.audit.bound;

import org.apache.commons.numbers.gamma.LogGamma;

/**
 * What guesses about many coins say about a single run in which each coin decided whether one record was there.
 *
 * <pre>
 *   P(at least v of r guesses are right)  ≤  P(Bin(r, q) ≥ v) + 2 m delta · max over i of P(v − i ≤ Bin(r, q) &lt; v) / i,     q = e^ε/(1 + e^ε)
 * </pre>
 *
 * Steinke, Nasr, Jagielski 2023, Theorem 5.2: for any (ε, delta)-private run and any way of guessing that sees its outputs.
 *
 * @param coins m, how many records there may be
 * @param guesses r, how many of them were guessed
 * @param right v, how many guesses were right
 */
public record OneRunBound(int coins, int guesses, int right) {
    private static final double LARGEST = 50;
    private static final int HALVINGS = 60;

    public OneRunBound {
        if (right < 0 || right > guesses || guesses > coins || coins < 1) {
            throw new IllegalArgumentException("right guesses are among the guesses, and those about the coins");
        }
    }

    /** The probability, at most, of so many right guesses if the run keeps a claim. */
    public double probability(double epsilon, double delta) {
        double share = 1 / (1 + Math.exp(-epsilon));
        double above = 0;
        for (int hits = right; hits <= guesses; hits++) {
            above += mass(hits, share);
        }
        double steepest = 0;
        double below = 0;
        for (int i = 1; i <= right; i++) {
            below += mass(right - i, share);
            steepest = Math.max(steepest, below / i);
        }
        return Math.min(1, above + 2 * coins * delta * steepest);
    }

    private double mass(int hits, double share) {
        return Math.exp(LogGamma.value(guesses + 1.0)
                - LogGamma.value(hits + 1.0)
                - LogGamma.value(guesses - hits + 1.0)
                + hits * Math.log(share)
                + (guesses - hits) * Math.log1p(-share));
    }

    /** The epsilon that is ruled out with everything below it, except with this probability; 0 if nothing is. */
    public double epsilonAtLeast(double delta, double error) {
        if (probability(0, delta) > error) {
            return 0;
        }
        double low = 0;
        double high = LARGEST;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (probability(middle, delta) <= error) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
