package dev.tacit.accounting.exact.closed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tacit.accounting.AccountingVectors;
import dev.tacit.accounting.pair.RandomizedResponsePair;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PureClosedFormTest {
    static List<JsonNode> goldenCases() {
        return AccountingVectors.group("pure");
    }

    @ParameterizedTest
    @MethodSource("goldenCases")
    void bracketsTheGoldenEpsilon(JsonNode vector) {
        double each = vector.get("events").get(0).get("eps0").asDouble();
        long releases = vector.get("events").get(0).get("steps").asLong();
        double delta = vector.get("delta").asDouble();
        double lower = PureClosedForm.epsilonLower(each, releases, delta);
        double upper = PureClosedForm.epsilonUpper(each, releases, delta);
        BigDecimal truth = AccountingVectors.truth(vector, "eps");
        assertThat(new BigDecimal(lower)).isLessThanOrEqualTo(truth);
        assertThat(new BigDecimal(upper)).isGreaterThanOrEqualTo(truth);
        assertThat((upper - lower) / upper).isLessThanOrEqualTo(1e-12);
    }

    @Test
    void agreesWithTheSumForFewReleases() {
        for (double each : new double[] {1e-4, 0.1, 1, 3, 30}) {
            for (int releases : new int[] {1, 2, 3, 7, 20}) {
                for (double share : new double[] {0, 0.1, 0.5, 0.93}) {
                    double epsilon = share * each * releases;
                    double direct = direct(each, releases, epsilon);
                    assertThat(PureClosedForm.deltaUpper(each, releases, epsilon))
                            .as("%s × %s at %s", releases, each, epsilon)
                            .isBetween(direct * (1 - 1e-12), direct * (1 + 1e-11));
                    assertThat(PureClosedForm.deltaLower(each, releases, epsilon))
                            .isBetween(direct * (1 - 1e-11), direct * (1 + 1e-12));
                }
            }
        }
    }

    private static double direct(double each, int releases, double epsilon) {
        double success = 1 / (1 + Math.exp(-each));
        double failure = 1 / (1 + Math.exp(each));
        double sum = 0;
        double binomial = 1;
        for (int i = 0; i <= releases; i++) {
            double loss = (2 * i - releases) * each;
            if (loss > epsilon) {
                sum -= binomial * Math.pow(success, i) * Math.pow(failure, releases - i) * Math.expm1(epsilon - loss);
            }
            binomial = binomial * (releases - i) / (i + 1);
        }
        return sum;
    }

    @Test
    void oneReleaseIsRandomisedResponse() {
        RandomizedResponsePair pair = new RandomizedResponsePair(1.5);
        assertThat(PureClosedForm.epsilonUpper(1.5, 1, 1e-3))
                .isBetween(
                        SingleRelease.epsilonLower(pair, 1e-3), SingleRelease.epsilonUpper(pair, 1e-3) * (1 + 1e-13));
    }

    @Test
    void extremesNeitherHangNorOverflow() {
        for (double each : new double[] {1e-9, 1e-3, 1, 50, 720, 760, 1e4}) {
            for (long releases : new long[] {1, 10, 100_000, PureClosedForm.MOST_RELEASES}) {
                for (double delta : new double[] {1e-300, 1e-12, 0.5, 1 - 1e-9}) {
                    double upper = PureClosedForm.epsilonUpper(each, releases, delta);
                    double lower = PureClosedForm.epsilonLower(each, releases, delta);
                    assertThat(lower).as("%s × %s at %s", releases, each, delta).isBetween(0.0, upper);
                    assertThat(upper).isLessThanOrEqualTo(each * releases * (1 + 1e-15));
                    assertThat(PureClosedForm.deltaLower(each, releases, upper)).isLessThanOrEqualTo(delta);
                    assertThat(PureClosedForm.deltaUpper(each, releases, lower))
                            .isGreaterThanOrEqualTo(lower > 0 ? delta : 0);
                }
            }
        }
    }

    @Test
    void saysWhenItDoesNotApply() {
        assertThat(PureClosedForm.applies(1, PureClosedForm.MOST_RELEASES + 1)).isFalse();
        assertThatThrownBy(() -> PureClosedForm.epsilonUpper(1, PureClosedForm.MOST_RELEASES + 1, 1e-5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(PureClosedForm.epsilonUpper(1, 0, 1e-5)).isZero();
        assertThat(PureClosedForm.epsilonUpper(0, 10, 1e-5)).isZero();
    }
}
