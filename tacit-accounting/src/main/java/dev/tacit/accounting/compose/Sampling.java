package dev.tacit.accounting.compose;

/** How the records of one release were chosen, as accounting sees it. */
public sealed interface Sampling {
    /** Every record, every time. */
    record None() implements Sampling {}

    /** Each record independently with probability {@code rate}. */
    record Poisson(double rate) implements Sampling {}

    /** Exactly {@code batch} of {@code population} records, without replacement. */
    record FixedSize(long batch, long population) implements Sampling {
        /** The share of the population that a batch holds. */
        public double rate() {
            return (double) batch / population;
        }
    }
}
