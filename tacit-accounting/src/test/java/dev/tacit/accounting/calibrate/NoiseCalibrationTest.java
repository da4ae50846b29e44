package dev.tacit.accounting.calibrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoiseCalibrationTest {
    private static final ExactAccountant EXACT = new ExactAccountant();

    private static double epsilon(PrivacyAccountant accountant, PrivacyEvent event, double delta) {
        return accountant.epsilon(event, delta, Neighbours.ADD_REMOVE).upper();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1e-5, 0.01, 10000",
        "0.1, 1e-6, 1, 1",
        "8, 1e-5, 0.2, 500",
        "50, 1e-8, 0.5, 100",
        "0.01, 0.001, 0.001, 1000"
    })
    void noiseKeepsTheBudgetAndALittleLessWouldBreakIt(double epsilon, double delta, double rate, long steps)
            throws CalibrationException {
        for (PrivacyAccountant accountant : List.of(EXACT, new RenyiAccountant())) {
            double noise = NoiseCalibration.noiseMultiplier(
                    s -> PrivacyEvent.gaussian(s).poissonSampled(rate).times(steps),
                    new PrivacyBudget(epsilon, delta),
                    accountant,
                    Neighbours.ADD_REMOVE);
            PrivacyEvent kept =
                    PrivacyEvent.gaussian(noise).poissonSampled(rate).times(steps);
            PrivacyEvent broken = PrivacyEvent.gaussian(noise * (1 - 1e-9))
                    .poissonSampled(rate)
                    .times(steps);
            assertThat(epsilon(accountant, kept, delta)).isLessThanOrEqualTo(epsilon);
            assertThat(epsilon(accountant, broken, delta)).isGreaterThan(epsilon);
        }
    }

    @Test
    void stepsAndRateKeepTheBudgetAndOneMoreWouldBreakIt() throws CalibrationException {
        PrivacyBudget budget = new PrivacyBudget(2, 1e-5);
        PrivacyEvent step = PrivacyEvent.gaussian(1.1).poissonSampled(0.004);
        long steps = NoiseCalibration.steps(step::times, budget, EXACT, Neighbours.ADD_REMOVE);
        assertThat(epsilon(EXACT, step.times(steps), 1e-5)).isLessThanOrEqualTo(2);
        assertThat(epsilon(EXACT, step.times(steps + 1), 1e-5)).isGreaterThan(2);

        double rate = NoiseCalibration.samplingRate(
                q -> PrivacyEvent.gaussian(1.1).poissonSampled(q).times(5000), budget, EXACT, Neighbours.ADD_REMOVE);
        assertThat(epsilon(
                        EXACT, PrivacyEvent.gaussian(1.1).poissonSampled(rate).times(5000), 1e-5))
                .isLessThanOrEqualTo(2);
        assertThat(epsilon(
                        EXACT,
                        PrivacyEvent.gaussian(1.1)
                                .poissonSampled(rate * (1 + 1e-8))
                                .times(5000),
                        1e-5))
                .isGreaterThan(2);
    }

    @Test
    void aTargetOfZeroEpsilonIsReachedByDeltaAlone() throws CalibrationException {
        double noise = NoiseCalibration.noiseMultiplier(
                PrivacyEvent::gaussian, new PrivacyBudget(0, 0.01), EXACT, Neighbours.ADD_REMOVE);
        assertThat(epsilon(EXACT, PrivacyEvent.gaussian(noise), 0.01)).isZero();
        assertThat(epsilon(EXACT, PrivacyEvent.gaussian(noise * (1 - 1e-8)), 0.01))
                .isPositive();
    }

    @Test
    void saysWhyNothingFits() {
        PrivacyEvent open = new PrivacyEvent.NotPrivate("a look at the data");
        assertThatThrownBy(() -> NoiseCalibration.noiseMultiplier(
                        s -> PrivacyEvent.gaussian(s).then(open),
                        new PrivacyBudget(1, 1e-5),
                        EXACT,
                        Neighbours.ADD_REMOVE))
                .isInstanceOf(CalibrationException.class)
                .hasMessageContaining("keeps this budget");
        assertThatThrownBy(() -> NoiseCalibration.steps(
                        PrivacyEvent.gaussian(0.1)::times, new PrivacyBudget(1, 1e-5), EXACT, Neighbours.ADD_REMOVE))
                .isInstanceOf(CalibrationException.class)
                .hasMessageContaining("one step");
    }
}
