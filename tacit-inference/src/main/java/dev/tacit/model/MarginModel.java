package dev.tacit.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.query.Rows;

/**
 * A model whose likelihood depends on the weights only through one number for each record, the margin xᵀθ.
 *
 * <pre>
 *   ∇ log p(y | x, θ) = r(y, xᵀθ) x
 * </pre>
 *
 * Gradients then cost as much as the record has non-zero numbers.
 */
public interface MarginModel extends DifferentiableModel {
    /** r: the derivative of the log-likelihood with respect to the margin. */
    double residual(double label, double margin);

    /**
     * r at several margins of each of the rows {@code from} up to, not including, {@code to}: replaces {@code margins[k n + i]},
     * the k-th margin of row {@code from + i} of these n, for all k. What is computed for a row depends on that row only, to
     * the last bit.
     */
    default void toResiduals(RecordBlock block, int from, int to, double[] margins, int count) {
        int n = to - from;
        for (int k = 0; k < count; k++) {
            for (int i = 0; i < n; i++) {
                margins[k * n + i] = residual(block.label(from + i), margins[k * n + i]);
            }
        }
    }

    /** log p(y | margin) up to a constant. */
    double logLikelihood(double label, double margin);

    @Override
    default Likelihood likelihood() {
        return (block, row, parameters, gradient) -> {
            double margin = Rows.dot(block, row, parameters, 0);
            Rows.addTo(block, row, residual(block.label(row), margin), gradient, 0);
            return logLikelihood(block.label(row), margin);
        };
    }
}
