package dev.tacit.fit.twin;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.Schema;
import dev.tacit.diagnostics.SimulatedFit;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.WorkListener;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.model.RecordSimulator;
import dev.tacit.model.prediction.ModelUse;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Rows;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.method.FitMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * How often intervals hold the truth, on twins of a fit: parameters drawn from its posterior, records with the moments that the
 * fit released or else drawn from its schema, targets drawn from the model, and the same method with the same noise.
 *
 * <p>No private record is looked at, so it costs nothing. Records drawn from a schema are uniform over what it allows, not
 * distributed like the real ones.
 */
public final class TwinCoverage {
    /** Larger twins take too long. */
    public static final int MOST_ROWS = 50_000;

    /** How many twins a fit is checked on if nobody says otherwise; fewer, down to {@link #FEWEST}, if it takes long. */
    static final int TWINS = 20;

    public static final int FEWEST = 8;

    /** Numbers read from records by all twins together that still take little time. */
    private static final double EASY_WORK = 2e9;

    /** What one released number costs behind the door, in numbers read. */
    private static final double SOLVING = 2e4;

    /**
     * What was counted.
     *
     * @param twins how many
     * @param rows in each
     * @param intervals how many 90 % intervals were checked
     * @param covered how many of them held the truth
     * @param coveredWithoutNoise how many of the intervals that ignore privacy noise did; empty if there are none
     * @param reaches for each twin and parameter the distance of the truth from the median over that of the interval's end on its side
     * @param scores of the posteriors
     * @param assumption how the records were drawn
     */
    public record Result(
            int twins,
            int rows,
            long intervals,
            long covered,
            Optional<Long> coveredWithoutNoise,
            double[][] reaches,
            TwinScores scores,
            String assumption) {
        public double coverage() {
            return (double) covered / intervals;
        }
    }

    private static final long NUMBERS = 20_000_000;
    private static final int MOST_DRAWS = 1_000;

    /** Fits without noise, for the width, where the method cannot tell it from its own state. */
    private static final int PLAIN_TWINS = 5;

    private final StoredPosterior fitted;
    private final ReleaseRecord release;
    private final Optional<RecordSimulator> simulator;
    private final UnaryOperator<FitMethod<?, ?>> asReleased;
    private final int columns;
    private final int rows;
    private Optional<EncodedTable> features = Optional.empty();
    private final long seed;
    private long intervals;
    private long covered;
    private long coveredWithoutNoise;
    private boolean compared;

    /**
     * @param simulator of records; empty for such as the schema allows
     * @param asReleased makes the method the one of the version that fitted
     */
    public TwinCoverage(
            StoredPosterior fitted,
            ReleaseRecord release,
            Optional<RecordSimulator> simulator,
            UnaryOperator<FitMethod<?, ?>> asReleased,
            int rows,
            long seed) {
        this.fitted = fitted;
        this.release = release;
        this.simulator = simulator;
        this.asReleased = asReleased;
        this.columns = DataShapes.of(fitted.schema()).columns().size();
        this.rows = rows;
        this.seed = seed;
    }

    /** How records of the twins are drawn. */
    private String assumption() {
        if (simulator.isEmpty()) {
            return "Simulated records are uniform over what the schema allows, not distributed like the real ones.";
        }
        return fitted.use() instanceof RecordSimulator
                ? "Simulated records are drawn from the model."
                : "Simulated records have the means, spreads and correlations that the fit released.";
    }

    /** Whether records of this model can be drawn. */
    public static boolean possible(StoredPosterior fitted) {
        return fitted.use() instanceof PredictiveModel || fitted.use() instanceof RecordSimulator;
    }

    /** The same records for all twins that are drawn from the schema. */
    private EncodedTable features() {
        if (features.isEmpty()) {
            features = Optional.of(features(
                    SyntheticRows.schema(fitted.schema()),
                    rows,
                    RandomStream.ofSeed(seed).fork("features")));
        }
        return features.get();
    }

    private static EncodedTable features(Schema schema, int rows, RandomStream random) {
        try {
            Path file = Files.createTempFile("tacit-twin", ".csv");
            try {
                Files.writeString(file, SyntheticRows.csv(schema, rows, random));
                return EncodedTable.read(file.toString(), schema, false);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION, "cannot write a temporary file; check that the disk has room.", e);
        }
    }

    /** The usual number of twins, or fewer for a method that goes over the records very often; from public numbers. */
    public int usualCount() {
        double work = 0;
        for (ReleasePlan.Phase phase : release.kernelPlan().phases()) {
            work += phase.times() * (phase.sampling().expectedBatchSize(rows) * columns + phase.dimension() * SOLVING);
        }
        return (int) Math.max(FEWEST, Math.min(TWINS, EASY_WORK / work));
    }

    public Result run(int twins, long firstSeed, WorkListener.Work progress) {
        FitMethod<?, ?> method = asReleased.apply(fitted.fitMethod(rows));
        int d = fitted.posterior().dimension();
        int draws = (int) Math.max(2L * d + 2, Math.min(MOST_DRAWS, NUMBERS / ((long) twins * d)));
        List<TwinScores.Twin> scored = new ArrayList<>();
        double[][] reaches = new double[twins][];
        for (int twin = 0; twin < twins; twin++) {
            reaches[twin] = new double[d];
            scored.add(count(method, firstSeed + twin, draws, twin < PLAIN_TWINS, reaches[twin]));
            progress.step();
        }
        return new Result(
                twins,
                rows,
                intervals,
                covered,
                compared ? Optional.of(coveredWithoutNoise) : Optional.empty(),
                reaches,
                TwinScores.of(fitted.posterior().parameterNames(), scored, firstSeed),
                assumption());
    }

    private <M, S extends Record> TwinScores.Twin count(
            FitMethod<M, S> method, long twinSeed, int draws, boolean plainly, double[] reaches) {
        RandomStream random = RandomStream.ofSeed(twinSeed);
        double[] truth = new double[fitted.posterior().dimension()];
        fitted.posterior().sample(random.fork("truth"), truth);
        InferenceRun.Result<S> result;
        double[] plain = new double[0];
        try (PrivateDataset twin = twin(method.use(), truth, random.fork("targets"))) {
            result = fit(method.kernel(), method.model(), twin, twinSeed);
            if (plainly
                    && release.privacy().isPresent()
                    && method.withoutPrivacyNoise().isEmpty()) {
                plain = InferenceRun.once(
                                method.kernel(),
                                method.model(),
                                twin.openNotPrivate(
                                        RunRequest.of("simulated twin", release.kernelPlan()),
                                        ReplayNoise.ofSeed(twinSeed)),
                                RandomStream.ofSeed(twinSeed).fork("run"))
                        .posterior()
                        .standardDeviation();
            }
        }
        Posterior posterior = result.posterior();
        Optional<Posterior> other = method.withoutPrivacyNoise().map(reading -> reading.posterior(result.state()));
        for (int i = 0; i < truth.length; i++) {
            intervals++;
            reaches[i] = reach(posterior, i, truth[i]);
            covered += reaches[i] <= 1 ? 1 : 0;
            if (other.isPresent()) {
                compared = true;
                coveredWithoutNoise += reach(other.get(), i, truth[i]) <= 1 ? 1 : 0;
            }
        }
        double[] all = new double[draws * truth.length];
        double[] one = new double[truth.length];
        RandomStream stream = random.fork("draws");
        for (int i = 0; i < draws; i++) {
            posterior.sample(stream, one);
            System.arraycopy(one, 0, all, i * one.length, one.length);
        }
        return new TwinScores.Twin(
                new SimulatedFit(truth, all, posterior.mean()),
                posterior.standardDeviation(),
                other.map(Posterior::standardDeviation).orElse(plain));
    }

    /** How far the truth is from the median, the end of the 90 % interval on its side being 1; infinite if there is no interval. */
    private static double reach(Posterior posterior, int coordinate, double truth) {
        double median = posterior.quantile(coordinate, 0.5);
        double end = posterior.quantile(coordinate, truth < median ? 0.05 : 0.95);
        double reach = truth == median ? 0 : (truth - median) / (end - median);
        return Double.isNaN(reach) ? Double.POSITIVE_INFINITY : reach;
    }

    private PrivateDataset twin(ModelUse use, double[] truth, RandomStream random) {
        List<RecordBlock> blocks = new ArrayList<>();
        if (simulator.isPresent()) {
            blocks.add(simulator.get().drawRecords(truth, rows, random));
        } else {
            PredictiveModel model = (PredictiveModel) use;
            for (RecordBlock block : features().blocks()) {
                double[] labels = new double[block.rows()];
                for (int row = 0; row < labels.length; row++) {
                    labels[row] = model.drawTarget(truth, block, row, random);
                }
                blocks.add(Rows.withLabels(block, labels));
            }
        }
        return LocalSummation.dataset(
                new RecordsInMemory(blocks.get(0).columns(), true, blocks, null),
                PrivacyUnit.record(release.unit().neighbours()),
                rows);
    }

    private <M, S extends Record> InferenceRun.Result<S> fit(
            InferenceKernel<M, S> kernel, M model, PrivateDataset twin, long seed) {
        RunRequest run = RunRequest.of("simulated twin", release.kernelPlan());
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        RandomStream random = RandomStream.ofSeed(seed).fork("run");
        if (release.privacy().isEmpty()) {
            return InferenceRun.once(kernel, model, twin.openNotPrivate(run, noise), random);
        }
        ReleaseRecord.Privacy privacy = release.privacy().get();
        RenyiAccountant renyi = new RenyiAccountant();
        LedgerTerms terms = LedgerTerms.forPlan(
                twin.unit(),
                new PrivacyBudget(privacy.epsilon(), privacy.budget().delta()),
                release.kernelPlan().event(new DiscreteGaussianMechanism(privacy.noiseMultiplier())),
                renyi::divergence);
        try {
            PrivateSession session = twin.open(
                    run,
                    new DiscreteGaussianMechanism(release.deliveredNoiseMultiplier()),
                    new InMemoryLedger(terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                    noise);
            return InferenceRun.once(kernel, model, session, random);
        } catch (BudgetExhausted e) {
            throw new IllegalStateException("a twin costs what its fit cost", e);
        }
    }
}
