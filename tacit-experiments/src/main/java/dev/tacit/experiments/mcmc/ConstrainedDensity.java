package dev.tacit.experiments.mcmc;

import dev.tacit.transform.ParameterSpace;

/**
 * A density that is written for constrained parameters x, as one for their free numbers u.
 *
 * <pre>
 *   log π(u) = log p(x(u)) + log |det ∂x/∂u|
 * </pre>
 */
public final class ConstrainedDensity implements LogDensity {
    private final ParameterSpace space;
    private final LogDensity constrained;
    private final double[] parameters;
    private final double[] parameterGradient;

    /**
     * Wraps a density.
     *
     * @param constrained log p(x) with its gradient in x; the numbers of a simplex count as if they were free, so
     *     terms may use all of them
     */
    public ConstrainedDensity(ParameterSpace space, LogDensity constrained) {
        if (space.dimension() != constrained.dimension()) {
            throw new IllegalArgumentException("the density has " + constrained.dimension()
                    + " coordinates and the parameters have " + space.dimension());
        }
        this.space = space;
        this.constrained = constrained;
        this.parameters = new double[space.dimension()];
        this.parameterGradient = new double[space.dimension()];
    }

    @Override
    public int dimension() {
        return space.freeDimension();
    }

    @Override
    public double valueAndGradient(double[] point, double[] gradient) {
        double jacobian = space.constrain(point, parameters);
        double value = constrained.valueAndGradient(parameters, parameterGradient);
        space.pullBack(point, parameters, parameterGradient, gradient);
        return value + jacobian;
    }

    @Override
    public LogDensity worker() {
        return new ConstrainedDensity(space, constrained.worker());
    }
}
