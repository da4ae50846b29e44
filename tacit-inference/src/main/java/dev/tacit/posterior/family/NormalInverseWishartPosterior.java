package dev.tacit.posterior.family;

import dev.tacit.numerics.LegendreQuadrature;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Quantiles;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * The mean and the covariance of a Gaussian, jointly:
 *
 * <pre>
 *   Σ ~ InverseWishart(ν, Ψ)        μ | Σ ~ N(m, Σ/κ)        coordinates: μ, then the lower triangle of Σ, row after row
 *   natural parameters (−(ν+d+2)/2, svec(−½(Ψ + κ m mᵀ)), κ m, −κ/2) of (log det Σ, svec(Σ⁻¹), Σ⁻¹μ, μᵀΣ⁻¹μ)
 * </pre>
 *
 * Each mean alone is Student with ν − d + 1 degrees of freedom, each variance inverse Gamma. A covariance Σ_ij is the
 * product of Σ_jj and an independent Student variable, by the usual partition of an inverse Wishart matrix, so its quantiles
 * are found by quadrature over Σ_jj. Moments that do not exist are NaN or infinite.
 */
public final class NormalInverseWishartPosterior implements Posterior, Serializable {
    private static final long serialVersionUID = 1;

    /** The name of the family. */
    public static final String FAMILY = "normal-inverse-wishart";

    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);
    private static final int NODES = 200;
    private static final int BISECTIONS = 100;

    private final List<String> columns;
    private final List<String> names;
    private final double[] mean;
    private final double[] scale;
    private final double[] root;
    private final double mass;
    private final double degrees;

    /**
     * From the parameters above.
     *
     * @param columns names of the d numbers that the Gaussian describes
     * @param mean m
     * @param mass κ: as how many records the mean counts
     * @param scale Ψ, row after row, exactly symmetric and positive definite
     * @param degrees ν, above d − 1
     */
    public NormalInverseWishartPosterior(
            List<String> columns, double[] mean, double mass, double[] scale, double degrees) {
        int d = columns.size();
        this.columns = List.copyOf(columns);
        this.mean = Checks.finite(mean, d, "mean");
        this.scale = Checks.finite(scale, d * d, "scale");
        this.mass = Checks.positive(mass, "mass");
        this.degrees = Checks.positive(degrees, "number of degrees of freedom");
        if (d == 0 || !(degrees > d - 1)) {
            throw new IllegalArgumentException(
                    "the degrees of freedom of a covariance must be more than its columns less one");
        }
        this.root = scale.clone();
        if (!SymmetricMatrix.isSymmetricAndFinite(d, scale)
                || !LinearAlgebra.best().cholesky(d, root)) {
            throw new IllegalArgumentException("the scale of a covariance must be symmetric and positive definite");
        }
        List<String> all = new ArrayList<>();
        this.columns.forEach(column -> all.add("mean." + column));
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < i; j++) {
                all.add("covariance." + columns.get(i) + "." + columns.get(j));
            }
            all.add("variance." + columns.get(i));
        }
        this.names = Checks.names(all);
    }

    private int width() {
        return mean.length;
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** m. */
    public double[] location() {
        return mean.clone();
    }

    /** κ. */
    public double mass() {
        return mass;
    }

    /** ν. */
    public double degrees() {
        return degrees;
    }

    /** The lower Cholesky factor of Ψ. */
    public double[] scaleRoot() {
        return root.clone();
    }

    /** E log det Σ⁻¹ = Σ_i ψ((ν + 1 − i)/2) + d log 2 − log det Ψ, i = 1 .. d. */
    public double meanLogPrecision() {
        double sum = width() * Math.log(2) - SymmetricMatrix.logDeterminantOfCholesky(width(), root);
        for (int i = 0; i < width(); i++) {
            sum += SpecialFunctions.digamma(0.5 * (degrees - i));
        }
        return sum;
    }

    @Override
    public double[] mean() {
        int d = width();
        double[] means = new double[names.size()];
        for (int i = 0; i < d; i++) {
            means[i] = degrees > d ? mean[i] : Double.NaN;
            for (int j = 0; j <= i; j++) {
                means[cell(i, j)] = degrees > d + 1 ? scale[i * d + j] / (degrees - d - 1) : Double.NaN;
            }
        }
        return means;
    }

    private int cell(int i, int j) {
        return width() + i * (i + 1) / 2 + j;
    }

    @Override
    public double[] standardDeviation() {
        int d = width();
        double free = degrees - d;
        double[] deviations = new double[names.size()];
        for (int i = 0; i < d; i++) {
            deviations[i] = free > 1 ? Math.sqrt(scale[i * d + i] / (mass * (free - 1))) : Double.POSITIVE_INFINITY;
            for (int j = 0; j <= i; j++) {
                double square = scale[i * d + j] * scale[i * d + j];
                double product = scale[i * d + i] * scale[j * d + j];
                deviations[cell(i, j)] = free > 3
                        ? Math.sqrt(((free + 1) * square + (free - 1) * product) / (free * (free - 3))) / (free - 1)
                        : Double.POSITIVE_INFINITY;
            }
        }
        return deviations;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, names.size());
        Checks.probability(probability);
        int d = width();
        double free = degrees - d + 1;
        if (coordinate < d) {
            return mean[coordinate]
                    + Math.sqrt(scale[coordinate * d + coordinate] / (mass * free))
                            * Quantiles.student(free, probability);
        }
        int i = 0;
        while (cell(i, i) < coordinate) {
            i++;
        }
        int j = i - (cell(i, i) - coordinate);
        return i == j
                ? variance(scale[i * d + i], free, probability)
                : covarianceQuantile(scale[i * d + i], scale[i * d + j], scale[j * d + j], free, probability);
    }

    private static double variance(double scale, double free, double probability) {
        return 0.5 * scale / Quantiles.gamma(0.5 * free, 1 - probability);
    }

    private static double covarianceQuantile(
            double first, double both, double second, double free, double probability) {
        double slope = both / second;
        double spread = Math.sqrt((first - both * slope) / (second * (free + 1)));
        LegendreQuadrature rule = LegendreQuadrature.of(NODES);
        double[] variances = new double[NODES];
        for (int node = 0; node < NODES; node++) {
            variances[node] = variance(second, free, 0.5 * (1 + rule.nodes()[node]));
        }
        double low = -1;
        double high = 1;
        while (below(low, variances, rule, slope, spread, free + 1) > probability) {
            low *= 2;
        }
        while (below(high, variances, rule, slope, spread, free + 1) < probability) {
            high *= 2;
        }
        for (int step = 0; step < BISECTIONS; step++) {
            double middle = 0.5 * (low + high);
            if (below(middle, variances, rule, slope, spread, free + 1) < probability) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** P(Σ_jj T ≤ c) for a Student variable T. */
    private static double below(
            double c, double[] variances, LegendreQuadrature rule, double slope, double spread, double freedom) {
        double sum = 0;
        for (int node = 0; node < variances.length; node++) {
            double t = (c / variances[node] - slope) / spread;
            double tail = 0.5 * RegularizedBeta.value(freedom / (freedom + t * t), 0.5 * freedom, 0.5);
            sum += 0.5 * rule.weights()[node] * (t > 0 ? 1 - tail : tail);
        }
        return sum;
    }

    @Override
    public Optional<double[]> naturalParameters() {
        int d = width();
        double[] parameters = new double[2 + d + SymmetricMatrix.vectorSize(d)];
        parameters[0] = -0.5 * (degrees + d + 2);
        double[] matrix = scale.clone();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                matrix[i * d + j] = -0.5 * (matrix[i * d + j] + mass * mean[i] * mean[j]);
            }
        }
        SymmetricMatrix.toVector(d, matrix, parameters, 1);
        for (int i = 0; i < d; i++) {
            parameters[parameters.length - 1 - d + i] = mass * mean[i];
        }
        parameters[parameters.length - 1] = -0.5 * mass;
        return Optional.of(parameters);
    }

    /** By Bartlett's decomposition: Σ = M Mᵀ, M = C B⁻ᵀ, with Ψ = C Cᵀ and B Bᵀ ~ Wishart(ν, I). */
    @Override
    public void sample(RandomStream random, double[] draw) {
        int d = width();
        Checks.size(draw, names.size(), "draw");
        double[] bartlett = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < i; j++) {
                bartlett[i * d + j] = random.normal();
            }
            bartlett[i * d + i] = Math.sqrt(2 * random.gamma(0.5 * (degrees - i)));
        }
        double[][] factor = new double[d][d];
        double[] normal = new double[d];
        random.fillNormal(normal);
        for (int i = 0; i < d; i++) {
            System.arraycopy(root, i * d, factor[i], 0, d);
            LinearAlgebra.best().solveLower(d, bartlett, factor[i]);
            double shift = 0;
            for (int j = 0; j < d; j++) {
                shift += factor[i][j] * normal[j];
            }
            draw[i] = mean[i] + shift / Math.sqrt(mass);
            for (int j = 0; j <= i; j++) {
                double product = 0;
                for (int k = 0; k < d; k++) {
                    product += factor[i][k] * factor[j][k];
                }
                draw[cell(i, j)] = product;
            }
        }
    }

    @Override
    public double logDensity(double[] point) {
        int d = width();
        Checks.size(point, names.size(), "point");
        double[] covariance = new double[d * d];
        double[] residual = new double[d];
        for (int i = 0; i < d; i++) {
            residual[i] = point[i] - mean[i];
            for (int j = 0; j <= i; j++) {
                covariance[i * d + j] = point[cell(i, j)];
                covariance[j * d + i] = point[cell(i, j)];
            }
        }
        if (!LinearAlgebra.best().cholesky(d, covariance)) {
            return Double.NEGATIVE_INFINITY;
        }
        double logDeterminant = SymmetricMatrix.logDeterminantOfCholesky(d, covariance);
        double[] inverse = new double[d * d];
        LinearAlgebra.best().invertCholesky(d, covariance, inverse);
        return logNormaliser()
                - 0.5 * (degrees + d + 2) * logDeterminant
                - 0.5 * SymmetricMatrix.traceOfProduct(d, scale, inverse)
                - 0.5 * mass * SymmetricMatrix.quadraticForm(d, inverse, residual);
    }

    private double logNormaliser() {
        int d = width();
        double sum = 0.5 * degrees * SymmetricMatrix.logDeterminantOfCholesky(d, root)
                - 0.5 * degrees * d * Math.log(2)
                - 0.25 * d * (d - 1) * Math.log(Math.PI)
                + 0.5 * d * (Math.log(mass) - LOG_TWO_PI);
        for (int i = 0; i < d; i++) {
            sum -= SpecialFunctions.logGamma(0.5 * (degrees - i));
        }
        return sum;
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("family", FAMILY);
        json.put("columns", columns);
        json.put("mean", PosteriorFields.list(mean));
        json.put("mass", mass);
        json.put("scaleLower", PosteriorFields.list(PosteriorFields.lower(width(), scale)));
        json.put("degrees", degrees);
        return json;
    }
}
