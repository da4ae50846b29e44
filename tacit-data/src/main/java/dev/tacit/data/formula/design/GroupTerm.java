package dev.tacit.data.formula.design;

import java.util.List;
import java.util.Optional;

/**
 * Effects of groups: {@code (1 | hospital)} an intercept for each, {@code (0 + age | hospital)} a slope for each.
 *
 * @param name of what groups: {@code hospital}, {@code region:hospital}
 * @param levels of it, as declared
 * @param slope the number whose slope differs from group to group; empty for intercepts
 */
public record GroupTerm(String name, List<String> levels, Optional<String> slope) {
    public GroupTerm {
        levels = List.copyOf(levels);
    }
}
