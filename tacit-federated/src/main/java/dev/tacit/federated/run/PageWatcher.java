package dev.tacit.federated.run;

import dev.tacit.federated.message.ProtocolRefusal;
import dev.tacit.federated.page.EventFeed;
import dev.tacit.federated.protocol.CoordinatorPhase;
import dev.tacit.federated.protocol.OpenedSum;
import dev.tacit.federated.study.Study;
import dev.tacit.federated.study.StudyPlan;
import dev.tacit.fit.federation.Federation;
import dev.tacit.fit.formula.Family;
import dev.tacit.fit.formula.TermText;
import dev.tacit.fit.text.Rounded;
import dev.tacit.partitioned.dealt.FactorInference;
import dev.tacit.posterior.Posterior;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Tells people what a study does: on the page and in sentences. */
final class PageWatcher implements RoundWatcher {
    private static final int MOST_TERMS = 60;

    /** Older ones of the same party make room. */
    private static final int MOST_REFUSALS = 20;

    /** Of a party in a round, in their order. */
    private static final List<String> PHASES = List.of("keys", "vector", "agreed", "opened");

    private final StudyPlan plan;
    private final Map<String, Integer> reached = new HashMap<>();
    private final EventFeed feed;
    private final boolean masked;
    private final int rounds;
    private final PatientVoice voice;
    private String shown = "";

    /** The round that began last in this process; earlier ones are told again from the log. */
    private int current = -1;

    /** In how many sums, or rounds, each party is so far. */
    private final long[] counts;

    /** Who refused what in this round, by the reason: whoever refuses again and again is heard once. */
    private final Set<String> refused = new HashSet<>();

    private int refusals;

    PageWatcher(StudyPlan plan, EventFeed feed, Federation.Progress progress, Times times) {
        this.plan = plan;
        this.feed = feed;
        this.masked = plan.changes().isEmpty();
        this.rounds = plan.terms().rounds();
        this.voice = new PatientVoice(progress, times);
        this.counts = new long[plan.study().parties()];
        feed.add(study());
    }

    private Map<String, Object> study() {
        Study study = plan.study();
        Map<String, Object> event = event("study");
        event.put("name", study.name());
        event.put("words", study.words());
        List<Object> parties = new ArrayList<>();
        study.members().forEach(member -> {
            Map<String, Object> party = new LinkedHashMap<>();
            party.put("name", member.name());
            party.put("units", member.units());
            parties.add(party);
        });
        event.put("parties", parties);
        event.put("releases", rounds);
        event.put("masked", masked);
        event.put(
                "noiseCounted",
                plan.factors().map(FactorInference::noiseCounted).orElse(true));
        event.put("scale", scale(study.fitted().model()));
        event.put("epsilon", Rounded.up(plan.epsilon()));
        event.put("epsilonAlone", Rounded.up(plan.epsilonAlone()));
        event.put("delta", Rounded.asGiven(study.budget().delta()));
        event.put("colluders", study.colluders());
        event.put("missing", study.missing());
        event.put("threshold", plan.terms().threshold());
        event.put("noisePlanned", plan.noiseAgainstCurator(0));
        event.put("noiseMost", Math.max(plan.noiseAgainstCurator(0), plan.noiseAgainstCurator(study.missing())));
        return event;
    }

    /** What the numbers of a posterior are, as far as that has a name. */
    private static String scale(String model) {
        String ratio = Family.ofModel(model).map(Family::ratio).orElse("");
        return ratio.isEmpty()
                ? "in the units of the model"
                : "logarithms of " + (ratio.startsWith("o") ? "an " : "a ") + ratio;
    }

    private static Map<String, Object> event(String type) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("type", type);
        return event;
    }

    @Override
    public void begins(int round, String label) {
        reached.clear();
        refused.clear();
        current = round;
        if (round < rounds) {
            voice.stands(named(round) + " is under way.");
        }
        Map<String, Object> event = event("round");
        event.put("round", round);
        event.put("label", label);
        feed.add(event);
    }

    /** A party that says again what it said is shown once: parties say it every few seconds while they wait. */
    @Override
    public void reached(String party, String phase) {
        int place = PHASES.indexOf(phase);
        if (place > reached.getOrDefault(party, -1)) {
            reached.put(party, place);
            Map<String, Object> event = event("phase");
            event.put("party", party);
            event.put("phase", phase);
            feed.replace("phase " + party, event);
        }
    }

    /** A round as people count. */
    private String named(int round) {
        return (masked ? "Sum " : "Round ") + (round + 1) + " of " + rounds;
    }

    @Override
    public void waits(int round, CoordinatorPhase phase, List<String> parties) {
        waits(round, phase.name(), phase.awaited(), parties);
    }

    @Override
    public void waitsForChanges(int roundsDone, List<String> parties) {
        waits(Math.min(roundsDone, rounds - 1), "CHANGES", "changes", parties);
    }

    /** The page shows at once what people hear of when it lasts. */
    private void waits(int round, String phase, String awaited, List<String> parties) {
        String who = named(round) + " waits" + (parties.isEmpty() ? "" : " for " + String.join(", ", parties));
        Instant begun = voice.waits(round + " " + phase, since -> who + since + " (" + awaited + ").");
        Map<String, Object> event = event("waiting");
        event.put("round", round);
        event.put("phase", phase);
        event.put("for", new ArrayList<Object>(parties));
        event.put("sentence", who + " (" + awaited + ").");
        event.put("since", begun.toEpochMilli());
        show(event);
    }

    private void show(Map<String, Object> event) {
        String sentence = (String) event.get("sentence");
        if (!sentence.equals(shown)) {
            shown = sentence;
            feed.replace("waiting", event);
        }
    }

    @Override
    public void refuses(String party, ProtocolRefusal refusal) {
        if (refused.add(party + " " + refusal.reason())) {
            voice.says(party + " refuses: " + refusal.sentence() + ".");
            notAsPlanned(party, refusal.sentence());
        }
    }

    @Override
    public void refusedMessage(ProtocolRefusal refusal) {
        if (refused.add(refusal.reason().toString())) {
            voice.says("A message was refused: " + refusal.sentence() + ".");
            notAsPlanned("a message that was refused", refusal.sentence());
        }
    }

    private void notAsPlanned(String who, String reason) {
        Map<String, Object> event = event("refused");
        event.put("party", who);
        event.put("reason", reason);
        feed.replace("refused " + who + " " + refusals++ % MOST_REFUSALS, event);
    }

    @Override
    public void away(String sentence) {
        String said = sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1) + "; the study waits.";
        voice.says(said);
        Map<String, Object> event = event("waiting");
        event.put("for", List.of());
        event.put("sentence", said);
        show(event);
    }

    @Override
    public void opened(OpenedSum sum, String label, Supplier<Posterior> posterior) {
        sum.survivors().places().forEach(place -> counts[place]++);
        List<String> without = IntStream.range(0, counts.length)
                .filter(place -> !sum.survivors().contains(place))
                .mapToObj(place -> plan.study().members().get(place).name())
                .toList();
        if (sum.round() == current && !without.isEmpty()) {
            voice.says(named(current) + " was opened without " + String.join(", ", without) + ".");
        }
        reached(sum.round(), label, sum.survivors().size(), Math.sqrt(sum.relativeVariance()), posterior);
    }

    @Override
    public void givenUp(int round, String label) {
        String sum = named(round);
        voice.says(sum + " was given up; what it cost stays spent.");
        notAsPlanned(sum + " (" + label + ")", "given up, because too few parties answered; what it cost stays spent");
    }

    @Override
    public void moved(int round, List<Long> used, Supplier<Posterior> posterior) {
        Arrays.setAll(counts, used::get);
        long present = used.stream().filter(changes -> changes > 0).count();
        reached(round, "changes of factors", present, Math.sqrt((double) present), posterior);
    }

    private void reached(int round, String label, long present, double noise, Supplier<Posterior> posterior) {
        Map<String, Object> event = event("opened");
        event.put("round", round);
        event.put("label", label);
        event.put("present", present);
        event.put("noise", noise);
        event.put("counts", new ArrayList<Object>(Arrays.stream(counts).boxed().toList()));
        feed.add(event);
        Map<String, Object> terms = event("posterior");
        terms.put("round", round);
        terms.put("terms", terms(posterior));
        feed.add(terms);
    }

    /** Before its last release a method may have no posterior yet. */
    private static List<Object> terms(Supplier<Posterior> reading) {
        List<Object> terms = new ArrayList<>();
        try {
            Posterior posterior = reading.get();
            double[] mean = posterior.mean();
            for (int i = 0; i < Math.min(MOST_TERMS, mean.length); i++) {
                double lower = posterior.quantile(i, 0.05);
                double upper = posterior.quantile(i, 0.95);
                if (Double.isFinite(lower) && Double.isFinite(upper) && Double.isFinite(mean[i])) {
                    Map<String, Object> term = new LinkedHashMap<>();
                    term.put("term", TermText.shown(posterior.parameterNames().get(i)));
                    term.put("mean", mean[i]);
                    term.put("lower", lower);
                    term.put("upper", upper);
                    terms.add(term);
                }
            }
        } catch (IllegalStateException | IllegalArgumentException | ArithmeticException e) {
            return List.of();
        }
        return terms;
    }

    /** The study is over. */
    void done(String sentence) {
        Map<String, Object> event = event("done");
        event.put("sentence", sentence);
        feed.add(event);
    }
}
