package dev.tacit.inference;

import java.util.List;

/** A kernel that names the L2 bound of every sum before the first one, so that whoever is asked for a sum can refuse any other. */
public interface BoundedKernel<M, S extends Record> extends InferenceKernel<M, S> {
    /**
     * This kernel with every choice among bounds made, from public numbers.
     *
     * @param noiseMultiplier of the sum over all records, for the phases whose relative noise is 1; 0 without noise
     */
    BoundedKernel<M, S> withNamedBounds(M model, long publicSize, double noiseMultiplier);

    /**
     * For each phase of {@link #plan}, in order, the bound that every sum of it is asked with; a public number.
     *
     * @throws IllegalArgumentException if a bound is not chosen yet ({@link #withNamedBounds})
     */
    List<Double> l2Bounds(M model);
}
