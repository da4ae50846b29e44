package dev.tacit.glm;

import java.util.List;

/** The families that a name stands for. */
public final class GlmFamilies {
    private GlmFamilies() {}

    /** All names. */
    public static List<String> names() {
        return List.of("bernoulli", "gaussian", "poisson");
    }

    /** The family of a name. */
    public static GlmFamily named(String name) {
        return switch (name) {
            case "bernoulli" -> new BernoulliLogit();
            case "gaussian" -> new GaussianResponse();
            case "poisson" -> new QuasiPoisson();
            default -> throw new IllegalArgumentException(
                    "there is no family " + name + "; the families are " + String.join(", ", names()));
        };
    }
}
