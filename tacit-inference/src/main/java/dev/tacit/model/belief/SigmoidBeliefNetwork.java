package dev.tacit.model.belief;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.prediction.DescriptiveModel;
import dev.tacit.model.prediction.Finding;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.BeliefNetworkPosterior;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The sigmoid belief network: columns of zeros and ones that hidden units explain.
 *
 * <pre>
 *   z_k ~ Bernoulli(sigmoid(b_k)),     y_j ~ Bernoulli(sigmoid(c_j + Σ_k w_kj (z_k − ½)))
 * </pre>
 *
 * Neal 1992, with hidden units centred at ½, which is another way to write the same model. Inference in one record is
 * {@link HiddenUnits}; how the parameters are learned is {@link BeliefGradients} or {@link PolyaGammaBelief}.
 *
 * @param columns names of the columns
 * @param hiddenUnits K
 * @param sweeps of inference in one record while learning
 * @param cut a column counts as 1 above it and as 0 otherwise
 * @param pictureWidth columns in a row if the columns are the pixels of a picture, otherwise 0
 */
public record SigmoidBeliefNetwork(List<String> columns, int hiddenUnits, int sweeps, double cut, int pictureWidth)
        implements DescriptiveModel, Serializable {
    /** The name on the command line. */
    public static final String NAME = "sigmoid-belief-network";

    /** Sweeps for a record that is described or scored. */
    public static final int SCORING_SWEEPS = 10;

    private static final int COLUMNS_SHOWN = 20;
    private static final int PICTURES_DRAWN = 40;
    private static final long PICTURE_SEED = 1;

    public SigmoidBeliefNetwork {
        columns = List.copyOf(columns);
        if (columns.size() < 2) {
            throw new IllegalArgumentException("a belief network needs at least two columns");
        }
        if (hiddenUnits < 1 || (long) (hiddenUnits + 1) * (columns.size() + 1) > 1 << 27) {
            throw new IllegalArgumentException(
                    "hiddenUnits is a number from 1, and hidden units times columns is at most 2^27");
        }
        if (sweeps < 1 || sweeps > 1000) {
            throw new IllegalArgumentException("sweeps is a number from 1 to 1000");
        }
        if (!Double.isFinite(cut)) {
            throw new IllegalArgumentException("cut is a number");
        }
        if (pictureWidth < 0 || (pictureWidth > 0 && columns.size() % pictureWidth != 0)) {
            throw new IllegalArgumentException("pictureWidth is 0 or divides the number of columns");
        }
    }

    /** The width of a square picture, if columns are named by one word and the numbers from 0 on; otherwise 0. */
    public static int squareWidth(List<String> columns) {
        int width = (int) Math.round(Math.sqrt(columns.size()));
        if (width < 4 || width * width != columns.size()) {
            return 0;
        }
        String word = columns.get(0).endsWith("0")
                ? columns.get(0).substring(0, columns.get(0).length() - 1)
                : null;
        for (int i = 0; i < columns.size(); i++) {
            if (word == null || !columns.get(i).equals(word + i)) {
                return 0;
            }
        }
        return width;
    }

    /** Inference at the mean of a posterior, for one thread. */
    public HiddenUnits inference(Posterior posterior) {
        if (posterior instanceof BeliefNetworkPosterior network
                && network.columns().equals(columns)
                && network.hiddenUnits() == hiddenUnits) {
            return hiddenUnits(NetworkWeights.points(columns.size(), hiddenUnits, network.mean()));
        }
        throw new IllegalArgumentException("the posterior is not one of this network");
    }

    HiddenUnits hiddenUnits(NetworkWeights weights) {
        return new HiddenUnits(weights, cut);
    }

    /** Probabilities of the hidden units, then of each column in the reconstruction. */
    @Override
    public List<String> descriptionNames() {
        List<String> names = new ArrayList<>(unitNames());
        columns.forEach(column -> names.add("reconstructed " + column));
        return names;
    }

    private List<String> unitNames() {
        return IntStream.rangeClosed(1, hiddenUnits)
                .mapToObj(unit -> "hidden-" + unit)
                .toList();
    }

    @Override
    public Describer describer(Posterior posterior) {
        HiddenUnits units = inference(posterior);
        return (block, row, description) -> {
            units.infer(block, row, SCORING_SWEEPS);
            System.arraycopy(units.probabilities(), 0, description, 0, hiddenUnits);
            for (int j = 0; j < columns.size(); j++) {
                description[hiddenUnits + j] = SpecialFunctions.sigmoid(units.margins()[j]);
            }
        };
    }

    @Override
    public Map<String, Double> scores(Posterior posterior, List<RecordBlock> records) {
        ReconstructionScores scores =
                ReconstructionScores.of(() -> inference(posterior), columns.size(), SCORING_SWEEPS, records);
        Map<String, Double> named = new LinkedHashMap<>();
        named.put("reconstructionAccuracy", scores.reconstructionAccuracy());
        named.put("constantReconstructionAccuracy", scores.constantReconstructionAccuracy());
        named.put("heldOutAccuracy", scores.heldOutAccuracy());
        named.put("constantHeldOutAccuracy", scores.constantHeldOutAccuracy());
        named.put("heldOutNats", scores.heldOutNats());
        named.put("constantHeldOutNats", scores.constantHeldOutNats());
        return named;
    }

    @Override
    public List<Finding> findings(Posterior posterior) {
        return pictureWidth > 0 ? pictures(posterior.mean()) : List.of(groups(posterior));
    }

    private List<Finding> pictures(double[] parameters) {
        int size = columns.size();
        int height = size / pictureWidth;
        List<double[]> weights = new ArrayList<>();
        for (int k = 0; k < hiddenUnits; k++) {
            weights.add(java.util.Arrays.copyOfRange(parameters, k * size, (k + 1) * size));
        }
        return List.of(
                new Finding.Pictures(
                        "What hidden units draw",
                        "The weights of each hidden unit: a unit that is on makes pixels likelier where it is bright and"
                                + " less likely where it is dark, and the other way round if it is off.",
                        pictureWidth,
                        height,
                        weights),
                new Finding.Pictures(
                        "Pictures drawn from the model",
                        "Hidden units drawn at random, and how likely each pixel then is to be on. No record is shown:"
                                + " only released numbers were used.",
                        pictureWidth,
                        height,
                        drawn(parameters)));
    }

    private List<double[]> drawn(double[] parameters) {
        NetworkWeights weights = NetworkWeights.points(columns.size(), hiddenUnits, parameters);
        RandomStream random = RandomStream.ofSeed(PICTURE_SEED);
        List<double[]> pictures = new ArrayList<>();
        for (int picture = 0; picture < PICTURES_DRAWN; picture++) {
            double[] pixels = weights.biases().clone();
            for (int k = 0; k < hiddenUnits; k++) {
                double feature = random.uniform() < SpecialFunctions.sigmoid(weights.hiddenBiases()[k]) ? 0.5 : -0.5;
                for (int j = 0; j < pixels.length; j++) {
                    pixels[j] += feature * weights.weights()[k * pixels.length + j];
                }
            }
            for (int j = 0; j < pixels.length; j++) {
                pixels[j] = SpecialFunctions.sigmoid(pixels[j]) - 0.5;
            }
            pictures.add(pixels);
        }
        return pictures;
    }

    /** For columns that are not a picture: which ones each unit switches on. */
    private Finding groups(Posterior posterior) {
        double[] mean = posterior.mean();
        int size = columns.size();
        List<Finding.Group> groups = new ArrayList<>();
        for (int k = 0; k < hiddenUnits; k++) {
            int start = k * size;
            List<Finding.WeightedWord> words = IntStream.range(start, start + size)
                    .filter(i -> mean[i] > 0)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> -mean[i]))
                    .limit(COLUMNS_SHOWN)
                    .map(i -> new Finding.WeightedWord(
                            columns.get(i - start), mean[i], posterior.quantile(i, 0.05), posterior.quantile(i, 0.95)))
                    .toList();
            double share = SpecialFunctions.sigmoid(mean[(hiddenUnits + 1) * size + k]);
            groups.add(new Finding.Group("hidden-" + (k + 1), share, words));
        }
        return new Finding.WordGroups(
                "What hidden units switch on",
                "For each hidden unit, how often it is on and the columns that it makes likelier, by their weights.",
                groups);
    }
}
