/**
 * Generalised linear models by a private likelihood: sums at public points with known noise, released once, from which
 * the posterior of any prior follows.
 */
package dev.tacit.glm;
