package dev.tacit.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The folder of a fit.
 *
 * <pre>
 *   posterior.json  release.json  privacy-statement.txt  report.html     written together when the run is complete
 *   check.json                                                           what simulated twins said of the intervals
 *   sealed/                                                              run, checkpoint, ledger: stays with the data
 * </pre>
 *
 * A folder with {@code sealed/} and without {@code posterior.json} is a run that was interrupted.
 */
record FitFolder(Path path) {
    static final String POSTERIOR = "posterior.json";
    static final String RELEASE = "release.json";
    static final String STATEMENT = "privacy-statement.txt";
    static final String REPORT = "report.html";
    static final String TRACE = "trace.csv";
    static final String CHECK = "check.json";

    Path posterior() {
        return path.resolve(POSTERIOR);
    }

    Path release() {
        return path.resolve(RELEASE);
    }

    Path statement() {
        return path.resolve(STATEMENT);
    }

    Path report() {
        return path.resolve(REPORT);
    }

    Path check() {
        return path.resolve(CHECK);
    }

    Path sealed() {
        return path.resolve("sealed");
    }

    Path runFile() {
        return sealed().resolve("run.json");
    }

    Path checkpoint() {
        return sealed().resolve("checkpoint.json");
    }

    Path bounds() {
        return sealed().resolve("bounds.json");
    }

    Path ownLedger() {
        return sealed().resolve("ledger.jsonl");
    }

    boolean complete() {
        return Files.exists(posterior());
    }

    boolean interrupted() {
        return Files.exists(runFile()) && !complete();
    }

    /** Refuses a place where something else is, before any work is done. */
    void requireFree() {
        if (!Files.exists(path)) {
            Path parent = path.toAbsolutePath().getParent();
            if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent)) {
                throw new CommandFailure(
                        ExitCode.CONFIG,
                        "cannot create " + path + " because its parent folder does not exist or cannot be written;"
                                + " name another place with --out.");
            }
            return;
        }
        if (interrupted()) {
            throw new CommandFailure(
                    ExitCode.CONFIG,
                    path + " holds a run that was interrupted; go on with it by --resume, or name another place with"
                            + " --out.");
        }
        if (!Files.isDirectory(path) || !isEmpty()) {
            throw new CommandFailure(
                    ExitCode.CONFIG, path + " exists and is not an empty folder; name a new place with --out.");
        }
    }

    /** Empty folders are nothing: a run that was killed at once may leave them. */
    private boolean isEmpty() {
        try (Stream<Path> files = Files.walk(path)) {
            return files.allMatch(Files::isDirectory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void create() {
        try {
            Files.createDirectories(sealed());
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, "cannot create " + path + "; name a place where you may write with --out.", e);
        }
    }

    /** Removes everything; for runs that failed before anything was charged. */
    void delete() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : all) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The text of one of a complete fit's files. */
    String read(Path file) {
        if (!complete()) {
            String problem = interrupted()
                    ? " holds a run that was interrupted; go on with it by fit --resume."
                    : " is not the folder of a fit; name the folder that fit --out wrote.";
            throw new CommandFailure(ExitCode.NO_INPUT, path + problem);
        }
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new CommandFailure(
                    ExitCode.NO_INPUT, "cannot read " + file + "; check that it is there and who may read it.", e);
        }
    }

    FittedModel fittedModel() {
        return FittedModel.fromJson(read(posterior()), posterior().toString());
    }

    ReleaseRecord releaseRecord() {
        return ReleaseRecord.fromJson(read(release()), release().toString());
    }

    /** All that a complete fit left. */
    FitRun.Outcome outcome() {
        Optional<IntervalCheck> check = Files.exists(check())
                ? Optional.of(IntervalCheck.fromJson(read(check()), check().toString()))
                : Optional.empty();
        return new FitRun.Outcome(fittedModel(), releaseRecord(), check);
    }
}
