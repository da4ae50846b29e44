package dev.tacit.cli;

import dev.tacit.privacy.accountant.ExactAccountant;
import dev.tacit.privacy.accountant.RenyiAccountant;
import dev.tacit.privacy.calibration.CalibrationException;
import dev.tacit.privacy.calibration.NoiseCalibration;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.Charge;
import dev.tacit.privacy.ledger.FileLedger;
import dev.tacit.privacy.ledger.LedgerBroken;
import dev.tacit.privacy.ledger.LedgerEntry;
import dev.tacit.privacy.ledger.LedgerTerms;
import dev.tacit.privacy.ledger.LedgerUnavailable;
import dev.tacit.privacy.mechanism.DiscreteGaussianMechanism;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.NoiseSource;
import dev.tacit.privacy.noise.SecureNoise;
import dev.tacit.privacy.sampling.BatchIndices;
import dev.tacit.privacy.sampling.SamplingScheme.PoissonSampling;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * What the demo releases: the average of noisy sums over Poisson samples, paid for before the first noise is drawn.
 *
 * <pre>
 *   mean ≈ (1 / T) Σ_t s̃_t / (q N),     s̃_t = Σ_{n∈B_t} v_n + N_Z(0, (σC)² I),     ‖v_n‖₂ ≤ C = √columns
 * </pre>
 */
final class DemoRelease {
    static final PrivacyBudget BUDGET = new PrivacyBudget(1, 1e-6);
    static final int STEPS = 20;
    static final PoissonSampling SAMPLING = new PoissonSampling(0.1);
    static final String LEDGER = "ledger.jsonl";

    private static final Neighbours NEIGHBOURS = Neighbours.ADD_REMOVE;
    private static final double L2_BOUND = Math.sqrt(DemoTable.COLUMNS.size());
    private static final int CHUNK = 1024;

    private final DemoTable table = new DemoTable();
    private final DiscreteGaussianMechanism mechanism;
    private final PrivacyEvent plan;
    private final double epsilon;
    private final double[] means = new double[DemoTable.COLUMNS.size()];
    private LedgerEntry entry;
    private String refusal;

    private DemoRelease() {
        mechanism = new DiscreteGaussianMechanism(calibratedNoise());
        plan = step().times(STEPS);
        epsilon =
                new ExactAccountant().epsilon(plan, BUDGET.delta(), NEIGHBOURS).upper();
    }

    /** Calibrates, charges the ledger in a folder, releases, and asks for more than is left. */
    static DemoRelease into(Path folder) {
        DemoRelease release = new DemoRelease();
        try {
            FileLedger ledger = release.openLedger(folder.resolve(LEDGER));
            release.charge(ledger, folder);
            release.releaseMeans();
            release.askForMore(ledger);
        } catch (LedgerBroken e) {
            throw new CommandFailure(
                    ExitCode.BAD_DATA,
                    folder.resolve(LEDGER) + " is not a whole ledger: " + e.getMessage()
                            + "; name a new folder with --out.",
                    e);
        } catch (LedgerUnavailable e) {
            throw new CommandFailure(
                    ExitCode.CONFIG, e.getMessage() + "; name a folder that can be written with --out.", e);
        }
        return release;
    }

    private static double calibratedNoise() {
        try {
            return NoiseCalibration.noiseMultiplier(
                    noise -> PrivacyEvent.gaussian(noise)
                            .poissonSampled(SAMPLING.samplingRate())
                            .times(STEPS),
                    BUDGET,
                    new ExactAccountant(),
                    NEIGHBOURS);
        } catch (CalibrationException e) {
            throw new IllegalStateException("the demo's budget can be reached", e);
        }
    }

    /** One release, as the sampler and the mechanism themselves describe it. */
    private PrivacyEvent step() {
        return SAMPLING.event(mechanism.profile(DemoTable.COLUMNS.size()));
    }

    private FileLedger openLedger(Path file) {
        if (Files.exists(file)) {
            return FileLedger.open(file, LedgerShowCommand.accounting());
        }
        LedgerTerms terms =
                LedgerTerms.forPlan(PrivacyUnit.record(NEIGHBOURS), BUDGET, plan, new RenyiAccountant()::divergence);
        return FileLedger.create(file, terms, LedgerShowCommand.accounting());
    }

    private void charge(FileLedger ledger, Path folder) {
        try {
            Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
            LedgerEntry charged = ledger.charge(
                    Charge.of("demo: means of a synthetic table", plan).at(now));
            entry = ledger.advance(charged, STEPS);
        } catch (BudgetExhausted e) {
            throw new CommandFailure(
                    ExitCode.BUDGET_EXHAUSTED,
                    "the ledger in " + folder + " remembers an earlier demo, so "
                            + e.getMessage().replaceAll("\\.$", "") + "; name a new folder with --out.",
                    e);
        }
    }

    private void releaseMeans() {
        NoiseSource noise = SecureNoise.create();
        double expectedBatchSize = SAMPLING.expectedBatchSize(DemoTable.ROWS);
        for (int step = 0; step < STEPS; step++) {
            double[] noisy = mechanism.release(batchSums(noise.fork(step)), L2_BOUND, noise);
            for (int column = 0; column < means.length; column++) {
                means[column] += noisy[column] / expectedBatchSize / STEPS;
            }
        }
    }

    private long[] batchSums(NoiseSource noise) {
        SumGrid grid = mechanism.grid(L2_BOUND, DemoTable.COLUMNS.size());
        long[] sums = new long[DemoTable.COLUMNS.size()];
        double[] contribution = new double[sums.length];
        long[] chunk = new long[CHUNK];
        BatchIndices batch = SAMPLING.draw(DemoTable.ROWS, noise);
        for (int count = batch.next(chunk); count > 0; count = batch.next(chunk)) {
            for (int i = 0; i < count; i++) {
                table.contribution(chunk[i], contribution);
                grid.add(contribution, 0, sums);
            }
        }
        return sums;
    }

    private void askForMore(FileLedger ledger) {
        try {
            ledger.charge("demo: one more noisy sum", step());
            throw new IllegalStateException("a spent budget paid for more");
        } catch (BudgetExhausted e) {
            refusal = e.getMessage();
        }
    }

    DemoTable table() {
        return table;
    }

    double noiseMultiplier() {
        return mechanism.noiseMultiplier();
    }

    /** An upper bound for the whole plan. */
    double epsilon() {
        return epsilon;
    }

    LedgerEntry entry() {
        return entry;
    }

    /** Why the ledger refused one more sum. */
    String refusal() {
        return refusal;
    }

    /** The private mean of a column, in its own unit. */
    double mean(int column) {
        return DemoTable.COLUMNS.get(column).unscaled(means[column]);
    }

    /** The standard deviation of the noise alone. */
    double noiseStandardDeviation(int column) {
        return ofMean(column, mechanism.noiseStandardDeviation(L2_BOUND));
    }

    /**
     * An upper bound on the standard deviation of noise and Poisson sampling together; scaled values are within -1 and
     * 1.
     */
    double standardDeviation(int column) {
        double rate = SAMPLING.samplingRate();
        double ofSampledSum = Math.sqrt(rate * (1 - rate) * DemoTable.ROWS);
        return ofMean(column, Math.hypot(mechanism.noiseStandardDeviation(L2_BOUND), ofSampledSum));
    }

    /** From one scaled sum to the mean over all steps, in the column's unit. */
    private static double ofMean(int column, double ofOneSum) {
        DemoTable.Column about = DemoTable.COLUMNS.get(column);
        double ofScaledMean = ofOneSum / SAMPLING.expectedBatchSize(DemoTable.ROWS) / Math.sqrt(STEPS);
        return ofScaledMean * (about.high() - about.low()) / 2;
    }

    /** What accountants are asked about the plan. */
    Question question() {
        return new Question(plan, NEIGHBOURS, Question.Wanted.EPSILON, BUDGET.delta());
    }
}
