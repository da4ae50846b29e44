package dev.tacit.audit.transcript;

/**
 * One simulated run as an attacker sees it who knows every record but one.
 *
 * @param logLikelihoodRatio of all released integers, on the table with the record over the table without it
 * @param largestResidual of all residuals, in claimed standard deviations
 * @param squares of those residuals that are noise and nothing else, in claimed variances
 * @param residuals how many of those there are
 * @param repeats how many releases had the noise of an earlier one, or none
 * @param expectedRepeats by chance, at most
 * @param releases how many were made
 */
public record Transcript(
        double logLikelihoodRatio,
        double largestResidual,
        double squares,
        long residuals,
        long repeats,
        double expectedRepeats,
        long releases) {}
