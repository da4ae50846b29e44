/** Kernels of expectation propagation. */
package dev.tacit.inference.ep;
