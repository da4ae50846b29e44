package dev.tacit.ledger;

import dev.tacit.door.ledger.LedgerEntry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The invariant of the whole package: what was released is in the ledger. */
final class ReleaseCheck {
    private ReleaseCheck() {}

    /** The labels that were released although the ledger holds no charge for them; an empty list is what must be. */
    static List<String> unpaid(List<String> released, List<LedgerEntry> entries) {
        Set<String> paid = new HashSet<>();
        for (LedgerEntry entry : entries) {
            paid.add(entry.label());
        }
        List<String> unpaid = new ArrayList<>();
        for (String label : released) {
            if (!paid.contains(label)) {
                unpaid.add(label);
            }
        }
        return unpaid;
    }
}
