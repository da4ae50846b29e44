package dev.tacit.posterior.family;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A posterior known by equally weighted draws: moments and quantiles are those of the draws.
 *
 * <pre>
 *   standard deviation with divisor n − 1        quantile by linear interpolation of the order statistics at (n − 1) p
 * </pre>
 *
 * The quantile is definition 7 of Hyndman and Fan (1996). Draws have no density and no natural parameters.
 */
public final class SamplesPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "samples";

    private final List<String> names;
    private final double[] draws;
    private final int count;

    /**
     * From draws.
     *
     * @param draws one after the other, each with one number for each parameter; at least two
     */
    public SamplesPosterior(List<String> parameterNames, double[] draws) {
        this.names = Checks.names(parameterNames);
        int d = names.size();
        if (d == 0 || draws.length % d != 0 || draws.length < 2 * d) {
            throw new IllegalArgumentException("a posterior of samples needs at least two draws of " + d + " numbers");
        }
        this.draws = Checks.finite(draws, draws.length, "sample");
        this.count = draws.length / d;
    }

    @Override
    public String family() {
        return FAMILY;
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    /** How many draws there are. */
    public int count() {
        return count;
    }

    /** All draws, one after the other. */
    public double[] draws() {
        return draws.clone();
    }

    /** The draws of one coordinate. */
    public double[] draws(int coordinate) {
        Checks.coordinate(coordinate, names.size());
        double[] column = new double[count];
        for (int i = 0; i < count; i++) {
            column[i] = draws[i * names.size() + coordinate];
        }
        return column;
    }

    @Override
    public double[] mean() {
        int d = names.size();
        double[] sums = new double[d];
        for (int i = 0; i < draws.length; i++) {
            sums[i % d] += draws[i];
        }
        for (int j = 0; j < d; j++) {
            sums[j] /= count;
        }
        return sums;
    }

    @Override
    public double[] standardDeviation() {
        int d = names.size();
        double[] means = mean();
        double[] squares = new double[d];
        for (int i = 0; i < draws.length; i++) {
            double residual = draws[i] - means[i % d];
            squares[i % d] += residual * residual;
        }
        for (int j = 0; j < d; j++) {
            squares[j] = Math.sqrt(squares[j] / (count - 1));
        }
        return squares;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.probability(probability);
        double[] sorted = draws(coordinate);
        Arrays.sort(sorted);
        double position = (count - 1) * probability;
        int below = (int) position;
        double share = position - below;
        return share == 0 ? sorted[below] : sorted[below] + share * (sorted[below + 1] - sorted[below]);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    /** Picks one of the draws, each with the same probability. */
    @Override
    public void sample(RandomStream random, double[] draw) {
        int d = names.size();
        Checks.size(draw, d, "draw");
        System.arraycopy(draws, random.nextInt(count) * d, draw, 0, d);
    }

    @Override
    public double logDensity(double[] point) {
        throw new UnsupportedOperationException("a posterior of samples has no density");
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = PosteriorFields.start(this);
        json.put("draws", PosteriorFields.list(draws));
        return json;
    }
}
