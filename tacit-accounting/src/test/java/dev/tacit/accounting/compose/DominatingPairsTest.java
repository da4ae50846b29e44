package dev.tacit.accounting.compose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.accounting.curve.DiscreteGaussianCurves;
import dev.tacit.accounting.curve.GaussianCurves;
import dev.tacit.accounting.curve.LaplaceCurves;
import dev.tacit.accounting.curve.PureCurves;
import dev.tacit.accounting.curve.ZeroConcentratedCurves;
import dev.tacit.accounting.pair.DiscreteGaussianPair;
import dev.tacit.accounting.pair.FixedSizeSampledPair;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.accounting.pair.PoissonReplaceGaussianPair;
import dev.tacit.accounting.pair.PoissonReplaceLaplacePair;
import dev.tacit.accounting.pair.PoissonSampledPair;
import dev.tacit.accounting.pair.RandomizedResponsePair;
import dev.tacit.accounting.pair.ReversedPair;
import dev.tacit.door.unit.Neighbours;
import org.junit.jupiter.api.Test;

class DominatingPairsTest {
    private static final Sampling NONE = new Sampling.None();
    private static final Sampling POISSON = new Sampling.Poisson(0.1);
    private static final Sampling FIXED = new Sampling.FixedSize(1, 8);

    @Test
    void withoutSamplingItIsTheMechanismsPair() throws UnsupportedEventException {
        Phase phase = new Phase(NONE, new GaussianCurves(2), 5);
        assertThat(DominatingPairs.of(phase, Neighbours.ADD_REMOVE)).containsExactly(new GaussianPair(0.5));
        assertThat(DominatingPairs.of(phase, Neighbours.REPLACE_ONE)).containsExactly(new GaussianPair(1));
    }

    @Test
    void poissonSamplingHasTwoDirections() throws UnsupportedEventException {
        PoissonSampledPair removed = new PoissonSampledPair(new GaussianPair(0.5), 0.1);
        assertThat(DominatingPairs.of(new Phase(POISSON, new GaussianCurves(2), 1), Neighbours.ADD_REMOVE))
                .containsExactly(removed, new ReversedPair(removed));
    }

    @Test
    void poissonReplaceOneUsesThePairTheMechanismBrings() throws UnsupportedEventException {
        assertThat(DominatingPairs.of(new Phase(POISSON, new GaussianCurves(2), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new PoissonReplaceGaussianPair(2, 0.1));
        assertThat(DominatingPairs.of(new Phase(POISSON, new LaplaceCurves(2), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new PoissonReplaceLaplacePair(0.5, 0.1));
    }

    @Test
    void fixedSizeSamplingUsesTheTwoBranchPair() throws UnsupportedEventException {
        double rate = Math.nextUp(Math.nextUp(0.125));
        assertThat(DominatingPairs.of(new Phase(FIXED, new PureCurves(1), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new FixedSizeSampledPair(new RandomizedResponsePair(1), rate));
        assertThat(DominatingPairs.of(new Phase(FIXED, new DiscreteGaussianCurves(3), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new FixedSizeSampledPair(new DiscreteGaussianPair(3, 2), rate));
    }

    @Test
    void refusesWhatNoTheoremCovers() {
        assertThatThrownBy(() -> DominatingPairs.of(new Phase(FIXED, new GaussianCurves(1), 1), Neighbours.ADD_REMOVE))
                .isInstanceOf(UnsupportedEventException.class)
                .hasMessageContaining("ask with replace-one");
        assertThatThrownBy(() -> DominatingPairs.of(new Phase(POISSON, new PureCurves(1), 1), Neighbours.REPLACE_ONE))
                .isInstanceOf(UnsupportedEventException.class);
        assertThatThrownBy(() ->
                        DominatingPairs.of(new Phase(NONE, new ZeroConcentratedCurves(1), 1), Neighbours.ADD_REMOVE))
                .isInstanceOf(UnsupportedEventException.class)
                .hasMessageContaining("zcdp");
        assertThatThrownBy(() ->
                        DominatingPairs.of(new Phase(NONE, new DiscreteGaussianCurves(1e10), 1), Neighbours.ADD_REMOVE))
                .isInstanceOf(UnsupportedEventException.class);
    }
}
