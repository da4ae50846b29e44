package dev.tacit.accounting.classic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.accounting.curve.DiscreteGaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.accounting.exact.closed.GaussianClosedForm;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.accounting.renyi.ZeroConcentratedAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import org.junit.jupiter.api.Test;

class GroupPrivacyTest {
    private static final PrivacyAccountant RENYI = new RenyiAccountant();

    private static double epsilon(PrivacyAccountant accountant, PrivacyEvent event, int group) {
        return GroupPrivacy.epsilon(accountant, event, group, 1e-6, Neighbours.ADD_REMOVE)
                .upper();
    }

    @Test
    void conversionsOfSingleGuarantees() {
        assertThat(GroupPrivacy.pure(0.5, 3)).isBetween(1.5, 1.5000000001);
        assertThat(GroupPrivacy.zeroConcentrated(0.1, 4)).isBetween(1.6, 1.6000000001);
        double factor = 1 + Math.exp(0.5) + Math.exp(1);
        assertThat(GroupPrivacy.delta(0.5, 1e-6, 3)).isBetween(factor * 1e-6, factor * 1e-6 * (1 + 1e-11));
        assertThat(GroupPrivacy.delta(0, 1e-6, 7)).isCloseTo(7e-6, within(1e-16));
        assertThat(GroupPrivacy.delta(1000, 1e-6, 100)).isEqualTo(1);
        assertThat(GroupPrivacy.delta(1, 0, 5)).isZero();
    }

    @Test
    void aGroupOfOneIsTheEvent() {
        PrivacyEvent event = PrivacyEvent.gaussian(2).poissonSampled(0.1).times(10);
        assertThat(epsilon(RENYI, event, 1))
                .isEqualTo(RENYI.epsilon(event, 1e-6, Neighbours.ADD_REMOVE).upper());
    }

    @Test
    void gaussianNoiseIsExactForGroups() {
        PrivacyEvent event = PrivacyEvent.gaussian(30).times(9);
        double exact = GaussianClosedForm.epsilonLower(5 * 3 / 30.0, 1e-6);
        assertThat(epsilon(RENYI, event, 5)).isGreaterThanOrEqualTo(exact).isLessThan(1.15 * exact);
        assertThat(epsilon(new BasicCompositionAccountant(), PrivacyEvent.gaussian(30), 5))
                .isBetween(
                        GaussianClosedForm.epsilonLower(5 / 30.0, 1e-6),
                        GaussianClosedForm.epsilonUpper(5 / 30.0, 1e-6) * (1 + 1e-12));
    }

    @Test
    void boundedLossesScaleWithTheGroup() {
        assertThat(epsilon(new BasicCompositionAccountant(), new LaplaceCurves(10).release(), 4))
                .isBetween(0.4 + 2 * Math.log1p(-1e-6) - 1e-12, 0.4);
        assertThat(epsilon(new BasicCompositionAccountant(), new PureCurves(0.1).release(), 4))
                .isBetween(0.399, 0.4000001);
        double zero = epsilon(new ZeroConcentratedAccountant(), new ZeroConcentratedCurves(0.01).release(), 4);
        assertThat(zero)
                .isEqualTo(
                        new ZeroConcentratedAccountant()
                                .epsilon(new ZeroConcentratedCurves(0.16).release(), 1e-6, Neighbours.ADD_REMOVE)
                                .upper(),
                        within(1e-9));
    }

    @Test
    void sampledEventsGoThroughTheConversionAndAreValid() {
        PrivacyEvent event = PrivacyEvent.gaussian(2).poissonSampled(0.01).times(100);
        double single = epsilon(RENYI, event, 1);
        double group = epsilon(RENYI, event, 3);
        assertThat(group).isGreaterThan(3 * single);
        double point = group / 3;
        double delta = RENYI.delta(event, point, Neighbours.ADD_REMOVE).upper();
        assertThat(GroupPrivacy.delta(point, delta, 3)).isLessThanOrEqualTo(1e-6 * (1 + 1e-6));
    }

    @Test
    void theConversionIsAboveTheExactAnswerWhereBothExist() {
        PrivacyEvent event = new DiscreteGaussianCurves(20).release().times(2);
        double converted = epsilon(RENYI, event, 2);
        double exact = GaussianClosedForm.epsilonLower(2 * Math.sqrt(2) / 20, 1e-6);
        assertThat(converted).isGreaterThan(exact);
    }

    @Test
    void refusalsPassThrough() {
        PrivacyEvent fixed = PrivacyEvent.gaussian(1).fixedSizeSampled(1, 3);
        assertThat(GroupPrivacy.epsilon(RENYI, fixed, 2, 1e-6, Neighbours.ADD_REMOVE))
                .isInstanceOf(EpsilonBound.Unsupported.class);
        assertThat(GroupPrivacy.epsilon(RENYI, new PrivacyEvent.NotPrivate("leak"), 2, 1e-6, Neighbours.ADD_REMOVE))
                .isInstanceOf(EpsilonBound.Unbounded.class);
        assertThatThrownBy(() -> GroupPrivacy.pure(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
