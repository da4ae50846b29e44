package dev.tacit.partitioned.gaussian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.inference.Runs;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.Parties;
import dev.tacit.partitioned.coordinator.Coordinator;
import dev.tacit.partitioned.coordinator.Schedule;
import dev.tacit.partitioned.update.VirtualClients;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a noisy approximation is read as. */
class RepairTest {
    private static final NaturalGaussian PRIOR = NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, 3, 0.5);
    private static final NaturalGaussian GLOBAL =
            NaturalGaussian.independent(GaussianFamily.MEAN_FIELD, new double[] {4, -2, 1}, new double[] {10, 0.8, -3});

    private static double[] precision(Repair repair, double noiseVariance, int roundsDone) {
        NaturalGaussian read = repair.read(GLOBAL, PRIOR, noiseVariance, roundsDone);
        assertThat(read.weightedMean()).containsExactly(4, -2, 1);
        return read.precisionDiagonal();
    }

    @Test
    void shrinksByTheNoiseAndIsCautiousAtTheStart() {
        assertThat(precision(new Repair(2, 100.0 / 9), 6, 2))
                .containsExactly(
                        new double[] {
                            10 + 6 * 0.5 / (2 * 10) + 1, 0.8 + 6 * 0.5 / (2 * 0.8) + 1, 0.5 + 6 * 0.5 / (2 * 0.5) + 1
                        },
                        within(1e-12));
        assertThat(precision(new Repair(Double.POSITIVE_INFINITY, 8), 6, 0))
                .containsExactly(new double[] {18, 8.8, 8.5}, within(1e-12));
    }

    @Test
    void withoutNoiseNothingIsLeftAfterManyRounds() {
        NaturalGaussian raised = GLOBAL.withPrecisionOf(PRIOR);
        assertThat(new Repair(0.3, 8).read(GLOBAL, PRIOR, 0, 40).naturalParameters())
                .isEqualTo(raised.naturalParameters());
        assertThat(Repair.floor().read(GLOBAL, PRIOR, 5, 0).naturalParameters()).isEqualTo(raised.naturalParameters());
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1, Double.NaN, Double.POSITIVE_INFINITY})
    void refusesWhatIsNoPrecision(double startPrecision) {
        assertThatThrownBy(() -> new Repair(1, startPrecision)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Sixteen columns that say the same, at parties of one label each: without caution the first steps are sixteen too many. */
    @Test
    void cautionKeepsColumnsThatSayTheSameFromOvershooting() {
        int columns = 16;
        DenseBlock single = Runs.logistic(400, new double[] {2}, RandomStream.ofSeed(3));
        double[] values = new double[400 * columns];
        double[] labels = new double[400];
        int next = 0;
        for (double label : new double[] {1, 0}) {
            for (int row = 0; row < 400; row++) {
                if (single.label(row) == label) {
                    Arrays.fill(values, next * columns, (next + 1) * columns, single.values()[single.start(row)] / 4);
                    labels[next++] = label;
                }
            }
        }
        DenseBlock rows = DenseBlock.of(400, columns, values, labels);
        LogisticRegression model = new LogisticRegression(Runs.names(columns), 1, 0.1);
        double startPrecision = VirtualClients.startPrecision(model, 400);
        assertThat(startPrecision).isCloseTo(0.25 * 400 / 16, within(1e-12));
        double cautious = furthestMargin(rows, model, new Repair(1, startPrecision));
        double bold = furthestMargin(rows, model, Repair.floor());
        assertThat(cautious).isLessThan(7);
        assertThat(bold).isGreaterThan(1.5 * cautious);
    }

    private static double furthestMargin(DenseBlock rows, LogisticRegression model, Repair repair) {
        NaturalGaussian prior =
                NaturalGaussian.centred(GaussianFamily.MEAN_FIELD, model.columns(), model.priorPrecision());
        double[] furthest = {0};
        new Coordinator(prior, new Coordinator.Settings(20, new Schedule.Sequential(), 0.1, repair), Optional.empty())
                .run(
                        Parties.notPrivate(
                                Parties.split(rows, 100, 100, 100, 100),
                                new VirtualClients(model, new VirtualClients.Settings(10, 1)),
                                prior,
                                0.1,
                                20),
                        (note, read, traffic) -> {
                            double margin = 0;
                            for (int j = 0; j < model.columns(); j++) {
                                margin += read.weightedMean()[j] / read.precisionDiagonal()[j] / 4;
                            }
                            furthest[0] = Math.max(furthest[0], Math.abs(margin));
                        });
        return furthest[0];
    }
}
