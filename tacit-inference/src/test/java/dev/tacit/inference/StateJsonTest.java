package dev.tacit.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** States come back from their text bit for bit, and text that is not theirs is refused. */
class StateJsonTest {
    /** One of each kind of field. */
    public record Sample(int releases, double[] point, double noise, long seed) {}

    private static Sample read(Map<String, Object> json) {
        return StateJson.read(Sample.class, JsonFields.of(Json.read(Json.write(json)), "state"));
    }

    @Test
    void everyFieldComesBack() {
        double[] point = {0.1, -1e-310, Double.MIN_VALUE, 1.0 / 3};
        Map<String, Object> json = StateJson.write(new Sample(7, point, 0.1 + 0.2, Long.MIN_VALUE + 1));
        assertThat(json).containsOnlyKeys("releases", "point", "noise", "seed");
        Sample read = read(json);
        assertThat(read.releases()).isEqualTo(7);
        assertThat(read.point()).containsExactly(point);
        assertThat(read.noise()).isEqualTo(0.1 + 0.2);
        assertThat(read.seed()).isEqualTo(Long.MIN_VALUE + 1);
    }

    @Test
    void fieldsThatAreMissingOrUnknownAreRefused() {
        Map<String, Object> json = StateJson.write(new Sample(7, new double[] {1}, 2, 3));
        json.put("more", 1);
        assertThatThrownBy(() -> read(json)).isInstanceOf(JsonFieldException.class);
        json.remove("more");
        json.remove("noise");
        assertThatThrownBy(() -> read(json)).isInstanceOf(JsonFieldException.class);
    }
}
