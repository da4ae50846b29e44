package dev.tacit.partitioned.party;

/**
 * Where a party keeps its state, so that it can go on after a crash.
 *
 * <p>A state is kept before the first release of a round, between two releases of a round, and before an answer leaves. With a store of
 * sealed releases behind the door nothing is then lost, whenever the crash comes; without one, a release that the ledger knows of and
 * the journal does not is lost, and never made again.
 */
@FunctionalInterface
public interface PartyJournal {
    /** Keeps nothing: for parties that are not resumed. */
    PartyJournal NONE = state -> {};

    /** Keeps a state in place of the one before; when this returns, it survives a crash. */
    void keep(PartyState state);
}
