package dev.tacit.experiments.objective;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.noise.Provenance;

/**
 * What leaves the door for a {@link PerturbedMinimum}.
 *
 * @param value the noisy minimiser
 * @param noiseStandardDeviation of the noise that hides the tolerance; the linear term's noise is in the value already
 * @param event what was charged
 * @param provenance whether it may be published
 */
public record NoisyMinimum(double[] value, double noiseStandardDeviation, PrivacyEvent event, Provenance provenance) {}
