package dev.tacit.run.method;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.inference.bayes.PrivateVariationalBayes;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.model.regression.LinearRegression;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.dealt.AcrossParties;
import dev.tacit.partitioned.dealt.FactorInference;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyShards;
import dev.tacit.partitioned.update.DpOptimisation;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ShardSolver;
import dev.tacit.partitioned.update.VirtualClients;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.method.MethodCatalogue.Entry;
import java.util.List;
import java.util.Optional;

/** Regressions across parties, records being dealt out by a public rule; {@code --method dp-pvi}. */
final class PartitionedMethods {
    static final String NAME = "dp-pvi";

    private static final String PARTIES = "parties";
    private static final String PARTY_COLUMN = "party-column";
    private static final String PARTITION = "partition";
    private static final String AGGREGATOR = "aggregator";
    private static final String TRUSTED = "trusted";
    private static final String WAY = "way";
    private static final String NEWTON = ResidualNewton.NAME;
    private static final String OPTIMISATION = "dp-optimisation";
    private static final String VIRTUAL = "virtual";
    private static final String AVERAGING = "local-averaging";
    private static final String PERTURBATION = "parameter-perturbation";
    private static final String STATISTICS = "statistics";
    private static final String SEQUENTIAL = "sequential";
    private static final String SYNCHRONOUS = "synchronous";
    private static final int MOST_PARTIES = 10_000;

    /** How many records a shard has by default, if the declared ones are dealt out evenly. */
    private static final int RECORDS_OF_A_SHARD = 5;

    /** The bound on a shard's change for each declared record of its party: a change grows with the records it stands for. */
    private static final double BOUND_PER_RECORD = 0.04;

    /** How much of a change is taken. */
    private static final Limits DAMPING = Limits.between(1e-6, 1);

    private static final Limits SIGNAL_VARIANCE = Limits.between(1e-6, 1e3);

    private PartitionedMethods() {}

    static List<Entry> entries() {
        return List.of(
                Entry.other(
                        LogisticRegression.NAME,
                        NAME,
                        "records at several parties that share released sums only",
                        PartitionedMethods::logistic),
                Entry.other(
                        LinearRegression.NAME,
                        NAME,
                        "records at several parties, one message of statistics from each",
                        (shape, settings, isPrivate) -> linear(shape, settings)));
    }

    private static FitMethod<?, ?> logistic(DataShape shape, SettingValues settings, boolean isPrivate) {
        String way = settings.choice(WAY, NEWTON, List.of(NEWTON, OPTIMISATION, VIRTUAL, AVERAGING, PERTURBATION));
        Deal deal = deal(shape, settings);
        return switch (way) {
            case NEWTON -> newton(shape, settings, deal, isPrivate);
            case OPTIMISATION -> optimisation(shape, settings, deal);
            case AVERAGING -> averaging(shape, settings, deal);
            case PERTURBATION -> perturbation(shape, settings, deal);
            default -> virtual(shape, settings, deal);
        };
    }

    /**
     * How records are dealt out.
     *
     * @param rule who is where
     * @param aggregator whether single sums of parties stay with an aggregator that all of them trust
     */
    private record Deal(PartyRule rule, boolean aggregator) {}

    private static Deal deal(DataShape shape, SettingValues settings) {
        String column = settings.text(PARTY_COLUMN, "none");
        PartyRule rule;
        if (column.equals("none")) {
            int parties = settings.integer(PARTIES, 10, 2, MOST_PARTIES);
            rule = new PartyRule.Hashed(parties, settings.integer(PARTITION, 0, Integer.MIN_VALUE, Integer.MAX_VALUE));
        } else {
            rule = category(shape, column);
            if (settings.integer(PARTIES, rule.parties(), 2, MOST_PARTIES) != rule.parties()) {
                throw new SettingException("the setting parties follows from party-column; leave it out");
            }
        }
        boolean trusted =
                settings.choice(AGGREGATOR, "none", List.of("none", TRUSTED)).equals(TRUSTED);
        return new Deal(rule, trusted);
    }

    private static PartyRule category(DataShape shape, String column) {
        List<String> names = shape.columns();
        int first = 0;
        while (first < names.size() && !names.get(first).startsWith(column + "=")) {
            first++;
        }
        int end = first;
        while (end < names.size() && names.get(end).startsWith(column + "=")) {
            end++;
        }
        if (end - first < 2) {
            throw new SettingException(
                    "the setting party-column must name a column of the schema of type category with at"
                            + " least two categories");
        }
        return new PartyRule.Category(column, first, end - first);
    }

    private static FitMethod<?, ?> newton(DataShape shape, SettingValues settings, Deal deal, boolean isPrivate) {
        settings.choice("schedule", SYNCHRONOUS, List.of(SYNCHRONOUS));
        LogisticRegression model = RegressionMethods.logistic(shape, settings);
        ResidualNewton kernel = new ResidualNewton(
                RegressionMethods.residualNewton(settings, isPrivate).acrossParties());
        return new FitMethod<>(
                LogisticRegression.NAME,
                new AcrossParties<>(kernel, deal.rule(), deal.aggregator(), model.columns()),
                model,
                model,
                settings.inForce(),
                Optional.of(state -> kernel.posteriorWithoutPrivacyNoise(state, model)));
    }

    private static FitMethod<?, ?> optimisation(DataShape shape, SettingValues settings, Deal deal) {
        if (deal.aggregator()) {
            throw new SettingException(
                    "with way=dp-optimisation noise goes through an optimiser at each party, so it does"
                            + " not add up to noise of a sum; use aggregator=none");
        }
        LogisticRegression model = model(shape, settings);
        Schedule schedule = schedule(settings, SEQUENTIAL);
        boolean oneAfterTheOther = schedule instanceof Schedule.Sequential;
        DpOptimisation.Settings standard = DpOptimisation.Settings.standard();
        int rounds = settings.integer("rounds", 10, 1, SharedSettings.MOST_STEPS);
        double damping = settings.number(
                "damping",
                oneAfterTheOther ? 0.5 : Math.min(0.5, 1.5 / deal.rule().parties()),
                DAMPING);
        LocalSteps local = new DpOptimisation(
                model,
                new DpOptimisation.Settings(
                        settings.integer("localSteps", standard.localSteps(), 1, 10_000),
                        SharedSettings.sampling(settings, shape, "poisson:0.2"),
                        settings.number("l2Bound", standard.l2Bound(), Limits.around(standard.l2Bound(), 1e4)),
                        settings.number("rate", standard.rate(), Limits.around(standard.rate(), 100)),
                        1));
        return factors(
                model, settings, deal, local, new Coordinator.Settings(rounds, schedule, damping, Repair.floor()));
    }

    private static FitMethod<?, ?> virtual(DataShape shape, SettingValues settings, Deal deal) {
        LogisticRegression model = model(shape, settings);
        Schedule schedule = scheduleOf(settings, deal);
        int rounds = settings.integer("rounds", 20, 1, SharedSettings.MOST_STEPS);
        double damping = settings.number("damping", 0.1, DAMPING);
        LocalSteps local = new VirtualClients(
                model,
                new VirtualClients.Settings(
                        settings.number("l2Bound", 1, Limits.around(1, 1e4)),
                        settings.number("precisionWeight", 2, Limits.around(2, 1000))));
        double caution = settings.number("caution", 1, Limits.between(0, 1e6));
        Repair repair = new Repair(
                settings.number("signalVariance", 0.5, SIGNAL_VARIANCE),
                caution * VirtualClients.startPrecision(model, shape.publicSize()));
        return factors(model, settings, deal, local, new Coordinator.Settings(rounds, schedule, damping, repair));
    }

    /** Changes of shards, averaged: the fewer records a shard has, the more shards share the noise. */
    private static FitMethod<?, ?> averaging(DataShape shape, SettingValues settings, Deal deal) {
        long records = recordsOfAParty(shape, deal);
        int most = PartyShards.MOST_SHARDS / deal.rule().parties();
        int shards =
                settings.integer("shards", (int) Math.max(1, Math.min(most, records / RECORDS_OF_A_SHARD)), 1, most);
        int key = settings.integer("shardPartition", 0, Integer.MIN_VALUE, Integer.MAX_VALUE);
        return shards(shape, settings, deal, new Shards(shards, key, 20, deal.aggregator() ? 0.2 : 0.1));
    }

    /** A party's whole change: one shard. */
    private static FitMethod<?, ?> perturbation(DataShape shape, SettingValues settings, Deal deal) {
        return shards(shape, settings, deal, new Shards(1, 0, 5, 0.2));
    }

    /**
     * How a party's records are dealt out to shards, and for how many rounds.
     *
     * @param count of a party
     * @param key of the hash
     * @param rounds if none are given
     * @param damping if none is given
     */
    private record Shards(int count, int key, int rounds, double damping) {}

    private static FitMethod<?, ?> shards(DataShape shape, SettingValues settings, Deal deal, Shards shards) {
        LogisticRegression model = model(shape, settings);
        Schedule schedule = scheduleOf(settings, deal);
        int rounds = settings.integer("rounds", shards.rounds(), 1, SharedSettings.MOST_STEPS);
        double damping = settings.number("damping", shards.damping(), DAMPING);
        double standard = Math.max(1, BOUND_PER_RECORD * recordsOfAParty(shape, deal));
        double l2Bound = settings.number("l2Bound", standard, Limits.around(standard, 1e4));
        int localSteps = settings.integer("localSteps", 3, 1, 10_000);
        double localStep = settings.number("localStep", 0.06, Limits.between(1e-6, 1));
        LocalSteps local = new LocalAveraging(
                model,
                new LocalAveraging.Settings(
                        GaussianFamily.MEAN_FIELD,
                        shards.count(),
                        new ShardSolver.Settings(localSteps, localStep),
                        l2Bound),
                shards.key());
        Repair repair = new Repair(settings.number("signalVariance", 0.1, SIGNAL_VARIANCE));
        return factors(model, settings, deal, local, new Coordinator.Settings(rounds, schedule, damping, repair));
    }

    /** If the declared number is dealt out evenly. */
    private static long recordsOfAParty(DataShape shape, Deal deal) {
        return shape.publicSize() / deal.rule().parties();
    }

    private static FitMethod<?, ?> factors(
            LogisticRegression model,
            SettingValues settings,
            Deal deal,
            LocalSteps local,
            Coordinator.Settings protocol) {
        FactorInference kernel = new FactorInference(deal.rule(), deal.aggregator(), local, protocol);
        return new FitMethod<>(
                LogisticRegression.NAME,
                kernel,
                model,
                model,
                settings.inForce(),
                kernel.noiseCounted()
                        ? Optional.of(state -> kernel.posteriorWithoutPrivacyNoise(state, model))
                        : Optional.empty());
    }

    /** The prior of the published work on rows of length 3.2. */
    private static LogisticRegression model(DataShape shape, SettingValues settings) {
        return RegressionMethods.logistic(shape, settings, 0.1);
    }

    /** Of answers that an aggregator may add up. */
    private static Schedule scheduleOf(SettingValues settings, Deal deal) {
        Schedule schedule = schedule(settings, deal.aggregator() ? SYNCHRONOUS : SEQUENTIAL);
        if (deal.aggregator() && schedule instanceof Schedule.Sequential) {
            throw new SettingException(
                    "an aggregator adds up the answers of a round, so parties must be asked at the same"
                            + " time; use schedule=synchronous");
        }
        return schedule;
    }

    private static Schedule schedule(SettingValues settings, String standard) {
        return settings.choice("schedule", standard, List.of(SEQUENTIAL, SYNCHRONOUS))
                        .equals(SEQUENTIAL)
                ? new Schedule.Sequential()
                : new Schedule.Synchronous();
    }

    /** Factors of linear regression add up to the posterior, so one message of statistics from each party is all. */
    private static FitMethod<?, ?> linear(DataShape shape, SettingValues settings) {
        settings.choice(WAY, STATISTICS, List.of(STATISTICS));
        Deal deal = deal(shape, settings);
        settings.choice("schedule", SYNCHRONOUS, List.of(SYNCHRONOUS));
        LinearRegression model = RegressionMethods.linearModel(shape, settings);
        PrivateVariationalBayes<Posterior> once = new PrivateVariationalBayes<>(new PrivateVariationalBayes.Settings(
                1, new SamplingScheme.FullPass(), new StepSchedule.LinearAverage()));
        return new FitMethod<>(
                LinearRegression.NAME,
                new AcrossParties<>(
                        once, deal.rule(), deal.aggregator(), shape.columns().size()),
                model,
                model,
                settings.inForce(),
                Optional.empty());
    }
}
