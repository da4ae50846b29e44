package dev.tacit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
    private static final long SEED = 20261115;
    private static final String EDITS = "{}[]\",:\\u0e-+.tfn \n\u0001";

    @Test
    void readsEveryKindOfValue() {
        Object value =
                Json.read(" {\"a\" : [1, -2.5e3, true, false, null], \"b\": {}, \"\": \"\\u00e9\\n\\\"\\/\"}\r\n\t");
        Map<String, Object> expected = new LinkedHashMap<>();
        List<Object> array = new ArrayList<>(List.of(1L, -2500.0, true, false));
        array.add(null);
        expected.put("a", array);
        expected.put("b", Map.of());
        expected.put("", "é\n\"/");
        assertThat(value).isEqualTo(expected);
    }

    @Test
    void keepsIntegersThatFitAndMakesOthersDoubles() {
        assertThat(Json.read("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
        assertThat(Json.read("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
        assertThat(Json.read("9223372036854775808")).isEqualTo(0x1p63);
        assertThat(Json.read("1.0")).isEqualTo(1.0);
        assertThat(Json.read("-0")).isEqualTo(-0.0);
        assertThat(Json.read("1e-400")).isEqualTo(0.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "|1|1",
                "[1,]|1|4",
                "[1 2]|1|4",
                "{\"a\":1,}|1|8",
                "{a:1}|1|2",
                "{\"a\" 1}|1|6",
                "{\"a\":1|1|7",
                "{\"a\":1,\"b\":2,\"a\":3}|1|14",
                "01|1|2",
                "+1|1|1",
                "1.|1|3",
                ".5|1|1",
                "1e|1|3",
                "-|1|2",
                "--1|1|2",
                "0x10|1|2",
                "NaN|1|1",
                "Infinity|1|1",
                "-Infinity|1|2",
                "1e999|1|1",
                "tru|1|1",
                "nul|1|1",
                "\"abc|1|5",
                "\"a\\x\"|1|4",
                "\"\\u12g4\"|1|6",
                "\"\\u１２３４\"|1|4",
                "'a'|1|1",
                "[1]]|1|4",
                "1 2|1|3",
                "// a|1|1",
                "[1;2]|1|3",
            })
    void namesThePlaceOfEveryMistake(String text, int line, int column) {
        JsonException problem = catchThrowableOfType(JsonException.class, () -> Json.read(text == null ? "" : text));
        assertThat(problem).as(text).isNotNull();
        assertThat(List.of(problem.line(), problem.column()))
                .as(problem.getMessage())
                .isEqualTo(List.of(line, column));
        assertThat(problem.getMessage()).doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"a\tb\"", "\"a\nb\"", "\"\u0000\"", "\ufeff1", "\u00a01", "[1,\uffff]", "\uffff"})
    void refusesCharactersThatMustBeEscapedOrAreNotWhiteSpace(String text) {
        assertThatThrownBy(() -> Json.read(text)).isInstanceOf(JsonException.class);
    }

    @Test
    void countsLines() {
        JsonException problem = catchThrowableOfType(JsonException.class, () -> Json.read("{\n \"a\": 1,\n  ?}"));
        assertThat(problem).hasMessage("line 3, column 3: a key in double quotes is expected");
    }

    @Test
    void neverRepeatsTheText() {
        assertThatThrownBy(() -> Json.read("{\"income of Ada\": secret}"))
                .isInstanceOf(JsonException.class)
                .hasMessageNotContaining("Ada")
                .hasMessageNotContaining("secret");
    }

    @Test
    void limitsDepthOnBothSides() {
        String deep = "[".repeat(Json.DEEPEST) + "]".repeat(Json.DEEPEST);
        assertThat(Json.write(Json.read(deep))).isEqualTo(deep);
        assertThatThrownBy(() -> Json.read("[" + deep + "]")).isInstanceOf(JsonException.class);
        assertThatThrownBy(() -> Json.read("[".repeat(10_000_000))).isInstanceOf(JsonException.class);
        Object nested = List.of();
        for (int i = 0; i < Json.DEEPEST; i++) {
            nested = List.of(nested);
        }
        Object tooDeep = nested;
        assertThatThrownBy(() -> Json.write(tooDeep)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void writesTheShortestDoubleOnEveryJdk() {
        assertThat(Json.write(2e-3)).isEqualTo("0.002");
        assertThat(Json.write(Double.parseDouble("1e23"))).isEqualTo("1.0E23");
        assertThat(Json.write(Double.parseDouble("2e23"))).isEqualTo("2.0E23");
        assertThat(Json.write(0.1 + 0.2)).isEqualTo("0.30000000000000004");
        assertThat(Json.write(Double.MIN_VALUE)).isEqualTo("5.0E-324");
        assertThat(Json.write(-1234567.0)).isEqualTo("-1234567.0");
        assertThat(Json.write(1e7)).isEqualTo("1.0E7");
        assertThat(Json.write(100.0)).isEqualTo("100.0");
        assertThat(Json.write(-0.0)).isEqualTo("-0.0");
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        for (int i = 0; i < 3_000; i++) {
            double value = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(value)) {
                String text = Json.write(value);
                assertThat(Json.read(text)).as(text).isEqualTo(value);
                assertThat(text.length())
                        .as(text)
                        .isLessThanOrEqualTo(Double.toString(value).length());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesToWriteWhatJsonLacks(double value) {
        assertThatThrownBy(() -> Json.write(List.of(value))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Json.write(new Object())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void readsBackWhatItWroteAndAgreesWithJackson() throws Exception {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        ObjectMapper jackson = new ObjectMapper();
        for (int i = 0; i < 2_000; i++) {
            Object value = randomValue(random, 4);
            String text = Json.write(value);
            assertThat(Json.read(text)).as("seed %d, case %d", SEED, i).isEqualTo(value);
            assertThat(jackson.readTree(text)).isEqualTo(jackson.readTree(jackson.writeValueAsString(value)));
        }
    }

    @Test
    void neverFailsOtherwiseThanWithItsOwnException() {
        UniformRandomProvider random = RandomSource.XO_RO_SHI_RO_128_PP.create(SEED);
        for (int i = 0; i < 5_000; i++) {
            StringBuilder text = new StringBuilder(Json.write(randomValue(random, 3)));
            for (int edits = random.nextInt(3); edits >= 0 && text.length() > 0; edits--) {
                text.setCharAt(random.nextInt(text.length()), EDITS.charAt(random.nextInt(EDITS.length())));
            }
            try {
                assertThat(Json.read(Json.write(Json.read(text.toString())))).isEqualTo(Json.read(text.toString()));
            } catch (JsonException e) {
                assertThat(e.column()).isPositive();
            }
        }
    }

    private static Object randomValue(UniformRandomProvider random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong();
            case 3 -> random.nextDouble() * Math.pow(10, random.nextInt(-300, 300));
            case 4, 5 -> randomString(random);
            case 6 -> {
                List<Object> list = new ArrayList<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(randomValue(random, depth - 1));
                }
                yield list;
            }
            default -> {
                Map<String, Object> map = new LinkedHashMap<>();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.put(randomString(random), randomValue(random, depth - 1));
                }
                yield map;
            }
        };
    }

    private static String randomString(UniformRandomProvider random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(8); i > 0; i--) {
            text.appendCodePoint(
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(0x20);
                        case 1 -> random.nextInt(0x20, 0x7f);
                        case 2 -> random.nextInt(0x80, 0xd800);
                        default -> random.nextInt(0x10000, 0x110000);
                    });
        }
        return text.toString();
    }
}
