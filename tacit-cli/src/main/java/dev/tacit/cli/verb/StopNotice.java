package dev.tacit.cli.verb;

import dev.tacit.cli.shell.Console;
import dev.tacit.fit.folder.FitFolder;
import java.util.function.Supplier;

/** Says in one line how to go on if the process is told to stop (Ctrl-C, SIGTERM, SIGHUP) while it is at work. */
public final class StopNotice implements AutoCloseable {
    private final Thread hook;

    /** @param sentence asked for when the process stops */
    public StopNotice(Supplier<String> sentence, Console console) {
        this.hook = new Thread(() -> console.complain(sentence.get()), "stop-notice");
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** What whoever stopped the fit should know. */
    public static String sentence(FitFolder folder) {
        if (folder.complete()) {
            return "stopped; the fit in " + folder.path() + " is complete.";
        }
        return folder.interrupted()
                ? "stopped; what was paid for is kept in " + folder.path()
                        + ": go on by repeating the command with --resume."
                : "stopped before anything was charged; repeat the command to begin again.";
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is being stopped, and the notice is on its way
        }
    }
}
