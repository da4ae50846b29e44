/** Convolution of loss distributions on a lattice. */
package dev.tacit.accounting.exact.grid;
