/** Mixtures of Gaussians. */
package dev.tacit.model.mixture;
