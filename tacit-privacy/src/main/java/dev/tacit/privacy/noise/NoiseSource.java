package dev.tacit.privacy.noise;

/**
 * Independent uniform random bits, and whether they are secret.
 *
 * <p>There are two sources and no third: {@link SecureNoise} cannot be seeded and is the only one whose outputs may be
 * released; {@link ReplayNoise} can be repeated from a seed and stamps what it touches. A source is used by one thread
 * at a time; work that runs side by side takes one {@linkplain #fork fork} per task, never a shared source, because two
 * threads that read the same keystream would add the same noise twice.
 */
public sealed interface NoiseSource permits SecureNoise, ReplayNoise {
    /** The next 64 uniform bits. */
    long nextLong();

    /** Fills {@code words[from]} up to, not including, {@code words[to]} with uniform bits. */
    void fill(long[] words, int from, int to);

    /**
     * An independent stream. A fork of a {@link ReplayNoise} depends on its seed and the labels on the way only, not on
     * what was drawn before, so that results depend neither on the number of threads nor on where a run was resumed;
     * the same label gives the same stream. A fork of a {@link SecureNoise} is freshly keyed at every call and ignores
     * the label.
     */
    NoiseSource fork(long label);

    /** The stamp of everything computed with this source. */
    Provenance provenance();

    /** True only for {@link SecureNoise}. */
    default boolean forRelease() {
        return provenance().forRelease();
    }
}
