/** Rare batches counted as jumps on top of the contour. */
package dev.tacit.accounting.exact.jumps;
