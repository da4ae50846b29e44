package dev.tacit.benchmarks;

import java.io.IOException;

/** Starts {@link SideBySide} if that is the first argument, and JMH with all arguments otherwise. */
public final class Benchmarks {
    private Benchmarks() {}

    /** The entry point of the jar. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0 && arguments[0].equals("side-by-side")) {
            SideBySide.main(new String[0]);
        } else {
            org.openjdk.jmh.Main.main(arguments);
        }
    }
}
