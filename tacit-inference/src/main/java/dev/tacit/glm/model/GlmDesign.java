package dev.tacit.glm.model;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is public about the rows of a regression.
 *
 * <pre>
 *   a row     x_0 … x_{D−1}   the columns in natural units, x_0 = 1
 *             x_D …           for each term of group effects the group's index 0 … G−1
 *             last            the offset, if there is one
 * </pre>
 *
 * Numbers outside of their bounds count as the nearest bound. The target is the row's label: 0 or 1, a number between
 * declared bounds, a count, or the index of a level.
 *
 * @param columns the first is the intercept, and no other is
 * @param groups the terms of group effects, as {@code (1 | g)} and {@code (x || g)} have them
 * @param offset a number between bounds that is added to the predictor as it is
 * @param rowsPerUnit how many rows one protected unit can have, at most
 */
public record GlmDesign(List<GlmColumn> columns, List<GroupEffects> groups, Optional<GlmColumn> offset, int rowsPerUnit)
        implements Serializable {
    public GlmDesign {
        columns = List.copyOf(columns);
        groups = List.copyOf(groups);
        if (columns.isEmpty() || columns.get(0).kind() != GlmColumn.Kind.INTERCEPT) {
            throw new IllegalArgumentException("the first column of a design is the intercept");
        }
        Set<String> names = new HashSet<>();
        for (int j = 0; j < columns.size(); j++) {
            GlmColumn column = columns.get(j);
            if (!names.add(column.name())) {
                throw new IllegalArgumentException("two columns of the design have the name " + column.name());
            }
            if (j > 0 && column.kind() == GlmColumn.Kind.INTERCEPT) {
                throw new IllegalArgumentException("a design has one intercept; " + column.name() + " is another");
            }
        }
        if (offset.isPresent()
                && (offset.get().kind() != GlmColumn.Kind.NUMBER
                        || !names.add(offset.get().name()))) {
            throw new IllegalArgumentException("an offset is a number with a name of its own");
        }
        for (GroupEffects term : groups) {
            term.requireFits(columns);
            names.add(term.deviationName());
            for (int level = 0; level < term.levels().size(); level++) {
                if (!names.add(term.effectName(level))) {
                    throw new IllegalArgumentException("two effects have the name " + term.effectName(level)
                            + "; a factor is either a term or a grouping, and each group term stands once");
                }
            }
        }
        if (rowsPerUnit < 1) {
            throw new IllegalArgumentException("a unit has at least one row");
        }
    }

    /** Without groups and offset, one row for each unit. */
    public static GlmDesign of(List<GlmColumn> columns) {
        return new GlmDesign(columns, List.of(), Optional.empty(), 1);
    }

    /** The same with a number between bounds that is added to the predictor. */
    public GlmDesign withOffset(GlmColumn number) {
        return new GlmDesign(columns, groups, Optional.of(number), rowsPerUnit);
    }

    /** What rows are drawn from: the columns, and the offset as one more. */
    public GlmDesign table() {
        if (offset.isEmpty()) {
            return this;
        }
        List<GlmColumn> all = new ArrayList<>(columns);
        all.add(offset.get());
        return new GlmDesign(all, groups, Optional.empty(), rowsPerUnit);
    }

    /** How many columns there are, the intercept included and the group's index not. */
    public int size() {
        return columns.size();
    }

    /** How many numbers a row has. */
    public int rowLength() {
        return size() + groups.size() + (offset.isPresent() ? 1 : 0);
    }

    /** The same with effects of groups. */
    public GlmDesign withGroups(List<GroupEffects> terms) {
        return new GlmDesign(columns, terms, offset, rowsPerUnit);
    }

    /** The names of the columns. */
    public List<String> names() {
        return columns.stream().map(GlmColumn::name).toList();
    }

    /** Where the numbers stand. */
    public int[] numbers() {
        return places(GlmColumn.Kind.NUMBER);
    }

    /** Where the levels of factors stand. */
    public int[] levels() {
        return places(GlmColumn.Kind.LEVEL);
    }

    /** The places of the levels of each factor, in the order in which factors first occur. */
    public List<int[]> factors() {
        List<Integer> seen = new ArrayList<>();
        for (int j : levels()) {
            if (!seen.contains(columns.get(j).factor())) {
                seen.add(columns.get(j).factor());
            }
        }
        List<int[]> factors = new ArrayList<>();
        for (int factor : seen) {
            factors.add(java.util.Arrays.stream(levels())
                    .filter(j -> columns.get(j).factor() == factor)
                    .toArray());
        }
        return factors;
    }

    private int[] places(GlmColumn.Kind kind) {
        return java.util.stream.IntStream.range(0, columns.size())
                .filter(j -> columns.get(j).kind() == kind)
                .toArray();
    }

    /** How a design travels with a query. */
    private Object writeReplace() {
        return new Travelling(columns, groups, offset.stream().toList(), rowsPerUnit);
    }

    private record Travelling(
            List<GlmColumn> columns, List<GroupEffects> groups, List<GlmColumn> offset, int rowsPerUnit)
            implements Serializable {
        private Object readResolve() {
            return new GlmDesign(columns, groups, offset.stream().findFirst(), rowsPerUnit);
        }
    }
}
