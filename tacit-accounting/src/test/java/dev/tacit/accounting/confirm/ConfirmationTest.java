package dev.tacit.accounting.confirm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.compose.CertifiedInterval;
import dev.tacit.accounting.confirm.Confirmed.Agreement;
import dev.tacit.accounting.curve.DiscreteGaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfirmationTest {
    private static final double DELTA = 1e-5;

    /** A count on all records, then steps on batches: what a fit charges. */
    private static PrivacyEvent fit(double noiseMultiplier, double rate, long steps) {
        return PrivacyEvent.gaussian(30)
                .then(PrivacyEvent.gaussian(noiseMultiplier)
                        .poissonSampled(rate)
                        .times(steps));
    }

    private static EpsilonBound.Between exact(PrivacyEvent event, Neighbours neighbours) {
        return (EpsilonBound.Between) new ExactAccountant().epsilon(event, DELTA, neighbours);
    }

    private static Confirmed confirm(PrivacyEvent event, Neighbours neighbours) {
        return new Confirmation().confirm(exact(event, neighbours), event, DELTA, neighbours);
    }

    @Test
    void plansOfTheUsualKindAreConfirmedByAnIntervalThatMeets() {
        List<PrivacyEvent> addRemove = List.of(
                PrivacyEvent.gaussian(2),
                PrivacyEvent.gaussian(5).times(8),
                fit(1, 0.01, 1000),
                fit(4, 0.2, 200),
                fit(2, 0.05, 2000),
                PrivacyEvent.gaussian(1.5).poissonSampled(0.05).times(20),
                new PureCurves(0.1).release().times(50),
                new PrivacyEvent.Disjoint(List.of(fit(2, 0.05, 100), fit(3, 0.05, 100))));
        for (PrivacyEvent event : addRemove) {
            assertThat(confirm(event, Neighbours.ADD_REMOVE).agreement())
                    .as("%s", event)
                    .isEqualTo(Agreement.MEET);
        }
        for (PrivacyEvent event : List.of(
                PrivacyEvent.gaussian(4).fixedSizeSampled(10, 1000).times(500),
                PrivacyEvent.gaussian(4).poissonSampled(0.02).times(500))) {
            assertThat(confirm(event, Neighbours.REPLACE_ONE).agreement())
                    .as("%s", event)
                    .isEqualTo(Agreement.MEET);
        }
    }

    /** The two names are those of engines that share no code, which ArchitectureTest checks. */
    @Test
    void theSecondIsNeverTheFirst() {
        Map<PrivacyEvent, String> expected = Map.of(
                PrivacyEvent.gaussian(5).times(8), "contour integral at the saddle point",
                fit(1, 0.01, 1000), "tilted FFT on a lattice of losses",
                new PureCurves(0.1).release().times(50), "tilted FFT on a lattice of losses");
        expected.forEach((event, second) -> {
            Confirmed confirmed = confirm(event, Neighbours.ADD_REMOVE);
            assertThat(confirmed.second()).isEqualTo(second).isNotEqualTo(confirmed.first());
        });
    }

    /** Laplace releases are answered by the lattice, which nobody else can; the Rényi bound is then the second opinion. */
    @Test
    void whereNoSecondIntervalExistsTheRenyiBoundIsAsked() {
        for (PrivacyEvent event : List.of(
                new LaplaceCurves(5).release().times(20),
                new DiscreteGaussianCurves(3).release().times(5))) {
            assertThat(confirm(event, Neighbours.ADD_REMOVE))
                    .isEqualTo(
                            new Confirmed("tilted FFT on a lattice of losses", "the Rényi bound", Agreement.NOT_ABOVE));
        }
        PrivacyEvent concentrated = new ZeroConcentratedCurves(0.1).release().times(3);
        assertThat(confirm(concentrated, Neighbours.ADD_REMOVE).agreement()).isEqualTo(Agreement.ALONE);
    }

    /** One per cent too low is what a wrong statement would be; too high is found as well. */
    @ParameterizedTest
    @ValueSource(doubles = {0.99, 1.01})
    void aFirstEngineThatIsWrongByOnePerCentIsRefused(double factor) {
        for (PrivacyEvent event : List.of(PrivacyEvent.gaussian(5).times(8), fit(1, 0.01, 1000), fit(4, 0.2, 200))) {
            EpsilonBound.Between right = exact(event, Neighbours.ADD_REMOVE);
            EpsilonBound.Between wrong = new EpsilonBound.Between(
                    factor * right.lower(), factor * right.epsilon(), right.errors(), right.source());
            assertThatThrownBy(() -> new Confirmation().confirm(wrong, event, DELTA, Neighbours.ADD_REMOVE))
                    .as("%s", event)
                    .isInstanceOf(EnginesDisagreeException.class)
                    .hasMessageContaining(right.source())
                    .hasMessageContaining("nothing is printed or charged");
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.99, 1.01})
    void aSecondEngineThatIsWrongByOnePerCentIsRefused(double factor) {
        PrivacyEvent event = fit(1, 0.01, 1000);
        Confirmation sabotaged = new Confirmation(
                (phases, delta, neighbours) -> new GridOpinion()
                        .epsilon(phases, delta, neighbours)
                        .map(right -> new CertifiedInterval(
                                factor * right.lower(), factor * right.upper(), right.errors(), right.source())),
                new ContourOpinion());
        EpsilonBound.Between printed = exact(event, Neighbours.ADD_REMOVE);
        assertThatThrownBy(() -> sabotaged.confirm(printed, event, DELTA, Neighbours.ADD_REMOVE))
                .isInstanceOf(EnginesDisagreeException.class);
    }

    /** Without a second interval, a lower end above the Rényi bound is the one contradiction that can be found. */
    @Test
    void aLowerEndAboveTheRenyiBoundIsRefused() {
        PrivacyEvent event = fit(1, 0.01, 1000);
        SecondEngine silent = (phases, delta, neighbours) -> Optional.empty();
        Confirmation alone = new Confirmation(silent, silent);
        EpsilonBound.Between right = exact(event, Neighbours.ADD_REMOVE);
        assertThat(alone.confirm(right, event, DELTA, Neighbours.ADD_REMOVE).agreement())
                .isEqualTo(Agreement.NOT_ABOVE);
        EpsilonBound.Between wrong =
                new EpsilonBound.Between(2 * right.lower(), 2 * right.epsilon(), right.errors(), right.source());
        assertThatThrownBy(() -> alone.confirm(wrong, event, DELTA, Neighbours.ADD_REMOVE))
                .isInstanceOf(EnginesDisagreeException.class);
    }

    @Test
    void everyAgreementIsSaidInOneSentenceAndReadBack() {
        List<String> sentences = new ArrayList<>();
        for (Agreement agreement : Agreement.values()) {
            assertThat(Agreement.ofLabel(agreement.label())).isEqualTo(agreement);
            sentences.add(new Confirmed("one", "another", agreement).sentence());
        }
        assertThat(sentences).doesNotHaveDuplicates().allMatch(sentence -> sentence.endsWith("."));
    }
}
