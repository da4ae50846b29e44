package dev.tacit.audit.transcript;

import dev.tacit.audit.bound.ErrorRates;
import dev.tacit.audit.bound.NoiseRatio;
import dev.tacit.audit.result.Defect;
import java.util.List;

/**
 * What many transcripts say about a claim.
 *
 * @param runs how many on each table
 * @param epsilon no less holds at the claimed delta, at the stated confidence
 * @param curveEpsilon the same by the whole curve, if the run's true curve is that of its plan with some other noise
 * @param excess by how much the most damaging event is likelier than the claim allows; not positive if none is
 * @param events what was counted
 * @param noise of residuals over claimed noise
 * @param noiseAtLeast lower end of the interval of its standard deviation
 * @param noiseAtMost upper end
 * @param defects what contradicts the claim
 */
public record TranscriptVerdict(
        long runs,
        double epsilon,
        double curveEpsilon,
        double excess,
        List<ErrorRates> events,
        NoiseRatio noise,
        double noiseAtLeast,
        double noiseAtMost,
        List<Defect> defects) {
    public TranscriptVerdict {
        events = List.copyOf(events);
        defects = List.copyOf(defects);
    }

    /** Whether a defect of this kind was found. */
    public boolean found(Defect.Kind kind) {
        return defects.stream().anyMatch(defect -> defect.kind() == kind);
    }
}
