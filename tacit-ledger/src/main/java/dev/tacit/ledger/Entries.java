package dev.tacit.ledger;

import dev.tacit.door.ledger.LedgerEntry;
import java.util.Optional;

/** Entries as later lines of a ledger change them. */
final class Entries {
    private Entries() {}

    static LedgerEntry confirmed(LedgerEntry entry) {
        return changed(entry, true, entry.released(), entry.statement());
    }

    static LedgerEntry released(LedgerEntry entry, long count) {
        return changed(entry, entry.confirmed(), count, entry.statement());
    }

    static LedgerEntry stated(LedgerEntry entry, String sha256) {
        return changed(entry, entry.confirmed(), entry.released(), Optional.of(sha256));
    }

    private static LedgerEntry changed(
            LedgerEntry entry, boolean confirmed, long released, Optional<String> statement) {
        return new LedgerEntry(
                entry.sequence(),
                entry.hash(),
                entry.label(),
                entry.event(),
                entry.run(),
                entry.time(),
                entry.analyst(),
                confirmed,
                released,
                statement);
    }
}
