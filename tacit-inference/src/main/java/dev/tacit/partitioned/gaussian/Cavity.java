package dev.tacit.partitioned.gaussian;

/**
 * The global approximation without a party's factor.
 *
 * @param raised the quotient, at least as certain as the prior
 * @param raisedDirections in how many directions it was not, and was raised to it
 */
public record Cavity(NaturalGaussian raised, int raisedDirections) {
    /** A cavity holds the prior and the factors of others, so it is at least as certain as the prior. */
    public static Cavity of(NaturalGaussian global, NaturalGaussian factor, NaturalGaussian prior) {
        NaturalGaussian quotient = global.over(factor);
        int improper = quotient.improperDirections(prior);
        return new Cavity(improper == 0 ? quotient : quotient.withPrecisionOf(prior), improper);
    }
}
