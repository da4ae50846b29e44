package dev.tacit.experiments.glm;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;

/**
 * The mode of an ordinal regression with three levels, coefficients and spacing together, by Fisher scoring on the table itself.
 *
 * <pre>
 *   P(y ≥ 1) = F₁ = σ(η),   P(y ≥ 2) = F₂ = σ(η − s)
 *   score of (θ, s) = Σ (d log P(y)/dη z, d log P(y)/ds),   information = Σ E of its outer product,   prior on θ only
 * </pre>
 *
 * @param error of each coefficient, then of the logarithm of the spacing, in standard deviations
 */
record OrdinalMode(double[] error) {
    private static final int STEPS = 6;

    /**
     * Begins at the truth, which is near.
     *
     * @param z rows, one after the other
     * @param y levels
     * @param theta the coefficients that the levels were drawn with
     * @param spacing and the spacing
     * @param precision of the coefficients' prior, whose mean is 0
     */
    static OrdinalMode of(double[] z, double[] y, double[] theta, double spacing, double[] precision) {
        int n = y.length;
        int d = theta.length;
        int all = d + 1;
        double[] found = Arrays.copyOf(theta, all);
        found[d] = spacing;
        double[] inverse = new double[all * all];
        double[] eta = new double[n];
        double[] scores = new double[n];
        double[] cross = new double[n];
        double[] rows = new double[n * d];
        for (int step = 0; step < STEPS; step++) {
            LinearAlgebra.best().multiplyVector(false, n, d, 1, z, found, 0, eta);
            double[] pull = new double[all];
            double information = 0;
            for (int r = 0; r < n; r++) {
                double first = SpecialFunctions.sigmoid(eta[r]);
                double second = SpecialFunctions.sigmoid(eta[r] - found[d]);
                double slopeFirst = first * (1 - first);
                double slopeSecond = second * (1 - second);
                double[] share = {1 - first, first - second, second};
                double[] byEta = {-slopeFirst, slopeFirst - slopeSecond, slopeSecond};
                double[] bySpacing = {0, slopeSecond, -slopeSecond};
                double ofEta = 0;
                cross[r] = 0;
                for (int k = 0; k < share.length; k++) {
                    ofEta += byEta[k] * byEta[k] / share[k];
                    cross[r] += byEta[k] * bySpacing[k] / share[k];
                    information += bySpacing[k] * bySpacing[k] / share[k];
                }
                int level = (int) y[r];
                scores[r] = byEta[level] / share[level];
                pull[d] += bySpacing[level] / share[level];
                for (int j = 0; j < d; j++) {
                    rows[r * d + j] = Math.sqrt(ofEta) * z[r * d + j];
                }
            }
            double[] block = new double[d * d];
            LinearAlgebra.best().gram(n, d, 1, rows, 0, block);
            double[] score = new double[d];
            double[] border = new double[d];
            LinearAlgebra.best().multiplyVector(true, n, d, 1, z, scores, 0, score);
            LinearAlgebra.best().multiplyVector(true, n, d, 1, z, cross, 0, border);
            for (int i = 0; i < d; i++) {
                System.arraycopy(block, i * d, inverse, i * all, d);
                inverse[i * all + i] += precision[i];
                inverse[i * all + d] = border[i];
                inverse[d * all + i] = border[i];
                pull[i] = score[i] - precision[i] * found[i];
            }
            inverse[d * all + d] = information;
            if (!LinearAlgebra.best().invert(all, inverse)) {
                throw new IllegalStateException("the columns and the spacing are not independent");
            }
            LinearAlgebra.best().multiplyVector(false, all, all, 1, inverse, pull, 1, found);
        }
        double[] error = new double[all];
        for (int j = 0; j < d; j++) {
            error[j] = (found[j] - theta[j]) / Math.sqrt(inverse[j * all + j]);
        }
        error[d] = Math.log(found[d] / spacing) * found[d] / Math.sqrt(inverse[d * all + d]);
        return new OrdinalMode(error);
    }
}
