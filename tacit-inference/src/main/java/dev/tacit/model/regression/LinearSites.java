package dev.tacit.model.regression;

import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GammaPosterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.ProductPosterior;
import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Linear regression for expectation propagation; the noise variance is given, or found beside the weights.
 *
 * <pre>
 *   y scaled to [−1, 1] by its declared bounds,   S = Var u + s²:     a = (y − E u)/S,   b = 1/S
 *   extras    t = min((y − E u)²/S, 4) − 2;      log s² ← log s² + RATE (E t⁺/κ − 1),   t⁺ = t + 2,   κ = E min(χ²₁, 4)
 * </pre>
 *
 * With a given s² every site is exact, so EP ends in the posterior. The noise variance ends where squared residuals are as large as
 * they should be; a step changes log s² by at most 0.3, and s² stays in [0.001, 1].
 */
public final class LinearSites extends MarginSites implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double LARGEST_SQUARE = 4;

    /** E min(χ²₁, 4) = (2Φ(2) − 1) − 4φ(2) + 8 (1 − Φ(2)). */
    private static final double TYPICAL_SQUARE = 0.920536925636323;

    private static final double RATE = 0.5;
    private static final double LARGEST_CHANGE = 0.3;
    private static final double SMALLEST_VARIANCE = 1e-3;

    /** No normal number is further away. */
    private static final double MANY_DEVIATIONS = 40;

    private static final String WEIGHTS = "weights";
    private static final String PRECISION = "noise-precision";

    private final LinearRegression model;
    private final double noiseVariance;
    private final boolean learnsNoise;

    /**
     * @param noiseVariance s², of the scaled target; the start if it is learned
     * @param learnsNoise whether records say how large it is
     * @param startShare share of the budget for Σ x xᵀ; 0 for none
     */
    public LinearSites(LinearRegression model, double noiseVariance, boolean learnsNoise, double startShare) {
        super(new Design(
                model.parameterNames(), model.rowNormBound(), model.priorPrecision(), model.publicSize(), startShare));
        ConjugatePair.requirePositive(noiseVariance, "the noise variance");
        this.model = model;
        this.noiseVariance = noiseVariance;
        this.learnsNoise = learnsNoise;
    }

    @Override
    double typicalCurvature(double[] own) {
        return Math.exp(-own[0]);
    }

    @Override
    double curvatureAt(double[] own, double margin) {
        return typicalCurvature(own);
    }

    /** Of residuals over s, which are N(0, 1): P(|z| &lt; c) and E min(z², c²). */
    @Override
    Kept kept(double[] own, double slopeBound) {
        double c = slopeBound * Math.exp(own[0] / 2);
        double inside = 1 - 2 * SpecialFunctions.normalCdf(-c);
        double squares = inside - 2 * c * SpecialFunctions.normalDensity(c) + c * c * (1 - inside);
        return new Kept(inside, c < MANY_DEVIATIONS ? squares : 1);
    }

    @Override
    double[] ownConstants() {
        return new double[] {Math.log(noiseVariance)};
    }

    /** Gradients are residuals over S: weighted by the variance that they start with, they are of the size of residuals. */
    @Override
    public double[] meanWeights() {
        double[] weights = new double[columns()];
        Arrays.fill(weights, noiseVariance);
        return weights;
    }

    @Override
    void tilt(double[] own, double label, double mean, double variance, Tilt tilt) {
        double total = variance + Math.exp(own[0]);
        double residual = model.scaled(label) - mean;
        tilt.slope = residual / total;
        tilt.curvature = 1 / total;
        tilt.logPartition = -0.5 * (Math.log(2 * Math.PI * total) + residual * residual / total);
    }

    @Override
    void extras(Tilt tilt, double[] statistics) {
        statistics[0] = Math.min(tilt.slope * tilt.slope / tilt.curvature, LARGEST_SQUARE) - LARGEST_SQUARE / 2;
    }

    @Override
    public Optional<Extras> extras() {
        return learnsNoise ? Optional.of(new NoiseVariance()) : Optional.empty();
    }

    private static final class NoiseVariance implements Extras {
        @Override
        public int dimension() {
            return 1;
        }

        @Override
        public double l2Bound() {
            return LARGEST_SQUARE / 2;
        }

        @Override
        public double boundShare() {
            return 0.3;
        }

        @Override
        public double[] constants(double[] before, double[] noisyMeans) {
            double change = RATE * ((noisyMeans[0] + LARGEST_SQUARE / 2) / TYPICAL_SQUARE - 1);
            double[] after = before.clone();
            after[0] += Math.max(-LARGEST_CHANGE, Math.min(LARGEST_CHANGE, change));
            after[0] = Math.max(Math.log(SMALLEST_VARIANCE), Math.min(0, after[0]));
            return after;
        }
    }

    /** Weights and noise precision, in the form that {@link LinearRegression} predicts from. */
    @Override
    public Posterior posterior(double[] mean, double[] covariance, double[] constants) {
        double shape = 1 + design.publicSize() / 2.0;
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        blocks.put(WEIGHTS, new GaussianPosterior(design.parameterNames(), mean, covariance));
        blocks.put(PRECISION, new GammaPosterior(PRECISION, shape, shape * Math.exp(constants[0])));
        return new ProductPosterior(blocks);
    }
}
