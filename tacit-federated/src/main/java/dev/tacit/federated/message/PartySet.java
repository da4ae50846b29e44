package dev.tacit.federated.message;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/** Some of the parties, by place. */
public final class PartySet {
    private final BitSet places;

    private PartySet(BitSet places) {
        this.places = places;
    }

    /** These places. */
    public static PartySet of(Iterable<Integer> places) {
        BitSet set = new BitSet();
        places.forEach(set::set);
        return new PartySet(set);
    }

    /** The parties from 0 up to a number. */
    public static PartySet first(int count) {
        BitSet set = new BitSet();
        set.set(0, count);
        return new PartySet(set);
    }

    /** Reads {@link #toBytes} back. */
    public static PartySet read(byte[] bytes) {
        return new PartySet(BitSet.valueOf(bytes));
    }

    /** One bit for each of so many parties. */
    public byte[] toBytes(int parties) {
        return Arrays.copyOf(places.toByteArray(), length(parties));
    }

    /** How long {@link #toBytes} is. */
    public static int length(int parties) {
        return (parties + 7) / 8;
    }

    /** Whether a party is one of them. */
    public boolean contains(int party) {
        return places.get(party);
    }

    /** How many there are. */
    public int size() {
        return places.cardinality();
    }

    /** Whether all are among the first so many. */
    public boolean isWithin(int parties) {
        return places.length() <= parties;
    }

    /** Whether all are in another set. */
    public boolean isSubsetOf(PartySet other) {
        return minus(other).size() == 0;
    }

    /** Whether none is in another set. */
    public boolean isApartFrom(PartySet other) {
        return !places.intersects(other.places);
    }

    /** Those that are not in another set. */
    public PartySet minus(PartySet other) {
        BitSet rest = (BitSet) places.clone();
        rest.andNot(other.places);
        return new PartySet(rest);
    }

    /** Those of both. */
    public PartySet and(PartySet other) {
        BitSet both = (BitSet) places.clone();
        both.or(other.places);
        return new PartySet(both);
    }

    /** The places, in order. */
    public IntStream places() {
        return places.stream();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartySet set && set.places.equals(places);
    }

    @Override
    public int hashCode() {
        return places.hashCode();
    }

    @Override
    public String toString() {
        return places.toString();
    }
}
