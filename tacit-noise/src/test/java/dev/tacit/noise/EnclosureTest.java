package dev.tacit.noise;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import org.junit.jupiter.api.Test;

class EnclosureTest {
    private static final MathContext DIGITS = new MathContext(120, RoundingMode.HALF_EVEN);

    private static BigDecimal value(BigInteger fixedPoint, int bits) {
        return new BigDecimal(fixedPoint).divide(new BigDecimal(BigInteger.ONE.shiftLeft(bits)), DIGITS);
    }

    /** e^−x to about 100 digits, the other way round: the reciprocal of a series of positive terms. */
    private static BigDecimal exponential(BigDecimal x) {
        BigDecimal sum = BigDecimal.ONE;
        BigDecimal term = BigDecimal.ONE;
        for (int n = 1; n < 2000; n++) {
            term = term.multiply(x).divide(BigDecimal.valueOf(n), DIGITS);
            sum = sum.add(term, DIGITS);
        }
        return BigDecimal.ONE.divide(sum, DIGITS);
    }

    @Test
    void enclosesTheExponentialTightly() {
        String[][] fractions = {
            {"0", "1"},
            {"1", "1"},
            {"1", "2"},
            {"1", "3"},
            {"7", "5"},
            {"40", "1"},
            {"1", "1000000000000"},
            {"355", "113"},
            {"99", "100"}
        };
        for (String[] fraction : fractions) {
            BigInteger numerator = new BigInteger(fraction[0]);
            BigInteger denominator = new BigInteger(fraction[1]);
            BigDecimal truth = exponential(new BigDecimal(numerator).divide(new BigDecimal(denominator), DIGITS));
            for (int bits : new int[] {64, 126, 190, 254}) {
                Enclosure enclosure = Enclosure.expOfMinus(numerator, denominator, bits);
                assertThat(value(enclosure.low(), bits)).isLessThanOrEqualTo(truth.add(new BigDecimal("1e-100")));
                assertThat(value(enclosure.high(), bits))
                        .isGreaterThanOrEqualTo(truth.subtract(new BigDecimal("1e-100")));
                assertThat(enclosure.high().subtract(enclosure.low()).intValueExact())
                        .isBetween(0, 2);
            }
        }
    }

    @Test
    void enclosesWhatIsBelowTheLastBit() {
        Enclosure enclosure = Enclosure.expOfMinus(BigInteger.TEN.pow(40), BigInteger.ONE, 100);
        assertThat(enclosure.low()).isZero();
        assertThat(enclosure.high()).isOne();
    }

    @Test
    void enclosesPowers() {
        BigInteger nine = BigInteger.valueOf(9);
        for (long exponent : new long[] {0, 1, 2, 3, 10, 17, 30}) {
            Enclosure power =
                    Enclosure.power(Enclosure.ofDyadic(nine, 4, 200), exponent).toBits(100);
            BigDecimal truth = new BigDecimal("0.5625").pow((int) exponent);
            assertThat(value(power.low(), 100)).isLessThanOrEqualTo(truth);
            assertThat(value(power.high(), 100)).isGreaterThanOrEqualTo(truth.subtract(new BigDecimal("1e-110")));
            assertThat(power.high().subtract(power.low()).intValueExact()).isBetween(0, 1);
        }
    }

    /** The samplers trust {@link StrictMath} to 16 ulps and more; it is specified to 1. */
    @Test
    void strictMathIsAsAccurateAsItSays() {
        ReplayNoise noise = ReplayNoise.ofSeed(5);
        for (int i = 0; i < 2000; i++) {
            double x = ExactDraws.below(1L << 52, noise) * 0x1p-52 * 45;
            BigDecimal exact = new BigDecimal(x);
            int scale = Math.max(0, exact.scale());
            Enclosure truth = Enclosure.expOfMinus(
                    exact.movePointRight(scale).toBigIntegerExact(), BigInteger.TEN.pow(scale), 160);
            BigDecimal claimed = new BigDecimal(StrictMath.exp(-x));
            BigDecimal error = claimed.subtract(value(truth.low(), 160)).abs();
            assertThat(error).isLessThan(claimed.multiply(new BigDecimal("2.3e-16")));
        }
    }
}
