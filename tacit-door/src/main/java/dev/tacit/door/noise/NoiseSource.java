package dev.tacit.door.noise;

/**
 * Random bits and exact noise, and whether they are secret.
 *
 * <p>There are two sources and no third: {@code SecureNoise} cannot be seeded and is the only one whose outputs may be
 * released; {@code ReplayNoise} can be repeated from a seed and stamps what it touches. A source is used by one thread
 * at a time; work that runs side by side takes one {@linkplain #fork fork} per task, never a shared source, because two
 * threads that read the same keystream would add the same noise twice.
 */
public interface NoiseSource extends RandomBits {
    /** The largest standard deviation that {@link #addDiscreteGaussian} takes. */
    double LARGEST_STANDARD_DEVIATION = 0x1p50;

    /** Adds independent integers with the law of the discrete Gaussian, P(k) ∝ exp(−k²/2σ²), modulo 2^64. */
    void addDiscreteGaussian(double standardDeviation, long[] numbers);

    /**
     * An independent stream. A fork of replayed noise depends on its seed and the labels on the way only, not on
     * what was drawn before, so that results depend neither on the number of threads nor on where a run was resumed;
     * the same label gives the same stream. A fork of secure noise is freshly keyed at every call and ignores
     * the label.
     */
    NoiseSource fork(long label);

    /** A key of 256 of these bits. */
    BatchKey batchKey();

    /** The stamp of everything computed with this source. */
    Provenance provenance();

    /** True only for secure noise. */
    default boolean forRelease() {
        return provenance().forRelease();
    }
}
