package dev.tacit.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.TransformedPosterior;
import dev.tacit.transform.ParameterSpace;
import java.util.List;
import java.util.Optional;

/**
 * A model given by a log-density with a gradient, over parameters that may take any real value.
 *
 * <pre>
 *   log p(θ) + Σ_n log p(x_n | θ)
 * </pre>
 *
 * Parameters with a constraint are brought here through a {@link dev.tacit.transform.Transform}, whose log-Jacobian is then
 * part of the prior. This is all that gradient-based inference needs of a model, so it is also how somebody brings their own;
 * {@code DifferentiableModelConformance} in the testkit checks one.
 */
public interface DifferentiableModel {
    /** One name for each unconstrained parameter. */
    List<String> parameterNames();

    /** How many parameters there are. */
    default int dimension() {
        return parameterNames().size();
    }

    /**
     * The log-density of the prior, log-Jacobians included, up to a constant.
     *
     * @param gradient is overwritten with its gradient
     */
    double logPrior(double[] parameters, double[] gradient);

    /** The parameters at which inference starts: public, before any record was seen. */
    double[] start();

    /** How the unconstrained parameters become those that people read; empty if they are read as they are. */
    default Optional<ParameterSpace> space() {
        return Optional.empty();
    }

    /** One name for each parameter that people read. */
    default List<String> reportedNames() {
        return space().map(ParameterSpace::names).orElse(parameterNames());
    }

    /** The posterior that people read, given that of the unconstrained parameters. */
    default Posterior reported(Posterior free) {
        return space().isPresent() ? new TransformedPosterior(reportedNames(), space().get(), free) : free;
    }

    /** The log-likelihood for one thread, with its own scratch memory. */
    Likelihood likelihood();

    /** What one record says about the parameters. */
    @FunctionalInterface
    interface Likelihood {
        /**
         * log p(x | θ) of one row, up to a constant.
         *
         * @param gradient to which its gradient is added
         */
        double logDensity(RecordBlock block, int row, double[] parameters, double[] gradient);
    }
}
