package dev.tacit.federated.draft;

import dev.tacit.door.session.ReleasePlan;
import dev.tacit.federated.factor.ChangeRules;
import dev.tacit.federated.policy.PolicyVerdict;
import dev.tacit.federated.study.FittedText;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyException;
import dev.tacit.federated.study.StudyMember;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.artefact.SamplingText;
import dev.tacit.fit.federation.FederationAnswer;
import dev.tacit.fit.text.Rounded;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a study is and costs, before anybody is asked. */
final class StudyText {
    private static final int FACTOR_DIGITS = 3;

    private final StudyPlan plan;
    private final Study study;
    private final FittedText fits;
    private final Optional<PolicyVerdict> verdict;
    private final double epsilon;
    private final double alone;

    StudyText(StudyPlan plan, Optional<PolicyVerdict> verdict) {
        this.plan = plan;
        this.study = plan.study();
        this.fits = new FittedText(study.fitted());
        this.verdict = verdict;
        this.epsilon = plan.epsilon();
        this.alone = plan.epsilonAlone();
    }

    /** The answer; refuses a study that costs more than it says, or that two engines contradict each other about. */
    FederationAnswer answer() {
        if (epsilon > study.budget().epsilon() * (1 + 1e-9)) {
            throw new StudyException(
                    "the releases of this study cost epsilon " + Rounded.up(epsilon) + ", which is more than the "
                            + Rounded.asGiven(study.budget().epsilon()) + " that it says");
        }
        plan.confirmed();
        return new FederationAnswer(lines(), json());
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(study.name() + ": " + study.fitted().model() + " by "
                + study.fitted().method() + ", " + study.parties() + " parties, "
                + study.fitted().schema().size() + " declared units");
        lines.addAll(fits.lines());
        lines.add("  words      " + study.words());
        study.members()
                .forEach(member -> lines.add("  party      " + member.name() + ", " + member.units() + " units"));
        plan.changes().ifPresentOrElse(rules -> lines.addAll(changeLines(rules)), () -> lines.addAll(sumLines()));
        verdict.ifPresent(said -> lines.add("  policy     " + said.sentence()));
        return lines;
    }

    private Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", study.name());
        json.put("hash", study.hashText());
        json.put("words", study.words());
        json.put("model", study.fitted().model());
        study.fitted().schema().target().ifPresent(target -> json.put("target", target));
        fits.formula().ifPresent(formula -> json.put("formula", formula));
        json.put("reads", new ArrayList<Object>(fits.reads()));
        json.put("method", study.fitted().method());
        json.put(
                "parties",
                new ArrayList<Object>(
                        study.members().stream().map(StudyMember::name).toList()));
        json.put("units", study.fitted().schema().size());
        json.put("releases", plan.releases());
        json.put("epsilon", epsilon);
        json.put("epsilonAlone", alone);
        json.put("delta", study.budget().delta());
        json.put("colluders", study.colluders());
        json.put("missing", study.missing());
        plan.changes()
                .ifPresentOrElse(
                        rules -> {
                            json.put("rounds", rules.settings().rounds());
                            json.put("schedule", schedule(rules));
                        },
                        () -> json.put("threshold", plan.terms().threshold()));
        json.put("noiseFactor", plan.noiseAgainstCurator(0));
        verdict.ifPresent(said -> json.put("allowed", said.allowed()));
        return json;
    }

    private List<String> sumLines() {
        List<String> lines = new ArrayList<>();
        lines.add("  releases   " + plan.releases() + " sums: " + phases(plan.plan()));
        lines.add("  epsilon    " + Rounded.up(epsilon) + " at delta "
                + Rounded.asGiven(study.budget().delta()) + ", if at most " + study.colluders() + " of "
                + study.parties()
                + " parties work together with the coordinator");
        lines.add("  alone      " + Rounded.up(alone) + ", if all other parties do");
        lines.add("  missing    " + missing() + " from a sum; " + plan.terms().threshold() + " agree to open one");
        String atLeast = factor(0);
        String atMost = factor(study.missing());
        lines.add("  noise      " + atLeast + " times that of one trusted curator"
                + (atMost.equals(atLeast)
                        ? ""
                        : " if all are there, " + atMost + " times if " + study.missing()
                                + (study.missing() == 1 ? " is missing" : " are missing")));
        return lines;
    }

    /** Where nothing is masked, one epsilon holds, whoever works together. */
    private List<String> changeLines(ChangeRules rules) {
        List<String> lines = new ArrayList<>();
        lines.add("  rounds     " + rules.settings().rounds() + ", " + schedule(rules)
                + "; every party sends a change of its factor in each, which the coordinator sees");
        lines.add("  releases   " + plan.releases() + " of every party: " + phases(plan.partyPlan()));
        lines.add("  epsilon    " + Rounded.up(epsilon) + " at delta "
                + Rounded.asGiven(study.budget().delta())
                + ", whoever works together: every party adds all of its noise itself, and no masks are needed");
        lines.add("  missing    " + missing() + " when " + (rules.asynchronous() ? "the study ends" : "a round ends"));
        lines.add("  noise      of all parties together " + factor(0) + " times that of one trusted curator");
        return lines;
    }

    private String missing() {
        return switch (study.missing()) {
            case 0 -> "nobody may be missing";
            case 1 -> "one party may be missing";
            default -> "up to " + study.missing() + " parties may be missing";
        };
    }

    /** The noise beside that of one curator, for people. */
    private String factor(int absent) {
        return Rounding.nearest(plan.noiseAgainstCurator(absent), FACTOR_DIGITS);
    }

    private static String schedule(ChangeRules rules) {
        return rules.asynchronous() ? "asynchronous" : "synchronous";
    }

    private static String phases(ReleasePlan plan) {
        return String.join(
                ", then ",
                plan.phases().stream()
                        .map(phase -> phase.times() + " of " + SamplingText.numbers(phase.dimension()) + " ("
                                + phase.label() + ")")
                        .toList());
    }
}
