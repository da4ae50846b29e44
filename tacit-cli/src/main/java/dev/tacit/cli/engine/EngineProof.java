package dev.tacit.cli.engine;

import dev.tacit.cli.shell.CommandFailure;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.verb.DemoTable;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.SchemaYaml;
import dev.tacit.fit.Fit;
import dev.tacit.fit.base.AtomicFile;
import dev.tacit.fit.folder.FitFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The demo fit, once on this machine and once on an engine, under the same replayed noise: whether the files are the same bytes. */
final class EngineProof {
    private static final long SEED = 20_260_101;

    private final Path folder;

    /**
     * @param folder that all machines of the engine see under the same name
     */
    EngineProof(Path folder) {
        this.folder = folder;
    }

    /** The folder that was named, or a new one for temporary files. */
    static Path folder(String named) {
        try {
            Path folder = named == null
                    ? Files.createTempDirectory("tacit-engine-")
                    : Files.createDirectories(Path.of(named));
            try (Stream<Path> inside = Files.list(folder)) {
                if (inside.findAny().isPresent()) {
                    throw new CommandFailure(
                            ExitCode.CONFIG, folder + " is not empty, and nothing is overwritten; name a new folder.");
                }
            }
            return folder;
        } catch (IOException | IllegalArgumentException e) {
            throw new CommandFailure(ExitCode.CONFIG, "cannot create the folder; name one that can be written.", e);
        }
    }

    /** Removes what was made in a folder that nobody named. */
    static void remove(Path folder, Optional<String> named) {
        if (named.isPresent()) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            // temporary files, which the system removes in time
        }
    }

    /** The released numbers and the posterior of the demo fit, by file. */
    Map<String, byte[]> fit(TableEngine engine, String name) {
        Path table = folder.resolve("loans.csv");
        if (!Files.exists(table)) {
            AtomicFile.write(table, DemoTable.csv());
        }
        // Without quotes a file can be cut after any line end, so that it has several parts.
        String schema = DemoTable.schema() + "format: {quote: none}\n";
        Path out = folder.resolve(name);
        Fit.of(table, SchemaYaml.read(schema, "loans.schema.yaml"))
                .formula(DemoTable.FORMULA)
                .family("bernoulli")
                .epsilon(1)
                .delta(1e-6)
                .simulated(SEED)
                .withoutTwins()
                .engine(engine)
                .build()
                .run(out);
        Map<String, byte[]> files = new HashMap<>();
        for (Path file : List.of(out.resolve(FitFolder.POSTERIOR), new FitFolder(out).likelihood())) {
            try {
                files.put(file.getFileName().toString(), Files.readAllBytes(file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return files;
    }

    /** Whether two fits are the same, bit by bit. */
    static boolean same(Map<String, byte[]> one, Map<String, byte[]> other) {
        return one.keySet().equals(other.keySet())
                && one.entrySet().stream().allMatch(each -> Arrays.equals(each.getValue(), other.get(each.getKey())));
    }
}
