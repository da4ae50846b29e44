package dev.tacit.posterior.family;

import dev.tacit.numerics.Quantiles;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A Dirichlet distribution of probabilities that sum to 1:
 *
 * <pre>
 *   density ∝ Π x_i^(c_i−1), on the simplex with respect to its first n−1 coordinates
 *   natural parameters c_i − 1 of the statistics log x_i
 * </pre>
 */
public final class DirichletPosterior implements Posterior, Serializable {
    private static final long serialVersionUID = 1;

    /** The name of the family. */
    public static final String FAMILY = "dirichlet";

    /** How far from 1 the sum of a point may be that counts as a point of the simplex. */
    private static final double ON_THE_SIMPLEX = 1e-9;

    private final List<String> names;
    private final double[] concentration;
    private final double total;

    /** From the concentrations c_i. */
    public DirichletPosterior(List<String> parameterNames, double[] concentration) {
        this.names = Checks.names(parameterNames);
        if (names.size() < 2) {
            throw new IllegalArgumentException("a Dirichlet posterior needs at least two parameters");
        }
        this.concentration = Checks.positive(concentration, names.size(), "concentration");
        double sum = 0;
        for (double value : concentration) {
            sum += value;
        }
        this.total = Checks.positive(sum, "sum of concentrations");
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** c_i. */
    public double[] concentration() {
        return concentration.clone();
    }

    /** The mean of log x_i: ψ(c_i) − ψ(Σ c). */
    public double[] meanLogarithm() {
        double[] means = concentration.clone();
        SpecialFunctions.digamma(means, means, means.length);
        double ofTotal = SpecialFunctions.digamma(total);
        for (int i = 0; i < means.length; i++) {
            means[i] -= ofTotal;
        }
        return means;
    }

    @Override
    public double[] mean() {
        double[] means = concentration.clone();
        for (int i = 0; i < means.length; i++) {
            means[i] /= total;
        }
        return means;
    }

    @Override
    public double[] standardDeviation() {
        double[] deviations = mean();
        for (int i = 0; i < deviations.length; i++) {
            deviations[i] = Math.sqrt(deviations[i] * ((total - concentration[i]) / total) / (total + 1));
        }
        return deviations;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        return Quantiles.beta(concentration[coordinate], total - concentration[coordinate], probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        double[] parameters = concentration.clone();
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] -= 1;
        }
        return Optional.of(parameters);
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, concentration.length, "draw");
        for (int i = 0; i < draw.length; i++) {
            draw[i] = random.logGamma(concentration[i]);
        }
        SpecialFunctions.softmax(draw, draw, draw.length);
    }

    @Override
    public double logDensity(double[] point) {
        Checks.size(point, concentration.length, "point");
        double result = SpecialFunctions.logGamma(total);
        double sum = 0;
        for (int i = 0; i < point.length; i++) {
            if (Double.isNaN(point[i])) {
                return Double.NaN;
            }
            if (!(point[i] > 0)) {
                return Double.NEGATIVE_INFINITY;
            }
            sum += point[i];
            result += (concentration[i] - 1) * Math.log(point[i]) - SpecialFunctions.logGamma(concentration[i]);
        }
        return Math.abs(sum - 1) <= ON_THE_SIMPLEX ? result : Double.NEGATIVE_INFINITY;
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("concentration", PosteriorFields.list(concentration));
        return json;
    }
}
