package dev.tacit.glm.model;

import java.util.List;
import java.util.Objects;

/**
 * Effects of groups that are drawn from one normal distribution: intercepts, {@code (1 | g)}, or slopes of a number,
 * {@code (0 + x | g)}.
 *
 * @param name of what groups, as in the formula: {@code hospital}, {@code region:hospital}
 * @param levels declared, in the order of their indices
 * @param slope the place of the column whose slope differs; 0, the intercept's, for intercepts
 * @param slopeName the name of that column; empty for intercepts
 */
public record GroupEffects(String name, List<String> levels, int slope, String slopeName) {
    public GroupEffects {
        Objects.requireNonNull(name, "name");
        levels = List.copyOf(levels);
        if (levels.size() < 2) {
            throw new IllegalArgumentException("the groups of " + name + " need at least two levels");
        }
        if (slope < 0 || (slope == 0) != slopeName.isEmpty()) {
            throw new IllegalArgumentException("a slope of the groups of " + name + " is that of a named column");
        }
    }

    /** An intercept for each group. */
    public static GroupEffects intercepts(String name, List<String> levels) {
        return new GroupEffects(name, levels, 0, "");
    }

    /** What the effect of one group is called: {@code g[level]}, {@code g[level]:x}. */
    public String effectName(int level) {
        return name + "[" + levels.get(level) + "]" + (slope == 0 ? "" : ":" + slopeName);
    }

    /** What the standard deviation of the effects is called: {@code sd(g)}, {@code sd(x | g)}. */
    public String deviationName() {
        return slope == 0 ? "sd(" + name + ")" : "sd(" + slopeName + " | " + name + ")";
    }

    /** Refuses a slope of a column that is not a number. */
    void requireFits(List<GlmColumn> columns) {
        if (slope > 0
                && (slope >= columns.size()
                        || columns.get(slope).kind() != GlmColumn.Kind.NUMBER
                        || !columns.get(slope).name().equals(slopeName))) {
            throw new IllegalArgumentException("a slope that differs between groups is that of a number among the"
                    + " columns; not so " + slopeName);
        }
    }

    /** Whether each level of this lies in one level of the other, as {@code g:h} does in {@code g}. */
    boolean isInside(GroupEffects other) {
        if (!name.startsWith(other.name + ":") || levels.size() % other.levels.size() != 0) {
            return false;
        }
        int each = levels.size() / other.levels.size();
        for (int level = 0; level < levels.size(); level++) {
            if (!levels.get(level).startsWith(other.levels.get(level / each) + ":")) {
                return false;
            }
        }
        return true;
    }
}
