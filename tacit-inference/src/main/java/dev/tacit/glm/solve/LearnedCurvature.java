package dev.tacit.glm.solve;

import dev.tacit.glm.group.GroupConstraints;
import dev.tacit.glm.group.GroupCoordinates;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricMatrix;
import java.util.Arrays;
import java.util.Optional;

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
 * With groups γ is that of the columns' block, blocks of groups are shrunk by {@link GroupShrinkage}, and the matrix respects
 * {@link GroupConstraints}. Before the release γ = 1, A is the identity and entries are unknown to 30 %.
 */
final class LearnedCurvature {
    /** Eigenvalues of the twin's matrices are at least this share of their mean. */
    private static final double FLOOR = 1e-3;

    /** And at least this for each record, where the twin has no curvature at all. */
    private static final double LEAST = 1e-9;

    /** The curvature of a group can be as small as one record's: its floor is this share of a column's. */
    private static final double GROUP_FLOOR = 1e-3;

    /** What is left along {@link GroupConstraints}, in floors. */
    private static final double CONSTRAINED = 1e-4;

    private static final double UNKNOWN = 0.3;
    private static final double LEAST_RELATIVE = 0.3;

    private final GlmGeometry geometry;
    private final int d;

    /** T², with zeros for groups. */
    private final double[] squaredWhitening;

    /** Relative variances of entries before the release, apart from counts. */
    private final double[] unknown;

    private final Optional<GroupConstraints> constraints;

    private double gamma = 1;
    private double noise;
    private double meanSlope;
    private double[] relativeVariance;
    private double[] map;

    LearnedCurvature(GlmGeometry geometry) {
        this.geometry = geometry;
        this.d = geometry.d;
        double[] squared = geometry.squaredWhitening;
        this.constraints =
                geometry.groups().map(coordinates -> new GroupConstraints(coordinates, geometry.unwhitening));
        if (geometry.groups().isEmpty()) {
            this.squaredWhitening = squared;
            this.unknown = new double[d * d];
            Arrays.fill(unknown, UNKNOWN * UNKNOWN);
        } else {
            this.squaredWhitening = geometry.groups().get().extended(squared, 0);
            this.unknown = new GroupShrinkage(geometry).unknown(UNKNOWN * UNKNOWN);
        }
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

    /** A thousandth of the mean curvature of a column. */
    private double floor(double[] matrix) {
        int columns = geometry.columns;
        double mean = Matrices.trace(columns, Matrices.leading(d, matrix, columns)) / columns;
        return Math.max(FLOOR * mean, LEAST * geometry.rows);
    }

    /**
     * A positive matrix with eigenvalues of at least {@code floor}; with groups in the metric that gives columns that floor and
     * every group a thousandth of its own size.
     */
    private double[] floored(double[] matrix, double[] scale, double floor) {
        if (geometry.groups().isEmpty()) {
            return SymmetricMatrix.withEigenvaluesAtLeast(floor, d, matrix);
        }
        double[] root = new double[d];
        for (int i = 0; i < d; i++) {
            root[i] = Math.sqrt(i < geometry.columns ? floor : FLOOR * scale[i]);
        }
        double[] relative = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                relative[i * d + j] = matrix[i * d + j] / (root[i] * root[j]);
            }
        }
        double[] raised = SymmetricMatrix.withEigenvaluesAtLeast(1, d, relative);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                raised[i * d + j] *= root[i] * root[j];
            }
        }
        return raised;
    }

    /** The diagonal, floored. */
    private double[] scale(double[] matrix, double floor) {
        double[] scale = new double[d];
        for (int i = 0; i < d; i++) {
            scale[i] = Math.max(matrix[i * d + i], i < geometry.columns ? floor : GROUP_FLOOR * floor);
        }
        return scale;
    }

    /** The twin's moments at a point, as the release corrects them. */
    Local of(TwinRound.Moments moments) {
        double[] twin = moments.curvature();
        double floor = floor(twin);
        double ratio = moments.slopeSum() > 0 ? moments.varianceSum() / moments.slopeSum() : 1;
        double[] scale = scale(twin, floor);
        double[] entryVariance = new double[d * d];
        double[] counts = geometry.countVariance;
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                double relative =
                        isKnown() ? relativeVariance[i * d + j] : unknown[i * d + j] + (i == j ? counts[i] : 0);
                entryVariance[i * d + j] = relative * scale[i] * scale[j];
            }
        }
        double[] curvature = floored(twin, scale, floor);
        double[] sampling = floored(moments.sampling(), scale(moments.sampling(), floor * ratio), floor * ratio);
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
        double[] gram = geometry.gram(weights, gamma);
        double floor = floor(gram);
        return Matrices.congruent(d, map, floored(gram, scale(gram, floor), floor));
    }

    /**
     * Takes the release in.
     *
     * @param round at whose point it was
     * @param released svec of the matrix
     * @param noise on its entries, positive
     */
    void learn(TwinRound round, double[] released, double noise) {
        TwinRound.OwnCurvature own = round.ownCurvature();
        double[] twin = own.curvature();
        this.meanSlope = own.meanSlope();
        this.noise = noise;
        int columns = geometry.columns;
        double[] foundBlock = geometry.rowsOf.curvature(released);
        double[] twinBlock = Matrices.leading(d, twin, columns);
        double square = Math.max(Matrices.dot(twinBlock, twinBlock), Double.MIN_NORMAL);
        gamma = Matrices.clamp(Matrices.dot(foundBlock, twinBlock) / square, 0.4, 1.6);
        double floor = Math.max(FLOOR * gamma * Matrices.trace(columns, twinBlock) / columns, LEAST * geometry.rows);
        double[] scaled = new double[d * d];
        for (int i = 0; i < d * d; i++) {
            scaled[i] = gamma * twin[i];
        }
        double[] scale = scale(scaled, floor);
        CurvatureShrinkage shrunk = shrunk(foundBlock, scaled, scale);
        double[] deviation = shrunk.deviation();
        double[] variance = shrunk.variance();
        if (geometry.groups().isPresent()) {
            GroupCoordinates groups = geometry.groups().get();
            double[] found = groups.extended(foundBlock, 0);
            groups.layout.readCurvature(released, found);
            double[] blocks = Matrices.minus(found, scaled);
            variance = groups.extended(variance, 0);
            new GroupShrinkage(geometry).shrink(blocks, variance, scaled, scale, noise);
            for (int i = 0; i < columns; i++) {
                System.arraycopy(deviation, i * columns, blocks, i * d, columns);
            }
            deviation = blocks;
        }
        relativeVariance = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                relativeVariance[i * d + j] = variance[i * d + j] / (scale[i] * scale[j]);
            }
        }
        double[] base = floored(scaled, scale, floor);
        double[] corrected = respected(Matrices.plus(scaled, 1, deviation), scale, CONSTRAINED * floor);
        double[] wanted = RelativeSpectrum.of(d, corrected, base).soft(variance);
        map = RelativeSpectrum.congruence(d, base, respected(wanted, scale, CONSTRAINED * floor));
    }

    /** The matrix as every table with groups has it. */
    private double[] respected(double[] matrix, double[] scale, double floor) {
        return constraints.map(known -> known.imposed(matrix, scale, floor)).orElse(matrix);
    }

    /** The columns' block. */
    private CurvatureShrinkage shrunk(double[] found, double[] scaled, double[] scale) {
        int columns = geometry.columns;
        double[] passedOn = new double[columns];
        for (int i = 0; i < columns; i++) {
            passedOn[i] = meanSlope * geometry.moments.noise() * squaredWhitening[i * d + i];
        }
        return CurvatureShrinkage.of(
                columns,
                Matrices.minus(found, Matrices.leading(d, scaled, columns)),
                Arrays.copyOf(scale, columns),
                noise,
                geometry.countVariance,
                passedOn);
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
            double uncertain = 0;
            for (int j = 0; j < d; j++) {
                uncertain += relativeVariance[i * d + j] * h[i] * h[j] * move[j] * move[j];
            }
            double share = uncertain / (uncertain + before.noise() * before.noise() + now.noise() * now.noise());
            residual[i] = share * (before.sum()[i] - now.sum()[i] - predicted[i] - known[i]);
        }
        double along = Matrices.dot(move, residual);
        double[] twin = now.curvature(now.at().point(), now.at().extra(), gamma);
        double floor = floor(twin);
        double[] base = floored(twin, scale(twin, floor), floor);
        double[] mapped = Matrices.congruent(d, map, base);
        double[] updated = mapped.clone();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                updated[i * d + j] += (residual[i] * move[j] + move[i] * residual[j]) / square
                        - along * move[i] * move[j] / (square * square);
            }
        }
        double[] respected = respected(updated, h, CONSTRAINED * floor);
        map = RelativeSpectrum.congruence(
                d, base, RelativeSpectrum.of(d, respected, mapped).floored(LEAST_RELATIVE));
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
