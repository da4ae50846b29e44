package dev.tacit.benchmarks;

import dev.tacit.benchmarks.core.SideBySide;
import dev.tacit.door.ledger.BudgetExhausted;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;

/**
 * Starts {@link SideBySide}, {@link BesideNumpy}, {@link BesideStan}, {@link TraceBenchmark}, {@link BeliefBesideNumpy},
 * {@link NetworkBesideNumpy}, {@link BoundGradientsBesideNumpy}, {@link EpBesideNumpy},
 * {@link TopicsBesidePeers}, {@link LocalStepBenchmark}, {@link LikelihoodBesideNewton}, {@link ReadingBenchmark}, {@link TranscriptsBesideFits} or
 * {@link OutOfCoreDemo}
 * if the first argument names it, and JMH with all arguments otherwise.
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
            case "network" -> NetworkBesideNumpy.print();
            case "network-year" -> NetworkBesideNumpy.year();
            case "bound-gradients" -> BoundGradientsBesideNumpy.print();
            case "ep" -> EpBesideNumpy.print();
            case "topics" -> TopicsBesidePeers.print(List.of(arguments).subList(1, arguments.length));
            case "partitioned" -> LocalStepBenchmark.print();
            case "likelihood" ->
                LikelihoodBesideNewton.print(arguments.length > 1 ? Integer.parseInt(arguments[1]) : 1_000_000);
            case "reading" -> ReadingBenchmark.main(new String[0]);
            case "transcripts" -> TranscriptsBesideFits.print();
            case "out-of-core" -> OutOfCoreDemo.main(new String[0]);
            default -> org.openjdk.jmh.Main.main(arguments);
        }
    }
}
