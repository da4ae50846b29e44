package dev.tacit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.sampling.SamplingScheme.FullPass;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.conjugate.BetaBernoulliScore;
import dev.tacit.model.conjugate.DirichletCategoricalScore;
import dev.tacit.model.conjugate.GammaExponentialScore;
import dev.tacit.model.regression.LinearRegressionScore;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.query.ContributionSum;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.method.RecordSumConformance;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clipped scores keep the epsilon that is charged for them on neighbouring tables, and twins with half the noise or with
 * noise for a bound that scores exceed do not.
 *
 * <p>The probability that a correct release fails is below 1e-6 for each test; noise is replayed from a fixed seed, which a
 * failing verdict names.
 */
class ScoreFieldGuaranteeTest {
    private static final long SEED = 31_338L;
    private static final int OUTPUTS = 8_000;
    private static final double DELTA = 0.1;
    private static final double NOISE = 0.8;
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private static ScoreFieldModel model(String name) {
        return switch (name) {
            case "beta" -> new BetaBernoulliScore(1, 1, 3);
            case "dirichlet" -> new DirichletCategoricalScore(List.of("a", "b"), 1, 3);
            case "gamma" -> new GammaExponentialScore(8, 2, 5, 3);
            default ->
                LinearRegressionScore.of(
                        new LinearRegressionScore.Setting(List.of("a", "b"), false, 0.25, 20, 0.5, 3), 3);
        };
    }

    private static ContributionSum query(String name) {
        ScoreFieldModel model = model(name);
        return model.score(model.start());
    }

    /** With or without somebody whose score is as long as it can be. */
    private static PrivateDataset dataset(boolean with) {
        double[] values = with ? new double[] {0, 0.3, 40, 30} : new double[] {0, 0.3};
        double[] labels = with ? new double[] {0.1, 50} : new double[] {0.1};
        return LocalSummation.dataset(
                RecordsInMemory.of(DenseBlock.of(labels.length, 2, values, labels), true), RECORD, 3, 1);
    }

    private static Supplier<double[]> releases(boolean with, double noise, ContributionSum query) {
        try {
            PrivateSession session = dataset(with)
                    .open(
                            RunRequest.of(
                                    "test",
                                    ReleasePlan.of("scores", Integer.MAX_VALUE, query.dimension(), new FullPass())),
                            new DiscreteGaussianMechanism(noise),
                            new FreeLedger(RECORD),
                            ReplayNoise.ofSeed(with ? SEED : SEED + 1));
            return () -> session.release(query, 1).value();
        } catch (BudgetExhausted e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "beta, 1",
        "beta, 0.5",
        "dirichlet, 1",
        "dirichlet, 0.5",
        "gamma, 1",
        "gamma, 0.5",
        "gamma, 0.2",
        "regression, 1",
        "regression, 0.5",
        "regression, 0.2"
    })
    void scoresKeepTheirPromise(String name, double noiseFactor) {
        ContributionSum query = query(name);
        double epsilon = new ExactAccountant()
                .epsilon(
                        new FullPass().event(new DiscreteGaussianMechanism(NOISE).profile(query.dimension())),
                        DELTA,
                        Neighbours.ADD_REMOVE)
                .upper();
        Verdict verdict = NeighbourTest.of(
                        releases(true, NOISE * noiseFactor, query), releases(false, NOISE * noiseFactor, query))
                .claimed(epsilon, DELTA)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("CatalogueTranscriptTest finds finer defects")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(noiseFactor == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"beta", "dirichlet", "gamma", "regression"})
    void rowsStandAlone(String name) {
        double[][] rows = new double[60][2];
        double[] labels = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            rows[row][0] = Math.sin(row);
            rows[row][1] = Math.cos(3.0 * row) / 2;
            labels[row] = row % 3;
        }
        RecordSumConformance.requireRowsStandAlone(query(name), rows, labels);
    }
}
