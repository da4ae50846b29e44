/** Smooth one-to-one maps from R^k to constrained parameters, with their Jacobians. */
package dev.tacit.transform;
