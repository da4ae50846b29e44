/** Kernels that release expected statistics or residuals. */
package dev.tacit.inference.bayes;
