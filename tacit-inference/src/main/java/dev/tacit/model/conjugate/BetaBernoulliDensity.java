package dev.tacit.model.conjugate;

import dev.tacit.model.LinearPredictorModel;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * How often a binary target is positive, as a log-density of the logit u.
 *
 * <pre>
 *   y ~ Bernoulli(θ),   θ = sigmoid(u) ~ Beta(priorSuccesses, priorFailures)
 *   slope of one record: y − θ;     of the prior with its Jacobian: priorSuccesses − (priorSuccesses + priorFailures) θ
 * </pre>
 *
 * {@link BetaBernoulli} has the closed form. The label counts as 1 above one half and as 0 otherwise.
 *
 * @param priorSuccesses shape of the prior
 * @param priorFailures shape of the prior
 * @param columns how many numbers a record has; none is looked at
 */
public record BetaBernoulliDensity(double priorSuccesses, double priorFailures, int columns)
        implements LinearPredictorModel, Serializable {
    private static final String PARAMETER = "probability";

    public BetaBernoulliDensity {
        ConjugatePair.requirePositive(priorSuccesses, "priorSuccesses");
        ConjugatePair.requirePositive(priorFailures, "priorFailures");
    }

    @Override
    public Optional<ParameterSpace> space() {
        return Optional.of(ParameterSpace.of(PARAMETER, Transforms.unitInterval(1)));
    }

    @Override
    public List<String> parameterNames() {
        return List.of(PARAMETER);
    }

    @Override
    public int predictors() {
        return 0;
    }

    @Override
    public Response response() {
        return (label, predictors, at, others, othersAt, slopes, otherSlopes) -> {
            double logit = others[othersAt];
            boolean positive = label > 0.5;
            otherSlopes[othersAt] = (positive ? 1 : 0) - SpecialFunctions.sigmoid(logit);
            return SpecialFunctions.logSigmoid(positive ? logit : -logit);
        };
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        double logit = parameters[0];
        gradient[0] = priorSuccesses - (priorSuccesses + priorFailures) * SpecialFunctions.sigmoid(logit);
        return priorSuccesses * SpecialFunctions.logSigmoid(logit)
                + priorFailures * SpecialFunctions.logSigmoid(-logit);
    }

    /** The prior's mean. */
    @Override
    public double[] start() {
        return new double[] {Math.log(priorSuccesses / priorFailures)};
    }
}
