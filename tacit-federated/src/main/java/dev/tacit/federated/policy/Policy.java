package dev.tacit.federated.policy;

import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a party allows a study to do to its records. It is checked on the party's own machine, from what the party itself works out,
 * before anything is charged; nobody else can change it.
 *
 * @param epsilonAtMost if at most the study's colluders work together
 * @param epsilonAloneAtMost if everybody else works together
 * @param deltaAtMost at which both hold
 * @param partiesAtLeast how many there are
 * @param colludersAtLeast how many the noise is shared against
 * @param releasesAtMost how many sums of its records
 * @param models names that are allowed; empty for all
 * @param methods names that are allowed; empty for all
 */
public record Policy(
        OptionalDouble epsilonAtMost,
        OptionalDouble epsilonAloneAtMost,
        OptionalDouble deltaAtMost,
        OptionalInt partiesAtLeast,
        OptionalInt colludersAtLeast,
        OptionalInt releasesAtMost,
        Set<String> models,
        Set<String> methods) {
    public Policy {
        models = Set.copyOf(models);
        methods = Set.copyOf(methods);
    }

    /** What a policy says about a study. */
    public PolicyVerdict verdict(StudyPlan plan) {
        Study study = plan.study();
        List<String> refusals = new ArrayList<>();
        double epsilon = plan.epsilon();
        if (epsilon > study.budget().epsilon() * (1 + 1e-9)) {
            refusals.add("its releases cost epsilon " + Rounded.up(epsilon) + ", which is more than the "
                    + Rounded.asGiven(study.budget().epsilon()) + " that it says");
        }
        atMost("epsilon", epsilon, epsilonAtMost).ifPresent(refusals::add);
        atMost("epsilon alone, if all others work together,", plan.epsilonAlone(), epsilonAloneAtMost)
                .ifPresent(refusals::add);
        atMost("delta", study.budget().delta(), deltaAtMost).ifPresent(refusals::add);
        atLeast("parties", study.parties(), partiesAtLeast).ifPresent(refusals::add);
        atLeast("colluders that the noise is shared against", study.colluders(), colludersAtLeast)
                .ifPresent(refusals::add);
        if (releasesAtMost.isPresent() && plan.releases() > releasesAtMost.getAsInt()) {
            refusals.add("it has " + plan.releases() + " releases, and at most " + releasesAtMost.getAsInt()
                    + " are allowed");
        }
        named("model", study.fitted().model(), models).ifPresent(refusals::add);
        named("method", study.fitted().method(), methods).ifPresent(refusals::add);
        return new PolicyVerdict(refusals);
    }

    private static Optional<String> atMost(String what, double value, OptionalDouble most) {
        return most.isPresent() && value > most.getAsDouble()
                ? Optional.of("its " + what + " is " + Rounded.up(value) + ", and at most "
                        + Rounded.asGiven(most.getAsDouble()) + " is allowed")
                : Optional.empty();
    }

    private static Optional<String> atLeast(String what, int value, OptionalInt least) {
        return least.isPresent() && value < least.getAsInt()
                ? Optional.of("it has " + value + " " + what + ", and at least " + least.getAsInt() + " are asked for")
                : Optional.empty();
    }

    private static Optional<String> named(String what, String name, Set<String> allowed) {
        return allowed.isEmpty() || allowed.contains(name)
                ? Optional.empty()
                : Optional.of("its " + what + " is " + name + ", which is not among those that are allowed");
    }
}
