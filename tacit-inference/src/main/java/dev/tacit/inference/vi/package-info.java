/** Kernels that release gradients. */
package dev.tacit.inference.vi;
