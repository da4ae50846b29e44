package dev.tacit.partitioned.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Releases travel as integers, and their sums are those of integers. */
class GridSumTest {
    private static final long LARGE = 1L << 60;

    private static Message.SumReply reply(String party, int exponent, double noise, long... units) {
        Message reply = new Message.SumReply(party, 0, LongVector.of(units), exponent, noise);
        return (Message.SumReply) Message.fromJson(reply.toJson());
    }

    /** Doubles would lose the 3 beside 2^60, in one order and not in the other. */
    @Test
    void sumsAreExactInAnyOrder() {
        long[][] units = {{LARGE, Long.MAX_VALUE}, {3, 5}, {-LARGE, Long.MIN_VALUE}};
        List<Message.SumReply> replies = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            replies.add(reply("party " + i, -20, 1, units[i]));
        }
        double[] sum = {3 * 0x1p-20, 4 * 0x1p-20};
        assertThat(new PlainSum(3).sum(replies).orElseThrow()).isEqualTo(sum);
        assertThat(new PlainSum(3)
                        .sum(List.of(replies.get(2), replies.get(0), replies.get(1)))
                        .orElseThrow())
                .isEqualTo(sum);
        double inDoubles = 0;
        for (Message.SumReply each : replies) {
            inDoubles += each.numbers()[0];
        }
        assertThat(inDoubles).isNotEqualTo(sum[0]);
    }

    @Test
    void anAggregatorAddsNoisySharesOfOneGridOnly() {
        List<Message.SumReply> noisy = List.of(reply("a", -20, 1, 4), reply("b", -21, 1, 6));
        assertThat(new PlainSum(2).sum(noisy)).isEmpty();
        assertThat(GridSum.ofReleases(noisy)).isEqualTo(new double[] {7 * 0x1p-20});
        List<Message.SumReply> clear = List.of(reply("a", -20, 0, 4), reply("b", -21, 0, 6));
        assertThat(new PlainSum(2).sum(clear).orElseThrow()).isEqualTo(new double[] {7 * 0x1p-20});
        assertThat(new PlainSum(2).sum(List.of(reply("a", 0, 1, 4), reply("b", 0, 1, 4, 5))))
                .isEmpty();
        assertThatThrownBy(() -> new PlainSum(2)
                        .sum(List.of(reply("a", 0, 1, 4), new Message.FactorChange("b", 0, DoubleVector.of(1), 0, 0))))
                .hasMessageStartingWith("a plain sum adds answers of one kind");
    }
}
