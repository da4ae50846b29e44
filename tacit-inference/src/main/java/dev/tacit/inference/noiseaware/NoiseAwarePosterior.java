package dev.tacit.inference.noiseaware;

import dev.tacit.numerics.LegendreQuadrature;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.MixturePosterior;
import dev.tacit.posterior.family.ScalarGaussianMixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The posterior of the optimum of private variational inference, given its noisy trace: exact, from {@link
 * TraceStatistics}, without Markov chains.
 *
 * <pre>
 *   for each coordinate:  g̃_t ~ N(κ a (φ_t − φ*), τ² + s²),   a = softplus(v)
 *                         v ~ N(m, σ_v²),   φ* ~ N(φ̄, s₀²),   s half-normal
 *   unless given:         m = |Σ g(φ − φ̄)| / (κ Σ(φ − φ̄)²),   σ_v = τ / (κ √Σ(φ − φ̄)²)
 *   for predictions:      θ_i = μ*_i + softplus(u*_i) ε_i,   φ = (μ, u)
 * </pre>
 *
 * Alrawajfeh, Jälkö, Honkela 2025, sections 4.2–4.3 and appendix, as in their code: diagonal curvature, the standard
 * deviation (not the variance) is softplus(u), the noise of coordinate i is that of the released sum divided by its
 * scale factor. Differs from the paper: they sample (v, φ*, s) with NUTS on the whole trace; here φ* is integrated
 * analytically, v and s by quadrature ({@link CollapsedTrace}), which is the same posterior. The prior of v uses the
 * trace that the likelihood uses again (empirical Bayes); give {@link CurvaturePrior} to avoid it. Post-processing of
 * released values: it costs no privacy.
 */
public final class NoiseAwarePosterior {
    private static final double COMPONENT_TOLERANCE = 0.05;
    private static final double SCALE_TOLERANCE = 0.1;
    private static final LegendreQuadrature NORMAL_PANEL = LegendreQuadrature.of(24);
    private static final double NORMAL_REACH = 7;

    /**
     * The Gaussian prior of v, softplus(v) being the curvature of the whole objective.
     *
     * @param means one for each coordinate
     * @param standardDeviations one for each coordinate
     */
    public record CurvaturePrior(double[] means, double[] standardDeviations) {

        /** m and σ_v from the trace itself, as published. */
        public static CurvaturePrior empirical(TraceStatistics trace, TraceNoise noise) {
            int d = trace.dimension();
            double[] means = new double[d];
            double[] deviations = new double[d];
            for (int i = 0; i < d; i++) {
                double squares = trace.parameterSquares()[i];
                means[i] = Math.abs(trace.crossProducts()[i]) / (noise.samplingRate() * squares);
                deviations[i] = noise.noiseStandardDeviations()[i] / (noise.samplingRate() * Math.sqrt(squares));
            }
            return new CurvaturePrior(means, deviations);
        }
    }

    /**
     * One coordinate.
     *
     * @param optimum the posterior of φ*_i, all nodes of the quadrature
     * @param linkMean posterior mean of v
     * @param linkDeviation posterior standard deviation of v
     * @param subsamplingDeviation posterior mean of s; 0 without subsampling noise
     */
    public record Coordinate(
            ScalarGaussianMixture optimum, double linkMean, double linkDeviation, double subsamplingDeviation) {}

    /** The Gaussian approximation at the mode of (v, φ*): modes and covariance. */
    public record Laplace(
            double linkMode, double optimumMode, double linkVariance, double covariance, double optimumVariance) {}

    private final TraceStatistics trace;
    private final TraceNoise noise;
    private final CurvaturePrior prior;
    private final List<Coordinate> coordinates = new ArrayList<>();

    /** With the prior of the curvature from the trace. */
    public NoiseAwarePosterior(TraceStatistics trace, TraceNoise noise) {
        this(trace, noise, CurvaturePrior.empirical(trace, noise));
    }

    /** With a given prior of the curvature. */
    public NoiseAwarePosterior(TraceStatistics trace, TraceNoise noise, CurvaturePrior prior) {
        int d = trace.dimension();
        if (noise.noiseStandardDeviations().length != d
                || prior.means().length != d
                || prior.standardDeviations().length != d) {
            throw new IllegalArgumentException(
                    "the trace has " + d + " coordinates, its noise or its prior has others");
        }
        for (int i = 0; i < d; i++) {
            if (trace.steps() < 2 || !(trace.parameterSquares()[i] > 0)) {
                throw new IllegalArgumentException("coordinate " + i + " of the trace does not move");
            }
        }
        this.trace = trace;
        this.noise = noise;
        this.prior = prior;
        for (int i = 0; i < d; i++) {
            coordinates.add(collapsed(i).solve());
        }
    }

    private CollapsedTrace collapsed(int i) {
        return new CollapsedTrace(trace, i, noise, prior.means()[i], prior.standardDeviations()[i]);
    }

    /** The posterior of one coordinate of φ*. */
    public Coordinate coordinate(int i) {
        return coordinates.get(i);
    }

    /** The published approximation, for comparison: visibly worse where curvature is poorly known. */
    public Laplace laplace(int i) {
        return collapsed(i).laplace();
    }

    /** The posterior of φ*. */
    public MixturePosterior optimum(List<String> names) {
        return new MixturePosterior(
                names, coordinates.stream().map(Coordinate::optimum).toList());
    }

    /**
     * The posterior of θ, for φ = (μ, u) with as many means as unconstrained scales.
     *
     * <p>The mixture over v of μ* times that over softplus(u*)², with near-equal components merged; means and variances
     * are kept exactly, and the distribution function to about 10⁻⁴.
     */
    public MixturePosterior parameters(List<String> names) {
        int n = half();
        List<ScalarGaussianMixture> mixtures = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            mixtures.add(blurred(
                    coordinates.get(i).optimum().reduced(COMPONENT_TOLERANCE),
                    coordinates.get(n + i).optimum().reduced(COMPONENT_TOLERANCE)));
        }
        return new MixturePosterior(names, mixtures);
    }

    /** One exact draw of θ. */
    public void sampleParameters(RandomStream random, double[] draw) {
        int n = half();
        for (int i = 0; i < n; i++) {
            double scale =
                    SpecialFunctions.softplus(coordinates.get(n + i).optimum().sample(random));
            draw[i] = coordinates.get(i).optimum().sample(random) + scale * random.normal();
        }
    }

    private int half() {
        if (coordinates.size() % 2 != 0) {
            throw new IllegalStateException("a trace of means and scales has an even number of coordinates");
        }
        return coordinates.size() / 2;
    }

    /** Σ_k Σ_j w_k ω_j N(m_k, V_k + q_j), q_j values of softplus(u*)² with weights ω_j. */
    private static ScalarGaussianMixture blurred(
            ScalarGaussianMixture location, ScalarGaussianMixture unconstrainedScale) {
        Map<Long, double[]> squares = scaleSquares(unconstrainedScale);
        int size = location.components() * squares.size();
        double[] weights = new double[size];
        double[] means = new double[size];
        double[] variances = new double[size];
        int at = 0;
        for (double[] square : squares.values()) {
            for (int k = 0; k < location.components(); k++) {
                weights[at] = square[0] * location.weights()[k];
                means[at] = location.means()[k];
                variances[at++] = location.variances()[k] + square[1] / square[0];
            }
        }
        return new ScalarGaussianMixture(weights, means, variances).reduced(COMPONENT_TOLERANCE);
    }

    /** The distribution of softplus(u)² in cells of its logarithm: total weight, and weight times value. */
    private static Map<Long, double[]> scaleSquares(ScalarGaussianMixture unconstrained) {
        Map<Long, double[]> cells = new TreeMap<>();
        for (int k = 0; k < unconstrained.components(); k++) {
            double deviation = Math.sqrt(unconstrained.variances()[k]);
            for (int panel = -1; panel <= 1; panel += 2) {
                for (int j = 0; j < NORMAL_PANEL.nodes().length; j++) {
                    double z = 0.5 * NORMAL_REACH * (NORMAL_PANEL.nodes()[j] + panel);
                    double weight = unconstrained.weights()[k]
                            * SpecialFunctions.normalDensity(z)
                            * 0.5
                            * NORMAL_REACH
                            * NORMAL_PANEL.weights()[j];
                    double scale = SpecialFunctions.softplus(unconstrained.means()[k] + deviation * z);
                    double square = scale * scale;
                    if (weight > 1e-14 && square > 0) {
                        double[] sums = cells.computeIfAbsent(
                                (long) Math.floor(Math.log(square) / SCALE_TOLERANCE), key -> new double[2]);
                        sums[0] += weight;
                        sums[1] += weight * square;
                    }
                }
            }
        }
        return cells;
    }
}
