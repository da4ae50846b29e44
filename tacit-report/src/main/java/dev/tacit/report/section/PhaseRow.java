package dev.tacit.report.section;

/**
 * One kind of release that the budget paid for.
 *
 * @param label what was released
 * @param releases how often
 * @param sampling in words, for example "Poisson, rate 0.01"
 * @param noiseMultiplier noise standard deviation over the L2 bound of one unit
 * @param share of the budget, from 0 to 1
 */
public record PhaseRow(String label, long releases, String sampling, double noiseMultiplier, double share) {}
