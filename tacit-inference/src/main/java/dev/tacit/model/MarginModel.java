package dev.tacit.model;

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

    /** log p(y | margin) up to a constant. */
    double logLikelihood(double label, double margin);

    @Override
    default Likelihood likelihood() {
        return (block, row, parameters, gradient) -> {
            double margin = block.dot(row, parameters, 0);
            block.addTo(row, residual(block.label(row), margin), gradient, 0);
            return logLikelihood(block.label(row), margin);
        };
    }
}
