package dev.tacit.experiments.partitioned;

import dev.tacit.data.catalogue.split.PartySplit;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.partitioned.ComparedMethods.Method;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.update.ShardSolver;
import java.util.ArrayList;
import java.util.List;

/**
 * How many shards local averaging should have: Figure 5 of Heikkilä, Ashman, Swaroop, Turner, Honkela 2023.
 *
 * <p>Adult, ten equal parties, an aggregator, epsilon 4. More shards mean less noise for each, 1/N, and a larger distance of
 * each shard from the whole, which the clip cuts. The published figure has seven times the noise that its epsilon needs.
 */
public final class DpPviPartitions implements Experiment {
    private static final double EPSILON = 4;
    private static final int PARTIES = 10;
    private static final int[] SHARDS = {1, 2, 10, 20, 100, 200, 500};
    private static final double[] BOUNDS = {20, 100};

    @Override
    public String name() {
        return "dp-pvi-partitions";
    }

    @Override
    public String about() {
        return "local averaging on Adult by the number of shards of a party and the clip of a shard";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        PartitionedTask task = DpPviAdult.task(options);
        int seeds = options.seedsOr(5);
        PartitionedFigure figure = new PartitionedFigure(seeds, EPSILON, options.threads(), listener);
        ComparedMethods methods = new ComparedMethods(task, task.dealt(PartySplit.BALANCED, PARTIES), EPSILON);
        Coordinator.Settings settings = new Coordinator.Settings(10, new Schedule.Synchronous(), 0.4, new Repair(0.1));
        ShardSolver.Settings solver = new ShardSolver.Settings(3, 0.06);
        listener.started(seeds * SHARDS.length * BOUNDS.length);
        for (double bound : BOUNDS) {
            List<Method> byShards = new ArrayList<>();
            for (int shards : SHARDS) {
                byShards.add(new Method(
                        shards + (shards == 1 ? " shard, aggregator" : " shards, aggregator"),
                        seed -> methods.localAveraging(shards, solver, bound, settings, true, seed)));
            }
            figure.run("clip " + bound, byShards);
        }
        return figure.result(
                name(),
                List.of(
                        "epsilon holds = upper bound of the exact accountant for every party, delta 1e-5, one record added or"
                                + " removed; a shard moves by two bounds",
                        "one shard is parameter perturbation"),
                start);
    }
}
