package dev.tacit.partitioned.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.json.JsonFieldException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {
    /** The number 1, packed. */
    private static final String ONE = "AAAAAAAA8D8=";

    static Stream<Message> messages() {
        return Stream.of(
                new Message.GlobalState(3, DoubleVector.of(1.5, -0.0, Math.nextUp(2)), 2),
                new Message.FactorChange("clinic \"A\"", 4, DoubleVector.of(1e-300, -7), 0.1, 2),
                new Message.SumReply("b", 8, LongVector.of(Long.MAX_VALUE, -1, (1L << 53) + 1), -1022, 1.0 / 3),
                new Message.SumReply("d", 5, LongVector.of(-1, Long.MIN_VALUE, 0x7ff0000000000001L), -21, 0.3),
                new Message.Absence("c", 9, Message.Reason.BUDGET_SPENT));
    }

    /** Texts that other versions and other programs have written must stay readable. */
    @Test
    void aStateIsWrittenAsItAlwaysWas() {
        assertThat(new Message.GlobalState(3, DoubleVector.of(1), 2).toJson())
                .isEqualTo(
                        "{\"type\":\"global-state\",\"naturalParameters\":\"" + ONE + "\",\"lastUsed\":2,\"round\":3}");
    }

    @ParameterizedTest
    @MethodSource("messages")
    void comesBackExactly(Message message) {
        assertThat(Message.fromJson(message.toJson())).isEqualTo(message);
        assertThat(message.bytes()).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"order\",\"round\":1}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"AAAA\",\"exponent\":0,\"noiseStandardDeviation\":\""
                        + ONE + "\"}",
                "{\"type\":\"absence\",\"round\":1,\"party\":\"c\",\"reason\":\"LAZY\"}",
                "{\"type\":\"absence\",\"round\":-1,\"party\":\"c\",\"reason\":\"UNREACHABLE\"}",
                "{\"type\":\"absence\",\"round\":4294967296,\"party\":\"c\",\"reason\":\"UNREACHABLE\"}",
                "{\"type\":\"global-state\",\"round\":1,\"naturalParameters\":\"\",\"lastUsed\":1}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"sum\":\"\",\"noiseStandardDeviation\":\"" + ONE
                        + "\"}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"\",\"exponent\":1024,\"noiseStandardDeviation\":\""
                        + ONE + "\"}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"\",\"exponent\":0.5,\"noiseStandardDeviation\":\""
                        + ONE + "\"}",
                "{\"type\":\"sum-reply\",\"round\":1,\"party\":\"c\",\"units\":\"\",\"exponent\":0,\"noiseStandardDeviation\":\"\"}",
                "{\"type\":\"absence\",\"round\":1,\"party\":\"c\",\"reason\":\"UNREACHABLE\",\"more\":1}"
            })
    void othersAreRefused(String text) {
        assertThatThrownBy(() -> Message.fromJson(text)).isInstanceOf(JsonFieldException.class);
    }

    @Test
    void numbersCannotBeChanged() {
        double[] given = {1, 2};
        Message.GlobalState state = new Message.GlobalState(0, DoubleVector.of(given), Message.GlobalState.NONE_USED);
        given[0] = 5;
        state.naturalParameters().toArray()[1] = 7;
        assertThat(state.naturalParameters()).isEqualTo(DoubleVector.of(1, 2));
    }
}
