package dev.tacit.ledger.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.ledger.LedgerFixtures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PrivacyFilterTest {
    /** Canonne, Kamath, Steinke 2020, Proposition 12, forwards. */
    private static double epsilon(double divergence, double order, double delta) {
        return divergence + Math.log((order - 1) / order) - (Math.log(delta) + Math.log(order)) / (order - 1);
    }

    @ParameterizedTest
    @CsvSource({"0.01,1e-6", "0.1,1e-9", "1,1e-5", "1,0.01", "3,1e-12", "20,1e-5", "100,1e-3"})
    void limitConvertsBackToTheBudgetFromBelow(double epsilon, double delta) {
        PrivacyBudget budget = new PrivacyBudget(epsilon, delta);
        RenyiFilter filter = RenyiFilter.forBudget(budget);
        double converted = epsilon(filter.limit(budget).loss(), filter.order(), delta);
        assertThat(converted).isLessThanOrEqualTo(epsilon).isCloseTo(epsilon, within(1e-12 * (1 + epsilon)));
    }

    @ParameterizedTest
    @CsvSource({"0,1e-5", "0.01,1e-6", "0.1,1e-9", "1,1e-5", "1,0.01", "3,1e-12", "20,1e-5", "100,1e-3", "1000,1e-5"})
    void defaultOrderIsTheBestForGaussianSpending(double epsilon, double delta) {
        PrivacyBudget budget = new PrivacyBudget(epsilon, delta);
        RenyiFilter filter = RenyiFilter.forBudget(budget);
        double rho = filter.limit(budget).loss() / filter.order();
        double best = 0;
        for (double x = -7; x < 21; x += 1e-3) {
            double order = 1 + Math.exp(x);
            best = Math.max(best, new RenyiFilter(order).limit(budget).loss() / order);
        }
        assertThat(rho).isGreaterThan(0).isGreaterThanOrEqualTo(best * (1 - 1e-6));
    }

    /**
     * rho(epsilon 1, delta 1e-5): the value of Canonne, Kamath, Steinke's own cdp_rho, which optimises the same
     * bound.
     */
    @Test
    void zeroConcentratedSpendingReachesTheOptimalRho() {
        PrivacyBudget budget = new PrivacyBudget(1, 1e-5);
        RenyiFilter filter = RenyiFilter.forBudget(budget);
        double rho = filter.limit(budget).loss() / filter.order();
        double smallest = Double.POSITIVE_INFINITY;
        for (double order = 1.01; order < 500; order += 0.01) {
            smallest = Math.min(smallest, epsilon(rho * order, order, 1e-5));
        }
        assertThat(smallest).isCloseTo(1, within(1e-5));
    }

    @Test
    void plannedOrderSuitsThePlan() {
        PrivacyBudget budget = new PrivacyBudget(1, 1e-5);
        RenyiCurve pure = (event, order, neighbours) -> Math.min(0.5, order * 0.5 * 0.5 / 2);
        RenyiFilter filter = RenyiFilter.forPlan(budget, PrivacyEvent.gaussian(1), Neighbours.ADD_REMOVE, pure);
        RenyiFilter general = RenyiFilter.forBudget(budget);
        assertThat(filter.order()).isGreaterThan(2 * general.order());
        assertThat(filter.limit(budget).loss() / 0.5)
                .isGreaterThan(general.limit(budget).loss() / 0.5);
    }

    @Test
    void aPlanWithoutCurveGetsTheDefaultOrder() {
        PrivacyBudget budget = new PrivacyBudget(1, 1e-5);
        RenyiCurve none = (event, order, neighbours) -> Double.POSITIVE_INFINITY;
        assertThat(RenyiFilter.forPlan(budget, PrivacyEvent.gaussian(1), Neighbours.ADD_REMOVE, none))
                .isEqualTo(RenyiFilter.forBudget(budget));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, -1})
    void aCurveThatIsNoNumberIsTakenAsUnbounded(double value) {
        LedgerAccounting accounting =
                new LedgerAccounting(LedgerFixtures.ACCOUNTING.plans(), (event, order, neighbours) -> value);
        FilterCost cost = new RenyiFilter(8).cost(PrivacyEvent.gaussian(1), Neighbours.ADD_REMOVE, accounting);
        assertThat(cost.loss()).isInfinite();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 0.5, Double.NaN, Double.POSITIVE_INFINITY})
    void ordersAreAboveOne(double order) {
        assertThatThrownBy(() -> new RenyiFilter(order)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"0.01,1e-6", "1,1e-5", "5,1e-9"})
    void approximateLimitIsTheRootOfItsFormula(double epsilon, double delta) {
        ApproximateFilter filter = new ApproximateFilter(delta / 2, delta / 100);
        FilterCost limit = filter.limit(new PrivacyBudget(epsilon, delta));
        double total = Math.sqrt(2 * Math.log(2 / delta) * limit.loss()) + limit.loss() / 2;
        assertThat(total).isLessThanOrEqualTo(epsilon).isCloseTo(epsilon, within(1e-10 * epsilon));
        assertThat(limit.delta()).isLessThanOrEqualTo(delta / 2).isCloseTo(delta / 2, within(1e-10 * delta));
    }

    @Test
    void approximateFilterAddsSquaresAndDeltas() {
        ApproximateFilter filter = new ApproximateFilter(1e-6, 1e-7);
        FilterCost cost = filter.cost(LedgerFixtures.gaussian(0.03), Neighbours.ADD_REMOVE, LedgerFixtures.ACCOUNTING);
        assertThat(cost.loss()).isCloseTo(0.09, within(1e-12));
        assertThat(cost.delta()).isEqualTo(1e-7);
        assertThat(filter.cost(
                                LedgerFixtures.gaussian(1).poissonSampled(0.5),
                                Neighbours.ADD_REMOVE,
                                LedgerFixtures.ACCOUNTING)
                        .loss())
                .isInfinite();
    }

    @Test
    void sumsAreRoundedUp() {
        FilterCost sum = FilterCost.NONE;
        for (int i = 0; i < 1000; i++) {
            sum = sum.plus(new FilterCost(0.001, 0.001));
        }
        assertThat(sum.loss()).isGreaterThanOrEqualTo(1).isCloseTo(1, within(1e-12));
        assertThat(sum.delta()).isGreaterThanOrEqualTo(1);
        assertThat(FilterCost.NONE.plus(new FilterCost(0.25, 0))).isEqualTo(new FilterCost(0.25, 0));
        assertThat(FilterCost.NONE.shareOf(FilterCost.NONE)).isZero();
        assertThat(new FilterCost(1, 0).shareOf(FilterCost.NONE)).isInfinite();
        assertThat(new FilterCost(1, 3).shareOf(new FilterCost(2, 4))).isEqualTo(0.75);
    }
}
