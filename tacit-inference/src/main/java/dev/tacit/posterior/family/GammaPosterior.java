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
 * A Gamma distribution of one positive number, usually a precision or a rate:
 *
 * <pre>
 *   density ∝ x^(shape−1) e^(−rate x)        natural parameters (shape − 1, −rate) of the statistics (log x, x)
 * </pre>
 */
public final class GammaPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "gamma";

    private final List<String> names;
    private final double shape;
    private final double rate;

    /** From shape and rate (not scale). */
    public GammaPosterior(String parameterName, double shape, double rate) {
        this.names = List.of(parameterName);
        this.shape = Checks.positive(shape, "shape");
        this.rate = Checks.positive(rate, "rate");
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** The shape. */
    public double shape() {
        return shape;
    }

    /** The rate: the mean is shape / rate. */
    public double rate() {
        return rate;
    }

    /** The mean of log x. */
    public double meanLogarithm() {
        return SpecialFunctions.digamma(shape) - Math.log(rate);
    }

    @Override
    public double[] mean() {
        return new double[] {shape / rate};
    }

    @Override
    public double[] standardDeviation() {
        return new double[] {Math.sqrt(shape) / rate};
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, 1);
        return Quantiles.gamma(shape, probability) / rate;
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.of(new double[] {shape - 1, -rate});
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, 1, "draw");
        draw[0] = random.gamma(shape) / rate;
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, 1, "point");
        return logDensity(shape, rate, point[0]);
    }

    static double logDensity(double shape, double rate, double x) {
        if (!(x > 0)) {
            return Double.isNaN(x) ? x : Double.NEGATIVE_INFINITY;
        }
        return shape * Math.log(rate) - SpecialFunctions.logGamma(shape) + (shape - 1) * Math.log(x) - rate * x;
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("shape", shape);
        json.put("rate", rate);
        return json;
    }
}
