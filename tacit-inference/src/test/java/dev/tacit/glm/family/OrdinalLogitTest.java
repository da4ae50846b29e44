package dev.tacit.glm.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.SpecialFunctions;
import org.junit.jupiter.api.Test;

class OrdinalLogitTest {
    private static final double[] PREDICTORS = {-9, -2.5, -0.3, 0.4, 1.7, 6};

    private static double above(double eta, double[] spacings, int level) {
        if (level == 0 || level == spacings.length + 2) {
            return level == 0 ? 1 : 0;
        }
        double cut = 0;
        for (int k = 1; k < level; k++) {
            cut += spacings[k - 1];
        }
        return SpecialFunctions.sigmoid(eta - cut);
    }

    private static double logProbability(double eta, double spacing, int level) {
        double[] spacings = {spacing};
        return Math.log(above(eta, spacings, level) - above(eta, spacings, level + 1));
    }

    @Test
    void statisticOfTheSpacingIsAMultipleOfItsScore() {
        OrdinalLogit family = new OrdinalLogit(3);
        double spacing = 0.7;
        double step = 1e-5;
        double[] reference = new double[family.referenceSize()];
        double[] chi = new double[1];
        for (double eta : PREDICTORS) {
            family.reference(eta, new double[] {spacing}, reference, 0);
            double[] factors = new double[3];
            for (int y = 0; y < 3; y++) {
                double score =
                        (logProbability(eta, spacing + step, y) - logProbability(eta, spacing - step, y)) / (2 * step);
                family.chi(y, reference, 0, chi);
                if (y == 0) {
                    assertThat(chi[0]).isZero();
                    assertThat(score).isZero();
                } else {
                    factors[y] = chi[0] / score;
                }
            }
            assertThat(factors[1]).isNegative().isCloseTo(factors[2], within(1e-6));
        }
    }

    @Test
    void expectedStatisticHardlyMovesWithThePredictor() {
        OrdinalLogit family = new OrdinalLogit(5);
        double[] spacings = {0.7, 0.2, 1.4};
        double step = 1e-5;
        double[] reference = new double[family.referenceSize()];
        double[] up = new double[3];
        double[] down = new double[3];
        for (double eta : PREDICTORS) {
            family.reference(eta, spacings, reference, 0);
            family.chiField(eta, spacings, reference, 0, up);
            assertThat(up).containsOnly(0);
            family.chiField(eta + step, spacings, reference, 0, up);
            family.chiField(eta - step, spacings, reference, 0, down);
            for (int k = 0; k < 3; k++) {
                double reached = above(eta, spacings, k + 1);
                double onward = above(eta, spacings, k + 2);
                assertThat((up[k] - down[k]) / (2 * step)).isCloseTo(onward * (reached - onward), within(1e-8));
            }
        }
    }

    @Test
    void predictorsFarOutLeaveFiniteNumbers() {
        OrdinalLogit family = new OrdinalLogit(4);
        double[] spacings = {0.7, 8};
        double[] reference = new double[family.referenceSize()];
        double[] chi = new double[2];
        for (double eta : new double[] {-1e6, -800, 800, 1e6}) {
            family.reference(eta, spacings, reference, 0);
            for (double y : new double[] {Double.NEGATIVE_INFINITY, -3, 0, 1, 2, 3, 1e9, Double.NaN}) {
                family.chi(y, reference, 0, chi);
                assertThat(Math.hypot(chi[0], chi[1])).isLessThanOrEqualTo(family.chiBound());
            }
            family.chiField(-eta, spacings, reference, 0, chi);
            assertThat(Double.isFinite(chi[0] + chi[1])).isTrue();
        }
    }
}
