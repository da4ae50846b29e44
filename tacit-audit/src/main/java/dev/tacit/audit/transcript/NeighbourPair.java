package dev.tacit.audit.transcript;

import dev.tacit.audit.table.SyntheticTable;

/**
 * Two tables that differ in one unit; all other units are known to the attacker, who has subtracted them.
 *
 * @param data with the unit
 * @param neighbour without it, or with the one that replaces it
 * @param words which units these are
 * @param reach how far the unit moves what is released, of what the claim allows: 1 if it uses its bound in every release
 */
public record NeighbourPair(SyntheticTable data, SyntheticTable neighbour, String words, double reach) {}
