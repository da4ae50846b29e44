package dev.tacit.ledger.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.AdaptiveSpending;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerFixtures;
import dev.tacit.ledger.LedgerTerms;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenyiOdometerTest {
    private static final LedgerAccounting STANDARD =
            new LedgerAccounting(new ExactAccountant(), new RenyiAccountant()::divergence);
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /** One Gaussian release of epsilon 1 at delta 1e-6. */
    private static final PrivacyEvent RUN = PrivacyEvent.gaussian(4.22468);

    /** With one order and the whole delta the reading is Canonne, Kamath, Steinke 2020, Proposition 12. */
    @ParameterizedTest
    @CsvSource({"1.05,0.3,1e-5", "2,0.1,1e-9", "8,1,1e-6", "40,0.02,1e-3", "1.001,30,1e-6"})
    void oneOrderIsTheConversionOfDivergences(double order, double divergence, double delta) {
        RenyiOdometer odometer = new RenyiOdometer(List.of(new RenyiOdometer.Term(order, 1)));
        double expected = divergence + Math.log((order - 1) / order) - Math.log(delta * order) / (order - 1);
        assertThat(odometer.epsilon(new double[] {divergence}, delta))
                .isGreaterThanOrEqualTo(expected)
                .isCloseTo(expected, within(1e-9 * (1 + expected)));
    }

    /** The reading is the smallest epsilon with (1 − e^{ε − L})₊ ≤ G(L) for every L, and not less. */
    @Test
    void theReadingIsTheSmallestThatTheMixtureCovers() {
        double delta = 1e-6;
        RenyiOdometer odometer = RenyiOdometer.forDelta(delta);
        double[] sums = odometer.costs(RUN.times(3), Neighbours.ADD_REMOVE, STANDARD.renyi());
        double epsilon = odometer.epsilon(sums, delta);
        double tightest = Double.POSITIVE_INFINITY;
        for (double loss = epsilon + 1e-3; loss < 40; loss += 1e-3) {
            double mixture = 0;
            for (int j = 0; j < sums.length; j++) {
                RenyiOdometer.Term term = odometer.terms().get(j);
                mixture += delta * term.weight() * Math.exp((term.order() - 1) * (loss - sums[j]));
            }
            tightest = Math.min(tightest, mixture / -Math.expm1(epsilon - loss));
        }
        assertThat(tightest).isBetween(1 - 1e-9, 1 + 1e-4);
    }

    /** Equal runs of epsilon 1 at delta 1e-6: what they compose to if all were planned at once, and what is read. */
    @ParameterizedTest
    @CsvSource({
        "1,1.0000,1.0001",
        "2,1.4547,1.639",
        "3,1.8143,2.032",
        "5,2.4004,2.708",
        "10,3.5252,4.012",
        "20,5.2142,5.977",
        "100,13.507,15.57",
        "1000,62.822,71.05"
    })
    void ordinaryUseLosesLittle(int runs, double exact, double most) throws BudgetExhausted {
        InMemoryLedger ledger =
                new InMemoryLedger(LedgerTerms.withoutLimit(UNIT, 1e-6, RUN, STANDARD.renyi()), STANDARD);
        for (int i = 0; i < runs; i++) {
            ledger.charge("run", RUN);
        }
        double planned = new ExactAccountant()
                .epsilon(RUN.times(runs), 1e-6, Neighbours.ADD_REMOVE)
                .upper();
        assertThat(planned).isCloseTo(exact, within(1e-3));
        assertThat(ledger.summary().holds().upper()).isBetween(planned, most);
        assertThat(ledger.summary().spentShare()).isEmpty();
    }

    /** A first run that is 20 times smaller or larger than those that follow leaves a reading of use. */
    @ParameterizedTest
    @CsvSource({"20,1,1.30", "1,20,1.30", "0.2,4,1.25"})
    void theFirstRunNeedNotBeTypical(double firstNoise, double laterNoise, double factor) throws BudgetExhausted {
        PrivacyEvent first = PrivacyEvent.gaussian(4.22468 * firstNoise);
        PrivacyEvent later = PrivacyEvent.gaussian(4.22468 * laterNoise);
        InMemoryLedger ledger =
                new InMemoryLedger(LedgerTerms.withoutLimit(UNIT, 1e-6, first, STANDARD.renyi()), STANDARD);
        ledger.charge("first", first);
        for (int i = 0; i < 5; i++) {
            ledger.charge("later", later);
        }
        double planned = new ExactAccountant()
                .epsilon(LedgerFixtures.spent(ledger), 1e-6, Neighbours.ADD_REMOVE)
                .upper();
        assertThat(ledger.summary().holds().upper()).isBetween(planned, factor * planned);
    }

    /**
     * The theorem, by dynamic programming: of all adaptive ways to choose each next run (little or much noise) and when
     * to stop, none makes the mean of (1 − e^{ε − L})₊ exceed delta, where ε is what the ledger reads on stopping.
     */
    @ParameterizedTest
    @CsvSource({"0.05,0.5,1.0", "0.01,1.0,0.7", "0.2,0.3,2.0"})
    void noAdaptiveSpendingBeatsTheReading(double delta, double little, double much) {
        RenyiOdometer odometer = RenyiOdometer.forDelta(delta);
        double excess = AdaptiveSpending.worst(8, little, much, (squares, runs) -> {
            double[] sums = new double[odometer.terms().size()];
            for (int j = 0; j < sums.length; j++) {
                sums[j] = odometer.terms().get(j).order() * squares / 2;
            }
            return odometer.epsilon(sums, delta);
        });
        assertThat(excess).isBetween(0.2 * delta, delta);
    }

    /** The sabotaged twin: the exact epsilon of what was done so far is no bound if one may choose when to stop. */
    @Test
    void theExactEpsilonOfWhatHappenedIsBeaten() {
        double delta = 0.05;
        double excess = AdaptiveSpending.worst(
                8, 0.5, 1.0, (squares, runs) -> AdaptiveSpending.gaussianEpsilon(Math.sqrt(squares), delta));
        assertThat(excess).isGreaterThan(1.5 * delta);
    }

    @Test
    void whatHasNoCurveIsNotBounded() throws BudgetExhausted {
        InMemoryLedger ledger =
                new InMemoryLedger(LedgerTerms.withoutLimit(UNIT, 1e-6, RUN, STANDARD.renyi()), STANDARD);
        ledger.charge("fine", RUN);
        assertThat(ledger.summary().holds().upper()).isFinite();
        ledger.charge("plain", new PrivacyEvent.NotPrivate("a plain mean"));
        assertThat(ledger.summary().holds().upper()).isInfinite();
        assertThat(ledger.summary().lines().get(0).together().upper()).isFinite();
    }

    @Test
    void weightsAreShares() {
        RenyiOdometer.Term half = new RenyiOdometer.Term(2, 0.5);
        assertThatThrownBy(() -> new RenyiOdometer(List.of(half, half, half)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RenyiOdometer(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RenyiOdometer.Term(1, 0.5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RenyiOdometer.Term(2, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
