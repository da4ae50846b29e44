package dev.tacit.experiments.objective;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.calibrate.CalibrationException;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.experiments.objective.ObjectivePerturbation.Noise;
import dev.tacit.model.regression.LogisticRegression;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ObjectivePerturbationTest {
    private static final LogisticRegression MODEL = new LogisticRegression(List.of("a", "b", "c"), 2, 1.2);

    /** The whole budget is used, and a small one makes the regularisation large enough. */
    @ParameterizedTest
    @EnumSource(Noise.class)
    void budgetsAreKeptAndUsed(Noise noise) throws CalibrationException {
        for (double epsilon : new double[] {0.1, 1}) {
            PerturbedMinimum request = ObjectivePerturbation.calibrated(
                    MODEL, noise, new PrivacyBudget(epsilon, 1e-5), new ExactAccountant());
            double spent = new ExactAccountant()
                    .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                    .upper();
            assertThat(spent).isBetween(0.98 * epsilon, epsilon);
            assertThat(request.curvature()).isLessThan(epsilon);
            double deviation = request.linearTerm().noiseMultiplier(3) * 2;
            assertThat(request.regularisation()).isGreaterThanOrEqualTo(deviation * Math.sqrt(1.2));
        }
    }
}
