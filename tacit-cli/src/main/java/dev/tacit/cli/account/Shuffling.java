package dev.tacit.cli.account;

import dev.tacit.accounting.compose.Composition;
import dev.tacit.accounting.compose.Phase;
import dev.tacit.accounting.compose.Sampling;
import dev.tacit.accounting.compose.UnsupportedEventException;
import dev.tacit.door.event.PrivacyEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a Poisson-sampled plan costs if the code shuffles instead, as most data loaders do.
 *
 * <pre>
 *   epochs = ceil(steps · rate),      one unsampled release per epoch
 * </pre>
 *
 * In one pass over shuffled, fixed batches a record is in exactly one batch, so a pass reveals what one release on all
 * records reveals, and
 * nothing is gained from the shuffling. Neighbours: a record is blanked out (or given another value) in its place, the
 * batches stay.
 *
 * @param event what the shuffled plan does to one record
 * @param epochs passes over the data
 */
record Shuffling(PrivacyEvent event, long epochs) {
    /** The shuffled twin of an event, if all of it is Poisson sampled. */
    static Optional<Shuffling> insteadOf(AccountingQuestion question) {
        List<List<Phase>> alternatives;
        try {
            alternatives =
                    Composition.of(question.event(), question.neighbours()).alternatives();
        } catch (UnsupportedEventException e) {
            return Optional.empty();
        }
        if (alternatives.size() != 1 || alternatives.get(0).isEmpty()) {
            return Optional.empty();
        }
        List<PrivacyEvent> events = new ArrayList<>();
        long epochs = 0;
        for (Phase phase : alternatives.get(0)) {
            if (!(phase.sampling() instanceof Sampling.Poisson poisson)) {
                return Optional.empty();
            }
            long passes = (long) Math.ceil(phase.times() * poisson.rate() * (1 - 1e-12));
            events.add(phase.curves().release().times(passes));
            epochs += passes;
        }
        return Optional.of(
                new Shuffling(events.size() == 1 ? events.get(0) : new PrivacyEvent.Sequence(events), epochs));
    }
}
