package dev.tacit.inference.ep;

/**
 * The state of stochastic EP between two releases.
 *
 * @param releases how many there were, those of the private start included
 * @param sites G, the sum of N copies of the shared site, in natural parameters
 * @param constants of the model
 * @param averaged how many G are in the average
 * @param averageSites their average
 */
public record SharedSiteState(int releases, double[] sites, double[] constants, int averaged, double[] averageSites) {}
