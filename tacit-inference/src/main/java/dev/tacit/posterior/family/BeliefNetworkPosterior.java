package dev.tacit.posterior.family;

import dev.tacit.json.PackedNumbers;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Independent Gaussians over the parameters of a belief network of one hidden layer.
 *
 * <pre>
 *   w_kj (unit after unit), c_j, b_k:   (K + 1) J + K numbers for J columns and K hidden units
 * </pre>
 *
 * The distribution is a {@link DiagonalGaussianPosterior}; what is its own is that names follow from columns and units,
 * and that its tens of thousands of numbers are written packed.
 */
public final class BeliefNetworkPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "belief-network";

    private final List<String> columns;
    private final int hiddenUnits;
    private final DiagonalGaussianPosterior gaussian;

    /** From means and variances in order. */
    public BeliefNetworkPosterior(List<String> columns, int hiddenUnits, double[] mean, double[] variance) {
        this.columns = Checks.names(columns);
        if (columns.isEmpty() || hiddenUnits < 1) {
            throw new IllegalArgumentException("a belief network has a column and a hidden unit");
        }
        this.hiddenUnits = hiddenUnits;
        this.gaussian = new DiagonalGaussianPosterior(names(columns, hiddenUnits), mean, variance);
    }

    private static List<String> names(List<String> columns, int hiddenUnits) {
        List<String> names = new ArrayList<>();
        for (int unit = 1; unit <= hiddenUnits; unit++) {
            for (String column : columns) {
                names.add("weight." + unit + "." + column);
            }
        }
        for (String column : columns) {
            names.add("bias." + column);
        }
        for (int unit = 1; unit <= hiddenUnits; unit++) {
            names.add("hidden." + unit);
        }
        return names;
    }

    @Override
    public String family() {
        return FAMILY;
    }

    /** What the network is a model of. */
    public List<String> columns() {
        return columns;
    }

    public int hiddenUnits() {
        return hiddenUnits;
    }

    @Override
    public List<String> parameterNames() {
        return gaussian.parameterNames();
    }

    @Override
    public double[] mean() {
        return gaussian.mean();
    }

    /** One for each parameter. */
    public double[] variance() {
        return gaussian.variance();
    }

    @Override
    public double[] standardDeviation() {
        return gaussian.standardDeviation();
    }

    @Override
    public double quantile(int coordinate, double probability) {
        return gaussian.quantile(coordinate, probability);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return gaussian.naturalParameters();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        gaussian.sample(random, draw);
    }

    @Override
    public double logDensity(double[] point) {
        return gaussian.logDensity(point);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("family", FAMILY);
        json.put("columns", columns);
        json.put("hiddenUnits", hiddenUnits);
        json.put("mean", PackedNumbers.write(gaussian.mean()));
        json.put("variance", PackedNumbers.write(gaussian.variance()));
        return json;
    }
}
