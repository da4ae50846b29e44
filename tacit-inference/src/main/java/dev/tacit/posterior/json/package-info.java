/** Posteriors as text. */
package dev.tacit.posterior.json;
