package dev.tacit.cli;

import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.ledger.LedgerFile;
import dev.tacit.ledger.SealedFile;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Kills fits of every model with its default method, and of some others, at random moments (SIGKILL, after a delay that is
 * uniform over the whole life of a process, its start and its end included), looks at what is left, and lets them go on until
 * they are killed again or end. Says how many releases were lost, how many were drawn twice, how many folders could not be used,
 * how often the ledger knew of less than was released, and how many posteriors differ from those of undisturbed runs.
 *
 * <pre>
 *   java -cp tacit-cli/target/test-classes:tacit-cli/target/launcher/tacit-cli.jar dev.tacit.cli.KillCampaign 500 1 [minutes]
 * </pre>
 *
 * The numbers are kills, the seed of the delays, and after how many minutes to stop early.
 */
final class KillCampaign {
    private static final int RECORDS = 200;

    /** What this version seals is integers, on whatever grid. */
    private static final SumGrid ANY_GRID = new DiscreteGaussianMechanism(1).grid(1, 1);

    private static final int MOST_KILLS_OF_A_FIT = 6;

    /** A fit of the campaign. */
    private record Case(String name, String table, String schema, List<String> options) {}

    private final Path folder;
    private final RandomStream random;
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final List<String> faults = new ArrayList<>();
    private final Map<String, Long> durations = new LinkedHashMap<>();

    private KillCampaign(Path folder, long seed) {
        this.folder = folder;
        this.random = RandomStream.ofSeed(seed);
        for (String name : List.of(
                "kills",
                "killed before the run began",
                "killed after the charge",
                "with a sealed release that the ledger did not know",
                "with announced releases after the checkpoint",
                "ended before the kill",
                "fits",
                "releases",
                "lost",
                "drawn twice",
                "unusable",
                "ledger behind",
                "posteriors compared")) {
            counts.put(name, 0L);
        }
    }

    public static void main(String[] args) throws Exception {
        long kills = Long.parseLong(args[0]);
        long seed = Long.parseLong(args[1]);
        long minutes = args.length > 2 ? Long.parseLong(args[2]) : Long.MAX_VALUE / 1_000_000_000_000L;
        Path folder = Files.createTempDirectory("tacit-kills");
        KillCampaign campaign = new KillCampaign(folder, seed);
        campaign.write();
        campaign.run(kills, System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes));
        campaign.counts.forEach((name, count) -> System.out.printf(Locale.ROOT, "%8d  %s%n", count, name));
        campaign.faults.forEach(fault -> System.out.println("FAULT " + fault));
        System.out.println("in " + folder);
        System.exit(campaign.faults.isEmpty() ? 0 : 1);
    }

    private void count(String name) {
        counts.merge(name, 1L, Long::sum);
    }

    private void fault(String kind, String what) {
        count(kind);
        faults.add(kind + ": " + what);
    }

    private void run(long kills, long deadline) throws Exception {
        List<Case> cases = cases();
        for (int round = 0; counts.get("kills") < kills && System.nanoTime() < deadline; round++) {
            Case each = cases.get(round % cases.size());
            boolean simulated = (round / cases.size()) % 2 == 0;
            fit(each, simulated, round, kills);
            System.out.printf(
                    Locale.ROOT, "%4d kills, %s%s%n", counts.get("kills"), each.name(), simulated ? ", simulated" : "");
        }
    }

    /** One fit to its end, killed some times on its way. */
    private void fit(Case each, boolean simulated, int round, long kills) throws Exception {
        Path undisturbed = folder.resolve("whole-" + each.name());
        if (!durations.containsKey(each.name())) {
            long begin = System.nanoTime();
            int code = start(arguments(each, undisturbed, true, 0, false)).waitFor();
            durations.put(each.name(), System.nanoTime() - begin);
            if (code != 0) {
                fault("unusable", "an undisturbed " + each.name() + " ended with " + code);
                return;
            }
        }
        count("fits");
        Path out = folder.resolve("fit-" + round);
        FitFolder fit = new FitFolder(out);
        Path ledger = simulated ? fit.ledgerOfSimulation() : folder.resolve("ledger-" + round);
        Map<Long, long[]> seen = new TreeMap<>();
        for (int kill = 0; kill < MOST_KILLS_OF_A_FIT && !fit.complete() && counts.get("kills") < kills; kill++) {
            Process process = start(arguments(each, out, simulated, round, fit.interrupted()));
            long delay = (long) (durations.get(each.name()) * random.uniform());
            if (process.waitFor(delay, TimeUnit.NANOSECONDS)) {
                count("ended before the kill");
                requireEnd(each, process.exitValue(), out);
            } else {
                process.destroyForcibly().waitFor();
                count("kills");
                look(each, fit, ledger, seen);
            }
        }
        if (!fit.complete()) {
            int code = start(arguments(each, out, simulated, round, fit.interrupted()))
                    .waitFor();
            requireEnd(each, code, out);
        }
        if (fit.complete()) {
            requireWhole(each, fit, ledger);
            if (simulated) {
                count("posteriors compared");
                if (Files.mismatch(undisturbed.resolve("posterior.json"), fit.posterior()) >= 0) {
                    fault("unusable", each.name() + " ended in another posterior in " + out);
                }
            }
        }
    }

    private void requireEnd(Case each, int code, Path out) throws IOException {
        if (code != 0) {
            fault(
                    "unusable",
                    each.name() + " in " + out + " ended with " + code + ": "
                            + Files.readString(folder.resolve("errors")).strip());
        }
    }

    /** What a killed process left. */
    private void look(Case each, FitFolder fit, Path ledger, Map<Long, long[]> seen) throws IOException {
        if (!fit.interrupted() && !fit.complete()) {
            count("killed before the run began");
            return;
        }
        String run =
                JsonFields.of(Json.read(Files.readString(fit.runFile())), "run").text("run");
        long announced = 0;
        if (Files.exists(ledger)
                && Files.size(ledger) > 0
                && Files.readString(ledger).contains("\n")) {
            List<LedgerEntry> entries = LedgerFile.read(ledger).entries();
            if (entries.size() > 1) {
                fault("ledger behind", each.name() + " was charged " + entries.size() + " times");
            }
            announced = entries.isEmpty() ? 0 : entries.get(0).released();
            if (!entries.isEmpty()) {
                count("killed after the charge");
            }
        }
        long kept = Files.exists(fit.checkpoint())
                ? Checkpoint.fromJson(Files.readString(fit.checkpoint())).released()
                : Files.exists(fit.bounds()) ? 1 : 0;
        if (kept > announced) {
            fault("ledger behind", each.name() + ": " + kept + " were used and " + announced + " announced");
        }
        if (announced > kept) {
            count("with announced releases after the checkpoint");
        }
        if (!Files.exists(fit.releases())) {
            if (announced > kept) {
                fault("lost", each.name() + ": " + (announced - kept) + " in " + fit.path());
            }
            return;
        }
        try (SealedFile sealed = SealedFile.open(fit.releases(), run)) {
            for (long index = kept; index < announced; index++) {
                if (sealed.firstFrom(index).orElse(-1) != index) {
                    fault("lost", each.name() + ": release " + index + " in " + fit.path());
                }
            }
            for (OptionalLong next = sealed.firstFrom(0);
                    next.isPresent();
                    next = sealed.firstFrom(next.getAsLong() + 1)) {
                long index = next.getAsLong();
                long[] value = sealed.read(index, ANY_GRID).integers();
                long[] before = seen.putIfAbsent(index, value);
                if (before != null && !Arrays.equals(before, value)) {
                    fault("drawn twice", each.name() + ": release " + index + " in " + fit.path());
                }
                if (index == announced) {
                    count("with a sealed release that the ledger did not know");
                }
                if (index > announced) {
                    fault("ledger behind", each.name() + ": release " + index + " was sealed too early");
                }
            }
        }
    }

    /** A fit that came to its end has made each planned release once, and was charged once. */
    private void requireWhole(Case each, FitFolder fit, Path ledger) {
        FitOutcome outcome = fit.outcome();
        long planned = outcome.release().plan().releases();
        counts.merge("releases", planned, Long::sum);
        if (outcome.release().notes().size() != planned) {
            fault("lost", each.name() + " used " + outcome.release().notes().size() + " of " + planned);
        }
        List<LedgerEntry> entries = LedgerFile.read(ledger).entries();
        if (entries.size() != 1 || entries.get(0).released() != planned) {
            fault("ledger behind", each.name() + " in " + fit.path());
        }
    }

    private Process start(List<String> arguments) throws IOException {
        return ChildProcess.tacit(folder.resolve("errors"), arguments)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** A run that goes on is started by the whole command again, or by its folder alone. */
    private List<String> arguments(Case each, Path out, boolean simulated, int round, boolean resumed) {
        if (resumed && random.uniform() < 0.5) {
            return List.of("fit", "--resume", "--out", out.toString(), "--no-twins", "--threads", "1");
        }
        List<String> arguments = new ArrayList<>(List.of(
                "fit",
                folder.resolve(each.table()).toString(),
                "--schema",
                folder.resolve(each.schema()).toString(),
                "--epsilon",
                "1",
                "--delta",
                "1e-5",
                "--out",
                out.toString(),
                "--no-twins",
                "--threads",
                "1"));
        arguments.addAll(each.options());
        arguments.addAll(
                simulated
                        ? List.of("--simulate", "--seed", "5")
                        : List.of("--ledger", folder.resolve("ledger-" + round).toString()));
        if (resumed) {
            arguments.add("--resume");
        }
        return arguments;
    }

    private List<Case> cases() throws IOException {
        List<Case> cases = new ArrayList<>();
        cases.add(table("logistic-regression", "yes", "a b"));
        cases.add(table("linear-regression", "amount", "a b"));
        cases.add(table("probit-regression", "yes", "a b"));
        cases.add(table("poisson-regression", "count", "a b"));
        cases.add(table("poisson-regression-dpvi", "count", "a b", "--method", "dpvi", "--set", "steps=60"));
        cases.add(table("logistic-regression-newton", "yes", "a b", "--method", "residual-newton"));
        cases.add(table("softmax-regression", "colour", "a b", "--set", "steps=60"));
        cases.add(formula("private-likelihood-bernoulli", "yes ~ a + b", "bernoulli"));
        cases.add(formula("private-likelihood-gaussian", "amount ~ a * b", "gaussian"));
        cases.add(formula("private-likelihood-poisson", "count ~ a + colour", "poisson"));
        cases.add(table("neural-network", "yes", "a b"));
        cases.add(table("mixture", "", "a b"));
        cases.add(table("gaussian-mixture", "", "a b"));
        cases.add(table("beta-bernoulli", "yes", "a"));
        cases.add(table("dirichlet-categorical", "", "colour"));
        cases.add(table("gamma-exponential", "wait", "a"));
        cases.add(table("sigmoid-belief-network", "", "a b wait amount", "--set", "hiddenUnits=2"));
        cases.add(new Case(
                "lda", "docs.txt", "docs.yaml", List.of("--model", "lda", "--set", "topics=2", "--set", "steps=15")));
        cases.add(table(
                "logistic-regression-dpvi",
                "yes",
                "a b",
                "--method",
                "dpvi",
                "--set",
                "steps=300",
                "--set",
                "sampling=poisson:0.2"));
        cases.add(table(
                "logistic-regression-parties",
                "yes",
                "a b",
                "--method",
                "dp-pvi",
                "--set",
                "way=virtual",
                "--set",
                "schedule=sequential"));
        cases.add(table("logistic-regression-bounds", "yes", "a open", "--spend-on-bounds", "0.5"));
        return cases;
    }

    /** A fit by a formula, whose method is the private likelihood. */
    private Case formula(String name, String formula, String family) throws IOException {
        Case named = table(name, "", "a b count amount yes colour");
        return new Case(name, named.table(), named.schema(), List.of("--formula", formula, "--family", family));
    }

    /** A case of the table of numbers; the model's name may be followed by what is special about it. */
    private Case table(String name, String target, String columns, String... options) throws IOException {
        Map<String, String> types = new LinkedHashMap<>();
        types.put("a", "{type: number, bounds: [0, 1]}");
        types.put("b", "{type: number, bounds: [0, 1]}");
        types.put("open", "{type: number, bounds: PRIVATE}");
        types.put("count", "{type: number, bounds: [0, 20]}");
        types.put("amount", "{type: number, bounds: [0, 10]}");
        types.put("yes", "{type: binary, positive: \"y\", negative: \"n\"}");
        types.put("colour", "{type: category, categories: [red, green, blue], other: false}");
        types.put("wait", "{type: number, bounds: [0, 10]}");
        List<String> used = new ArrayList<>(List.of(columns.split(" ", -1)));
        if (!target.isEmpty()) {
            used.add(target);
        }
        StringBuilder schema = new StringBuilder("unit: record\nsize: " + RECORDS + "\n");
        schema.append(target.isEmpty() ? "" : "target: " + target + "\n").append("columns:\n");
        types.forEach((column, type) -> schema.append("  ")
                .append(column)
                .append(": ")
                .append(used.contains(column) ? type : "{type: ignore}")
                .append('\n'));
        Files.writeString(folder.resolve(name + ".yaml"), schema);
        List<String> all = new ArrayList<>(List.of("--model", name.replaceFirst("-(dpvi|newton|parties|bounds)$", "")));
        all.addAll(List.of(options));
        return new Case(name, "table.csv", name + ".yaml", all);
    }

    private void write() throws IOException {
        RandomStream draws = RandomStream.ofSeed(3);
        StringBuilder csv = new StringBuilder("a,b,open,count,amount,yes,colour,wait\n");
        StringBuilder documents = new StringBuilder();
        List<String> words = List.of("song", "note", "tune", "goal", "ball", "team");
        for (int row = 0; row < RECORDS; row++) {
            double a = draws.uniform();
            double b = draws.uniform();
            csv.append(String.format(
                    Locale.ROOT,
                    "%.3f,%.3f,%.2f,%d,%.2f,%s,%s,%.2f%n",
                    a,
                    b,
                    30 + 20 * draws.normal(),
                    (int) (4 * a + 3 * draws.uniform()),
                    2 + 5 * a + draws.uniform(),
                    draws.uniform() < 0.2 + 0.6 * b ? "y" : "n",
                    List.of("red", "green", "blue").get((int) (2.9 * a)),
                    -2 * Math.log(draws.uniform() + 1e-9)));
            for (int word = 0; word < 8; word++) {
                documents
                        .append(words.get((a < 0.5 ? 0 : 3) + draws.nextInt(3)))
                        .append(' ');
            }
            documents.append('\n');
        }
        Files.writeString(folder.resolve("table.csv"), csv);
        Files.writeString(folder.resolve("docs.txt"), documents);
        Files.writeString(folder.resolve("words.txt"), String.join("\n", words) + "\n");
        Files.writeString(
                folder.resolve("docs.yaml"),
                "unit: record\nsize: " + RECORDS + "\ncorpus: {format: text, vocabulary: words.txt}\n");
    }
}
