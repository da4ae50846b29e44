/** Objective perturbation, a baseline. */
package dev.tacit.experiments.objective;
