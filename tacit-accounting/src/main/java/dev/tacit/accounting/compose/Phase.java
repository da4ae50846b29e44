package dev.tacit.accounting.compose;

import dev.tacit.accounting.curve.MechanismCurves;
import dev.tacit.door.event.PrivacyEvent;

/** A number of independent releases of the same kind: the unit that accountants add up. */
public record Phase(Sampling sampling, MechanismCurves curves, long times) {
    /** The event that this phase came from, for messages. */
    public PrivacyEvent event() {
        PrivacyEvent release = curves.release();
        if (sampling instanceof Sampling.Poisson poisson) {
            release = release.poissonSampled(poisson.rate());
        } else if (sampling instanceof Sampling.FixedSize fixed) {
            release = release.fixedSizeSampled(fixed.batch(), fixed.population());
        }
        return times == 1 ? release : release.times(times);
    }
}
