package dev.tacit.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.inference.bayes.ResidualNewton;
import dev.tacit.inference.vi.DpVariationalInference;
import dev.tacit.model.DensityModel;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.regression.LogisticRegression;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a run could not do is refused by its plan or by the data set, while it costs nothing. */
class RefusedBeforeTheChargeTest {
    private static final List<String> NAMES = List.of("age", "debt");

    /** A model of somebody's own: Poisson counts with a normal prior. */
    private static DifferentiableModel own(double priorAtStart) {
        return DensityModel.of(
                ParameterSpace.of("w", Transforms.real(2)),
                new double[2],
                (p, g) -> {
                    g[0] -= p[0];
                    g[1] -= p[1];
                    return priorAtStart;
                },
                (x, y, p, g) -> 0);
    }

    @Test
    void aModelWithoutAMarginHasNoExpectation() {
        DpVariationalInference.Settings standard = DpVariationalInference.Settings.forRows(1);
        DpVariationalInference expectation = new DpVariationalInference(standard);
        assertThatThrownBy(() -> expectation.plan(own(0), 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("choose draws");
        DpVariationalInference draws =
                new DpVariationalInference(standard.with(DpVariationalInference.Estimator.DRAWS));
        assertThat(draws.plan(own(0), 100).releases()).isEqualTo(800);
    }

    @Test
    void aPriorIsFiniteWhereInferenceStarts() {
        DpVariationalInference draws = new DpVariationalInference(
                DpVariationalInference.Settings.forRows(1).with(DpVariationalInference.Estimator.DRAWS));
        assertThatThrownBy(() -> draws.plan(own(Double.NEGATIVE_INFINITY), 100))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prior");
    }

    /** The arguments of a model are doubles, and two of them swapped still compile. */
    @Test
    void swappedNumbersMeetTheDeclaredNormOfRows() throws Exception {
        RecordsInMemory records =
                RecordsInMemory.of(DenseBlock.of(1, 2, new double[] {0.6, 0.8}, new double[] {1}), true);
        PrivateDataset data = LocalSummation.dataset(records, PrivacyUnit.record(Neighbours.ADD_REMOVE), 100)
                .withRowNorm(1);
        ResidualNewton kernel = new ResidualNewton(ResidualNewton.Settings.standard());
        ReleasePlan meant = kernel.plan(new LogisticRegression(NAMES, 1, 0.3), 100);
        PrivacyLedger ledger = Runs.ledger(data, meant, 2);

        ReleasePlan swapped = kernel.plan(new LogisticRegression(NAMES, 0.3, 1), 100);
        assertThatThrownBy(() -> data.open(
                        RunRequest.of("swapped", swapped),
                        new DiscreteGaussianMechanism(2),
                        ledger,
                        ReplayNoise.ofSeed(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("rows of norm up to 0.3");
        assertThat(ledger.entries()).isEmpty();

        data.open(RunRequest.of("meant", meant), new DiscreteGaussianMechanism(2), ledger, ReplayNoise.ofSeed(1));
        assertThat(ledger.entries()).hasSize(1);
    }
}
