package dev.tacit.partitioned.party;

import dev.tacit.door.ledger.BudgetExhausted;

/** How much less to ask a ledger for after it has refused. */
final class Affordable {
    private Affordable() {}

    /** Fewer rounds than were refused: as many as the ledger says would fit if it knows, otherwise one less. */
    static int fewer(BudgetExhausted refusal, int rounds) {
        long repetitions = refusal.details().repetitions();
        if (repetitions % rounds != 0) {
            return rounds - 1;
        }
        return (int) Math.min(rounds - 1L, refusal.details().fits() / (repetitions / rounds));
    }
}
