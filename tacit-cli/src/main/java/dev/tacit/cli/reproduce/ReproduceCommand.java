package dev.tacit.cli.reproduce;

import dev.tacit.cli.dataset.Datasets;
import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Numbers;
import dev.tacit.cli.shell.Progress;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.experiments.Experiments;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.FigurePage;
import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import dev.tacit.fit.text.TextTable;
import dev.tacit.json.Json;
import dev.tacit.text.Spelling;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tacit reproduce}: the papers' tables and figures again, with the epsilon that really holds beside each. */
@Command(
        name = "reproduce",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header = "Runs a table or figure of a paper again.",
        description = "Noise is simulated from seeds, so nothing that it writes is for release.")
public final class ReproduceCommand implements Verb {
    private static final int MOST_SEEDS = 1000;
    private static final int MOST_THREADS = 1024;

    @Parameters(paramLabel = "NAME", arity = "0..1", description = "the experiment; --list names them")
    private String name;

    @Option(names = "--list", description = "list the experiments")
    private boolean list;

    @Option(names = "--quick", description = "two seeds, to see that it works")
    private boolean quick;

    @Option(names = "--seeds", paramLabel = "K", description = "how many noise seeds")
    private String seeds;

    @Option(names = "--case", paramLabel = "TEXT", description = "only cases with TEXT in their names")
    private String only;

    @Option(names = "--threads", paramLabel = "K", description = "how many threads; all processors if left out")
    private String threads;

    @Option(names = "--data-dir", paramLabel = "DIR", description = "where raw files are; TACIT_DATA if left out")
    private String dataDirectory;

    @Option(names = "--out", paramLabel = "DIR", description = "also write result.json and figures there")
    private String out;

    @Option(names = "--json", description = "print one JSON object with all digits")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        if (list) {
            list(console);
            return ExitCode.OK;
        }
        if (name == null) {
            throw CommandFailure.usage("name an experiment; tacit reproduce --list names them.");
        }
        List<String> names = Experiments.all().stream().map(Experiment::name).toList();
        Experiment experiment = Experiments.find(name)
                .orElseThrow(() -> CommandFailure.usage("there is no experiment " + name + Spelling.hint(name, names)
                        + "; tacit reproduce --list names them."));
        Optional<Integer> count = Optional.ofNullable(seeds)
                .map(text -> Numbers.count(Numbers.parseWhole(text), MOST_SEEDS, "--seeds", ExitCode.USAGE));
        int workers = threads == null
                ? Runtime.getRuntime().availableProcessors()
                : Numbers.count(Numbers.parseWhole(threads), MOST_THREADS, "--threads", ExitCode.USAGE);
        requireCase(experiment);
        if (out != null) {
            createOut();
        }
        ExperimentResult result = run(experiment, count, workers);
        if (out != null) {
            AtomicFile.write(Path.of(out).resolve("result.json"), Json.write(result.toJson()) + "\n");
            if (!result.figures().isEmpty()) {
                AtomicFile.write(Path.of(out).resolve("figures.html"), FigurePage.of(result));
            }
            result.files().forEach((file, text) -> AtomicFile.write(Path.of(out).resolve(file), text));
        }
        if (json) {
            console.line(Json.write(result.toJson()));
        } else {
            report(result, console);
        }
        return ExitCode.OK;
    }

    /** Before the data are looked for. */
    private void requireCase(Experiment experiment) {
        List<String> cases = experiment.cases();
        if (only == null || cases.stream().anyMatch(one -> one.contains(only))) {
            return;
        }
        throw CommandFailure.usage(
                cases.isEmpty()
                        ? experiment.name() + " is run as a whole; leave --case out."
                        : "no case of " + experiment.name() + " has " + only + " in its name; its cases are "
                                + String.join("; ", cases) + ".");
    }

    private void list(Console console) {
        TextTable table = new TextTable(List.of(false, false));
        List<Object> objects = new ArrayList<>();
        for (Experiment experiment : Experiments.all()) {
            table.row(experiment.name(), experiment.about());
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("name", experiment.name());
            object.put("about", experiment.about());
            objects.add(object);
        }
        if (json) {
            console.line(Json.write(Map.of("experiments", objects)));
        } else {
            console.text(table.lines());
        }
    }

    private ExperimentResult run(Experiment experiment, Optional<Integer> count, int workers) {
        Path work = workFolder();
        ExperimentProgress progress = new ExperimentProgress();
        try {
            ExperimentOptions options = new ExperimentOptions(
                    experiment.needsData() ? Datasets.folder(dataDirectory) : work,
                    work,
                    quick,
                    count,
                    workers,
                    Optional.ofNullable(only));
            return experiment.run(options, progress);
        } catch (MissingDataException e) {
            if (e.getCause() instanceof DatasetException cause) {
                throw Datasets.failure(cause);
            }
            throw new CommandFailure(ExitCode.NO_INPUT, CommandFailure.sentence(e.getMessage()), e);
        } finally {
            progress.close();
            delete(work);
        }
    }

    /** Removes the temporary folder that this process created. */
    private static void delete(Path work) {
        try (Stream<Path> files = Files.walk(work)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path workFolder() {
        try {
            return Files.createTempDirectory("tacit-reproduce");
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cannot create a temporary folder; check that the disk has room.", e);
        }
    }

    /** Before the long run, so that it does not run in vain. */
    private void createOut() {
        try {
            Files.createDirectories(Path.of(out));
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cannot create " + out + "; name a place where you may write with --out.", e);
        }
    }

    private static void report(ExperimentResult result, Console console) {
        console.text(new ResultTables(result.rows()).lines());
        result.remarks().forEach(remark -> console.text(new Remark("note", remark).lines()));
        console.text(new Remark("took", Rounded.nearest(result.wallSeconds()) + " s").lines());
    }

    /** A progress bar over the parts of an experiment. */
    private static final class ExperimentProgress implements ExperimentListener, AutoCloseable {
        private Progress bar;

        @Override
        public void started(int parts) {
            bar = Progress.of("running", parts);
        }

        @Override
        public void partDone() {
            bar.step();
        }

        @Override
        public void close() {
            if (bar != null) {
                bar.close();
            }
        }
    }
}
