package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.PredictiveModel;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.Serializable;
import java.util.List;
import java.util.Optional;

/**
 * The rate of positive numbers as a log-density of u, with λ = e^u, or λ = softplus(u) as in the paper.
 *
 * <pre>
 *   y ~ Exponential(λ),   λ ~ Gamma(priorShape, priorRate)
 *   log p(y) = log λ − λ y;     slope λ′(u) (1/λ − y)
 * </pre>
 *
 * Alrawajfeh, Jälkö, Honkela 2025, Section 5.1; {@link GammaExponential} has the closed form. With e^u a gradient is at
 * most as large as 1 and λ y, whatever the unit of y. The target is clamped to [0, upperBound]; one that is not a
 * number contributes nothing.
 *
 * @param priorShape of the prior
 * @param priorRate of the prior, in the target's units
 * @param upperBound declared upper bound of the target
 * @param softplus whether λ = softplus(u)
 * @param columns how many numbers a record has; none is looked at
 */
public record GammaExponentialDensity(
        double priorShape, double priorRate, double upperBound, boolean softplus, int columns)
        implements LinearPredictorModel, PredictiveModel, Serializable {
    private static final String PARAMETER = "rate";

    public GammaExponentialDensity {
        ConjugatePair.requirePositive(priorShape, "priorShape");
        ConjugatePair.requirePositive(priorRate, "priorRate");
        ConjugatePair.requirePositive(upperBound, "the upper bound of the target");
    }

    @Override
    public Optional<ParameterSpace> space() {
        return Optional.of(ParameterSpace.of(PARAMETER, softplus ? Transforms.softplus(1) : Transforms.positive(1)));
    }

    @Override
    public List<String> parameterNames() {
        return List.of(PARAMETER);
    }

    @Override
    public int predictors() {
        return 0;
    }

    private double rate(double link) {
        return softplus ? SpecialFunctions.softplus(link) : Math.exp(link);
    }

    /** λ′(u) / λ. */
    private double relativeSlope(double link, double rate) {
        return softplus ? SpecialFunctions.sigmoid(link) / rate : 1;
    }

    private double logRate(double link, double rate) {
        return softplus ? Math.log(rate) : link;
    }

    @Override
    public Response response() {
        return (label, predictors, at, others, othersAt, slopes, otherSlopes) -> {
            double link = others[othersAt];
            double rate = rate(link);
            double waited = rate * Math.max(0, Math.min(upperBound, label));
            otherSlopes[othersAt] = relativeSlope(link, rate) * (1 - waited);
            return logRate(link, rate) - waited;
        };
    }

    /** The Jacobian is λ, or sigmoid(u) for softplus. */
    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        double link = parameters[0];
        double rate = rate(link);
        double jacobianSlope = softplus ? SpecialFunctions.sigmoid(-link) : 1;
        double logJacobian = softplus ? SpecialFunctions.logSigmoid(link) : link;
        gradient[0] = relativeSlope(link, rate) * (priorShape - 1 - priorRate * rate) + jacobianSlope;
        return (priorShape - 1) * logRate(link, rate) - priorRate * rate + logJacobian;
    }

    /** The prior's mean. */
    @Override
    public double[] start() {
        double mean = priorShape / priorRate;
        return new double[] {softplus ? SpecialFunctions.inverseSoftplus(mean) : Math.log(mean)};
    }

    /** The mean of 1/λ is not below one over the mean of λ; for a narrow posterior it is (1 + cv²) times that. */
    @Override
    public Predictor predictor(Posterior posterior) {
        double rate = posterior.mean()[0];
        double variation = posterior.standardDeviation()[0] / rate;
        double mean = (1 + variation * variation) / rate;
        double deviation = mean * Math.sqrt(1 + 2 * variation * variation);
        return (block, row) -> new Prediction.Numeric(mean, deviation);
    }

    @Override
    public double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random) {
        return Math.min(upperBound, random.exponential() / parameters[0]);
    }
}
