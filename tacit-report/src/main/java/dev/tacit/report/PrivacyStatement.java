package dev.tacit.report;

import dev.tacit.door.noise.Provenance;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.sampling.SamplingScheme.FixedSizeSampling;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.report.plot.Markup;
import dev.tacit.report.text.Rounding;
import dev.tacit.report.text.Wrapped;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;

/** What is promised to whom, in plain words on one page. */
public final class PrivacyStatement {
    private static final int WIDTH = 88;
    private static final int LONGEST_LIST = 12;
    private static final int LONGEST_ENTRY = 200;
    private static final int LONGEST_NAME = 80;
    private static final int DIGITS = 4;

    private final StatementFacts facts;

    private PrivacyStatement(StatementFacts facts) {
        this.facts = facts;
    }

    /**
     * A part of the statement.
     *
     * @param heading what it is about
     * @param sentences in one paragraph
     * @param items a list below it, possibly empty
     */
    public record Part(String heading, String sentences, List<String> items) {
        public Part {
            items = List.copyOf(items);
        }
    }

    /** The statement about a run. */
    public static PrivacyStatement of(StatementFacts facts) {
        return new PrivacyStatement(facts);
    }

    /** What must be read first if the result may not be published; empty if it may. */
    public String warning() {
        return switch (facts.provenance()) {
            case RELEASABLE -> "";
            case SIMULATED_NOT_FOR_RELEASE ->
                "The noise comes from a generator that can be replayed, and whoever knows its"
                        + " seed can subtract it. The promise below is what the same run with secret noise would give.";
            case NOT_PRIVATE ->
                "Something was computed from the records without noise. Nothing is promised" + " to anybody.";
        };
    }

    /** What makes the promise or the result weak, one sentence each; empty if nothing does. */
    public List<String> weaknesses() {
        List<String> weaknesses = new ArrayList<>(BudgetWarnings.of(facts));
        facts.usableUnits()
                .flatMap(usable -> usable.warning(facts.unit(), facts.publicSize()))
                .ifPresent(weaknesses::add);
        return weaknesses;
    }

    /** The parts, in order. */
    public List<Part> parts() {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part("Who is protected", whoIsProtected(), List.of()));
        parts.add(new Part("The promise", promise(), List.of()));
        if (facts.promises()) {
            parts.add(new Part("What that means", meaning(), List.of()));
            parts.add(new Part("What it rests on", assumptions(), List.of()));
        }
        if (!facts.parties().isEmpty()) {
            parts.add(new Part("Who has which records", facts.parties(), List.of()));
        }
        parts.add(new Part(
                "What was released",
                facts.released().isEmpty() ? "Nothing was released from the records." : "",
                limited(facts.released())));
        if (facts.ledger().isPresent() || facts.provenance() == Provenance.SIMULATED_NOT_FOR_RELEASE) {
            parts.add(new Part(
                    "All runs together",
                    facts.ledger()
                            .map(PrivacyStatement::ledger)
                            .orElse("Nothing is said here: this simulation was charged to no ledger of the records."),
                    List.of()));
        }
        parts.add(new Part("What is not covered", "", notCovered()));
        facts.origin().ifPresent(origin -> parts.add(new Part("This statement", origin(origin), List.of())));
        return parts;
    }

    /** The whole page as plain text. */
    public String text() {
        StringBuilder text = new StringBuilder("Privacy statement\n=================\n");
        if (!warning().isEmpty()) {
            text.append("\n*** ")
                    .append(facts.provenance().label().toUpperCase(Locale.ROOT))
                    .append(" ***\n");
            append(text, warning(), "");
        }
        for (String weakness : weaknesses()) {
            append(text.append('\n'), "WARNING. " + weakness, "");
        }
        for (Part part : parts()) {
            text.append('\n').append(part.heading()).append('\n');
            if (!part.sentences().isEmpty()) {
                append(text, part.sentences(), "  ");
            }
            for (String item : part.items()) {
                List<String> lines = Wrapped.lines(Markup.printable(item), WIDTH, "    ");
                text.append("  - ").append(lines.get(0).strip()).append('\n');
                lines.subList(1, lines.size()).forEach(line -> text.append(line).append('\n'));
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String sentences, String indent) {
        for (String line : Wrapped.lines(Markup.printable(sentences), WIDTH, indent)) {
            text.append(line).append('\n');
        }
    }

    private String whoIsProtected() {
        if (facts.provenance() == Provenance.NOT_PRIVATE) {
            return "Nobody. The number of units, " + facts.publicSize() + ", was declared public.";
        }
        String name = Markup.shortened(facts.unit().name(), LONGEST_NAME);
        int most = facts.unit().maxRecords();
        String who = "One " + name
                + (most == 1
                        ? name.equals("record")
                                ? ". Somebody with several records is protected less."
                                : ", with at most one record."
                        : ", with up to " + most + " records together; further records of the same " + name
                                + " were not used.");
        String relation = facts.unit().neighbours() == Neighbours.ADD_REMOVE
                ? "It must be hard to tell whether any one " + name
                        + " was in the data at all (neighbours: add or remove one)."
                : "It must be hard to tell whether any one " + name
                        + " was in the data as it is or was replaced by another (neighbours: replace one).";
        return who + " " + relation + " The number of units, " + facts.publicSize() + ", was declared public.";
    }

    private String promise() {
        if (facts.provenance() == Provenance.NOT_PRIVATE) {
            return "None. This result was computed without noise.";
        }
        if (!facts.promises()) {
            return "None: no finite epsilon holds at delta " + Rounding.typedOrUp(facts.delta()) + " (accountant: "
                    + accountant() + ").";
        }
        return "Epsilon " + Rounding.up(facts.epsilon(), DIGITS) + " at delta " + Rounding.typedOrUp(facts.delta())
                + ": differential privacy, an upper bound rounded up, computed by the accountant \""
                + accountant()
                + "\" for the code that ran."
                + (facts.engines().isEmpty() ? "" : " " + facts.engines());
    }

    private String accountant() {
        return Markup.shortened(facts.accountant(), LONGEST_NAME);
    }

    private String meaning() {
        double success = facts.attackSuccess();
        String name = Markup.shortened(facts.unit().name(), LONGEST_NAME);
        String question = facts.unit().neighbours() == Neighbours.ADD_REMOVE
                ? "that a certain " + name + " was or was not in the data"
                : "that one or the other of two candidates for a certain " + name + " was in the data";
        boolean masked = facts.epsilonBeyondMasks().isPresent();
        String setting = "Imagine an attacker who " + (masked ? "reads the sums that were opened, " : "")
                + "knows the code, the settings and all other data, has unlimited"
                + " computers, and so far finds it equally likely " + question + ". ";
        if (success >= 0.9995) {
            return setting + "This epsilon alone sets no useful limit: it allows being right almost always. The promise"
                    + " is formal; do not rely on it to hide membership." + beyondMasks();
        }
        String bound = "After reading everything released, the attacker's guess is right at most "
                + Rounding.percentUp(success) + " of the time; guessing blindly is right 50% of the time.";
        String source = facts.deltaAtEpsilonZero().isPresent()
                ? " (Bound: half of 1 plus the run's delta at epsilon 0, or (e^epsilon + delta) / (1 + e^epsilon),"
                        + " whichever is smaller; Kairouz et al. 2015, Dong et al. 2022.)"
                : " (Bound: (e^epsilon + delta) / (1 + e^epsilon); Kairouz et al. 2015.)";
        return setting + bound + source + beyondMasks();
    }

    private String beyondMasks() {
        return facts.epsilonBeyondMasks().isEmpty()
                ? ""
                : " Whoever has the messages of the parties as well, and can break their cryptography, is held only to"
                        + " what one party's own noise promises, epsilon "
                        + Rounding.up(facts.epsilonBeyondMasks().getAsDouble(), DIGITS) + ".";
    }

    private String assumptions() {
        List<String> sentences = new ArrayList<>();
        if (!facts.noise().isEmpty()) {
            String noise = Markup.shortened(facts.noise(), LONGEST_ENTRY);
            sentences.add("Noise: " + noise + (noise.endsWith(".") ? "" : "."));
        }
        LinkedHashSet<String> ways = new LinkedHashSet<>();
        facts.sampling().forEach(scheme -> ways.add(words(scheme)));
        if (facts.sampling().stream().anyMatch(PrivacyStatement::subsampled)) {
            sentences.add("Sampling: " + String.join("; ", ways)
                    + ". The promise counts on every batch being fresh, random and secret; batches cut from a shuffled"
                    + " list would not earn it.");
            facts.epsilonWithoutSampling()
                    .ifPresent(epsilon -> sentences.add(
                            Double.isFinite(epsilon)
                                    ? "Somebody who knows every batch is held only to epsilon "
                                            + Rounding.up(epsilon, DIGITS) + "."
                                    : "Somebody who knows every batch is held to no finite epsilon."));
        } else {
            sentences.add("Sampling: none; every release used every record, so the promise does not rest on secret"
                    + " batches.");
        }
        return String.join(" ", sentences);
    }

    private static boolean subsampled(SamplingScheme scheme) {
        return scheme instanceof FixedSizeSampling fixed
                ? fixed.batch() < fixed.population()
                : scheme instanceof PoissonSampling poisson && poisson.samplingRate() < 1;
    }

    private static String words(SamplingScheme scheme) {
        if (scheme instanceof PoissonSampling poisson && subsampled(scheme)) {
            return "Poisson, each unit independently in a batch with probability "
                    + Rounding.nearest(poisson.samplingRate(), 6);
        }
        if (scheme instanceof FixedSizeSampling fixed && subsampled(scheme)) {
            return "fixed size, " + fixed.batch() + " of " + fixed.population() + " units, all subsets equally likely";
        }
        return "every unit";
    }

    private static String ledger(StatementFacts.LedgerTotal total) {
        String bound = Double.isFinite(total.epsilon())
                ? "together at most epsilon " + Rounding.up(total.epsilon(), DIGITS) + " at delta "
                        + Rounding.typedOrUp(total.delta())
                : "no finite epsilon bounds them together";
        String runs = total.entries() == 1
                ? "The ledger holds one entry, this run: "
                : "The ledger holds " + total.entries() + " entries, of which this run is number " + total.entry()
                        + ": ";
        String chosen = total.entries() == 1 || !Double.isFinite(total.epsilon())
                ? ". "
                : ", also if later runs were chosen after seeing what earlier ones gave. ";
        String limit = total.limit().isPresent()
                ? "It refuses what would go beyond epsilon "
                        + Rounding.up(total.limit().getAsDouble(), DIGITS) + ". "
                : "It has no limit and refuses nothing. ";
        return runs + bound + chosen + limit
                + "This counts what was charged to this ledger, and nothing else. Runs on the same people that were charged"
                + " elsewhere or nowhere are not known to it, and if ledger, key and folder of a run are copied together"
                + " and both copies go on, neither notices.";
    }

    private String origin(StatementFacts.Origin origin) {
        return "Made " + origin.time() + " by Tacit " + origin.version() + ". SHA-256 of its release.json: "
                + origin.releaseHash() + "."
                + facts.ledger()
                        .map(total -> " Head of the ledger: " + total.head()
                                + "; tacit ledger verify --head shows whether a ledger contains it. The ledger keeps the"
                                + " SHA-256 of this file.")
                        .orElse("");
    }

    private List<String> notCovered() {
        List<String> items = new ArrayList<>();
        items.add("Other releases from the same records, unless they are in the same ledger; promises add up.");
        items.add("Settings that were chosen by looking at the data, or by trying several outside the ledger.");
        items.add("The declared facts: columns, bounds, categories, number of units. They were used as if public.");
        items.add("How long the program ran, and anything else that can be observed of the machine.");
        items.add("What can be inferred about somebody without their data: a pattern that holds for everybody holds for"
                + " them too.");
        items.addAll(limited(facts.notCovered()));
        return items;
    }

    private static List<String> limited(List<String> items) {
        List<String> kept = new ArrayList<>();
        for (String item : items.subList(0, Math.min(items.size(), LONGEST_LIST))) {
            kept.add(Markup.shortened(item, LONGEST_ENTRY));
        }
        if (items.size() > LONGEST_LIST) {
            kept.add("and " + (items.size() - LONGEST_LIST) + " more.");
        }
        return kept;
    }
}
