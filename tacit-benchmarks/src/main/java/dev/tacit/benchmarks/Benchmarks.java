package dev.tacit.benchmarks;

import dev.tacit.privacy.ledger.BudgetExhausted;
import java.io.IOException;

/**
 * Starts {@link SideBySide} or {@link BesideNumpy} if the first argument names it, and JMH with all arguments otherwise.
 */
public final class Benchmarks {
    private Benchmarks() {}

    /** The entry point of the jar. */
    public static void main(String[] arguments) throws IOException, BudgetExhausted {
        if (arguments.length > 0 && arguments[0].equals("side-by-side")) {
            SideBySide.main(new String[0]);
        } else if (arguments.length > 0 && arguments[0].equals("beside-numpy")) {
            BesideNumpy.main(new String[0]);
        } else {
            org.openjdk.jmh.Main.main(arguments);
        }
    }
}
