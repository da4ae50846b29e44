package dev.tacit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.classic.TradeOffCurve;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MembershipGuessTest {
    /** The worst mechanism of Kairouz et al. 2015 (four outcomes) lets the best guess succeed exactly this often. */
    @ParameterizedTest
    @CsvSource({"0.1, 0", "1, 1e-5", "1, 0.1", "3, 0.01", "8, 0.5"})
    void theWorstMechanismAttainsTheBound(double epsilon, double delta) {
        double large = (1 - delta) * Math.exp(epsilon) / (1 + Math.exp(epsilon));
        double small = (1 - delta) / (1 + Math.exp(epsilon));
        double[] one = {delta, large, small, 0};
        double[] other = {0, small, large, delta};
        double success = 0;
        for (int outcome = 0; outcome < one.length; outcome++) {
            success += 0.5 * Math.max(one[outcome], other[outcome]);
        }
        assertThat(MembershipGuess.success(epsilon, delta, OptionalDouble.empty()))
                .isGreaterThanOrEqualTo(success)
                .isCloseTo(success, within(1e-12));
    }

    @Test
    void deltaAtZeroIsSharperAndAgreesWithTheTradeOffCurve() {
        ExactAccountant accountant = new ExactAccountant();
        PrivacyEvent event = PrivacyEvent.gaussian(2);
        double delta = 1e-5;
        double epsilon = accountant.epsilon(event, delta, Neighbours.ADD_REMOVE).upper();
        double atZero = accountant.delta(event, 0, Neighbours.ADD_REMOVE).upper();
        double success = MembershipGuess.success(epsilon, delta, OptionalDouble.of(atZero));
        assertThat(success).isLessThan(MembershipGuess.success(epsilon, delta, OptionalDouble.empty()));
        TradeOffCurve curve = TradeOffCurve.of(accountant, event, Neighbours.ADD_REMOVE);
        double best = 0;
        for (double error = 0; error <= 1; error += 1.0 / 64) {
            best = Math.max(best, 1 - 0.5 * (error + curve.typeTwoError(error)));
        }
        assertThat(success).isGreaterThanOrEqualTo(best - 1e-9).isCloseTo(best, within(1e-3));
    }

    @Test
    void nothingSpentIsBlindGuessingAndEverythingIsCertainty() {
        assertThat(MembershipGuess.success(0, 0, OptionalDouble.empty())).isEqualTo(0.5);
        assertThat(MembershipGuess.success(0, 1, OptionalDouble.empty())).isEqualTo(1);
        assertThat(MembershipGuess.success(1e6, 0, OptionalDouble.empty())).isEqualTo(1);
        assertThat(MembershipGuess.success(Double.POSITIVE_INFINITY, 0, OptionalDouble.empty()))
                .isEqualTo(1);
    }
}
