package dev.tacit.accounting.exact.jumps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.accounting.EpsilonBound;
import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.numerics.MixtureRatio;
import dev.tacit.accounting.numerics.NormalTail;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.unit.Neighbours;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The Chernoff bound without the rarest losses: its moments against a plain sum, the bound against exact answers, and its monotonicity. */
class CutChernoffTest {
    private static final long SEED = 20_261_116;

    /** One kind of sampled release. */
    private record Releases(double noiseMultiplier, double rate, double times) {
        static Releases random(Random random) {
            return new Releases(
                    Math.pow(10, -0.7 + 2 * random.nextDouble()),
                    Math.pow(10, -8 * random.nextDouble() - 0.1),
                    Math.ceil(Math.pow(10, 6 * random.nextDouble())));
        }

        CutGaussianMoments moments(Direction direction, double logLostMass) {
            return new CutGaussianMoments(direction, noiseMultiplier, rate, times, logLostMass);
        }

        double epsilon(Direction direction, double delta) {
            return new CutChernoff(logMass -> List.of(CutChernoff.Rest.of(moments(direction, logMass)))).epsilon(delta);
        }

        PrivacyEvent event() {
            return new PrivacyEvent.PoissonSampled(rate, PrivacyEvent.gaussian(noiseMultiplier)).times((long) times);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Direction.class,
            names = {"REMOVE", "REPLACE"})
    void momentsAreThoseOfAPlainSumFromAbove(Direction direction) {
        Random random = new Random(SEED);
        for (int i = 0; i < 40; i++) {
            Releases releases = Releases.random(random);
            double logLostMass = -2 - 200 * random.nextDouble();
            double theta = Math.pow(10, -2 + 3 * random.nextDouble());
            double upper = releases.moments(direction, logLostMass).logMoment(theta);
            double expected = plainSum(direction, releases, logLostMass, theta);
            String what = "seed %s, %s, log lost %s, order %s".formatted(SEED, releases, logLostMass, theta);
            assertThat(upper).as(what).isCloseTo(expected, within(1e-9 * Math.max(1e-3, Math.abs(expected))));
        }
    }

    /** times·log M(θ) by Simpson's rule with many points between the farthest outcome below and the point beyond which the mass is lost. */
    private static double plainSum(Direction direction, Releases releases, double logLostMass, double theta) {
        double shift = 1 / releases.noiseMultiplier();
        double rate = releases.rate();
        double logMass = logLostMass - Math.log(releases.times());
        double low = -12;
        double high = 60 + shift;
        while (high - low > 1e-12 * high) {
            double middle = 0.5 * (low + high);
            double unsampled = Math.log1p(-rate) + NormalTail.logAbove(middle);
            double sampled = Math.log(rate) + NormalTail.logAbove(middle - shift);
            double most = Math.max(unsampled, sampled);
            if (most + Math.log(Math.exp(unsampled - most) + Math.exp(sampled - most)) <= logMass) {
                high = middle;
            } else {
                low = middle;
            }
        }
        int cells = 400_000;
        double from = -12;
        double step = (high - from) / cells;
        double sum = 0;
        for (int k = 0; k <= cells; k++) {
            double u = from + k * step;
            double plus = MixtureRatio.log(shift, rate, u);
            double loss = direction == Direction.REPLACE ? plus - MixtureRatio.log(shift, rate, -u) : plus;
            double weight = k == 0 || k == cells ? 1 : k % 2 == 1 ? 4 : 2;
            sum += weight * Math.exp(-0.5 * u * u + plus) * Math.expm1(theta * loss);
        }
        return releases.times() * Math.log1p(sum * step / 3 / Math.sqrt(2 * Math.PI));
    }

    @Test
    void noMoreMassIsLostThanAllowedAndNotMuchLess() {
        Random random = new Random(SEED);
        for (int i = 0; i < 200; i++) {
            Releases releases = Releases.random(random);
            double allowed = Math.pow(10, -1 - 200 * random.nextDouble());
            double lost = releases.moments(Direction.REMOVE, Math.log(allowed)).lostMass();
            assertThat(lost)
                    .as("seed %s, %s", SEED, releases)
                    .isLessThanOrEqualTo(allowed * (1 + 1e-9))
                    .isGreaterThan(0.99 * allowed);
        }
    }

    /** Never below the certified lower end, and at most twice the upper one where releases are many. */
    @ParameterizedTest
    @EnumSource(Neighbours.class)
    void boundsTheExactAnswer(Neighbours neighbours) {
        Direction direction = neighbours == Neighbours.REPLACE_ONE ? Direction.REPLACE : Direction.REMOVE;
        Random random = new Random(SEED);
        ExactAccountant exact = new ExactAccountant();
        int compared = 0;
        for (int i = 0; i < 30; i++) {
            Releases releases = new Releases(
                    Math.pow(10, 1.5 * random.nextDouble()),
                    Math.pow(10, -0.3 - 2 * random.nextDouble()),
                    Math.ceil(1000 * Math.pow(10, 2 * random.nextDouble())));
            double delta = Math.pow(10, -3 - 20 * random.nextDouble());
            EpsilonBound answer = exact.epsilon(releases.event(), delta, neighbours);
            double bound = releases.epsilon(direction, delta);
            if (answer instanceof EpsilonBound.Between between && between.lower() > 0) {
                assertThat(bound)
                        .as("seed %s, %s, delta %s", SEED, releases, delta)
                        .isGreaterThanOrEqualTo(between.lower())
                        .isLessThan(2 * between.epsilon());
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(20);
    }

    @ParameterizedTest
    @EnumSource(
            value = Direction.class,
            names = {"REMOVE", "REPLACE"})
    void harderQuestionsHaveLargerBounds(Direction direction) {
        Random random = new Random(SEED);
        for (int i = 0; i < 25; i++) {
            Releases easy = Releases.random(random);
            double delta = Math.pow(10, -1 - 100 * random.nextDouble());
            double factor = 1 + random.nextDouble();
            double least = easy.epsilon(direction, delta) * (1 - 1e-5);
            String what = "seed %s, %s, delta %s".formatted(SEED, easy, delta);
            assertThat(easy.epsilon(direction, delta / factor)).as(what).isGreaterThanOrEqualTo(least);
            assertThat(new Releases(easy.noiseMultiplier(), easy.rate(), Math.ceil(factor * easy.times()))
                            .epsilon(direction, delta))
                    .as(what)
                    .isGreaterThanOrEqualTo(least);
            assertThat(new Releases(easy.noiseMultiplier(), Math.min(0.99, factor * easy.rate()), easy.times())
                            .epsilon(direction, delta))
                    .as(what)
                    .isGreaterThanOrEqualTo(least);
            assertThat(new Releases(easy.noiseMultiplier() / factor, easy.rate(), easy.times())
                            .epsilon(direction, delta))
                    .as(what)
                    .isGreaterThanOrEqualTo(least);
        }
    }

    @Test
    void deltaAndEpsilonAgree() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20; i++) {
            Releases releases = Releases.random(random);
            double delta = Math.pow(10, -1 - 100 * random.nextDouble());
            double epsilon = releases.epsilon(Direction.REMOVE, delta);
            double back = new CutChernoff(
                            logMass -> List.of(CutChernoff.Rest.of(releases.moments(Direction.REMOVE, logMass))))
                    .delta(epsilon, 1);
            assertThat(back).as("seed %s, %s, delta %s", SEED, releases, delta).isLessThanOrEqualTo(4 * delta);
        }
    }
}
