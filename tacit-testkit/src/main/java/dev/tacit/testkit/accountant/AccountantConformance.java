package dev.tacit.testkit.accountant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.DeltaBound;
import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.PrivacyAccountant;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.event.PrivacyProfile;
import dev.tacit.door.unit.Neighbours;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * What every accountant must do, whatever its method: never claim too little, never answer what it does not
 * understand, and agree with itself.
 *
 * <p>Use it from a {@code @TestFactory}: {@code return AccountantConformance.of(accountant).tests();}
 */
public final class AccountantConformance {
    /** Allowance for methods that search for a best order and stop a little short of it. */
    private static final double SEARCH_TOLERANCE = 1e-9;

    private static final long SEED = 20_261_115L;

    private final PrivacyAccountant accountant;

    private AccountantConformance(PrivacyAccountant accountant) {
        this.accountant = accountant;
    }

    /** The suite for one accountant. */
    public static AccountantConformance of(PrivacyAccountant accountant) {
        return new AccountantConformance(accountant);
    }

    /** One test per property, named after the accountant and the property. */
    public Stream<DynamicTest> tests() {
        return Stream.of(
                test("is never below a golden epsilon", this::neverBelowGolden),
                test("is never below the Gaussian closed form", this::neverBelowGaussian),
                test("grows with steps, rate and less noise, and as delta shrinks", this::monotone),
                test("does not answer NaN", this::neverNotANumber),
                test("refuses a leaf without curves", this::refusesUnknownLeaf),
                test("refuses fixed-size batches under add-remove", this::refusesFixedSizeAddRemove),
                test("refuses disjoint parts under replace-one", this::refusesDisjointReplaceOne),
                test("says that an unprotected computation is unbounded", this::notPrivateIsUnbounded),
                test("charges nothing for nothing", this::nothingIsFree),
                test("counts nested repetitions exactly", this::nestedRepetitions),
                test("does not depend on the order of a sequence", this::orderIrrelevant),
                test("has epsilon and delta that invert each other", this::inverse),
                test("answers the same when asked again", this::repeatable));
    }

    private DynamicTest test(String property, Runnable check) {
        return DynamicTest.dynamicTest(accountant.name() + " " + property, check::run);
    }

    private void neverBelowGolden() {
        Assumptions.assumeTrue(GoldenCases.available(), "the golden table is not on the class path");
        for (GoldenCase golden : GoldenCases.accounting()) {
            if (golden.truth().isPresent() && golden.question() instanceof GoldenCase.Question.Epsilon question) {
                EpsilonBound bound = accountant.epsilon(question.event(), question.delta(), golden.neighbours());
                if (!Double.isInfinite(bound.upper())) {
                    assertThat(new BigDecimal(bound.upper()))
                            .as(golden.id() + " " + bound)
                            .isGreaterThanOrEqualTo(golden.truth().get().atLeast());
                }
            }
        }
    }

    private void neverBelowGaussian() {
        UniformRandomProvider random = RandomSource.SPLIT_MIX_64.create(SEED);
        for (int i = 0; i < 200; i++) {
            double noiseMultiplier = EventGenerator.logUniform(random, 0.2, 1000);
            long steps = Math.round(EventGenerator.logUniform(random, 1, 1e4));
            double delta = EventGenerator.logUniform(random, 1e-10, 0.1);
            for (Neighbours neighbours : Neighbours.values()) {
                double shift = neighbours.boundsMoved() * Math.sqrt((double) steps) / noiseMultiplier;
                PrivacyEvent event = PrivacyEvent.gaussian(noiseMultiplier).times(steps);
                assertThat(accountant.epsilon(event, delta, neighbours).upper())
                        .as("%s at delta %s under %s, seed %s", event, delta, neighbours, SEED)
                        .isGreaterThanOrEqualTo(AnalyticGaussian.epsilon(shift, delta) * (1 - 1e-9));
            }
        }
    }

    private void monotone() {
        for (Neighbours neighbours : Neighbours.values()) {
            for (double delta : new double[] {1e-2, 1e-5, 1e-12}) {
                increasing(
                        neighbours,
                        delta,
                        new double[] {1, 2, 10, 100, 1000, 10_000, 1e6},
                        steps -> sampled(1, 0.01, (long) steps));
                increasing(
                        neighbours,
                        delta,
                        new double[] {1e-6, 1e-4, 0.001, 0.01, 0.1, 0.5, 0.99, 1},
                        rate -> sampled(1.5, rate, 100));
                increasing(
                        neighbours,
                        delta,
                        new double[] {1e-4, 0.01, 0.1, 0.5, 1, 2, 4},
                        precision -> sampled(1 / precision, 0.02, 500));
                increasing(
                        neighbours,
                        delta,
                        new double[] {1, 2, 5, 50},
                        steps -> Leaves.pure(0.1).times((long) steps));
                increasing(
                        neighbours,
                        delta,
                        new double[] {1, 2, 5, 50},
                        steps -> Leaves.laplace(4).times((long) steps));
            }
            double[] deltas = {0.5, 0.1, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12, 1e-15, 1e-30, 1e-100, 1e-300};
            EpsilonBound previous = null;
            for (double delta : deltas) {
                EpsilonBound bound = accountant.epsilon(sampled(1, 0.01, 1000), delta, neighbours);
                notBelow(bound, previous, "delta " + delta);
                previous = bound;
            }
        }
    }

    private static PrivacyEvent sampled(double noiseMultiplier, double rate, long steps) {
        return GoldenCases.sampledGaussian(noiseMultiplier, rate, steps);
    }

    private void increasing(Neighbours neighbours, double delta, double[] ladder, DoubleFunction<PrivacyEvent> event) {
        EpsilonBound previous = null;
        for (double rung : ladder) {
            EpsilonBound bound = accountant.epsilon(event.apply(rung), delta, neighbours);
            notBelow(bound, previous, event.apply(rung) + " at delta " + delta + " under " + neighbours);
            previous = bound;
        }
    }

    private static void notBelow(EpsilonBound more, EpsilonBound less, String what) {
        if (less != null) {
            assertThat(more.upper()).as("%s: %s after %s", what, more, less).isGreaterThanOrEqualTo(lower(less));
        }
    }

    /**
     * What the answer says the truth is at least: its own lower end, or, for a one-sided bound, the bound less what its
     * search may have lost.
     */
    private static double lower(EpsilonBound bound) {
        if (bound instanceof EpsilonBound.Between between) {
            return between.lower();
        }
        return bound instanceof EpsilonBound.AtMost atMost ? atMost.epsilon() * (1 - SEARCH_TOLERANCE) : 0;
    }

    private void neverNotANumber() {
        EventGenerator generator = new EventGenerator(SEED);
        for (int number = 0; number < 100; number++) {
            EventGenerator.Question question = generator.question(number);
            EpsilonBound bound = accountant.epsilon(question.event(), question.delta(), question.neighbours());
            assertThat(bound.upper())
                    .as("%s: %s, seed %s", question, bound, SEED)
                    .isNotNaN()
                    .isNotNegative();
        }
    }

    private void refusesUnknownLeaf() {
        PrivacyEvent unknown = new PrivacyEvent.Release(new PrivacyProfile("unknown", Map.of()));
        for (Neighbours neighbours : Neighbours.values()) {
            refuses(unknown, neighbours);
            refuses(unknown.poissonSampled(0.1).times(10), neighbours);
            refuses(PrivacyEvent.gaussian(1).then(unknown), neighbours);
        }
    }

    private void refusesFixedSizeAddRemove() {
        refuses(PrivacyEvent.gaussian(1).fixedSizeSampled(1, 100).times(10), Neighbours.ADD_REMOVE);
    }

    private void refusesDisjointReplaceOne() {
        refuses(
                new PrivacyEvent.Disjoint(List.of(PrivacyEvent.gaussian(1), PrivacyEvent.gaussian(2))),
                Neighbours.REPLACE_ONE);
    }

    private void refuses(PrivacyEvent event, Neighbours neighbours) {
        EpsilonBound epsilon = accountant.epsilon(event, 1e-5, neighbours);
        DeltaBound delta = accountant.delta(event, 1, neighbours);
        assertThat(epsilon).as("%s under %s", event, neighbours).isInstanceOf(EpsilonBound.Unsupported.class);
        assertThat(epsilon.upper()).isInfinite();
        assertThat(delta).as("%s under %s", event, neighbours).isInstanceOf(DeltaBound.Unsupported.class);
        assertThat(delta.upper()).isEqualTo(1);
    }

    private void notPrivateIsUnbounded() {
        PrivacyEvent event = PrivacyEvent.gaussian(1).then(new PrivacyEvent.NotPrivate("the exact mean was printed"));
        for (Neighbours neighbours : Neighbours.values()) {
            assertThat(accountant.epsilon(event, 1e-5, neighbours)).isInstanceOf(EpsilonBound.Unbounded.class);
            assertThat(accountant.delta(event, 1, neighbours).upper()).isEqualTo(1);
        }
    }

    private void nothingIsFree() {
        for (Neighbours neighbours : Neighbours.values()) {
            for (PrivacyEvent event : List.of(
                    PrivacyEvent.nothing(),
                    PrivacyEvent.gaussian(1).times(0),
                    PrivacyEvent.gaussian(1).poissonSampled(0).times(1000))) {
                assertThat(accountant.epsilon(event, 1e-5, neighbours).upper())
                        .as("%s", event)
                        .isZero();
                assertThat(accountant.delta(event, 0, neighbours).upper())
                        .as("%s", event)
                        .isZero();
            }
        }
    }

    private void nestedRepetitions() {
        PrivacyEvent step = PrivacyEvent.gaussian(1).poissonSampled(0.01);
        PrivacyEvent thrice = step.times(300).then(step.times(300)).then(step.times(300));
        for (Neighbours neighbours : Neighbours.values()) {
            EpsilonBound flat = accountant.epsilon(step.times(900), 1e-9, neighbours);
            assertThat(accountant.epsilon(step.times(300).times(3), 1e-9, neighbours))
                    .isEqualTo(flat);
            assertThat(accountant.epsilon(thrice, 1e-9, neighbours)).isEqualTo(flat);
        }
    }

    private void orderIrrelevant() {
        PrivacyEvent first = PrivacyEvent.gaussian(1).poissonSampled(0.01).times(1000);
        PrivacyEvent second = PrivacyEvent.gaussian(7).times(3);
        PrivacyEvent third = PrivacyEvent.gaussian(3).poissonSampled(0.3).times(17);
        for (Neighbours neighbours : Neighbours.values()) {
            EpsilonBound forwards = accountant.epsilon(first.then(second).then(third), 1e-6, neighbours);
            assertThat(accountant.epsilon(third.then(first).then(second), 1e-6, neighbours))
                    .isEqualTo(forwards);
            assertThat(accountant.epsilon(third.then(second).then(first), 1e-6, neighbours))
                    .isEqualTo(forwards);
        }
    }

    private void inverse() {
        for (Neighbours neighbours : Neighbours.values()) {
            for (PrivacyEvent event : List.of(
                    sampled(1, 0.01, 1000),
                    sampled(5, 1, 10),
                    sampled(20, 0.3, 400),
                    Leaves.laplace(5).times(20))) {
                for (double delta : new double[] {1e-3, 1e-6, 1e-10}) {
                    EpsilonBound epsilon = accountant.epsilon(event, delta, neighbours);
                    if (Double.isInfinite(epsilon.upper())) {
                        continue;
                    }
                    DeltaBound back = accountant.delta(event, epsilon.upper(), neighbours);
                    assertThat(back.upper())
                            .as("%s under %s: delta %s gave %s gave %s", event, neighbours, delta, epsilon, back)
                            .isLessThanOrEqualTo(delta * (1 + 1e-6));
                }
            }
        }
    }

    private void repeatable() {
        PrivacyEvent event = sampled(1, 0.01, 10_000).then(sampled(2, 0.02, 300));
        EpsilonBound once = accountant.epsilon(event, 1e-5, Neighbours.ADD_REMOVE);
        accountant.epsilon(sampled(0.7, 0.1, 10), 1e-7, Neighbours.REPLACE_ONE);
        assertThat(accountant.epsilon(event, 1e-5, Neighbours.ADD_REMOVE)).isEqualTo(once);
    }
}
