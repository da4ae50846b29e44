package dev.tacit.glm.model;

import dev.tacit.query.Contribution;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the coordinates of group effects stand: behind the D columns, term after term, and in the released curvature.
 *
 * <pre>
 *   coordinates   columns 0 … D−1,  then for each term t its levels            P = D + Σ G_t
 *   curvature     svec of the columns' block
 *                 for each term and level g:   √2 H_jg for all columns j,  H_gg
 *                 for each pair of terms:      √2 H_gh, where a record can be in both: the same level of one grouping,
 *                                              a level and the level that it lies in, or any two levels of crossed groupings
 * </pre>
 *
 * Everything else of the symmetric matrix is zero for every record, because a record is in one level of a grouping. So the
 * vector of a record's a s v vᵀ has norm a s |v|².
 */
public final class GroupLayout implements Serializable {
    private static final long serialVersionUID = 1;

    /** How two terms meet. */
    public enum Meeting {
        /** The same grouping: level g meets level g. */
        SAME,
        /** The second lies in the first: level h meets the one that it is in. */
        INSIDE,
        /** Every level meets every other. */
        CROSSED
    }

    /**
     * Two terms and where their block stands in the curvature.
     *
     * @param first a term; with {@link Meeting#INSIDE} the outer one
     * @param second another
     * @param each levels of the second in one level of the first, with {@link Meeting#INSIDE}
     */
    public record Pair(int first, int second, Meeting meeting, int each, int offset) {}

    private static final double SQRT2 = Math.sqrt(2);

    public final int columns;
    public final List<GroupEffects> terms;

    /** The grouping of each term: terms of the same name share one. */
    public final int[] grouping;

    /** The levels of each grouping. */
    public final int[] groupingSizes;

    /** For each grouping one that it lies in, and how many of its levels lie in one level of that; −1 if in none. */
    public final int[] outer;

    public final int[] each;

    private final int[] first;
    private final int[] curvatureFirst;
    private final List<Pair> pairs = new ArrayList<>();
    private final int size;
    private final int curvatureSize;

    public GroupLayout(GlmDesign design) {
        this.columns = design.size();
        this.terms = design.groups();
        this.first = new int[terms.size()];
        this.curvatureFirst = new int[terms.size()];
        this.grouping = new int[terms.size()];
        int next = columns;
        int curvature = Contribution.squareSize(columns);
        List<GroupEffects> groupings = new ArrayList<>();
        for (int t = 0; t < terms.size(); t++) {
            GroupEffects term = terms.get(t);
            first[t] = next;
            curvatureFirst[t] = curvature;
            next += term.levels().size();
            curvature += term.levels().size() * (columns + 1);
            grouping[t] = placeOf(groupings, term);
        }
        for (int t = 0; t < terms.size(); t++) {
            for (int u = t + 1; u < terms.size(); u++) {
                Pair pair = pair(t, u, curvature);
                pairs.add(pair);
                curvature += blockSize(pair);
            }
        }
        this.size = next;
        this.curvatureSize = curvature;
        this.groupingSizes =
                groupings.stream().mapToInt(one -> one.levels().size()).toArray();
        this.outer = new int[groupings.size()];
        this.each = new int[groupings.size()];
        for (int g = 0; g < outer.length; g++) {
            outer[g] = -1;
            for (int h = 0; h < outer.length; h++) {
                boolean closer = outer[g] < 0 || groupingSizes[h] > groupingSizes[outer[g]];
                if (h != g && closer && groupings.get(g).isInside(groupings.get(h))) {
                    outer[g] = h;
                    each[g] = groupingSizes[g] / groupingSizes[h];
                }
            }
        }
    }

    private static int placeOf(List<GroupEffects> groupings, GroupEffects term) {
        for (int g = 0; g < groupings.size(); g++) {
            if (groupings.get(g).name().equals(term.name())) {
                return g;
            }
        }
        groupings.add(term);
        return groupings.size() - 1;
    }

    private Pair pair(int t, int u, int offset) {
        if (grouping[t] == grouping[u]) {
            return new Pair(t, u, Meeting.SAME, 1, offset);
        }
        int smaller = terms.get(t).levels().size();
        int larger = terms.get(u).levels().size();
        if (terms.get(u).isInside(terms.get(t))) {
            return new Pair(t, u, Meeting.INSIDE, larger / smaller, offset);
        }
        if (terms.get(t).isInside(terms.get(u))) {
            return new Pair(u, t, Meeting.INSIDE, smaller / larger, offset);
        }
        return new Pair(t, u, Meeting.CROSSED, 1, offset);
    }

    private int blockSize(Pair pair) {
        int rows = terms.get(pair.first).levels().size();
        int across = terms.get(pair.second).levels().size();
        return pair.meeting == Meeting.CROSSED ? Math.multiplyExact(rows, across) : across;
    }

    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** P, the columns included. */
    public int size() {
        return size;
    }

    /** The coordinate of a level. */
    public int coordinate(int term, int level) {
        return first[term] + level;
    }

    /** The term of a coordinate behind the columns. */
    public int termOf(int coordinate) {
        int term = terms.size() - 1;
        while (first[term] > coordinate) {
            term--;
        }
        return term;
    }

    public int levels(int term) {
        return terms.get(term).levels().size();
    }

    public List<Pair> pairs() {
        return pairs;
    }

    /** How many numbers of the curvature are released. */
    public int curvatureSize() {
        return curvatureSize;
    }

    /**
     * Adds what a record adds to the blocks of groups.
     *
     * @param w the columns' coordinates
     * @param levels of each term, −1 for none
     * @param values of each term: what the level's coordinate is
     * @param scale a s
     * @param room for D + 1 numbers
     */
    public void writeCurvature(
            double[] w, int[] levels, double[] values, double scale, double[] room, Contribution contribution) {
        for (int t = 0; t < first.length; t++) {
            if (levels[t] >= 0) {
                double factor = SQRT2 * scale * values[t];
                for (int j = 0; j < columns; j++) {
                    room[j] = factor * w[j];
                }
                room[columns] = scale * values[t] * values[t];
                contribution.addAll(curvatureFirst[t] + levels[t] * (columns + 1), room, 0, columns + 1);
            }
        }
        for (Pair pair : pairs) {
            int place = place(pair, levels[pair.first], levels[pair.second]);
            if (place >= 0) {
                room[0] = SQRT2 * scale * values[pair.first] * values[pair.second];
                contribution.addAll(place, room, 0, 1);
            }
        }
    }

    /** Where two levels meet, −1 if nowhere. */
    private int place(Pair pair, int one, int other) {
        if (one < 0 || other < 0) {
            return -1;
        }
        return switch (pair.meeting) {
            case SAME -> one == other ? pair.offset + other : -1;
            case INSIDE -> one == other / pair.each ? pair.offset + other : -1;
            case CROSSED -> pair.offset + one * levels(pair.second) + other;
        };
    }

    /** The blocks of groups of a released vector, written into the symmetric matrix of all coordinates. */
    public void readCurvature(double[] released, double[] matrix) {
        for (int t = 0; t < first.length; t++) {
            for (int g = 0; g < levels(t); g++) {
                int from = curvatureFirst[t] + g * (columns + 1);
                int at = coordinate(t, g);
                for (int j = 0; j < columns; j++) {
                    set(matrix, at, j, released[from + j] / SQRT2);
                }
                set(matrix, at, at, released[from + columns]);
            }
        }
        for (Pair pair : pairs) {
            forEachMeeting(
                    pair,
                    (one, other) -> set(
                            matrix,
                            coordinate(pair.first, one),
                            coordinate(pair.second, other),
                            released[place(pair, one, other)] / SQRT2));
        }
    }

    private void set(double[] matrix, int i, int j, double value) {
        matrix[i * size + j] = value;
        matrix[j * size + i] = value;
    }

    /** Takes two levels that a record can be in. */
    @FunctionalInterface
    public interface Levels {
        void take(int one, int other);
    }

    /** All levels of two terms that meet. */
    public void forEachMeeting(Pair pair, Levels sink) {
        int across = levels(pair.second);
        switch (pair.meeting) {
            case SAME -> {
                for (int g = 0; g < across; g++) {
                    sink.take(g, g);
                }
            }
            case INSIDE -> {
                for (int h = 0; h < across; h++) {
                    sink.take(h / pair.each, h);
                }
            }
            case CROSSED -> {
                for (int g = 0; g < levels(pair.first); g++) {
                    for (int h = 0; h < across; h++) {
                        sink.take(g, h);
                    }
                }
            }
        }
    }
}
