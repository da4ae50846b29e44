package dev.tacit.privacy.accountant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.privacy.event.DiscreteGaussianPair;
import dev.tacit.privacy.event.DiscreteGaussianProfile;
import dev.tacit.privacy.event.FixedSizeSampledPair;
import dev.tacit.privacy.event.GaussianPair;
import dev.tacit.privacy.event.GaussianProfile;
import dev.tacit.privacy.event.LaplaceProfile;
import dev.tacit.privacy.event.PoissonReplaceGaussianPair;
import dev.tacit.privacy.event.PoissonReplaceLaplacePair;
import dev.tacit.privacy.event.PoissonSampledPair;
import dev.tacit.privacy.event.PureProfile;
import dev.tacit.privacy.event.RandomizedResponsePair;
import dev.tacit.privacy.event.ReversedPair;
import dev.tacit.privacy.event.ZeroConcentratedProfile;
import dev.tacit.privacy.unit.Neighbours;
import org.junit.jupiter.api.Test;

class DominatingPairsTest {
    private static final Sampling NONE = new Sampling.None();
    private static final Sampling POISSON = new Sampling.Poisson(0.1);
    private static final Sampling FIXED = new Sampling.FixedSize(1, 8);

    @Test
    void withoutSamplingItIsTheMechanismsPair() throws UnsupportedEventException {
        Phase phase = new Phase(NONE, new GaussianProfile(2), 5);
        assertThat(DominatingPairs.of(phase, Neighbours.ADD_REMOVE)).containsExactly(new GaussianPair(0.5));
        assertThat(DominatingPairs.of(phase, Neighbours.REPLACE_ONE)).containsExactly(new GaussianPair(1));
    }

    @Test
    void poissonSamplingHasTwoDirections() throws UnsupportedEventException {
        PoissonSampledPair removed = new PoissonSampledPair(new GaussianPair(0.5), 0.1);
        assertThat(DominatingPairs.of(new Phase(POISSON, new GaussianProfile(2), 1), Neighbours.ADD_REMOVE))
                .containsExactly(removed, new ReversedPair(removed));
    }

    @Test
    void poissonReplaceOneUsesThePairTheMechanismBrings() throws UnsupportedEventException {
        assertThat(DominatingPairs.of(new Phase(POISSON, new GaussianProfile(2), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new PoissonReplaceGaussianPair(2, 0.1));
        assertThat(DominatingPairs.of(new Phase(POISSON, new LaplaceProfile(2), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new PoissonReplaceLaplacePair(0.5, 0.1));
    }

    @Test
    void fixedSizeSamplingUsesTheTwoBranchPair() throws UnsupportedEventException {
        double rate = Math.nextUp(Math.nextUp(0.125));
        assertThat(DominatingPairs.of(new Phase(FIXED, new PureProfile(1), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new FixedSizeSampledPair(new RandomizedResponsePair(1), rate));
        assertThat(DominatingPairs.of(new Phase(FIXED, new DiscreteGaussianProfile(3), 1), Neighbours.REPLACE_ONE))
                .containsExactly(new FixedSizeSampledPair(new DiscreteGaussianPair(3, 2), rate));
    }

    @Test
    void refusesWhatNoTheoremCovers() {
        assertThatThrownBy(() -> DominatingPairs.of(new Phase(FIXED, new GaussianProfile(1), 1), Neighbours.ADD_REMOVE))
                .isInstanceOf(UnsupportedEventException.class)
                .hasMessageContaining("ask with replace-one");
        assertThatThrownBy(() -> DominatingPairs.of(new Phase(POISSON, new PureProfile(1), 1), Neighbours.REPLACE_ONE))
                .isInstanceOf(UnsupportedEventException.class);
        assertThatThrownBy(() ->
                        DominatingPairs.of(new Phase(NONE, new ZeroConcentratedProfile(1), 1), Neighbours.ADD_REMOVE))
                .isInstanceOf(UnsupportedEventException.class)
                .hasMessageContaining("zcdp");
        assertThatThrownBy(() -> DominatingPairs.of(
                        new Phase(NONE, new DiscreteGaussianProfile(1e10), 1), Neighbours.ADD_REMOVE))
                .isInstanceOf(UnsupportedEventException.class);
    }
}
