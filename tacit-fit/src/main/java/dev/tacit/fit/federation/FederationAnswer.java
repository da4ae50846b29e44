package dev.tacit.fit.federation;

import java.util.List;
import java.util.Map;

/**
 * What was done.
 *
 * @param lines for people
 * @param json for programs
 */
public record FederationAnswer(List<String> lines, Map<String, Object> json) {
    public FederationAnswer {
        lines = List.copyOf(lines);
    }
}
