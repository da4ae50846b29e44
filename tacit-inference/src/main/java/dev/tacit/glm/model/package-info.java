/** A generalised linear model: design, standardisation, prior. */
package dev.tacit.glm.model;
