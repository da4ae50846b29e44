package dev.tacit.experiments.partitioned;

import dev.tacit.door.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.experiments.partitioned.PartitionedTask.Run;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.update.CommitteeMachine;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.GlobalVariationalInference;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongFunction;

/** The methods that are compared across parties, with the settings that they are compared in. */
final class ComparedMethods {
    /** The prior precision of residual Newton inference on rows of length 1. */
    private static final double NEWTON_PRIOR = 0.3;

    private static final int RECORDS_OF_A_SHARD = 5;

    /**
     * A method.
     *
     * @param label what rows of the result call it
     * @param run one run with a seed
     */
    record Method(String label, LongFunction<Run> run) {}

    private final PartitionedTask task;
    private final List<PrivateDataset> parties;
    private final double epsilon;
    private final LogisticRegression model;
    private final Optional<NoiseSharing> shared;

    ComparedMethods(PartitionedTask task, List<PrivateDataset> parties, double epsilon) {
        this.task = task;
        this.parties = parties;
        this.epsilon = epsilon;
        this.model = task.regression();
        this.shared = Optional.of(new NoiseSharing(parties.size(), 0, 0));
    }

    private static String with(String name, boolean aggregator) {
        return name + (aggregator ? ", aggregator" : "");
    }

    private Optional<NoiseSharing> sharing(boolean aggregator) {
        return aggregator ? shared : Optional.empty();
    }

    Method residualNewton(boolean aggregator) {
        return residualNewton(aggregator, ResidualNewton.Settings.standard(), false);
    }

    /** @param countNoise whether the posterior counts the privacy noise, or only the records */
    Method residualNewton(boolean aggregator, ResidualNewton.Settings settings, boolean countNoise) {
        LogisticRegression regression = task.regression(NEWTON_PRIOR);
        ResidualNewton kernel = new ResidualNewton(settings.acrossParties());
        return new Method(
                with("residual Newton", aggregator) + (countNoise ? ", intervals count the noise" : ""),
                seed -> task.sums(
                        "residual Newton " + settings.rounds(),
                        parties,
                        kernel,
                        regression,
                        state -> countNoise
                                ? kernel.posterior(state, regression)
                                : kernel.posteriorWithoutPrivacyNoise(state, regression),
                        sharing(aggregator),
                        epsilon,
                        round -> true,
                        seed));
    }

    /** For clinical tables with few rows. */
    static ResidualNewton.Settings gentle() {
        ResidualNewton.Settings standard = ResidualNewton.Settings.standard();
        return new ResidualNewton.Settings(
                6,
                standard.firstShare(),
                standard.squareWeight(),
                OptionalDouble.empty(),
                1,
                standard.startRidge(),
                standard.ridge(),
                standard.momentum());
    }

    Method dpOptimisation(int rounds, int localSteps, double rate, double damping) {
        DpOptimisation update = new DpOptimisation(
                model, new DpOptimisation.Settings(localSteps, new PoissonSampling(0.2), 2, rate, 1));
        return new Method(
                "DP optimisation",
                seed -> task.factors(
                        "DP optimisation " + rounds + " " + localSteps,
                        parties,
                        model,
                        share -> update,
                        new Coordinator.Settings(rounds, new Schedule.Sequential(), damping, Repair.floor()),
                        Optional.empty(),
                        epsilon,
                        seed));
    }

    Method virtualClients(boolean aggregator) {
        int rounds = 20;
        VirtualClients update = new VirtualClients(model, new VirtualClients.Settings(1, 2));
        Schedule schedule = aggregator ? new Schedule.Synchronous() : new Schedule.Sequential();
        Coordinator.Settings settings = new Coordinator.Settings(rounds, schedule, 0.1, cautious());
        return new Method(
                with("virtual clients", aggregator),
                seed -> task.factors(
                        "virtual clients " + rounds,
                        parties,
                        model,
                        share -> update,
                        settings,
                        sharing(aggregator),
                        epsilon,
                        seed));
    }

    /** Half the prior's variance for that of the signal, and as cautious at the start as all records are certain. */
    private Repair cautious() {
        long rows = parties.stream().mapToLong(PrivateDataset::publicSize).sum();
        return new Repair(0.5, VirtualClients.startPrecision(model, rows));
    }

    Method localAveraging(boolean aggregator) {
        Schedule schedule = aggregator ? new Schedule.Synchronous() : new Schedule.Sequential();
        return new Method(
                with("local averaging", aggregator),
                seed -> localAveraging(
                        shardsOf(RECORDS_OF_A_SHARD),
                        new ShardSolver.Settings(3, 0.06),
                        100,
                        new Coordinator.Settings(20, schedule, aggregator ? 0.2 : 0.1, new Repair(0.1)),
                        aggregator,
                        seed));
    }

    private int shardsOf(int records) {
        long smallest =
                parties.stream().mapToLong(PrivateDataset::publicSize).min().orElseThrow();
        return Math.toIntExact(Math.max(1, smallest / records));
    }

    Run localAveraging(
            int shards,
            ShardSolver.Settings solver,
            double l2Bound,
            Coordinator.Settings settings,
            boolean aggregator,
            long seed) {
        LocalAveraging update = new LocalAveraging(
                model, new LocalAveraging.Settings(GaussianFamily.MEAN_FIELD, shards, solver, l2Bound));
        return task.factors(
                "local averaging " + settings.rounds(),
                parties,
                model,
                share -> update,
                settings,
                sharing(aggregator),
                epsilon,
                seed);
    }

    Method committee(boolean split) {
        DpOptimisation optimisation =
                new DpOptimisation(model, new DpOptimisation.Settings(40, new PoissonSampling(0.2), 2, 0.1, 1));
        return new Method(
                split ? "committee, split prior" : "committee, same prior",
                seed -> task.factors(
                        "committee",
                        parties,
                        model,
                        share -> new CommitteeMachine(optimisation, split ? share : 1),
                        Coordinator.Settings.once(),
                        Optional.empty(),
                        epsilon,
                        seed));
    }

    Method streaming() {
        DpOptimisation optimisation =
                new DpOptimisation(model, new DpOptimisation.Settings(40, new PoissonSampling(0.2), 2, 0.1, 1));
        return new Method(
                "streaming",
                seed -> task.factors(
                        "committee",
                        parties,
                        model,
                        share -> optimisation,
                        Coordinator.Settings.streaming(),
                        Optional.empty(),
                        epsilon,
                        seed));
    }

    /** With all records at a trusted curator. */
    Method curator() {
        return global("global VI, trusted curator", task.pooled(), false);
    }

    Method globalVariationalInference(boolean aggregator) {
        return global(with("global VI", aggregator), parties, aggregator);
    }

    private Method global(String label, List<PrivateDataset> places, boolean aggregator) {
        GlobalVariationalInference kernel =
                new GlobalVariationalInference(GlobalVariationalInference.Settings.standard());
        return new Method(
                label,
                seed -> task.sums(
                        "global VI",
                        places,
                        kernel,
                        model,
                        state -> kernel.posterior(state, model),
                        sharing(aggregator),
                        epsilon,
                        step -> step == 20 || step == 50 || step == 100 || step == 200 || step == 400,
                        seed));
    }
}
