package dev.tacit.door.noise;

/** Independent uniform random bits, and draws from them whose laws are exact: no rounding, no bias. */
public interface RandomBits {
    /** Rates below are refused; a success would not be seen in the life of the universe. */
    double SMALLEST_RATE = 0x1p-100;

    /** The next 64 uniform bits. */
    long nextLong();

    /** A uniform integer from 0 up to, not including, the bound. */
    long below(long bound);

    /**
     * The number of failures before the first success, or {@code limit} if there are at least that many.
     *
     * @param rate the probability of success, from 2^−100 to 1
     */
    long failures(double rate, long limit);
}
