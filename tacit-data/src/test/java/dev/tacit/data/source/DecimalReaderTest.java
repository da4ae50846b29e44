package dev.tacit.data.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.tacit.json.Json;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalReaderTest {
    private static final long SEED = 20261115;

    private static double read(String text) {
        byte[] bytes = ("x" + text + "y").getBytes(StandardCharsets.UTF_8);
        return DecimalReader.read(bytes, 1, bytes.length - 1);
    }

    private static void assertSame(String text) {
        if (Double.compare(read(text), Double.parseDouble(text)) != 0) {
            fail("seed %d: %s is read as %s", SEED, text, read(text));
        }
    }

    @Test
    void everyDoubleReadsAsJavaReadsIt() {
        Random random = new Random(SEED);
        for (int i = 0; i < 100_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                assertSame(Double.toString(value));
            }
            assertSame(Double.toString(100 * random.nextDouble()));
            assertSame(Long.toUnsignedString(random.nextLong()) + "e" + (random.nextInt(700) - 350));
            assertSame(random.nextInt() + "." + Long.toUnsignedString(random.nextLong()));
        }
    }

    /** Halves between two doubles are the hardest: ties go to the even one. */
    @Test
    void halfwayNumbersReadAsJavaReadsThem() {
        Random random = new Random(SEED);
        for (int i = 0; i < 20_000; i++) {
            double value = random.nextLong() >>> (1 + random.nextInt(12));
            BigDecimal half = new BigDecimal(value).add(new BigDecimal(Math.ulp(value)).divide(BigDecimal.valueOf(2)));
            assertSame(half.toPlainString());
            assertSame(half.add(BigDecimal.ONE).toPlainString());
            assertSame(half.scaleByPowerOfTen(-random.nextInt(10)).toString());
        }
        for (String text : List.of(
                "9007199254740993",
                "9007199254740992.5",
                "4.9e-324",
                "2.2250738585072011e-308",
                "2.4703282292062327e-324",
                "1.7976931348623158e308",
                "1.7976931348623159e308",
                "1e309",
                "1e-400",
                "0.000000000000000000000000000000000000000000000000000001",
                "00000000000000000000000000000012345.5",
                "123456789012345678901234567890",
                "1e99999999999",
                "-0",
                "+5",
                "5.",
                ".5",
                "1E5",
                "1e+05")) {
            assertSame(text);
        }
        assertThat(Json.write(read("0.1"))).isEqualTo("0.1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "1,2", "0x10", "1d", "1f", "NaN", "nan", "--1", "1 2",
                "١", "1_000", "infinit", "in"
            })
    void everythingElseIsNotANumber(String text) {
        assertThat(read(text)).isNaN();
    }

    @Test
    void infinityIsANumberBeyondAllBounds() {
        assertThat(List.of(read("inf"), read("+Infinity"), read("-INF")))
                .containsExactly(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY);
    }
}
