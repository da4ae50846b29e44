package dev.tacit.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.model.belief.HiddenUnits;
import dev.tacit.model.belief.NetworkWeights;
import dev.tacit.model.belief.PolyaGammaBelief;
import dev.tacit.model.belief.ThreeParameterBetaNormal;
import dev.tacit.numerics.BesselRatio;
import dev.tacit.numerics.Golden;
import dev.tacit.numerics.SpecialFunctions;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Against reference values of the papers' updates, which do not centre hidden units: K = 2, J = 3, one record. */
class BeliefNetworkGoldenTest {
    private static final int COLUMNS = 3;
    private static final int HIDDEN = 2;
    private static final Map<?, ?> GOLDEN = Golden.read("/dev/tacit/model/belief-network.json");

    private static Offset<Double> close(double value) {
        return within(1e-13 * Math.max(1, Math.abs(value)));
    }

    /** From one row for each column to one for each unit. */
    private static double[] byUnit(double[] byColumn) {
        double[] result = new double[byColumn.length];
        for (int j = 0; j < COLUMNS; j++) {
            for (int k = 0; k < HIDDEN; k++) {
                result[k * COLUMNS + j] = byColumn[j * HIDDEN + k];
            }
        }
        return result;
    }

    /** c + W z = (c + W ½) + W (z − ½). */
    private static double[] centred(double[] hiddenBiases) {
        double[] weights = byUnit(Golden.numbers(GOLDEN, "weights"));
        double[] parameters = new double[NetworkWeights.size(COLUMNS, HIDDEN)];
        System.arraycopy(weights, 0, parameters, 0, weights.length);
        double[] biases = Golden.numbers(GOLDEN, "biases");
        for (int j = 0; j < COLUMNS; j++) {
            parameters[weights.length + j] = biases[j] + (weights[j] + weights[COLUMNS + j]) / 2;
        }
        System.arraycopy(hiddenBiases, 0, parameters, weights.length + COLUMNS, HIDDEN);
        return parameters;
    }

    private static HiddenUnits loaded(double[] hiddenBiases, double[] marginVariances) {
        HiddenUnits units =
                new HiddenUnits(new NetworkWeights(COLUMNS, HIDDEN, centred(hiddenBiases), marginVariances), 0.5);
        units.load(DenseBlock.of(1, COLUMNS, Golden.numbers(GOLDEN, "record"), null), 0, null);
        System.arraycopy(Golden.numbers(GOLDEN, "start"), 0, units.probabilities, 0, HIDDEN);
        return units;
    }

    @Test
    void ratiosOfBesselFunctions() {
        for (Object entry : (List<?>) GOLDEN.get("ratios")) {
            Map<?, ?> point = (Map<?, ?>) entry;
            double ratio = Golden.number(point, "ratio");
            assertThat(BesselRatio.ofOneToZero(Golden.number(point, "w"))).isCloseTo(ratio, close(ratio));
        }
        for (Object entry : (List<?>) GOLDEN.get("gig")) {
            Map<?, ?> point = (Map<?, ?>) entry;
            double a = Golden.number(point, "a");
            double b = Golden.number(point, "b");
            double mean = Golden.number(point, "mean");
            double inverse = Golden.number(point, "inv_mean");
            assertThat(BesselRatio.meanOfInverseGaussian(a, b)).isCloseTo(mean, close(mean));
            assertThat(BesselRatio.meanInverseOfInverseGaussian(a, b)).isCloseTo(inverse, close(inverse));
        }
    }

    /** What uncertain weights add to ⟨ψ²⟩ without centring is Σ_k Var w_kj ⟨z_k⟩. */
    @Test
    void augmentationAtTheMeanSquare() {
        double[] variances = Golden.numbers(GOLDEN, "weightVariances");
        double[] start = Golden.numbers(GOLDEN, "start");
        double[] margin = new double[COLUMNS];
        for (int j = 0; j < COLUMNS; j++) {
            margin[j] = variances[j * HIDDEN] * start[0] + variances[j * HIDDEN + 1] * start[1];
        }
        HiddenUnits units = loaded(Golden.numbers(GOLDEN, "hiddenBiases"), margin);
        units.refresh();
        double[] expected = Golden.numbers(GOLDEN, "augmentation");
        for (int j = 0; j < COLUMNS; j++) {
            assertThat(units.augmentation()[j]).isCloseTo(expected[j], close(1));
        }
    }

    /** The reference takes ξ at ⟨ψ⟩ and has − ½ Σ_j ξ_j Var w_kj, which is a change of b here. */
    @Test
    void oneSweep() {
        double[] augmentation = Golden.numbers(GOLDEN, "augmentationAtMean");
        double[] variances = Golden.numbers(GOLDEN, "weightVariances");
        double[] biases = Golden.numbers(GOLDEN, "hiddenBiases");
        for (int j = 0; j < COLUMNS; j++) {
            for (int k = 0; k < HIDDEN; k++) {
                biases[k] -= 0.5 * augmentation[j] * variances[j * HIDDEN + k];
            }
        }
        HiddenUnits units = loaded(biases, new double[COLUMNS]);
        units.refresh();
        System.arraycopy(augmentation, 0, units.augmentation, 0, COLUMNS);
        units.refreshResiduals();
        units.sweep();
        double[] logits = Golden.numbers(GOLDEN, "logits");
        double[] probabilities = Golden.numbers(GOLDEN, "probabilities");
        for (int k = 0; k < HIDDEN; k++) {
            assertThat(units.probabilities()[k]).isCloseTo(probabilities[k], close(1));
            assertThat(SpecialFunctions.logit(units.probabilities()[k])).isCloseTo(logits[k], close(1));
        }
    }

    @Test
    void updatesOfWeightsAndHiddenBiases() {
        double[] second = Golden.numbers(GOLDEN, "secondOrder");
        double[] probabilities = Golden.numbers(GOLDEN, "probabilities");
        double[] augmentation = Golden.numbers(GOLDEN, "augmentationAtMean");
        double[] record = Golden.numbers(GOLDEN, "record");
        double[] biases = Golden.numbers(GOLDEN, "biases");
        double[] expected = Golden.numbers(GOLDEN, "weightUpdate");
        for (int j = 0; j < COLUMNS; j++) {
            double[] precision = java.util.Arrays.copyOfRange(second, 4 * j, 4 * j + 4);
            double[] first = new double[HIDDEN];
            for (int k = 0; k < HIDDEN; k++) {
                precision[3 * k] += 1;
                first[k] = probabilities[k] * (record[j] - 0.5 - biases[j] * augmentation[j]);
            }
            double[] solution = PolyaGammaBelief.solved(HIDDEN, precision, first);
            for (int k = 0; k < HIDDEN; k++) {
                assertThat(solution[k]).isCloseTo(expected[j * HIDDEN + k], close(1));
            }
        }
        double[] before = Golden.numbers(GOLDEN, "hiddenBiases");
        double[] after = Golden.numbers(GOLDEN, "hiddenBiasUpdate");
        for (int k = 0; k < HIDDEN; k++) {
            assertThat(PolyaGammaBelief.hiddenBiasStep(probabilities[k] - 0.5, 1, before[k]))
                    .isCloseTo(after[k], close(1));
        }
    }

    @Test
    void shrinkingPrior() {
        double[] squares = byUnit(Golden.numbers(GOLDEN, "weights"));
        double[] variances = byUnit(Golden.numbers(GOLDEN, "weightVariances"));
        for (int i = 0; i < squares.length; i++) {
            squares[i] = squares[i] * squares[i] + variances[i];
        }
        double[] after = ThreeParameterBetaNormal.updated(
                COLUMNS, HIDDEN, squares, ThreeParameterBetaNormal.start(COLUMNS, HIDDEN));
        Map<?, ?> expected = Golden.object(GOLDEN, "shrinkage");
        double[] inverses = byUnit(Golden.numbers(expected, "meanInverse"));
        double[] scales = byUnit(Golden.numbers(expected, "scales"));
        for (int i = 0; i < inverses.length; i++) {
            assertThat(after[i]).isCloseTo(inverses[i], close(inverses[i]));
            assertThat(after[6 + i]).isCloseTo(scales[i], close(1));
        }
        double[] phi = Golden.numbers(expected, "phi");
        assertThat(after[12]).isCloseTo(phi[0], close(1));
        assertThat(after[13]).isCloseTo(phi[1], close(1));
        assertThat(after[14]).isCloseTo(Golden.number(expected, "omega"), close(1));
    }
}
