package dev.tacit.experiments.partitioned;

import dev.tacit.data.catalogue.split.PartySplit;
import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.partitioned.ComparedMethods.Method;
import dev.tacit.model.network.NeuralNetworkDensity;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Bayesian neural network on Adult across ten parties: Figure 4 of Heikkilä, Ashman, Swaroop, Turner, Honkela 2023.
 *
 * <p>Fifty rectified units, prior N(0, 1), rows of length 3.2, epsilon 2, delta 1e-5, one record added or removed. Settings were
 * chosen on a fifth of the training half that was held out of it.
 */
public final class DpPviBnn implements Experiment {
    private static final double EPSILON = 2;
    private static final int PARTIES = 10;
    private static final int HIDDEN_UNITS = 50;
    private static final double PRIOR_PRECISION = 1;
    private static final int RECORDS_OF_A_SHARD = 5;

    @Override
    public String name() {
        return "dp-pvi-bnn";
    }

    @Override
    public String about() {
        return "a private Bayesian neural network on Adult across 10 parties: DP optimisation, virtual clients and local"
                + " averaging, by communications";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        PartitionedTask task = DpPviAdult.task(options, PartitionedTask.PRIOR_DEVIATION);
        int seeds = options.seedsOr(5);
        PartitionedFigure figure = new PartitionedFigure(seeds, EPSILON, options.threads(), listener);
        Map<String, List<Method>> work = new LinkedHashMap<>();
        for (Map.Entry<String, PartySplit> split : DpPviAdult.splits().entrySet()) {
            List<PrivateDataset> parties = task.dealt(split.getValue(), PARTIES);
            List<Method> methods = new ArrayList<>(List.of(
                    split.getKey().equals("unbalanced 2")
                            ? dpOptimisation("DP optimisation", task, parties, 20, 10, 0.25)
                            : dpOptimisation("DP optimisation", task, parties, 10, 20, 0.5),
                    virtualClients(task, parties),
                    localAveraging(task, parties)));
            if (split.getKey().equals("balanced")) {
                methods.add(dpOptimisation("one party with all records", task, task.pooled(), 10, 20, 0.5));
            }
            work.put("network, " + split.getKey(), methods);
        }
        listener.started(seeds * work.values().stream().mapToInt(List::size).sum());
        work.forEach(figure::run);
        return figure.result(
                name(),
                List.of(
                        "epsilon holds = upper bound of the exact accountant for every party, delta 1e-5, one record added or"
                                + " removed; a person's records are at one party, so it is that of the protocol",
                        "published numbers were read off the figure; they scale columns by the data, protect one replaced"
                                + " record and do not account what the code samples",
                        "noise is replayed from seeds 11, 12, ...; spread is the standard deviation over seeds, divide by the"
                                + " root of their number for the standard error"),
                start);
    }

    private static NeuralNetworkDensity network(PartitionedTask task) {
        return new NeuralNetworkDensity(
                task.names(),
                HIDDEN_UNITS,
                new NeuralNetworkDensity.Head.Binary(),
                NeuralNetworkDensity.Activation.RELU,
                PRIOR_PRECISION,
                PRIOR_PRECISION);
    }

    private static Method dpOptimisation(
            String label,
            PartitionedTask task,
            List<PrivateDataset> parties,
            int rounds,
            int localSteps,
            double damping) {
        DpOptimisation update = new DpOptimisation(
                network(task), new DpOptimisation.Settings(localSteps, new PoissonSampling(0.2), 4, 0.01, 2));
        return method(
                label,
                task,
                parties,
                0.05,
                update,
                new Coordinator.Settings(rounds, new Schedule.Sequential(), damping, Repair.floor()));
    }

    private static Method virtualClients(PartitionedTask task, List<PrivateDataset> parties) {
        return method(
                "virtual clients",
                task,
                parties,
                0.1,
                new VirtualClients(network(task), new VirtualClients.Settings(4, 2), 1),
                new Coordinator.Settings(20, new Schedule.Sequential(), 0.1, new Repair(0.1)));
    }

    private static Method localAveraging(PartitionedTask task, List<PrivateDataset> parties) {
        long smallest =
                parties.stream().mapToLong(PrivateDataset::publicSize).min().orElseThrow();
        int shards = Math.toIntExact(smallest / RECORDS_OF_A_SHARD);
        LocalAveraging update = new LocalAveraging(
                network(task), new LocalAveraging.GradientSettings(shards, new ShardSolver.Settings(1, 0.2), 300, 1));
        return method(
                "local averaging",
                task,
                parties,
                0.1,
                update,
                new Coordinator.Settings(20, new Schedule.Sequential(), 0.5, new Repair(0.1)));
    }

    /** @param startScale standard deviation of the public approximation that parties start at */
    private static Method method(
            String label,
            PartitionedTask task,
            List<PrivateDataset> parties,
            double startScale,
            LocalSteps update,
            Coordinator.Settings settings) {
        NaturalGaussian prior =
                NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, network(task).dimension(), PRIOR_PRECISION);
        NaturalGaussian start = start(network(task), startScale);
        return new Method(
                label,
                seed -> task.factors(
                        "network, " + update.releases().name() + " " + settings.rounds(),
                        parties,
                        prior,
                        start,
                        (communications, read) -> task.score(communications, new NetworkPredictive(read, HIDDEN_UNITS)),
                        share -> update,
                        settings,
                        Optional.empty(),
                        EPSILON,
                        seed));
    }

    /** Around half of the model's public start, whose outputs are as wide as the answers of a fitted network. */
    private static NaturalGaussian start(NeuralNetworkDensity network, double scale) {
        double[] weighted = network.start();
        double[] precision = new double[weighted.length];
        for (int j = 0; j < weighted.length; j++) {
            precision[j] = 1 / (scale * scale);
            weighted[j] *= 0.5 * precision[j];
        }
        return NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, weighted, precision);
    }
}
