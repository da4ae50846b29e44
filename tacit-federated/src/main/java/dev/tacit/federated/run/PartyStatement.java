package dev.tacit.federated.run;

import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.federated.factor.ChangeCoordinator;
import dev.tacit.federated.message.Envelope;
import dev.tacit.federated.message.MessageKind;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What a party promises to its people: who is protected against whom, what left, and what its ledger says.
 *
 * @param party its name
 * @param study which
 * @param epsilon if at most the study's colluders work together with the coordinator
 * @param epsilonAlone if everybody else does
 * @param confirmed which two engines answered about the first; empty if it is no interval
 * @param releases how many sums are planned
 * @param toCome how many of them are not over for it yet
 * @param sent in how many it is; of releases that went into what it sent, how many
 * @param opened in how many it opened; 0 where nothing is masked
 * @param missed how many sums went on without it
 * @param givenUp how many sums were given up; where nothing is masked, 1 if the study was
 * @param ledger what its ledger said; empty if nothing was charged yet
 */
record PartyStatement(
        String party,
        Study study,
        double epsilon,
        double epsilonAlone,
        Optional<Confirmed> confirmed,
        long releases,
        long toCome,
        long sent,
        long opened,
        long missed,
        long givenUp,
        Optional<ReleaseRecord.Ledger> ledger) {
    static PartyStatement of(
            String party, StudyPlan plan, EnvelopeHistory history, Optional<ReleaseRecord.Ledger> ledger) {
        long perChange = plan.factors()
                .map(kernel -> (long) kernel.local().releases().times())
                .orElse(0L);
        return new PartyStatement(
                party,
                plan.study(),
                plan.epsilon(),
                plan.epsilonAlone(),
                plan.confirmed(),
                plan.releases(),
                plan.releases() - over(plan, history),
                history.rounds(MessageKind.VECTOR) + perChange * history.rounds(MessageKind.CHANGE),
                history.rounds(MessageKind.OPENING),
                missed(plan, history),
                plan.changes().isPresent()
                        ? history.of(MessageKind.RESULT).anyMatch(ChangeCoordinator::isGivenUp) ? 1 : 0
                        : givenUp(history).size(),
                ledger);
    }

    /** How many sums are over for a party: those before the keys that it gave last, and those whose end it heard of or made. */
    private static long over(StudyPlan plan, EnvelopeHistory history) {
        if (plan.changes().isPresent()) {
            return history.rounds(MessageKind.RESULT) > 0 ? plan.releases() : 0;
        }
        return history.envelopes().stream()
                .mapToLong(envelope -> switch (envelope.kind()) {
                    case KEYS -> envelope.round();
                    case OPENING, RESULT -> envelope.round() + 1L;
                    default -> 0;
                })
                .max()
                .orElse(0);
    }

    private static Set<Integer> givenUp(EnvelopeHistory history) {
        return history.of(MessageKind.RESULT)
                .filter(end -> end.body().length == 0)
                .map(Envelope::round)
                .collect(Collectors.toSet());
    }

    /** Sums that are over, were not given up, and do not have it. */
    private static long missed(StudyPlan plan, EnvelopeHistory history) {
        Set<Integer> accounted = givenUp(history);
        history.of(MessageKind.VECTOR).map(Envelope::round).forEach(accounted::add);
        return plan.changes().isPresent()
                ? 0
                : LongStream.range(0, over(plan, history))
                        .filter(round -> !accounted.contains((int) round))
                        .count();
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        String delta = Rounded.asGiven(study.budget().delta());
        lines.add("Privacy statement of " + party + " in the study \"" + study.name() + "\"");
        lines.add(study.words());
        lines.add("");
        lines.add(
                "Who is protected: one " + study.fitted().schema().privacyUnit().name() + " of " + party + ", under "
                        + study.fitted().schema().privacyUnit().neighbours().label() + ".");
        lines.addAll(study.noise() == Study.Noise.OWN ? ownNoise(delta) : masked(delta));
        confirmed.ifPresent(engines -> lines.add(engines.sentence()));
        lines.add("What is charged is the whole study, once, whether or not all of its sums are used.");
        ledger.ifPresent(total -> lines.add("Ledger: " + total.entries()
                + (total.entries() == 1 ? " entry" : " entries") + ", together at most epsilon "
                + Rounded.up(total.epsilon()) + " at delta " + Rounded.asGiven(total.delta()) + "; head " + total.head()
                + "."));
        lines.add("What is not promised: that other parties sent right numbers, that nobody sees who takes part, and"
                + " anything about records that lie with several parties, whose promises add up.");
        return lines;
    }

    private List<String> masked(String delta) {
        List<String> lines = new ArrayList<>();
        lines.add("Against everybody, if at most " + study.colluders() + " of " + study.parties()
                + " parties work together with the coordinator, whatever these do: epsilon " + Rounded.up(epsilon)
                + " at delta " + delta
                + ". This holds against whoever cannot break X25519, AES-256, SHA-256 or Ed25519.");
        lines.add("If all other parties work together with the coordinator, " + party
                + "'s own noise alone promises: epsilon " + Rounded.up(epsilonAlone) + " at delta " + delta
                + ", whatever they can compute.");
        lines.add(
                ledger.isEmpty()
                        ? "What left: nothing. Nothing was charged so far."
                        : "What left: " + sent + " of " + releases + " sums under masks, each with noise of its own; "
                                + party + " helped to open " + opened + "."
                                + counted(
                                        givenUp,
                                        " was given up, because",
                                        " were given up, because",
                                        " too few answered")
                                + counted(missed, " went on without", " went on without", " " + party)
                                + counted(toCome, " is", " are", " still to come")
                                + (missed + givenUp > 0 ? " What was charged for those that are over is spent." : ""));
        return lines;
    }

    private static String counted(long count, String one, String several, String rest) {
        return count == 0 ? "" : " " + count + (count == 1 ? one : several) + rest + ".";
    }

    /** One epsilon, which rests on nothing but the noise. */
    private List<String> ownNoise(String delta) {
        return List.of(
                "Against everybody, whoever works together and whatever they can compute: epsilon "
                        + Rounded.up(epsilon)
                        + " at delta " + delta + ". " + party
                        + " adds all of its noise itself; nothing is masked, and everybody may see what it sends.",
                ledger.isEmpty()
                        ? "What left: nothing. Nothing was charged so far."
                        : "What left: changes of its factor, computed from " + sent + " of " + releases
                                + " noisy sums and from public numbers."
                                + (sent < releases && toCome == 0 ? " What was charged for the others is spent." : "")
                                + (givenUp > 0
                                        ? " The study was given up before its end, because too few parties answered."
                                        : ""));
    }

    String text() {
        return String.join("\n", lines()) + "\n";
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("party", party);
        json.put("study", study.name());
        json.put("hash", study.hashText());
        json.put("words", study.words());
        json.put("epsilon", epsilon);
        json.put("epsilonAlone", epsilonAlone);
        confirmed.ifPresent(engines -> json.put("engines", ReleaseRecord.json(engines)));
        json.put("delta", study.budget().delta());
        json.put("colluders", study.colluders());
        json.put("parties", study.parties());
        json.put("releases", releases);
        json.put("sent", sent);
        json.put("opened", opened);
        json.put("missed", missed);
        json.put("toCome", toCome);
        ledger.ifPresent(total -> json.put("ledgerHead", total.head()));
        return json;
    }
}
