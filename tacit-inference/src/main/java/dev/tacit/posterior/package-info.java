/** Posterior distributions: what a run returns, what a fit stores, what predictions are made from. */
package dev.tacit.posterior;
