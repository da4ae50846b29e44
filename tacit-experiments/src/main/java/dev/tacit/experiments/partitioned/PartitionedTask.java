package dev.tacit.experiments.partitioned;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.calibrate.NoiseCalibration;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.catalogue.split.PartySplit;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.Schema;
import dev.tacit.diagnostics.ClassificationScores;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.BlockBuffer;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.regression.LinearMargin;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.NoiseSharing;
import dev.tacit.partitioned.aggregate.PlainSum;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.message.FactorTerms;
import dev.tacit.partitioned.message.Traffic;
import dev.tacit.partitioned.party.FactorParty;
import dev.tacit.partitioned.party.LocalSteps;
import dev.tacit.partitioned.party.PartiesSession;
import dev.tacit.partitioned.party.PartyDoor;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Rows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** A table with a binary target whose training rows are dealt out to parties, and ways to fit it across them. */
final class PartitionedTask {
    /** The prior's standard deviation on rows of length 1: that of the published work, whose rows have length 3.2. */
    static final double PRIOR_DEVIATION = 3.2;

    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /**
     * Scores after a round.
     *
     * @param communications messages of each party so far
     */
    record Point(int communications, double accuracy, double logLikelihood, double auc) {}

    /**
     * One run.
     *
     * @param curve scores by communications
     * @param bytesPerRound up and down, of all parties, if messages were sent
     * @param epsilon an upper bound for the code that ran
     */
    record Run(List<Point> curve, OptionalDouble bytesPerRound, double epsilon) {
        Point last() {
            return curve.get(curve.size() - 1);
        }
    }

    /** Reads a global approximation. */
    @FunctionalInterface
    interface Scorer {
        Point score(int communications, NaturalGaussian read);
    }

    private final RecordBlock train;
    private final RecordBlock test;
    private final double[] testLabels;
    private final double delta;
    private final List<String> names;
    private final Map<PrivacyEvent, EpsilonBound> known = new ConcurrentHashMap<>();
    private final Map<String, Double> noises = new ConcurrentHashMap<>();

    PartitionedTask(Path folder, Schema schema, double delta) {
        this(folder, schema, delta, 1);
    }

    /** @param rowScale by which encoded rows, of length 1, are multiplied */
    PartitionedTask(Path folder, Schema schema, double delta, double rowScale) {
        EncodedTable training = EncodedTable.read(folder.resolve("train.csv"), schema, true);
        EncodedTable heldOut = EncodedTable.read(folder.resolve("test.csv"), schema, true);
        this.train = joined(training, rowScale);
        this.test = joined(heldOut, rowScale);
        this.testLabels = heldOut.labels();
        this.names = training.names();
        this.delta = delta;
    }

    private static RecordBlock joined(EncodedTable table, double rowScale) {
        double[] labels = table.labels();
        int rows = labels.length;
        int[] starts = new int[rows + 1];
        List<int[]> columns = new ArrayList<>();
        List<double[]> values = new ArrayList<>();
        int next = 0;
        for (RecordBlock block : table.blocks()) {
            double[] dense = new double[block.columns()];
            for (int row = 0; row < block.rows(); row++) {
                Arrays.fill(dense, 0);
                Rows.addTo(block, row, rowScale, dense, 0);
                int[] places = IntStream.range(0, dense.length)
                        .filter(j -> dense[j] != 0)
                        .toArray();
                columns.add(places);
                values.add(Arrays.stream(places).mapToDouble(j -> dense[j]).toArray());
                starts[next + 1] = starts[next] + places.length;
                next++;
            }
        }
        return SparseBlock.of(
                rows,
                names(table).size(),
                starts,
                columns.stream().flatMapToInt(Arrays::stream).toArray(),
                values.stream().flatMapToDouble(Arrays::stream).toArray(),
                labels);
    }

    private static List<String> names(EncodedTable table) {
        return table.names();
    }

    int rows() {
        return train.rows();
    }

    /** A regression whose prior has the given precision for rows of length 1. */
    LogisticRegression regression(double priorPrecision) {
        return new LogisticRegression(names, 1, priorPrecision);
    }

    LogisticRegression regression() {
        return regression(1 / (PRIOR_DEVIATION * PRIOR_DEVIATION));
    }

    /** All training rows at one place. */
    List<PrivateDataset> pooled() {
        return List.of(LocalSummation.dataset(RecordsInMemory.of(train, true), RECORD, train.rows(), 1));
    }

    /** Training rows at several places. */
    List<PrivateDataset> dealt(PartySplit split, int parties) {
        double[] labels = new double[train.rows()];
        for (int row = 0; row < labels.length; row++) {
            labels[row] = train.label(row);
        }
        List<PrivateDataset> parts = new ArrayList<>();
        for (int[] rows : split.deal(labels, parties, 1)) {
            int[] sorted = rows.clone();
            Arrays.sort(sorted);
            RecordBlock part = new BlockBuffer().select(train, sorted, sorted.length);
            parts.add(LocalSummation.dataset(RecordsInMemory.of(part, true), RECORD, sorted.length, 1));
        }
        return parts;
    }

    List<String> names() {
        return names;
    }

    Point score(int communications, Posterior posterior) {
        LinearMargin margin = LinearMargin.of(posterior, names.size());
        return score(
                communications, row -> LogisticPredictive.quick(margin.mean(test, row), margin.variance(test, row)));
    }

    /** Scores a network. */
    Point score(int communications, NetworkPredictive network) {
        return score(communications, row -> network.probability(test, row));
    }

    private Point score(int communications, IntToDoubleFunction probability) {
        double[] probabilities =
                IntStream.range(0, testLabels.length).mapToDouble(probability).toArray();
        ClassificationScores scores = ClassificationScores.of(probabilities, testLabels);
        return new Point(communications, scores.accuracy(), scores.logLikelihood(), scores.auc());
    }

    private PrivacyAccountant accountant() {
        ExactAccountant exact = new ExactAccountant();
        return new PrivacyAccountant() {
            @Override
            public String name() {
                return exact.name();
            }

            @Override
            public EpsilonBound epsilon(PrivacyEvent event, double atDelta, Neighbours neighbours) {
                return atDelta == delta
                        ? known.computeIfAbsent(event, unused -> exact.epsilon(event, atDelta, neighbours))
                        : exact.epsilon(event, atDelta, neighbours);
            }

            @Override
            public DeltaBound delta(PrivacyEvent event, double epsilon, Neighbours neighbours) {
                return exact.delta(event, epsilon, neighbours);
            }
        };
    }

    private double noise(String key, DoubleFunction<PrivacyEvent> event, double epsilon) {
        return noises.computeIfAbsent(key + " " + epsilon, unused -> {
            try {
                return NoiseCalibration.noiseMultiplier(
                        event, new PrivacyBudget(epsilon, delta), new ExactAccountant(), Neighbours.ADD_REMOVE);
            } catch (CalibrationException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    /** Parties whose ledgers have room for the planned event and for nothing else. */
    private List<PartyDoor> doors(
            List<PrivateDataset> data,
            double epsilon,
            DoubleFunction<NoiseMechanism> mechanism,
            double noise,
            PrivacyEvent event,
            long seed) {
        RenyiAccountant renyi = new RenyiAccountant();
        LedgerTerms terms = LedgerTerms.forPlan(RECORD, new PrivacyBudget(epsilon, delta), event, renyi::divergence);
        LedgerAccounting accounting = new LedgerAccounting(accountant(), renyi::divergence);
        List<PartyDoor> doors = new ArrayList<>();
        for (PrivateDataset set : data) {
            doors.add(new PartyDoor(
                    set,
                    Optional.of(
                            new PartyDoor.Protection(mechanism.apply(noise), new InMemoryLedger(terms, accounting))),
                    ReplayNoise.ofSeed(seed).fork(doors.size())));
        }
        return doors;
    }

    private static DoubleFunction<NoiseMechanism> mechanism(Optional<NoiseSharing> sharing) {
        return noise -> sharing.isPresent() ? sharing.get().share(noise) : new DiscreteGaussianMechanism(noise);
    }

    /** A run of factors of a regression. */
    Run factors(
            String key,
            List<PrivateDataset> data,
            LogisticRegression model,
            DoubleFunction<LocalSteps> update,
            Coordinator.Settings settings,
            Optional<NoiseSharing> sharing,
            double epsilon,
            long seed) {
        NaturalGaussian prior =
                NaturalGaussian.centred(update.apply(1).releases().family(), names.size(), model.priorPrecision());
        return factors(
                key,
                data,
                prior,
                prior,
                (communications, read) ->
                        score(communications, read.normalise(names).orElseThrow("a raised approximation is proper")),
                update,
                settings,
                sharing,
                epsilon,
                seed);
    }

    /** A run of factors from a public start; {@code update} may depend on the party's share of all rows. */
    Run factors(
            String key,
            List<PrivateDataset> data,
            NaturalGaussian prior,
            NaturalGaussian start,
            Scorer scorer,
            DoubleFunction<LocalSteps> update,
            Coordinator.Settings settings,
            Optional<NoiseSharing> sharing,
            double epsilon,
            long seed) {
        LocalSteps any = update.apply(1);
        DoubleFunction<PrivacyEvent> event =
                noise -> any.event(settings.rounds(), new DiscreteGaussianMechanism(noise), Neighbours.ADD_REMOVE);
        double noise = noise(key, event, epsilon);
        List<PartyDoor> doors = doors(data, epsilon, mechanism(sharing), noise, event.apply(noise), seed);
        long total = data.stream().mapToLong(PrivateDataset::publicSize).sum();
        List<FactorParty> parties = new ArrayList<>();
        for (PartyDoor door : doors) {
            double share = (double) door.data().publicSize() / total;
            FactorTerms terms = FactorTerms.startingAt(start, doors.size(), prior, settings.damping())
                    .drawing(seed, parties.size());
            FactorParty party = new FactorParty(
                    "party " + (parties.size() + 1),
                    door,
                    update.apply(share),
                    sharing.isPresent() ? terms.withShare(share) : terms);
            if (party.join(settings.rounds()) < settings.rounds()) {
                throw new IllegalStateException("a calibrated plan does not fit its budget");
            }
            parties.add(party);
        }
        List<Point> curve = new ArrayList<>();
        Traffic[] traffic = {Traffic.NONE};
        new Coordinator(prior, start, settings, sharing.map(PlainSum::of)).run(parties, (note, read, sent) -> {
            curve.add(scorer.score(note.round() + 1, read));
            traffic[0] = sent;
        });
        return new Run(
                curve,
                OptionalDouble.of((double) (traffic[0].bytesDown() + traffic[0].bytesUp()) / settings.rounds()),
                accountant()
                        .epsilon(parties.get(0).event(), delta, Neighbours.ADD_REMOVE)
                        .upper());
    }

    /** A run of sums, scored after the given releases. */
    <M, S extends Record> Run sums(
            String key,
            List<PrivateDataset> data,
            InferenceKernel<M, S> kernel,
            M model,
            Function<S, Posterior> reading,
            Optional<NoiseSharing> sharing,
            double epsilon,
            IntPredicate scored,
            long seed) {
        ReleasePlan plan = kernel.plan(
                model, data.stream().mapToLong(PrivateDataset::publicSize).sum());
        DoubleFunction<PrivacyEvent> event = noise -> plan.event(new DiscreteGaussianMechanism(noise));
        double noise = noise(key, event, epsilon);
        PartiesSession session;
        try {
            session = PartiesSession.open(
                    key, plan, doors(data, epsilon, mechanism(sharing), noise, event.apply(noise), seed));
        } catch (BudgetExhausted e) {
            throw new IllegalStateException("a calibrated plan does not fit its budget", e);
        }
        RandomStream random = RandomStream.ofSeed(seed);
        S state = kernel.init(model, session.publicSize(), random.fork("init"));
        List<Point> curve = new ArrayList<>();
        for (int release = 0; release < plan.releases(); release++) {
            state = kernel.step(state, model, session, random.fork((long) release))
                    .state();
            if (scored.test(release + 1) || release + 1 == plan.releases()) {
                curve.add(score(release + 1, reading.apply(state)));
            }
        }
        return new Run(
                curve,
                OptionalDouble.empty(),
                accountant()
                        .epsilon(event.apply(noise), delta, Neighbours.ADD_REMOVE)
                        .upper());
    }
}
