/** Tail probabilities by integrals along a contour in the complex plane. */
package dev.tacit.accounting.exact.contour;
