package dev.tacit.cli.account;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;

/**
 * What accountants are asked: which epsilon holds at a delta, or which delta holds at an epsilon.
 *
 * @param event what is done to the records
 * @param neighbours which data sets must be hard to tell apart
 * @param wanted what to bound
 * @param given the other one
 */
record AccountingQuestion(PrivacyEvent event, Neighbours neighbours, Wanted wanted, double given) {
    /** The two numbers of a guarantee. */
    enum Wanted {
        EPSILON("epsilon", "delta"),
        DELTA("delta", "epsilon");

        private final String label;
        private final String givenLabel;

        Wanted(String label, String givenLabel) {
            this.label = label;
            this.givenLabel = givenLabel;
        }

        /** The number to bound, as it is called in JSON. */
        String label() {
            return label;
        }

        /** The number that was given. */
        String givenLabel() {
            return givenLabel;
        }
    }

    /** The same question about another event. */
    AccountingQuestion about(PrivacyEvent other) {
        return new AccountingQuestion(other, neighbours, wanted, given);
    }

    /** Replace-one where a step draws batches of fixed size, whose theory needs it; add-remove otherwise. */
    static Neighbours usualNeighbours(PrivacyEvent event) {
        return Events.hasFixedSizeSampling(event) ? Neighbours.REPLACE_ONE : Neighbours.ADD_REMOVE;
    }
}
