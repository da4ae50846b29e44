package dev.tacit.experiments.objective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.experiments.objective.PerturbedMinimum.GammaTerm;
import dev.tacit.experiments.objective.PerturbedMinimum.GaussianTerm;
import dev.tacit.experiments.objective.PerturbedMinimum.LinearTerm;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.testkit.method.FreeLedger;
import dev.tacit.testkit.neighbour.NeighbourTest;
import dev.tacit.testkit.neighbour.Verdict;
import java.util.Arrays;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A perturbed minimum keeps the epsilon of its event on neighbours; twins with half the noise, with rows of any length,
 * or accounted as if curvature were for free do not.
 *
 * <p>The probability that a correct release fails is below 1e-6 for each test; noise is replayed from a fixed seed, which
 * a failing verdict names.
 */
class PerturbedMinimumGuaranteeTest {
    private static final long SEED = 90_117L;
    private static final int OUTPUTS = 10_000;
    private static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    private enum Twin {
        NONE,
        HALF_NOISE,
        LONG_ROWS,
        CURVATURE_FOR_FREE
    }

    private static RecordSource records(double[]... rows) {
        double[] values = new double[2 * rows.length];
        double[] labels = new double[rows.length];
        for (int row = 0; row < rows.length; row++) {
            values[2 * row] = rows[row][0];
            values[2 * row + 1] = rows[row][1];
            labels[row] = 1;
        }
        DenseBlock block = DenseBlock.of(rows.length, 2, values, labels);
        return RecordsInMemory.of(block, true);
    }

    private static Supplier<double[]> releases(RecordSource records, PerturbedMinimum request, long seed) {
        ReplayNoise noise = ReplayNoise.ofSeed(seed);
        long[] next = {0};
        return () -> {
            try {
                return new MinimumRelease(request, records)
                        .make(RECORD, 2, new FreeLedger(RECORD), noise.fork(next[0]++))
                        .value();
            } catch (BudgetExhausted e) {
                throw new AssertionError(e);
            }
        };
    }

    private static double epsilon(PrivacyEvent event, double delta) {
        return new ExactAccountant()
                .epsilon(event, delta, Neighbours.ADD_REMOVE)
                .upper();
    }

    /**
     * Others who push the weights the other way make the gradient of the added record as long as it can be; without
     * others, much noise and little regularisation its curvature shows.
     */
    @ParameterizedTest
    @CsvSource({
        "NONE, 40, 0.8, 1.5, false",
        "NONE, 0, 3.5, 0.01, false",
        "NONE, 40, 0.8, 1.5, true",
        "NONE, 0, 3.5, 0.01, true",
        "HALF_NOISE, 40, 0.8, 1.5, false",
        "HALF_NOISE, 40, 0.8, 1.5, true",
        "LONG_ROWS, 40, 0.8, 1.5, false",
        "CURVATURE_FOR_FREE, 0, 3.5, 0.01, false",
        "CURVATURE_FOR_FREE, 0, 3.5, 0.01, true"
    })
    void theEventHolds(Twin twin, int others, double noiseMultiplier, double regularisation, boolean gamma) {
        double delta = others > 0 ? 0.1 : 0.001;
        double noise = twin == Twin.HALF_NOISE ? noiseMultiplier / 2 : noiseMultiplier;
        double bound = twin == Twin.LONG_ROWS ? 100 : 1;
        PerturbedMinimum made = request(noise / bound, regularisation, bound, gamma);
        PerturbedMinimum accounted =
                request(noiseMultiplier, twin == Twin.CURVATURE_FOR_FREE ? 0x1p20 : regularisation, 1, gamma);
        double[][] without = new double[others + 1][];
        double[][] with = new double[others + 2][];
        Arrays.fill(without, new double[] {-1, 0});
        Arrays.fill(with, without[0]);
        without[0] = new double[] {0, 0};
        with[0] = without[0];
        with[1] = new double[] {5, 0};
        Verdict verdict = NeighbourTest.of(
                        releases(records(with), made, SEED), releases(records(without), made, SEED + 1))
                .claimed(epsilon(accounted.event(), delta), delta)
                .falseAlarm(1e-6)
                .samples(OUTPUTS)
                .grossBecause("a perturbed minimum is not a sum, so its likelihood ratio is not known")
                .seed(SEED)
                .run(Supplier::get);
        assertThat(verdict.holds()).as(verdict.explain()).isEqualTo(twin == Twin.NONE);
    }

    private static PerturbedMinimum request(
            double noiseMultiplier, double regularisation, double bound, boolean gamma) {
        LinearTerm term = gamma ? new GammaTerm(Math.sqrt(3) / noiseMultiplier) : new GaussianTerm(noiseMultiplier);
        return new PerturbedMinimum("weights", bound, regularisation, term);
    }
}
