package dev.tacit.glm;

import dev.tacit.numerics.SymmetricMatrix;

/**
 * What the released curvature teaches about the twin's: a scale γ, a map A, and how uncertain each entry remains.
 *
 * <pre>
 *   γ       = ⟨H, H_twin⟩/⟨H_twin, H_twin⟩ in [0.4, 1.6], at the point of the release
 *   A       symmetric positive with A γ H_twin A = H_d,   H_d = soft(γ H_twin + dev),  dev shrunk entry by entry   {@link CurvatureShrinkage}
 *   H(θ)    = A γ H_twin(θ) A,   J(θ) = A γ J_twin(θ) A        one map for both, positive wherever θ goes
 *   secant  of two sums at θ₀, θ₁ = θ₀ + d:   r = share ∘ (g₀ − g₁ − field₀(θ₁) − (H − γ H_twin) d),
 *           H ← H + (r dᵀ + d rᵀ)/dᵀd − (dᵀr) d dᵀ/(dᵀd)², relative eigenvalues at least 0.3, then A anew   {@link RelativeSpectrum}
 * </pre>
 *
 * Before the release γ = 1, A is the identity and entries are unknown to 30 %.
 */
final class LearnedCurvature {
    /** Eigenvalues of the twin's matrices are at least this share of their mean. */
    private static final double FLOOR = 1e-3;

    private static final double UNKNOWN = 0.3;
    private static final double LEAST_RELATIVE = 0.3;

    private final GlmGeometry geometry;
    private final int d;

    /** T². */
    private final double[] squaredWhitening;

    private double gamma = 1;
    private double noise;
    private double meanSlope;
    private double[] relativeVariance;
    private double[] map;

    LearnedCurvature(GlmGeometry geometry) {
        this.geometry = geometry;
        this.d = geometry.d;
        this.squaredWhitening = Matrices.product(d, geometry.whitening, geometry.whitening);
    }

    boolean isKnown() {
        return map != null;
    }

    double gamma() {
        return gamma;
    }

    /**
     * The curvature at a point.
     *
     * @param scale the diagonal of the twin's, floored: h
     * @param curvature H
     * @param sampling J
     * @param deviation H − γ H_twin
     * @param entryVariance of H
     */
    record Local(double[] scale, double[] curvature, double[] sampling, double[] deviation, double[] entryVariance) {}

    /** The twin's moments at a point, as the release corrects them. */
    Local of(TwinRound.Moments moments) {
        double[] twin = moments.curvature();
        double floor = FLOOR * Matrices.trace(d, twin) / d;
        double ratio = moments.varianceSum() / moments.slopeSum();
        double[] scale = new double[d];
        for (int i = 0; i < d; i++) {
            scale[i] = Math.max(twin[i * d + i], floor);
        }
        double[] entryVariance = new double[d * d];
        double[] counts = geometry.moments.countVariance();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                double relative =
                        isKnown() ? relativeVariance[i * d + j] : UNKNOWN * UNKNOWN + (i == j ? counts[i] : 0);
                entryVariance[i * d + j] = relative * scale[i] * scale[j];
            }
        }
        double[] curvature = SymmetricMatrix.withEigenvaluesAtLeast(floor, d, twin);
        double[] sampling = SymmetricMatrix.withEigenvaluesAtLeast(floor * ratio, d, moments.sampling());
        if (isKnown()) {
            curvature = Matrices.congruent(d, map, curvature);
            sampling = Matrices.congruent(d, map, sampling);
        }
        return new Local(scale, curvature, sampling, Matrices.minus(curvature, twin), entryVariance);
    }

    /** A. */
    double[] map() {
        return map;
    }

    /** A (γ Σ weights w wᵀ, eigenvalues not below a thousandth of their mean) A, for weights on the twin's rows. */
    double[] mapped(double[] weights) {
        double[] gram = Matrices.weightedGram(geometry.twinRows, d, geometry.twin, weights, gamma);
        double[] floored = SymmetricMatrix.withEigenvaluesAtLeast(FLOOR * Matrices.trace(d, gram) / d, d, gram);
        return Matrices.congruent(d, map, floored);
    }

    /**
     * Takes the release in.
     *
     * @param round at whose point it was
     * @param released svec of the matrix
     * @param noise on its entries, positive
     */
    void learn(TwinRound round, double[] released, double noise) {
        double[] found = SymmetricMatrix.fromVector(d, released, 0);
        TwinRound.OwnCurvature own = round.ownCurvature();
        double[] twin = own.curvature();
        this.meanSlope = own.meanSlope();
        this.noise = noise;
        gamma = Matrices.clamp(Matrices.dot(found, twin) / Matrices.dot(twin, twin), 0.4, 1.6);
        double floor = FLOOR * gamma * Matrices.trace(d, twin) / d;
        double[] scale = new double[d];
        double[] scaled = new double[d * d];
        for (int i = 0; i < d * d; i++) {
            scaled[i] = gamma * twin[i];
        }
        for (int i = 0; i < d; i++) {
            scale[i] = Math.max(scaled[i * d + i], floor);
        }
        double[] passedOn = new double[d];
        for (int i = 0; i < d; i++) {
            passedOn[i] = meanSlope * geometry.moments.noise() * squaredWhitening[i * d + i];
        }
        CurvatureShrinkage shrunk = CurvatureShrinkage.of(
                d, Matrices.minus(found, scaled), scale, noise, geometry.moments.countVariance(), passedOn);
        relativeVariance = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                relativeVariance[i * d + j] = shrunk.variance()[i * d + j] / (scale[i] * scale[j]);
            }
        }
        double[] base = SymmetricMatrix.withEigenvaluesAtLeast(floor, d, scaled);
        double[] wanted = RelativeSpectrum.of(d, Matrices.plus(scaled, 1, shrunk.deviation()), base)
                .soft(shrunk.variance());
        map = RelativeSpectrum.congruence(d, base, wanted);
    }

    /**
     * Learns from the difference of two sums, shrunk by their noise.
     *
     * @param extra parameters of the last solution
     * @param local the curvature where that was
     */
    void secant(TwinRound before, TwinRound now, double[] extra, Local local) {
        double[] move = Matrices.minus(now.at().point(), before.at().point());
        double square = Matrices.dot(move, move);
        if (!(square > 0)) {
            return;
        }
        double[] predicted = before.field(geometry.predictors(now.at().point()), extra, gamma, null);
        double[] known = Matrices.times(d, local.deviation(), move);
        double[] h = local.scale();
        double[] residual = new double[d];
        for (int i = 0; i < d; i++) {
            double unknown = 0;
            for (int j = 0; j < d; j++) {
                unknown += relativeVariance[i * d + j] * h[i] * h[j] * move[j] * move[j];
            }
            double share = unknown / (unknown + before.noise() * before.noise() + now.noise() * now.noise());
            residual[i] = share * (before.sum()[i] - now.sum()[i] - predicted[i] - known[i]);
        }
        double along = Matrices.dot(move, residual);
        double[] twin = now.curvature(now.at().point(), now.at().extra(), gamma);
        double[] base = SymmetricMatrix.withEigenvaluesAtLeast(FLOOR * Matrices.trace(d, twin) / d, d, twin);
        double[] mapped = Matrices.congruent(d, map, base);
        double[] updated = mapped.clone();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                updated[i * d + j] += (residual[i] * move[j] + move[i] * residual[j]) / square
                        - along * move[i] * move[j] / (square * square);
            }
        }
        map = RelativeSpectrum.congruence(
                d, base, RelativeSpectrum.of(d, updated, mapped).floored(LEAST_RELATIVE));
    }

    /** The variance of vᵀ H v, for a unit vector v: what is left of both releases that it rests on. */
    double varianceAlong(double[] vector, double[] entryVariance) {
        double[] squares = new double[d];
        for (int i = 0; i < d; i++) {
            squares[i] = vector[i] * vector[i];
        }
        double moments = Math.pow(meanSlope * geometry.moments.noise() * Matrices.form(d, squaredWhitening, vector), 2);
        double released = noise * noise;
        return Matrices.form(d, entryVariance, squares) + (moments > 0 ? moments * released / (moments + released) : 0);
    }
}
