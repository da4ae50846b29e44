package dev.tacit.data.formula;

import java.util.BitSet;
import java.util.List;

/**
 * A product of variables, as their places in the list of variables.
 *
 * @param places ascending
 */
public record Term(List<Integer> places) {
    public Term {
        places = List.copyOf(places);
    }

    static Term of(BitSet bits) {
        return new Term(bits.stream().boxed().toList());
    }

    /** How many variables it multiplies. */
    public int order() {
        return places.size();
    }
}
