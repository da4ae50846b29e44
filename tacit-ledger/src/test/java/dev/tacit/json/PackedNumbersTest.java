package dev.tacit.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PackedNumbersTest {
    private static JsonFields fields(Object value) {
        return JsonFields.of(Json.read(Json.write(Map.of("numbers", value))), "state");
    }

    @Test
    void everyBitComesBack() {
        double[] numbers = {0, -0.0, 1, Math.PI, -Double.MIN_VALUE, Double.MAX_VALUE, 1 / 3.0};
        double[] back = PackedNumbers.read(fields(PackedNumbers.write(numbers)), "numbers");
        assertThat(back).hasSameSizeAs(numbers);
        for (int i = 0; i < numbers.length; i++) {
            assertThat(Double.doubleToRawLongBits(back[i])).isEqualTo(Double.doubleToRawLongBits(numbers[i]));
        }
        assertThat(PackedNumbers.read(fields(PackedNumbers.write(new double[0])), "numbers"))
                .isEmpty();
    }

    /** The bytes are part of the format of files: 1.0 is 3ff0000000000000. */
    @Test
    void theFormIsFixed() {
        assertThat(PackedNumbers.write(new double[] {1})).isEqualTo("AAAAAAAA8D8=");
    }

    @Test
    void otherTextIsRefusedByItsPlace() {
        for (Object wrong : new Object[] {"?", "AAAA", 3L}) {
            assertThatThrownBy(() -> PackedNumbers.read(fields(wrong), "numbers"))
                    .isInstanceOf(JsonFieldException.class)
                    .hasMessageContaining("state.numbers");
        }
    }
}
