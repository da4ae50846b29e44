/** Coverage and predictions of the private likelihood. */
package dev.tacit.experiments.glm;
