package dev.tacit.federated.protocol;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The table that parties run with something missing: twins that must be found out. */
final class WeakTable {
    private WeakTable() {}

    /** Every row of the protocol changed. */
    static PartyTable with(UnaryOperator<PartyTable.Row> change) {
        return new PartyTable(PartyTable.STANDARD.rows().stream().map(change).toList());
    }

    /** Parties that do not look at something. */
    static PartyTable without(PartyGuard gone) {
        return with(row -> {
            Set<PartyGuard> left = EnumSet.noneOf(PartyGuard.class);
            left.addAll(row.guards());
            left.remove(gone);
            return new PartyTable.Row(row.phase(), row.message(), left, row.steps(), row.next());
        });
    }

    /** Parties that leave instructions out. */
    static PartyTable without(PartyStep... steps) {
        Set<PartyStep> gone = Set.of(steps);
        return with(row -> new PartyTable.Row(
                row.phase(),
                row.message(),
                row.guards(),
                row.steps().stream().filter(step -> !gone.contains(step)).toList(),
                row.next()));
    }
}
