package dev.tacit.model;

import java.util.OptionalDouble;

/** A model that takes rows for no longer than a public bound; its plans say so, and a data set with longer rows refuses them. */
public interface RowBounded {
    /** The public bound on the L2 norm of a record. */
    double rowNormBound();

    /** What a model takes for the largest row, if it does. */
    static OptionalDouble of(Object model) {
        return model instanceof RowBounded bounded ? OptionalDouble.of(bounded.rowNormBound()) : OptionalDouble.empty();
    }
}
