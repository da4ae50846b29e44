package dev.tacit.accounting.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.numerics.NormalTail;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import org.apache.commons.numbers.gamma.InverseErfc;
import org.junit.jupiter.api.Test;

class TradeOffCurveTest {
    private static final PrivacyAccountant SINGLE = new BasicCompositionAccountant();

    @Test
    void isTheGaussianTradeOffForOneGaussianRelease() {
        for (double shift : new double[] {0.3, 1, 4}) {
            TradeOffCurve curve = TradeOffCurve.of(SINGLE, PrivacyEvent.gaussian(1 / shift), Neighbours.ADD_REMOVE);
            for (double typeOne : new double[] {1e-4, 0.01, 0.2, 0.5, 0.8, 0.99}) {
                double quantile = Math.sqrt(2) * InverseErfc.value(2 * typeOne);
                double exact = NormalTail.above(-(quantile - shift));
                assertThat(curve.typeTwoError(typeOne))
                        .as("shift %s at %s", shift, typeOne)
                        .isLessThanOrEqualTo(exact)
                        .isCloseTo(exact, within(1e-6));
            }
        }
    }

    @Test
    void isPiecewiseLinearForRandomisedResponse() {
        TradeOffCurve curve = TradeOffCurve.of(SINGLE, new PureCurves(1).release(), Neighbours.ADD_REMOVE);
        for (double typeOne : new double[] {0, 0.05, 0.3, 0.7}) {
            double exact = Math.max(1 - Math.E * typeOne, (1 - typeOne) / Math.E);
            assertThat(curve.typeTwoError(typeOne)).isLessThanOrEqualTo(exact).isCloseTo(exact, within(1e-5));
        }
    }

    @Test
    void decreasesAndStaysBelowGuessing() {
        TradeOffCurve curve = TradeOffCurve.of(
                new RenyiAccountant(),
                PrivacyEvent.gaussian(2).poissonSampled(0.1).times(20),
                Neighbours.ADD_REMOVE);
        double previous = 1;
        for (double typeOne = 0; typeOne <= 1; typeOne += 0.125) {
            double typeTwo = curve.typeTwoError(typeOne);
            assertThat(typeTwo).isBetween(0.0, 1 - typeOne).isLessThanOrEqualTo(previous + 1e-9);
            previous = typeTwo;
        }
    }

    @Test
    void promisesNothingForWhatCannotBeBounded() {
        TradeOffCurve refused =
                TradeOffCurve.of(SINGLE, PrivacyEvent.gaussian(1).fixedSizeSampled(1, 3), Neighbours.ADD_REMOVE);
        assertThat(refused.typeTwoError(0.1)).isZero();
        assertThatThrownBy(() -> refused.typeTwoError(1.5)).isInstanceOf(IllegalArgumentException.class);
    }
}
