package dev.tacit.cli.engine;

import dev.tacit.cli.shell.Console;
import dev.tacit.cli.shell.Engines;
import dev.tacit.cli.shell.ExitCode;
import dev.tacit.cli.shell.Verb;
import dev.tacit.cli.shell.Version;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.prepare.TableEngineProvider;
import dev.tacit.fit.folder.KeptRecords;
import dev.tacit.json.Json;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tacit engine try}: a real cluster on this machine, for somebody who has none. */
@Command(
        name = "try",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        usageHelpWidth = 110,
        sortOptions = false,
        header =
                "Starts a Spark cluster on this machine, runs the demo fit there and without it, and compares the bits.",
        description = {
            "A master and two workers with one executor each, with a fresh secret, authenticated and encrypted. They end with"
                    + " this command. The exit code is 0 only if both fits are the same."
        })
public final class EngineTryCommand implements Verb {
    private static final String PARTS = "8";

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "keep both fits and all logs here, in a new folder; nothing is kept if left out")
    private String out;

    @Option(names = "--json", description = "print one JSON object")
    private boolean json;

    @Override
    public ExitCode run(Console console) {
        Path folder = EngineProof.folder(out);
        try {
            TableEngineProvider provider = Engines.provider("spark://trial");
            EngineProof proof = new EngineProof(folder);
            Map<String, byte[]> local =
                    proof.fit(new LocalTables(Runtime.getRuntime().availableProcessors()), "local");
            say(console, "on this machine: the demo fit is done");
            boolean same = Engines.saying(() -> {
                try (TableEngineProvider.Trial trial = provider.trial(folder, Engines.secret())) {
                    say(console, "cluster: a master, two workers and two executors start, and this process leads them");
                    Map<String, String> settings = new HashMap<>(trial.settings());
                    settings.put("parts", PARTS);
                    try (TableEngine there = provider.start(trial.address(), settings, KeptRecords.newSecret())) {
                        return EngineProof.same(local, proof.fit(there, "engine"));
                    }
                }
            });
            if (json) {
                console.line(Json.write(Map.of("same", same)));
            } else {
                console.line("on the cluster: the demo fit is done, over " + PARTS + " parts of the table");
                console.line(same ? "Both fits are the same, to the last bit." : "The fits are NOT the same.");
            }
            return same ? ExitCode.OK : ExitCode.INTERNAL;
        } finally {
            EngineProof.remove(folder, Optional.ofNullable(out));
        }
    }

    private void say(Console console, String line) {
        if (!json) {
            console.line(line);
            console.flush();
        }
    }
}
