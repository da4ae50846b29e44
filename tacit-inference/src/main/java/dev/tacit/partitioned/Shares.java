package dev.tacit.partitioned;

/** In which form a party hands what it released to an aggregator. */
public interface Shares {
    /**
     * The message.
     *
     * @param released multiples of the granularity, noise included
     * @param granularity of the release's grid, public
     * @param noiseStandardDeviation of the party's noise
     */
    Message.Answer share(String party, int round, double[] released, double granularity, double noiseStandardDeviation);

    /** Whether shares are masked, so that nobody sees a single one. */
    boolean masked();

    /** As it is, for an aggregator that all parties trust. */
    static Shares plain() {
        return new Shares() {
            @Override
            public Message.Answer share(
                    String party, int round, double[] released, double granularity, double noiseStandardDeviation) {
                return new Message.SumReply(party, round, Numbers.of(released), noiseStandardDeviation);
            }

            @Override
            public boolean masked() {
                return false;
            }
        };
    }
}
