package dev.tacit.benchmarks;

import dev.tacit.privacy.ledger.BudgetExhausted;
import java.io.IOException;
import java.sql.SQLException;

/**
 * Starts {@link SideBySide}, {@link BesideNumpy}, {@link BesideStan}, {@link TraceBenchmark}, {@link BeliefBesideNumpy},
 * {@link LocalStepBenchmark}, {@link ReadingBenchmark} or {@link OutOfCoreDemo} if the first argument names it, and JMH with all arguments otherwise.
 */
public final class Benchmarks {
    private Benchmarks() {}

    /** The entry point of the jar. */
    public static void main(String[] arguments) throws IOException, SQLException, BudgetExhausted {
        switch (arguments.length > 0 ? arguments[0] : "") {
            case "side-by-side" -> SideBySide.main(new String[0]);
            case "beside-numpy" -> BesideNumpy.main(new String[0]);
            case "beside-stan" -> BesideStan.main(new String[0]);
            case "noise-aware" -> TraceBenchmark.main(new String[0]);
            case "belief" -> BeliefBesideNumpy.print();
            case "partitioned" -> LocalStepBenchmark.print();
            case "reading" -> ReadingBenchmark.main(new String[0]);
            case "out-of-core" -> OutOfCoreDemo.main(new String[0]);
            default -> org.openjdk.jmh.Main.main(arguments);
        }
    }
}
