package dev.tacit.privacy.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.pair.GaussianPair;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerAccounting;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.privacy.data.PerturbedMinimum.GammaTerm;
import dev.tacit.privacy.data.PerturbedMinimum.GaussianTerm;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.noise.ReplayNoise;
import dev.tacit.privacy.noise.SecureNoise;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.List;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;

class PerturbedMinimumTest {
    private static final double[][] ROWS = DoorFixtures.rows(300, 4, RandomSource.XO_RO_SHI_RO_128_PP.create(20_261L));

    private static LocalDataset dataset(PrivacyUnit unit) {
        return LocalDataset.of(DoorFixtures.source(ROWS, 64, true, null), unit, ROWS.length);
    }

    private static PerturbedMinimum request(PerturbedMinimum.LinearTerm term) {
        return new PerturbedMinimum("weights", 2, 3, term);
    }

    @Test
    void theEventIsChargedOnceAndHandedOut() throws BudgetExhausted {
        InMemoryLedger ledger = DoorFixtures.ledger(DoorFixtures.RECORD);
        PerturbedMinimum request = request(new GaussianTerm(5));
        NoisyMinimum minimum = dataset(DoorFixtures.RECORD).minimise(request, ledger, ReplayNoise.ofSeed(1));
        assertThat(ledger.entries()).hasSize(1);
        assertThat(ledger.entries().get(0).event()).isEqualTo(request.event());
        assertThat(ledger.entries().get(0).released())
                .isEqualTo(ledger.entries().get(0).releases());
        assertThat(minimum.event()).isEqualTo(request.event());
        assertThat(minimum.provenance().forRelease()).isFalse();
    }

    /** With next to no noise the release is the minimiser. */
    @Test
    void withoutNoiseItIsTheMinimiser() throws BudgetExhausted {
        double[] exact =
                new LogisticObjective(DoorFixtures.source(ROWS, 64, true, null), 2, 3, new double[4]).minimiser(1e-9);
        InMemoryLedger free = new InMemoryLedger(
                LedgerTerms.of(DoorFixtures.RECORD, new PrivacyBudget(1e9, 0.5)), DoorFixtures.ACCOUNTING);
        NoisyMinimum minimum =
                dataset(DoorFixtures.RECORD).minimise(request(new GaussianTerm(0x1p-20)), free, ReplayNoise.ofSeed(2));
        for (int j = 0; j < 4; j++) {
            assertThat(minimum.value()[j]).isCloseTo(exact[j], within(6 * minimum.noiseStandardDeviation() + 1e-5));
        }
    }

    @Test
    void nothingIsDoneWithoutBudget() {
        InMemoryLedger ledger = new InMemoryLedger(
                LedgerTerms.of(DoorFixtures.RECORD, new PrivacyBudget(1, 1e-5)),
                new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence));
        PerturbedMinimum dear = request(new GaussianTerm(0.01));
        assertThatThrownBy(() -> dataset(DoorFixtures.RECORD).minimise(dear, ledger, ReplayNoise.ofSeed(1)))
                .isInstanceOf(BudgetExhausted.class);
        assertThat(ledger.entries()).isEmpty();
    }

    @Test
    void whatIsNotAccountedForIsRefused() {
        PerturbedMinimum request = request(new GaussianTerm(5));
        PrivacyUnit replaced = PrivacyUnit.record(Neighbours.REPLACE_ONE);
        PrivacyUnit person = DoorFixtures.person(3);
        for (PrivacyUnit unit : List.of(replaced, person)) {
            assertThatThrownBy(() -> dataset(unit).minimise(request, DoorFixtures.ledger(unit), ReplayNoise.ofSeed(1)))
                    .hasMessageContaining("one record that is added or removed");
        }
        assertThatThrownBy(() -> dataset(DoorFixtures.RECORD)
                        .minimise(request, DoorFixtures.ledger(replaced), ReplayNoise.ofSeed(1)))
                .hasMessageContaining("another unit");
        assertThatThrownBy(() -> dataset(DoorFixtures.RECORD)
                        .minimise(request, DoorFixtures.ledger(DoorFixtures.RECORD), SecureNoise.create()))
                .hasMessageContaining("survives a crash");
        assertThatThrownBy(() -> new PerturbedMinimum("weights", 2, 1e-12, new GaussianTerm(5)))
                .hasMessageContaining("regularisation");
    }

    /** Above the curvature, delta of the exact minimiser is that of the Gaussian mechanism at what is left. */
    @Test
    void theCostIsTheCurvatureAndAGaussian() {
        PerturbedMinimum request = request(new GaussianTerm(4));
        assertThat(request.curvature()).isCloseTo(Math.log1p(1.0 / 3), within(1e-6));
        double epsilon = new ExactAccountant()
                .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                .upper();
        double left = epsilon - request.curvature();
        GaussianPair gaussian = new GaussianPair(1 / 4.0);
        double delta = gaussian.massOfP(left, Double.POSITIVE_INFINITY)
                - Math.exp(left) * gaussian.massOfQ(left, Double.POSITIVE_INFINITY);
        // The tolerance costs the difference.
        assertThat(delta).isBetween(0.95e-5, 1e-5);
    }

    /** Between them these events need transforms far below 1, where the lattice's convolution once lost all digits. */
    @Test
    void theToleranceCostsLittle() {
        for (double regularisation : new double[] {1, 30}) {
            for (double noiseMultiplier : new double[] {5, 10, 20}) {
                PerturbedMinimum request =
                        new PerturbedMinimum("weights", 2, regularisation, new GaussianTerm(noiseMultiplier));
                double exact = new ExactAccountant()
                        .epsilon(request.exactEvent(), 1e-5, Neighbours.ADD_REMOVE)
                        .upper();
                double released = new ExactAccountant()
                        .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                        .upper();
                assertThat(released).isBetween(exact, exact + 1e-4);
            }
        }
    }

    @Test
    void thePublishedNoiseIsPure() {
        PerturbedMinimum request = request(new GammaTerm(0.5));
        double epsilon = new ExactAccountant()
                .epsilon(request.event(), 1e-5, Neighbours.ADD_REMOVE)
                .upper();
        assertThat(epsilon).isBetween(0.5 + Math.log1p(1.0 / 3), 0.505 + Math.log1p(1.0 / 3));
        assertThat(new GammaTerm(0.5).forRelease()).isFalse();
    }
}
