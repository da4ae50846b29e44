/** Markov chain Monte Carlo for densities that may be evaluated freely: public data, simulations, released traces. */
package dev.tacit.experiments.mcmc;
