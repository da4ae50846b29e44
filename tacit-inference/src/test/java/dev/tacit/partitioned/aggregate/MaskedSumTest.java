package dev.tacit.partitioned.aggregate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tacit.noise.ReplayNoise;
import dev.tacit.numerics.Golden;
import dev.tacit.partitioned.message.GridCode;
import dev.tacit.partitioned.message.Message;
import dev.tacit.partitioned.message.Residues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Fixed-point residues, masks that cancel, and shares that say nothing on their own. */
class MaskedSumTest {
    private static final long SEED = 71_207L;

    private static long[] row(double[] numbers, int row) {
        return Arrays.stream(numbers, 3 * row, 3 * row + 3)
                .mapToLong(x -> (long) x)
                .toArray();
    }

    /** To the bit, modulo 2^32: the first party adds both masks, the others subtract theirs. */
    @Test
    void goldenMaskedSum() {
        Map<?, ?> vector =
                Golden.object(Golden.read("/dev/tacit/partitioned/partitioned.json"), "fixed_point_masked_sum");
        Map<?, ?> in = Golden.object(vector, "inputs");
        Map<?, ?> out = Golden.object(vector, "outputs");
        assertThat(Golden.number(in, "modulus")).isEqualTo(0x1p32);
        Residues residues = new Residues(32);
        GridCode code = new GridCode(residues, -Math.getExponent(Golden.number(in, "scale")));
        double[] values = Golden.numbers(in, "values");
        long[] sum = new long[3];
        for (int party = 0; party < 3; party++) {
            long[] codes = code.encode(Arrays.copyOfRange(values, 3 * party, 3 * party + 3));
            assertThat(codes).isEqualTo(row(Golden.numbers(out, "encoded"), party));
            if (party != 2) {
                PairwiseMasks.combine(residues, codes, row(Golden.numbers(in, "mask_01"), 0), party == 0);
            }
            if (party != 1) {
                PairwiseMasks.combine(residues, codes, row(Golden.numbers(in, "mask_02"), 0), party == 0);
            }
            assertThat(codes).isEqualTo(row(Golden.numbers(out, "masked"), party));
            PairwiseMasks.combine(residues, sum, codes, true);
        }
        assertThat(sum).isEqualTo(row(Golden.numbers(out, "sum_mod"), 0));
        assertThat(code.decode(sum)).isEqualTo(Golden.numbers(out, "decoded"));
    }

    /** What does not fit wraps around, as the exact sum does; what is no number is 0. Nothing throws. */
    @Test
    void everyDoubleHasACode() {
        GridCode code = new GridCode(Residues.OF_LONGS, -1);
        double[] values = {-1.5, 0x1p62, -0x1p62, 0x1p63, 0x1p70, Double.NaN, Double.NEGATIVE_INFINITY, -0.0};
        assertThat(code.encode(values)).isEqualTo(new long[] {-3, Long.MIN_VALUE, Long.MIN_VALUE, 0, 0, 0, 0, 0});
        assertThat(code.decode(new long[] {-3, 7})).isEqualTo(new double[] {-1.5, 3.5});
        assertThat(new GridCode(new Residues(8), 0).encode(200)).isEqualTo(200L);
        assertThat(new GridCode(new Residues(8), 0).decode(new long[] {200})).isEqualTo(new double[] {-56});
        assertThatThrownBy(() -> new GridCode(Residues.OF_LONGS, 1024)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<MaskedShares> shares(int parties) {
        return PairwiseMasks.dealt(parties, ReplayNoise.ofSeed(SEED)).stream()
                .map(MaskedShares::new)
                .toList();
    }

    private static List<Message.Answer> round(List<? extends Shares> shares, int round, long... units) {
        List<Message.Answer> answers = new ArrayList<>();
        for (Shares each : shares) {
            answers.add(each.share("party " + answers.size(), round, units, -20, 1));
        }
        return answers;
    }

    @Test
    void masksCancelInTheSumOfAllAndInNothingLess() {
        List<MaskedShares> shares = shares(5);
        MaskedSum aggregator = new MaskedSum(5);
        for (int round = 0; round < 3; round++) {
            List<Message.Answer> answers = round(shares, round, 5 << 18, -3 << 20, 0);
            assertThat(aggregator.sum(answers).orElseThrow()).isEqualTo(new double[] {6.25, -15, 0});
            assertThat(aggregator.sum(answers.subList(0, 4))).isEmpty();
            List<Message.Answer> twice = new ArrayList<>(answers.subList(0, 4));
            twice.add(answers.get(0));
            assertThat(aggregator.sum(twice)).isEmpty();
            // Whoever adds up fewer of them all the same sees masks.
            assertThat(Math.abs(new MaskedSum(4).sum(answers.subList(0, 4)).orElseThrow()[2]))
                    .isGreaterThan(1e6);
        }
        List<Message.Answer> mixed = new ArrayList<>(round(shares, 3, 1, 2).subList(0, 4));
        mixed.add(round(shares, 4, 1, 2).get(4));
        assertThat(aggregator.sum(mixed)).isEmpty();
        assertThatThrownBy(() -> round(shares, 4, 1, 2)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new PlainSum(1).sum(mixed)).isInstanceOf(IllegalArgumentException.class);
    }

    private enum Sender {
        MASKED,
        MASK_DROPPED,
        MASK_REUSED;

        /** The residues that a party sends in a round, always for the same release. */
        IntFunction<long[]> residues(long[] released) {
            MaskedShares masked = shares(3).get(1);
            long[] first = ((Message.MaskedShare) shares(3).get(1).share("a", 0, released, 0, 1))
                    .residues()
                    .toArray();
            return round -> switch (this) {
                case MASKED ->
                    ((Message.MaskedShare) masked.share("a", round, released, 0, 1))
                            .residues()
                            .toArray();
                case MASK_DROPPED -> released;
                case MASK_REUSED -> first;
            };
        }
    }

    /**
     * One party's shares, and what they change by from round to round, are uniform in every byte, whatever it released. Bytes of
     * uniform words are independent, and so are those of their changes: each of the two sums of 8 chi-squares has 2040 degrees of
     * freedom and is above 2400 with probability below 5e-8 (Wilson and Hilferty 1931), one of them below 1e-7.
     */
    @ParameterizedTest
    @EnumSource(Sender.class)
    void aShareOnItsOwnIsUniform(Sender sender) {
        long[] released = new long[64];
        Arrays.setAll(released, i -> i - 20);
        IntFunction<long[]> residues = sender.residues(released);
        int rounds = 400;
        long[][] counts = new long[16][256];
        long[] before = residues.apply(0);
        for (int round = 1; round <= rounds; round++) {
            long[] now = residues.apply(round);
            for (int i = 0; i < now.length; i++) {
                for (int place = 0; place < 8; place++) {
                    counts[place][(int) ((now[i] >>> (8 * place)) & 255)]++;
                    counts[8 + place][(int) (((now[i] - before[i]) >>> (8 * place)) & 255)]++;
                }
            }
            before = now;
        }
        double expected = rounds * released.length / 256.0;
        double ofShares = chiSquare(counts, 0, expected);
        double ofChanges = chiSquare(counts, 8, expected);
        assertThat(Math.max(ofShares, ofChanges) < 2400)
                .as("seed " + SEED + ", chi-squares " + ofShares + " and " + ofChanges)
                .isEqualTo(sender == Sender.MASKED);
    }

    private static double chiSquare(long[][] counts, int from, double expected) {
        return Arrays.stream(counts, from, from + 8)
                .flatMapToLong(Arrays::stream)
                .mapToDouble(count -> (count - expected) * (count - expected) / expected)
                .sum();
    }

    /** A share says nothing about who is in it: the same masks take any release to any residues. */
    @Test
    void masksOfAPartyDoNotDependOnWhatItReleased() {
        Message.MaskedShare one = (Message.MaskedShare) shares(3).get(0).share("a", 2, new long[] {5}, 0, 1);
        Message.MaskedShare other = (Message.MaskedShare) shares(3).get(0).share("a", 2, new long[] {9}, 0, 1);
        assertThat(other.residues().toArray()[0] - one.residues().toArray()[0]).isEqualTo(4L);
    }
}
