/** Distributions with names. */
package dev.tacit.posterior.family;
