package dev.tacit.inference;

import java.util.List;
import java.util.Set;

/** A kernel that names the L2 bounds of its sums before the first one, so that whoever is asked for a sum can refuse any other. */
public interface BoundedKernel<M, S extends Record> extends InferenceKernel<M, S> {
    /** For each phase of {@link #plan}, in order, every bound that a sum of it may be asked with; public numbers. */
    List<Set<Double>> l2Bounds(M model);
}
