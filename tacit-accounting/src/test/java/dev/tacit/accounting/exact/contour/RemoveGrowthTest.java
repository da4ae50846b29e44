package dev.tacit.accounting.exact.contour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.numerics.MixtureRatio;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The trapezoid rule errs by no more than the bound from which its spacing is taken, and would with a spacing half as wide again. */
class RemoveGrowthTest {
    private static final long SEED = 14;
    private static final int CASES = 600;
    private static final double REFERENCE_FINENESS = 0.22;

    /** A law, an order, a frequency and how accurate the rule shall be. */
    private record Case(
            double shift,
            double rate,
            double cut,
            double cutWidth,
            double theta,
            double frequency,
            double exponent,
            double lostMass) {
        static Case draw(Random random) {
            double shift = Math.pow(10, 0.3 - 1.3 * random.nextDouble());
            double rate = 0.9 * Math.pow(10, -4 * random.nextDouble());
            double logTailMass = -10 - 40 * random.nextDouble();
            double cut = PoissonGaussianMoments.cut(Direction.REMOVE, shift, rate, logTailMass);
            double cutWidth = Math.pow(2, -1 - random.nextInt(4));
            return new Case(
                    shift,
                    rate,
                    cut,
                    cutWidth,
                    Math.pow(10, -0.5 + 2 * random.nextDouble()),
                    random.nextInt(4) == 0 ? 0 : Math.pow(10, 2.5 * random.nextDouble()),
                    8 + 14 * random.nextDouble(),
                    PoissonGaussianMoments.massBeyond(Direction.REMOVE, shift, rate, cut, cutWidth));
        }

        /** The rule for M(θ+it) with this spacing, over all outcomes that count. */
        double[] rule(double order, double atFrequency, double spacing) {
            SmoothCut smooth = new SmoothCut(Double.NEGATIVE_INFINITY, cut, cutWidth);
            double end = cut + cutWidth * (10 + cutWidth * (order + 1) * shift);
            double real = 0;
            double imaginary = 0;
            for (long k = (long) Math.ceil(-11 / spacing); k * spacing < end; k++) {
                double u = k * spacing;
                double loss = MixtureRatio.log(shift, rate, u);
                double size = Math.exp(-0.5 * u * u + (order + 1) * loss + smooth.logKept(u));
                real += size * Math.cos(atFrequency * loss);
                imaginary += size * Math.sin(atFrequency * loss);
            }
            double scale = spacing / Math.sqrt(2 * Math.PI);
            return new double[] {scale * real, scale * imaginary};
        }

        double moment(double order) {
            return rule(order, 0, 0.02)[0];
        }

        RemoveGrowth atOrder() {
            double[] extraOrders = {0, 0.7 * theta, 1.4 * theta};
            double[] logMoments = new double[extraOrders.length];
            for (int i = 0; i < extraOrders.length; i++) {
                logMoments[i] = Math.log(moment(theta + extraOrders[i]));
            }
            return new RemoveGrowth(
                    theta, shift, rate, -11, cut, cutWidth, Math.log(moment(theta)), extraOrders, logMoments);
        }

        RemoveGrowth upToTwice() {
            double least = Math.log(Math.max(1e-3, 1 - (2 * theta + 2) * lostMass));
            return RemoveGrowth.upTo(2 * theta, shift, rate, -11, cut, cutWidth, least);
        }

        /** The error of the rule over what was promised. */
        double missOver(double spacing) {
            double[] coarse = rule(theta, frequency, spacing);
            double[] fine = rule(theta, frequency, REFERENCE_FINENESS * spacing);
            double error = Math.hypot(coarse[0] - fine[0], coarse[1] - fine[1]);
            return error / (moment(theta) * Math.exp(-exponent));
        }
    }

    @Test
    void spacingKeepsItsPromise() {
        Random random = new Random(SEED);
        int missedWhenWider = 0;
        int missedWhenWiderInRange = 0;
        for (int i = 0; i < CASES; i++) {
            Case drawn = Case.draw(random);
            double spacing = drawn.atOrder().spacing(drawn.frequency(), drawn.exponent());
            assertThat(drawn.missOver(spacing)).as("%s, seed %s", drawn, SEED).isLessThanOrEqualTo(1 + 1e-3);
            missedWhenWider += drawn.missOver(1.5 * spacing) > 1 ? 1 : 0;
            double inRange = drawn.upToTwice().spacing(drawn.frequency(), drawn.exponent());
            assertThat(drawn.missOver(inRange)).as("%s, seed %s", drawn, SEED).isLessThanOrEqualTo(1 + 1e-3);
            missedWhenWiderInRange += drawn.missOver(1.5 * inRange) > 1 ? 1 : 0;
        }
        assertThat(missedWhenWider).isGreaterThan(CASES / 10);
        assertThat(missedWhenWiderInRange).isGreaterThan(CASES / 20);
    }
}
