package dev.tacit.federated.store;

import java.util.List;

/**
 * An append-only list of entries: write, force to the disk, then act.
 *
 * <p>What a party or a coordinator is, is a fold over its journal. Entries that were appended together are written with one force; a crash
 * may leave the first of them without the last, never a later one without an earlier one.
 */
public interface Journal {
    /** All entries, the oldest first. */
    List<byte[]> entries();

    /** Appends entries; when this returns, they survive a crash. */
    void append(List<byte[]> entries);

    /** The hash that the chain of all entries ends with. */
    byte[] head();
}
