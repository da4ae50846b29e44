/** Probabilistic backpropagation as published. */
package dev.tacit.experiments.backpropagation;
