package dev.tacit.posterior.family;

import dev.tacit.json.PackedNumbers;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Checks;
import dev.tacit.posterior.Posterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Independent Gaussians over the weights of a neural network, and the numbers that its inputs and output are scaled by.
 *
 * <pre>
 *   weights: layer after layer, input after input (the bias last), unit after unit
 *   scales:  centre and spread of every input, then, if the target is a number, its centre, its spread and the variance of
 *            the noise in units of the spread, then a matrix if inputs are whitened;  known, so their standard deviation is 0
 * </pre>
 *
 * As with {@link BeliefNetworkPosterior}, names follow from inputs and units, and numbers are written packed.
 */
public final class NetworkPosterior implements Posterior {
    /** The name of the family. */
    public static final String FAMILY = "neural-network";

    private final List<String> inputs;
    private final List<Integer> hiddenUnits;
    private final List<String> names;
    private final DiagonalGaussianPosterior weights;
    private final double[] scales;

    /**
     * @param inputs names of the inputs
     * @param hiddenUnits of each hidden layer
     * @param mean of the weights
     * @param variance of the weights
     * @param scales two for each input, three more if the target is a number, and a matrix if inputs are whitened
     */
    public NetworkPosterior(
            List<String> inputs, List<Integer> hiddenUnits, double[] mean, double[] variance, double[] scales) {
        this.inputs = Checks.names(inputs);
        this.hiddenUnits = List.copyOf(hiddenUnits);
        if (inputs.isEmpty() || hiddenUnits.isEmpty() || hiddenUnits.stream().anyMatch(units -> units < 1)) {
            throw new IllegalArgumentException("a network has an input and a hidden unit in every hidden layer");
        }
        List<String> weightNames = weightNames(inputs, hiddenUnits);
        this.weights = new DiagonalGaussianPosterior(weightNames, mean, variance);
        List<String> all = new ArrayList<>(weightNames);
        for (String input : inputs) {
            all.add("centre." + input);
            all.add("spread." + input);
        }
        int square = inputs.size() * inputs.size();
        if (scales.length == 2 * inputs.size() + 3 || scales.length == 2 * inputs.size() + 3 + square) {
            all.addAll(List.of("centre of the target", "spread of the target", "noise variance"));
        }
        if (scales.length >= 2 * inputs.size() + square && scales.length != 2 * inputs.size() + 3) {
            for (int i = 0; i < square; i++) {
                all.add("whitening." + inputs.get(i / inputs.size()) + "." + inputs.get(i % inputs.size()));
            }
        }
        this.names = Checks.names(all);
        this.scales = Checks.finite(scales, all.size() - weightNames.size(), "scale");
    }

    private static List<String> weightNames(List<String> inputs, List<Integer> hiddenUnits) {
        List<String> names = new ArrayList<>();
        for (int layer = 0; layer <= hiddenUnits.size(); layer++) {
            boolean output = layer == hiddenUnits.size();
            int columns = layer == 0 ? inputs.size() : hiddenUnits.get(layer - 1);
            for (int column = 0; column <= columns; column++) {
                String from = layer == 0 ? inputs.get(Math.min(column, columns - 1)) : "unit" + (column + 1);
                String input = column == columns ? "bias" : "from." + from;
                for (int unit = 1; unit <= (output ? 1 : hiddenUnits.get(layer)); unit++) {
                    names.add((output ? "output." : "layer" + (layer + 1) + ".unit" + unit + ".") + input);
                }
            }
        }
        return names;
    }

    @Override
    public String family() {
        return FAMILY;
    }

    public List<String> inputs() {
        return inputs;
    }

    public List<Integer> hiddenUnits() {
        return hiddenUnits;
    }

    /** Means of the weights alone. */
    public double[] weightMean() {
        return weights.mean();
    }

    /** Variances of the weights alone. */
    public double[] weightVariance() {
        return weights.variance();
    }

    /** What inputs and output are scaled by. */
    public double[] scales() {
        return scales.clone();
    }

    @Override
    public List<String> parameterNames() {
        return names;
    }

    @Override
    public double[] mean() {
        return followedBy(weights.mean(), scales);
    }

    @Override
    public double[] standardDeviation() {
        return followedBy(weights.standardDeviation(), new double[scales.length]);
    }

    private static double[] followedBy(double[] first, double[] second) {
        double[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        Checks.coordinate(coordinate, names.size());
        Checks.probability(probability);
        return coordinate < weights.dimension()
                ? weights.quantile(coordinate, probability)
                : scales[coordinate - weights.dimension()];
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        Checks.size(draw, names.size(), "draw");
        double[] drawn = new double[weights.dimension()];
        weights.sample(random, drawn);
        System.arraycopy(drawn, 0, draw, 0, drawn.length);
        System.arraycopy(scales, 0, draw, drawn.length, scales.length);
    }

    /** The density of the weights; the scales are taken as they are. */
    @Override
    public double logDensity(double[] point) {
        Checks.size(point, names.size(), "point");
        return weights.logDensity(Arrays.copyOf(point, weights.dimension()));
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("family", FAMILY);
        json.put("inputs", inputs);
        json.put("hiddenUnits", new ArrayList<Object>(hiddenUnits));
        json.put("mean", PackedNumbers.write(weights.mean()));
        json.put("variance", PackedNumbers.write(weights.variance()));
        json.put("scales", PackedNumbers.write(scales));
        return json;
    }
}
