package dev.tacit.cli.shell;

import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.prepare.TableEngineProvider;
import dev.tacit.fit.folder.KeptRecords;
import java.util.HexFormat;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.Supplier;

/** Where records are read and added up: this machine, or an engine that is found when it is asked for. */
public final class Engines {
    /** This machine. */
    public static final String LOCAL = "local";

    private Engines() {}

    /**
     * Starts an engine.
     *
     * @param address {@link #LOCAL}, or that of a cluster
     * @param settings of the engine, each a name, an equals sign and a value
     * @param threads of this machine, if it is the engine
     */
    public static TableEngine start(String address, List<String> settings, int threads) {
        if (address == null || address.equals(LOCAL)) {
            if (!settings.isEmpty()) {
                throw CommandFailure.usage(
                        "--spark is a setting of a cluster, and the engine is this machine; name one with"
                                + " --engine, or leave it out.");
            }
            return new LocalTables(threads);
        }
        TableEngineProvider provider = provider(address);
        return saying(() -> provider.start(
                address, KeyValues.of("--spark", "spark.executor.memory=4g", settings), KeptRecords.newSecret()));
    }

    /** What starts an engine of this address. */
    public static TableEngineProvider provider(String address) {
        boolean some = false;
        for (TableEngineProvider provider : ServiceLoader.load(TableEngineProvider.class)) {
            some = true;
            if (provider.knows(address)) {
                return provider;
            }
        }
        throw some
                ? CommandFailure.usage("there is no engine " + address + "; it is local, local[4], spark://HOST:PORT,"
                        + " k8s://..., yarn or submitted.")
                : new CommandFailure(
                        ExitCode.CONFIG,
                        "no engine but this machine is on the class path; start the program by the launcher tacit, which adds"
                                + " Spark when --engine asks for it.");
    }

    /** A new secret, for the processes of a cluster. */
    public static String secret() {
        return HexFormat.of().formatHex(KeptRecords.newSecret());
    }

    /** Turns what an engine refuses into a sentence with an exit code. */
    public static <T> T saying(Supplier<T> asked) {
        try {
            return asked.get();
        } catch (EngineException e) {
            boolean unreachable = e.kind() == EngineException.Kind.UNREACHABLE;
            throw new CommandFailure(unreachable ? ExitCode.UNREACHABLE : ExitCode.CONFIG, e.getMessage() + ".", e);
        }
    }
}
