package dev.tacit.partitioned.message;

import dev.tacit.door.event.PrivacyEvent;
import java.util.Objects;

/**
 * What a party declares about its answers before it gives any, wherever it is: a link to a party that is somewhere else hands on what
 * that party declared.
 *
 * @param sharesNoise whether an answer holds a share of the noise only, so that it may go to an aggregator and nowhere else
 * @param event what was charged to the party's own ledger for all its answers
 */
public record PartyTerms(boolean sharesNoise, PrivacyEvent event) {
    public PartyTerms {
        Objects.requireNonNull(event, "event");
    }

    /** Refuses parties whose single answers would be seen although only the sum of all is protected. */
    public static void requireProtected(Iterable<? extends JoinedLink> parties, boolean aggregated) {
        for (JoinedLink party : parties) {
            if (!aggregated && party.terms().sharesNoise()) {
                throw new IllegalArgumentException(
                        "a share of the noise protects nobody without an aggregator; use the whole noise, or an aggregator");
            }
        }
    }
}
