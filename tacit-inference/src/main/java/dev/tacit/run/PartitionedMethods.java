package dev.tacit.run;

import dev.tacit.inference.ResidualNewton;
import dev.tacit.model.LinearRegression;
import dev.tacit.model.LogisticRegression;
import dev.tacit.partitioned.AcrossParties;
import dev.tacit.partitioned.Aggregation;
import dev.tacit.partitioned.Coordinator;
import dev.tacit.partitioned.DpOptimisation;
import dev.tacit.partitioned.DpOptimisationSteps;
import dev.tacit.partitioned.FactorInference;
import dev.tacit.partitioned.LocalSteps;
import dev.tacit.partitioned.Repair;
import dev.tacit.partitioned.Schedule;
import dev.tacit.partitioned.VirtualClientSteps;
import dev.tacit.partitioned.VirtualClients;
import dev.tacit.privacy.data.PartyRule;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Regressions across parties, records being dealt out by a public rule; {@code --method dp-pvi}. */
final class PartitionedMethods {
    static final String NAME = "dp-pvi";

    private static final String PARTIES = "parties";
    private static final String PARTY_COLUMN = "party-column";
    private static final String PARTITION = "partition";
    private static final String AGGREGATOR = "aggregator";
    private static final String WAY = "way";
    private static final String NEWTON = "residual-newton";
    private static final String OPTIMISATION = "dp-optimisation";
    private static final String VIRTUAL = "virtual";
    private static final String STATISTICS = "statistics";
    private static final String SEQUENTIAL = "sequential";
    private static final String SYNCHRONOUS = "synchronous";
    private static final int MOST_PARTIES = 10_000;

    private PartitionedMethods() {}

    static Optional<FitMethod<?, ?>> find(String model, DataShape shape, SettingValues settings, boolean isPrivate) {
        return switch (model) {
            case LogisticRegression.NAME -> Optional.of(logistic(shape, settings, isPrivate));
            case LinearRegression.NAME -> Optional.of(linear(shape, settings));
            default -> Optional.empty();
        };
    }

    private static FitMethod<?, ?> logistic(DataShape shape, SettingValues settings, boolean isPrivate) {
        String way = settings.choice(WAY, NEWTON, List.of(NEWTON, OPTIMISATION, VIRTUAL));
        Deal deal = deal(shape, settings);
        return switch (way) {
            case NEWTON -> newton(shape, settings, deal, isPrivate);
            case OPTIMISATION -> optimisation(shape, settings, deal);
            default -> virtual(shape, settings, deal);
        };
    }

    /**
     * How records are dealt out.
     *
     * @param rule who is where
     * @param aggregation who sees the sums of single parties
     */
    private record Deal(PartyRule rule, Aggregation aggregation) {
        boolean aggregator() {
            return aggregation.sumsOnly();
        }
    }

    private static Deal deal(DataShape shape, SettingValues settings) {
        String column = settings.text(PARTY_COLUMN, "none");
        PartyRule rule;
        if (column.equals("none")) {
            int parties = settings.integer(PARTIES, 10);
            if (parties < 2 || parties > MOST_PARTIES) {
                throw new SettingException("the setting parties must be a whole number from 2 to " + MOST_PARTIES);
            }
            rule = new PartyRule.Hashed(parties, settings.integer(PARTITION, 0));
        } else {
            rule = category(shape, column);
            if (settings.integer(PARTIES, rule.parties()) != rule.parties()) {
                throw new SettingException("the setting parties follows from party-column; leave it out");
            }
        }
        List<String> labels =
                Stream.of(Aggregation.values()).map(Aggregation::label).toList();
        String chosen = settings.choice(AGGREGATOR, Aggregation.NONE.label(), labels);
        return new Deal(rule, Aggregation.values()[labels.indexOf(chosen)]);
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
        LogisticRegression model = MethodCatalogue.logistic(shape, settings);
        ResidualNewton kernel = new ResidualNewton(
                MethodCatalogue.residualNewton(settings, isPrivate).acrossParties());
        return new FitMethod<>(
                LogisticRegression.NAME,
                new AcrossParties<>(kernel, deal.rule(), deal.aggregation(), model.columns()),
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
        int rounds = settings.integer("rounds", 10);
        double damping = settings.number(
                "damping",
                oneAfterTheOther ? 0.5 : Math.min(0.5, 1.5 / deal.rule().parties()));
        LocalSteps local = new DpOptimisationSteps(
                model,
                new DpOptimisation.Settings(
                        settings.integer("localSteps", standard.localSteps()),
                        MethodCatalogue.sampling(settings.text("sampling", "poisson:0.2")),
                        settings.number("l2Bound", standard.l2Bound()),
                        settings.number("rate", standard.rate()),
                        1));
        return factors(
                model, settings, deal, local, new Coordinator.Settings(rounds, schedule, damping, Repair.floor()));
    }

    private static FitMethod<?, ?> virtual(DataShape shape, SettingValues settings, Deal deal) {
        LogisticRegression model = model(shape, settings);
        Schedule schedule = schedule(settings, deal.aggregator() ? SYNCHRONOUS : SEQUENTIAL);
        if (deal.aggregator() && schedule instanceof Schedule.Sequential) {
            throw new SettingException(
                    "an aggregator adds up the answers of a round, so parties must be asked at the same"
                            + " time; use schedule=synchronous");
        }
        int rounds = settings.integer("rounds", 20);
        double damping = settings.number("damping", 0.1);
        LocalSteps local = new VirtualClientSteps(
                model,
                new VirtualClients.Settings(settings.number("l2Bound", 1), settings.number("precisionWeight", 2)),
                damping);
        double caution = settings.number("caution", 1);
        if (!(caution >= 0)) {
            throw new SettingException("the setting caution must be a number from 0");
        }
        Repair repair = new Repair(
                settings.number("signalVariance", 0.5),
                caution * VirtualClients.startPrecision(model, shape.publicSize()));
        return factors(model, settings, deal, local, new Coordinator.Settings(rounds, schedule, damping, repair));
    }

    private static FitMethod<?, ?> factors(
            LogisticRegression model,
            SettingValues settings,
            Deal deal,
            LocalSteps local,
            Coordinator.Settings protocol) {
        FactorInference kernel = new FactorInference(deal.rule(), deal.aggregation(), local, protocol);
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
        return MethodCatalogue.logistic(shape, settings, 0.1);
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
        return linear(
                MethodCatalogue.linear(shape, settings), deal, shape.columns().size());
    }

    private static <M, S extends Record> FitMethod<M, S> linear(FitMethod<M, S> whole, Deal deal, int columns) {
        return new FitMethod<>(
                whole.modelName(),
                new AcrossParties<>(whole.kernel(), deal.rule(), deal.aggregation(), columns),
                whole.model(),
                whole.use(),
                whole.settings(),
                whole.withoutPrivacyNoise());
    }
}
