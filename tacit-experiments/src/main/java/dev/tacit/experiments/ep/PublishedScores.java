package dev.tacit.experiments.ep;

import dev.tacit.experiments.harness.ExperimentOptions;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What was published about Bayesian neural networks on one of the regression sets.
 *
 * <p>Vinaroz, Park 2022, Tables 3 and 4: columns VI, EP, SEP, "SEP clipped", "DP-SEP" and "DP-VI", and Table 5, a point estimate, of
 * which the RMSE alone is printed; 10 splits of scikit-learn. Li, Hernández-Lobato, Turner 2015, Table 2: columns
 * ADF, SEP and EP, on 20 splits as in probabilistic backpropagation (5 of protein, 1 of year).
 *
 * <p>The code of Vinaroz and Park begins its private network with a Gamma distribution of the target's noise for each set, (a, b), which
 * its SEP learned and which look like averages over runs; their noise variance is b/(a − 1).
 *
 * @param name of the data set
 * @param records that train
 * @param hiddenUnits of the published networks
 * @param noiseMultiplier that the published recipe finds for epsilon 1
 * @param noiseVariance that SEP learned according to the published code, of the target in standard units
 * @param scores RMSE and log-likelihood by column
 */
public record PublishedScores(
        String name,
        int records,
        int hiddenUnits,
        double noiseMultiplier,
        double noiseVariance,
        Map<String, double[]> scores) {
    /** The noise of the target that was learned, a metric. */
    static final String NOISE_VARIANCE = "noiseVariance";

    /** Columns of the two papers. */
    static final String SEP = "SEP";

    static final String DP_SEP = "DP-SEP";
    static final String EP = "EP";
    static final String CLIPPED_SEP = "SEP clipped";
    static final String VI = "VI";
    static final String DP_VI = "DP-VI";
    static final String POINT = "point estimate";
    static final String ADF_2015 = "ADF 2015";
    static final String SEP_2015 = "SEP 2015";
    static final String EP_2015 = "EP 2015";

    private static final int SPLITS = 10;
    private static final int USUAL_SPLITS = 5;
    private static final int PROTEIN_SPLITS = 5;

    static final String YEAR = "year-prediction-msd";

    /** Those that are in the benchmark folder. */
    public static final List<PublishedScores> SETS = List.of(
            new PublishedScores(
                    "naval",
                    10_741,
                    50,
                    1.039,
                    noise(4_780.383185, 144.3312336),
                    Map.of(
                            EP, pair(0.003, 4.164),
                            CLIPPED_SEP, pair(0.002, 4.71),
                            VI, pair(0.005, 3.734),
                            DP_VI, pair(0.01, 3.253),
                            POINT, pair(0.001, Double.NaN),
                            SEP, pair(0.002, 4.609),
                            DP_SEP, pair(0.002, 4.686),
                            ADF_2015, pair(0.006, 3.731),
                            SEP_2015, pair(0.002, 4.590),
                            EP_2015, pair(0.004, 4.207))),
            new PublishedScores(
                    "kin8nm",
                    7_373,
                    50,
                    1.221,
                    noise(3_271.898334, 331.122069),
                    Map.of(
                            EP, pair(0.088, 1.007),
                            CLIPPED_SEP, pair(0.078, 1.121),
                            VI, pair(0.099, 0.897),
                            DP_VI, pair(0.098, 0.928),
                            POINT, pair(0.091, Double.NaN),
                            SEP, pair(0.089, 0.999),
                            DP_SEP, pair(0.078, 1.125),
                            ADF_2015, pair(0.098, 0.896),
                            SEP_2015, pair(0.088, 1.013),
                            EP_2015, pair(0.089, 1.005))),
            new PublishedScores(
                    "power",
                    8_611,
                    50,
                    1.128,
                    noise(4_084.001869, 236.8769553),
                    Map.of(
                            EP, pair(4.098, -2.83),
                            CLIPPED_SEP, pair(4.013, -2.809),
                            VI, pair(4.327, -2.89),
                            DP_VI, pair(4.35, -3.077),
                            POINT, pair(4.182, Double.NaN),
                            SEP, pair(4.061, -2.821),
                            DP_SEP, pair(4.032, -2.814),
                            ADF_2015, pair(4.124, -2.837),
                            SEP_2015, pair(4.165, -2.846),
                            EP_2015, pair(4.191, -2.852))),
            new PublishedScores(
                    "wine",
                    1_439,
                    50,
                    2.440,
                    noise(550.883042, 288.7679997),
                    Map.of(
                            EP, pair(0.614, -0.926),
                            CLIPPED_SEP, pair(0.627, -0.938),
                            VI, pair(0.646, -0.98),
                            DP_VI, pair(0.734, -1.213),
                            POINT, pair(0.645, Double.NaN),
                            SEP, pair(0.623, -0.936),
                            DP_SEP, pair(0.627, -0.938),
                            ADF_2015, pair(0.635, -0.968),
                            SEP_2015, pair(0.650, -0.976),
                            EP_2015, pair(0.637, -0.958))),
            new PublishedScores(
                    "protein",
                    41_157,
                    100,
                    0.839,
                    noise(20_080.58288, 11_029.92738),
                    Map.of(
                            SEP, pair(4.602, -2.945),
                            DP_SEP, pair(4.585, -2.941),
                            EP, pair(4.654, -2.957),
                            CLIPPED_SEP, pair(4.581, -2.941),
                            VI, pair(4.842, -2.992),
                            DP_VI, pair(4.934, -3.049),
                            POINT, pair(4.539, Double.NaN),
                            ADF_2015, pair(4.727, -2.973),
                            SEP_2015, pair(4.670, -2.961),
                            EP_2015, pair(4.748, -2.979))));

    /** Run only if its file, of about 200 MB, is there. */
    static final PublishedScores LARGE = new PublishedScores(
            YEAR,
            463_715,
            100,
            0.720,
            noise(224_608.67015, 136_304.09595),
            Map.of(
                    EP, pair(8.865, -3.604),
                    CLIPPED_SEP, pair(8.862, -3.598),
                    VI, pair(9.034, -3.622),
                    DP_VI, pair(9.971, -3.974),
                    POINT, pair(8.932, Double.NaN),
                    SEP, pair(8.873, -3.599),
                    DP_SEP, pair(8.862, -3.597),
                    ADF_2015, pair(8.879, -3.603),
                    SEP_2015, pair(8.922, -3.924),
                    EP_2015, pair(8.914, -3.929)));

    private static double noise(double shape, double rate) {
        return rate / (shape - 1);
    }

    private static double[] pair(double rmse, double logLikelihood) {
        return new double[] {rmse, logLikelihood};
    }

    /** Half of the published number unless more are asked for. */
    int splits(ExperimentOptions options) {
        int all = switch (name) {
            case "protein" -> PROTEIN_SPLITS;
            case YEAR -> 1;
            default -> SPLITS;
        };
        return Math.min(options.seedsOr(USUAL_SPLITS), all);
    }

    /** Weights of the published network. */
    long weights(int inputs) {
        return (long) hiddenUnits * (inputs + 1) + hiddenUnits + 1;
    }

    OptionalDouble score(String column, String metric) {
        if (column.equals(SEP) && metric.equals(NOISE_VARIANCE)) {
            return OptionalDouble.of(noiseVariance);
        }
        double[] both = scores.get(column);
        if (both == null) {
            return OptionalDouble.empty();
        }
        return switch (metric) {
            case "rmse" -> OptionalDouble.of(both[0]);
            case "logLikelihood" -> Double.isNaN(both[1]) ? OptionalDouble.empty() : OptionalDouble.of(both[1]);
            default -> OptionalDouble.empty();
        };
    }
}
