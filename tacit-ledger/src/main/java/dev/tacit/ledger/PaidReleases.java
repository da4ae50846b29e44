package dev.tacit.ledger;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyEvent.Disjoint;
import dev.tacit.door.event.PrivacyEvent.FixedSizeSampled;
import dev.tacit.door.event.PrivacyEvent.PoissonSampled;
import dev.tacit.door.event.PrivacyEvent.Repeated;
import dev.tacit.door.event.PrivacyEvent.Sequence;
import java.util.List;

/** How many releases an event pays for: its leaves, each as often as it is repeated. */
public final class PaidReleases {
    private PaidReleases() {}

    /** At most {@link Long#MAX_VALUE}. */
    public static long of(PrivacyEvent event) {
        if (event instanceof Repeated repeated) {
            long once = of(repeated.event());
            return once > 0 && repeated.times() > Long.MAX_VALUE / once ? Long.MAX_VALUE : once * repeated.times();
        }
        if (event instanceof PoissonSampled sampled) {
            return of(sampled.event());
        }
        if (event instanceof FixedSizeSampled sampled) {
            return of(sampled.event());
        }
        if (event instanceof Sequence sequence) {
            return of(sequence.events());
        }
        return event instanceof Disjoint disjoint ? of(disjoint.events()) : 1;
    }

    private static long of(List<PrivacyEvent> events) {
        long sum = 0;
        for (PrivacyEvent event : events) {
            long more = of(event);
            sum = sum > Long.MAX_VALUE - more ? Long.MAX_VALUE : sum + more;
        }
        return sum;
    }
}
