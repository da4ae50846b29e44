package dev.tacit.federated.policy;

import java.util.List;

/**
 * What a policy says about a study.
 *
 * @param refusals why it is refused, in words; none if it is allowed
 */
public record PolicyVerdict(List<String> refusals) {
    public PolicyVerdict {
        refusals = List.copyOf(refusals);
    }

    /** Whether the study is allowed. */
    public boolean allowed() {
        return refusals.isEmpty();
    }

    /** In one sentence. */
    public String sentence() {
        return words() + ".";
    }

    /** The same without its end. */
    public String words() {
        return allowed()
                ? "The policy allows this study"
                : "The policy refuses this study: " + String.join("; ", refusals);
    }
}
