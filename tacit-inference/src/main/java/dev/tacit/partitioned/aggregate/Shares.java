package dev.tacit.partitioned.aggregate;

import dev.tacit.partitioned.message.LongVector;
import dev.tacit.partitioned.message.Message;

/** In which form a party hands what it released to an aggregator. */
@FunctionalInterface
public interface Shares {
    /**
     * The message.
     *
     * @param units what was released, noise included, in multiples of 2^exponent
     * @param exponent of the granularity of the release's grid, public
     * @param noiseStandardDeviation of the party's noise
     */
    Message.Answer share(String party, int round, long[] units, int exponent, double noiseStandardDeviation);

    /** As it is, for an aggregator that all parties trust. */
    static Shares plain() {
        return (party, round, units, exponent, noiseStandardDeviation) ->
                new Message.SumReply(party, round, LongVector.of(units), exponent, noiseStandardDeviation);
    }
}
