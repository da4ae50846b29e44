package dev.tacit.partitioned.aggregate;

import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;
import java.util.Arrays;
import java.util.Objects;

/**
 * A party's releases as residues under its masks, for a {@link MaskedSum}.
 *
 * <pre>
 *   share = released integers + mask of the round        {@link PairwiseMasks}
 * </pre>
 *
 * Noise is in the integers, on the same grid, so masks change neither the sum nor what it is charged for.
 */
public final class MaskedShares implements Shares {
    private final PairwiseMasks masks;

    public MaskedShares(PairwiseMasks masks) {
        this.masks = Objects.requireNonNull(masks, "masks");
    }

    @Override
    public Message.Answer share(String party, int round, long[] units, int exponent, double noiseStandardDeviation) {
        long[] codes = Arrays.stream(units).map(masks.residues()::of).toArray();
        masks.mask(round, codes);
        return new Message.MaskedShare(party, round, LongVector.of(codes), exponent, noiseStandardDeviation);
    }

    @Override
    public boolean masked() {
        return true;
    }
}
