package dev.tacit.cli.engine;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.Engines;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit engine check}: whether a cluster may be used, and computes what this machine computes. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header =
                "Says whether a cluster can be used: its settings, its executors, and a demo fit that must be the same bits.",
        description = {
            "What would be refused before a fit is refused here with the same sentence. The demo fit reads a synthetic table"
                    + " from a folder that all machines must see."
        })
public final class EngineCheckCommand implements Verb {
    @Option(
            names = "--engine",
            paramLabel = "ADDRESS",
            required = true,
            description = "the cluster: spark://HOST:PORT, yarn, ...")
    private String engine;

    @Option(names = "--spark", paramLabel = "KEY=VALUE", description = "a setting of the engine; may be repeated")
    private List<String> settings = new ArrayList<>();

    @Option(
            names = "--shared",
            paramLabel = "DIR",
            description = "a new folder that all machines see under this name; one on this machine if left out")
    private String shared;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Path folder = EngineProof.folder(shared);
        try (TableEngine there = Engines.start(engine, settings, 1)) {
            say(console, "settings and executors: as they must be");
            EngineProof proof = new EngineProof(folder);
            Map<String, byte[]> local =
                    proof.fit(new LocalTables(Runtime.getRuntime().availableProcessors()), "local");
            boolean same = EngineProof.same(local, proof.fit(there, "engine"));
            say(
                    console,
                    "the demo fit: " + (same ? "the same bits as on this machine" : "NOT what this machine computes"));
            if (json) {
                console.line(Json.write(Map.of("engine", engine, "same", same)));
            }
            return same ? ExitCode.OK : ExitCode.INTERNAL;
        } finally {
            EngineProof.remove(folder, Optional.ofNullable(shared));
        }
    }

    private void say(Console console, String line) {
        if (!json) {
            console.line(line);
            console.flush();
        }
    }
}
