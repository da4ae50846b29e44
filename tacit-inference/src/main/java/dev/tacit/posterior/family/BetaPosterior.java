package dev.tacit.posterior.family;

import dev.tacit.numerics.Quantiles;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Beta distribution of one probability:
 *
 * <pre>
 *   density ∝ x^(a−1) (1−x)^(b−1)        natural parameters (a − 1, b − 1) of the statistics (log x, log(1−x))
 * </pre>
 */
public final class BetaPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "beta";

    private final List<String> names;
    private final double successes;
    private final double failures;

    /** From the two shapes, which count successes and failures, those of the prior included. */
    public BetaPosterior(String parameterName, double successes, double failures) {
        this.names = List.of(parameterName);
        this.successes = Checks.positive(successes, "number of successes");
        this.failures = Checks.positive(failures, "number of failures");
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** The first shape, a. */
    public double successes() {
        return successes;
    }

    /** The second shape, b. */
    public double failures() {
        return failures;
    }

    @Override
    public double[] mean() {
        return new double[] {successes / (successes + failures)};
    }

    @Override
    public double[] standardDeviation() {
        double total = successes + failures;
        return new double[] {Math.sqrt(successes / total * (failures / total) / (total + 1))};
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, 1);
        return Quantiles.beta(successes, failures, probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.of(new double[] {successes - 1, failures - 1});
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, 1, "draw");
        // in logarithms, because both Gamma numbers can be too small for a double
        draw[0] = SpecialFunctions.sigmoid(random.logGamma(successes) - random.logGamma(failures));
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, 1, "point");
        double x = point[0];
        if (!(x > 0 && x < 1)) {
            return Double.isNaN(x) ? x : Double.NEGATIVE_INFINITY;
        }
        return (successes - 1) * Math.log(x)
                + (failures - 1) * Math.log1p(-x)
                - SpecialFunctions.logBeta(successes, failures);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("successes", successes);
        json.put("failures", failures);
        return json;
    }
}
