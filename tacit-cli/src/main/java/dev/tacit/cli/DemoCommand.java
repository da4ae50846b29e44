package dev.tacit.cli;

import dev.tacit.privacy.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit demo}: the whole way from a budget to a release, on a table that describes nobody. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Shows the whole way from a budget to a release, on a synthetic table.",
        description = {
            "Shows the whole way on a synthetic table: calibrate noise for a budget, charge a ledger, release"
                    + " noisy sums, be refused more."
                    + " Needs no argument and no network. Fitting models is not part of it yet."
        })
final class DemoCommand implements Verb {
    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where to write; a new folder for temporary files if left out")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Path folder = folder();
        Accounting accounting = new Accounting();
        DemoRelease release = DemoRelease.into(folder);
        Question question = release.question();
        List<Answer> answers = accounting.ask(question);
        PlotFile plot = new PlotFile(folder.resolve("accounting.html"), true);
        AtomicFile.write(folder.resolve("people.csv"), release.table().csv());
        AtomicFile.write(folder.resolve("release.json"), Json.write(json(release)) + "\n");
        AtomicFile.write(folder.resolve("privacy-statement.txt"), String.join("\n", statement(release)) + "\n");
        AtomicFile.write(plot.path(), new AccountPlot(accounting).draw(plot, question, answers));
        if (json) {
            Map<String, Object> object = json(release);
            object.put("refusal", release.refusal());
            object.put("out", folder.toString());
            console.line(Json.write(object));
        } else {
            report(release, folder).forEach(console::line);
        }
        return ExitCode.OK;
    }

    private Path folder() {
        try {
            return out == null ? Files.createTempDirectory("tacit-demo-") : Files.createDirectories(Path.of(out));
        } catch (IOException | InvalidPathException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    "cannot create the folder for the demo; name one that can be written with --out.",
                    e);
        }
    }

    private static List<String> report(DemoRelease release, Path folder) {
        List<String> lines = new ArrayList<>();
        lines.add("A synthetic table of " + DemoTable.ROWS + " people who do not exist, and a budget of epsilon "
                + Rounded.asGiven(DemoRelease.BUDGET.epsilon()) + " at delta "
                + Rounded.asGiven(DemoRelease.BUDGET.delta()) + ".");
        lines.add("");
        lines.addAll(new Remark(
                        "plan",
                        DemoRelease.STEPS + " noisy sums of all columns, each over a fresh Poisson sample of rate "
                                + Rounded.asGiven(DemoRelease.SAMPLING.samplingRate()) + " (about "
                                + Math.round(DemoRelease.SAMPLING.expectedBatchSize(DemoTable.ROWS)) + " records)")
                .lines());
        lines.addAll(new Remark(
                        "noise",
                        "multiplier " + Rounded.up(release.noiseMultiplier()) + ", found for the budget: epsilon <= "
                                + Rounded.up(release.epsilon()))
                .lines());
        lines.addAll(new Remark(
                        "ledger",
                        "charged before any noise was drawn, as entry "
                                + release.entry().sequence())
                .lines());
        lines.addAll(new Remark(
                        "release",
                        "exact discrete Gaussian noise from a secure generator; every run gives other numbers")
                .lines());
        lines.add("");
        lines.addAll(means(release));
        lines.add("");
        lines.addAll(new Remark(
                        "",
                        "sd bounds the standard deviation of noise and sampling together. The truth stands here"
                                + " only because the"
                                + " table is synthetic; real data would not have that column.")
                .lines());
        lines.add("");
        lines.addAll(
                new Remark("more?", "One more noisy sum was refused, as it should be: " + release.refusal()).lines());
        lines.add("");
        lines.add("wrote " + folder);
        Table files = new Table(List.of(false, false));
        files.row("people.csv", "the synthetic table");
        files.row(DemoRelease.LEDGER, "what was spent; tacit ledger show reads it");
        files.row("release.json", "the noisy means");
        files.row("privacy-statement.txt", "what is promised, in plain words");
        files.row("accounting.html", "epsilon against delta and steps; opens in a browser");
        lines.addAll(files.lines());
        return lines;
    }

    private static List<String> means(DemoRelease release) {
        Table table = new Table(List.of(false, true, true, true, false));
        table.row("mean of", "private", "sd", "truth", "");
        for (int column = 0; column < DemoTable.COLUMNS.size(); column++) {
            DemoTable.Column about = DemoTable.COLUMNS.get(column);
            table.row(
                    about.name(),
                    decimals(release.mean(column)),
                    decimals(release.standardDeviation(column)),
                    decimals(release.table().trueMean(column)),
                    about.unit());
        }
        return table.lines();
    }

    private static String decimals(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }

    private static Map<String, Object> json(DemoRelease release) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("synthetic", true);
        object.put("epsilon", release.epsilon());
        object.put("delta", DemoRelease.BUDGET.delta());
        object.put("neighbours", release.question().neighbours().label());
        object.put("accountant", Accounting.EXACT);
        object.put("noiseMultiplier", release.noiseMultiplier());
        object.put("steps", (long) DemoRelease.STEPS);
        object.put("sampling", "poisson:" + DemoRelease.SAMPLING.samplingRate());
        List<Object> means = new ArrayList<>();
        for (int column = 0; column < DemoTable.COLUMNS.size(); column++) {
            Map<String, Object> mean = new LinkedHashMap<>();
            mean.put("column", DemoTable.COLUMNS.get(column).name());
            mean.put("mean", release.mean(column));
            mean.put("noiseStandardDeviation", release.noiseStandardDeviation(column));
            mean.put("standardDeviation", release.standardDeviation(column));
            means.add(mean);
        }
        object.put("means", means);
        return object;
    }

    private static List<String> statement(DemoRelease release) {
        Question question = release.question();
        List<String> lines = new ArrayList<>();
        lines.add("Privacy statement (demo on a synthetic table that describes nobody)");
        lines.add("");
        lines.addAll(
                new Remark("protects", "One record, added or removed. Somebody with several records is protected less.")
                        .lines());
        lines.addAll(new Remark(
                        "promise",
                        "epsilon " + Rounded.up(release.epsilon()) + " at delta " + Rounded.asGiven(question.given())
                                + ", an upper bound by the exact accountant.")
                .lines());
        lines.addAll(new Remark(
                        "released",
                        DemoRelease.STEPS + " noisy sums of " + DemoTable.COLUMNS.size()
                                + " columns, and the means computed from them.")
                .lines());
        lines.addAll(new Remark(
                        "noise",
                        "Exact discrete Gaussian, multiplier " + Rounded.down(release.noiseMultiplier())
                                + " of the L2 bound of one record, from a cryptographic generator that cannot"
                                + " be seeded.")
                .lines());
        lines.addAll(new Remark(
                        "sampling",
                        "The promise holds because every sum was taken over a fresh, secret Poisson sample;"
                                + " shuffled batches would not earn it.")
                .lines());
        lines.addAll(new Remark(
                        "public",
                        "The number of records, the columns and their bounds were declared, not read off the data.")
                .lines());
        lines.addAll(new Remark(
                        "excludes",
                        "Anything released outside this ledger, the table itself, and how long the program ran.")
                .lines());
        return lines;
    }
}
