/** Bounds by Rényi divergences and zero-concentration, which can be read in an hour. */
package dev.tacit.accounting.renyi;
