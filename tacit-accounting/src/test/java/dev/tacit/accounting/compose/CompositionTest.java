package dev.tacit.accounting.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompositionTest {
    private static final PrivacyEvent STEP = PrivacyEvent.gaussian(2).poissonSampled(0.1);

    private static List<List<Phase>> alternatives(PrivacyEvent event, Neighbours neighbours)
            throws UnsupportedEventException {
        return Composition.of(event, neighbours).alternatives();
    }

    private static List<Phase> phases(PrivacyEvent event) throws UnsupportedEventException {
        List<List<Phase>> alternatives = alternatives(event, Neighbours.ADD_REMOVE);
        assertThat(alternatives).hasSize(1);
        return alternatives.get(0);
    }

    @Test
    void repetitionsMultiplyAndEqualPhasesMerge() throws UnsupportedEventException {
        PrivacyEvent event = STEP.times(3).then(STEP.times(4).times(5)).then(STEP);
        assertThat(phases(event)).containsExactly(new Phase(new Sampling.Poisson(0.1), new GaussianCurves(2), 24));
    }

    @Test
    void nothingIsNoPhase() throws UnsupportedEventException {
        assertThat(phases(PrivacyEvent.nothing())).isEmpty();
        assertThat(phases(STEP.times(0))).isEmpty();
        assertThat(phases(PrivacyEvent.gaussian(1).poissonSampled(0))).isEmpty();
    }

    @Test
    void samplingEveryRecordIsNoSampling() throws UnsupportedEventException {
        List<Phase> plain = phases(PrivacyEvent.gaussian(1));
        assertThat(phases(PrivacyEvent.gaussian(1).poissonSampled(1))).isEqualTo(plain);
        assertThat(phases(PrivacyEvent.gaussian(1).fixedSizeSampled(7, 7))).isEqualTo(plain);
    }

    @Test
    void nestedPoissonSamplingMultipliesRates() throws UnsupportedEventException {
        Phase phase = phases(STEP.poissonSampled(0.5)).get(0);
        assertThat(((Sampling.Poisson) phase.sampling()).rate()).isCloseTo(0.05, within(1e-17));
    }

    @Test
    void severalGaussiansOnOneBatchAreOneOfTheirJointPrecision() throws UnsupportedEventException {
        PrivacyEvent joint =
                PrivacyEvent.gaussian(3).then(PrivacyEvent.gaussian(4)).poissonSampled(0.2);
        double noiseMultiplier = ((GaussianCurves) phases(joint).get(0).curves()).noiseMultiplier();
        assertThat(noiseMultiplier).isLessThan(2.4).isCloseTo(2.4, within(1e-13));
    }

    @Test
    void disjointPartsAreAlternativesUnderAddRemove() throws UnsupportedEventException {
        PrivacyEvent event = new PrivacyEvent.Disjoint(List.of(STEP, STEP.times(2))).then(PrivacyEvent.gaussian(9));
        assertThat(alternatives(event, Neighbours.ADD_REMOVE)).hasSize(2).allMatch(phases -> phases.size() == 2);
    }

    @Test
    void refusesWhatHasNoMeaning() {
        PrivacyEvent parts = new PrivacyEvent.Disjoint(List.of(STEP, STEP.times(2)));
        List<PrivacyEvent> refused = List.of(
                parts.times(2),
                parts.poissonSampled(0.5),
                new PureCurves(1).release().times(2).poissonSampled(0.1),
                PrivacyEvent.gaussian(1).fixedSizeSampled(1, 10).poissonSampled(0.5),
                STEP.fixedSizeSampled(1, 10),
                STEP.times(Long.MAX_VALUE).times(3),
                new PrivacyEvent.NotPrivate("a look at the data"));
        for (PrivacyEvent event : refused) {
            assertThatThrownBy(() -> Composition.of(event, Neighbours.ADD_REMOVE))
                    .as("%s", event)
                    .isInstanceOf(UnsupportedEventException.class);
        }
        assertThatThrownBy(() -> Composition.of(parts, Neighbours.REPLACE_ONE))
                .isInstanceOf(UnsupportedEventException.class);
    }
}
