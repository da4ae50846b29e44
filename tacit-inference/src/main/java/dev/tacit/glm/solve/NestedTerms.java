package dev.tacit.glm.solve;

import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.SecondMoments;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricEigen;
import java.util.ArrayList;
import java.util.List;

/**
 * Pairs of terms of which one is nested in the other, as far as the released second moments can tell: factor in factor, or
 * number in factor. Along such a direction nothing is claimed to be known but the prior.
 *
 * <pre>
 *   K = (S_i + sd/N)^(−½) (M_ij/N − m_i m_jᵀ) (S_j + sd/N)^(−½)        ridge for factors only;  levels with more than 4 sd records
 *   for each singular value ρ with vectors a, b:   α = S_i^(−½) a, β = S_j^(−½) b,   n = sd/(√2 N) |α| |β|
 *   flagged if ρ > 0.72, n &lt; 0.15, 1 − ρ &lt; 2 n + 0.28;    δ = (α on i, −β on j),  rarer levels by their mean score, δ_0 = −mᵀδ
 *   covariance += δ δᵀ / (δᵀ Λ δ)
 * </pre>
 */
final class NestedTerms {
    private static final double LEAST_CORRELATION = 0.72;
    private static final double MOST_NOISE = 0.15;
    private static final double SLACK = 0.28;
    private static final double LEAST_COUNT = 4;

    private NestedTerms() {}

    /**
     * A pair that the released numbers cannot tell apart.
     *
     * @param first the first column of one term
     * @param second the first column of the other
     * @param correlation ρ
     * @param noise n
     * @param direction δ in standardised coordinates
     */
    record Flag(int first, int second, double correlation, double noise, double[] direction) {}

    static List<Flag> find(GlmGeometry geometry) {
        List<Flag> flags = new ArrayList<>();
        GlmDesign design = geometry.model.design();
        SecondMoments moments = geometry.moments;
        double rows = geometry.rows;
        double noise = moments.noise();
        List<int[]> blocks = new ArrayList<>();
        for (int j : design.numbers()) {
            blocks.add(new int[] {j});
        }
        int numbers = blocks.size();
        for (int[] factor : design.factors()) {
            int[] frequent = java.util.Arrays.stream(factor)
                    .filter(j -> moments.mean()[j] * rows > LEAST_COUNT * noise)
                    .toArray();
            if (frequent.length > 0) {
                blocks.add(frequent);
            }
        }
        List<double[]> roots = new ArrayList<>();
        for (int[] block : blocks) {
            roots.add(inverseRoot(geometry, block));
        }
        for (int i = 0; i < blocks.size(); i++) {
            for (int j = Math.max(i + 1, numbers); j < blocks.size(); j++) {
                pair(geometry, blocks.get(i), roots.get(i), blocks.get(j), roots.get(j), flags);
            }
        }
        return ofEachPredictor(flags, geometry.width, geometry.model.family().predictors());
    }

    /** With several linear predictors each has the same pairs, at its own coefficients. */
    private static List<Flag> ofEachPredictor(List<Flag> flags, int width, int predictors) {
        if (predictors == 1) {
            return flags;
        }
        List<Flag> all = new ArrayList<>();
        for (Flag flag : flags) {
            for (int k = 0; k < predictors; k++) {
                double[] direction = new double[predictors * width];
                System.arraycopy(flag.direction, 0, direction, k * width, width);
                int first = k * width;
                all.add(new Flag(first + flag.first, first + flag.second, flag.correlation, flag.noise, direction));
            }
        }
        return all;
    }

    private static double[] inverseRoot(GlmGeometry geometry, int[] block) {
        int k = block.length;
        int d = geometry.width;
        double ridge = k > 1 ? geometry.moments.noise() / geometry.rows : 0;
        double[] matrix = new double[k * k];
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < k; j++) {
                matrix[i * k + j] = geometry.moments.covariance()[block[i] * d + block[j]] + (i == j ? ridge : 0);
            }
        }
        return Matrices.function(Matrices.eigen(k, matrix), value -> 1 / Math.sqrt(Math.max(value, 1e-9)));
    }

    private static void pair(
            GlmGeometry geometry,
            int[] first,
            double[] firstRoot,
            int[] second,
            double[] secondRoot,
            List<Flag> flags) {
        int a = first.length;
        int b = second.length;
        int d = geometry.width;
        double[] mean = geometry.moments.mean();
        double[] cross = new double[a * b];
        for (int i = 0; i < a; i++) {
            for (int j = 0; j < b; j++) {
                cross[i * b + j] = geometry.moments.raw()[first[i] * d + second[j]] / geometry.rows
                        - mean[first[i]] * mean[second[j]];
            }
        }
        double[] k = rectangular(a, b, b, rectangular(a, a, b, firstRoot, cross), secondRoot);
        double[] square = new double[b * b];
        dev.tacit.numerics.LinearAlgebra.best().gram(a, b, 1, k, 0, square);
        SymmetricEigen eigen = Matrices.eigen(b, square);
        double[] vectors = eigen.vectors();
        double unit = geometry.moments.noise() / (Math.sqrt(2) * geometry.rows);
        for (int v = b - 1; v >= 0 && b - v <= a; v--) {
            double correlation = Math.sqrt(Math.max(eigen.values()[v], 0));
            if (!(correlation > LEAST_CORRELATION)) {
                break;
            }
            double[] right = new double[b];
            System.arraycopy(vectors, v * b, right, 0, b);
            double[] left = new double[a];
            for (int i = 0; i < a; i++) {
                for (int j = 0; j < b; j++) {
                    left[i] += k[i * b + j] * right[j] / correlation;
                }
            }
            double[] alpha = Matrices.times(a, firstRoot, left);
            double[] beta = Matrices.times(b, secondRoot, right);
            double noise = unit * Math.sqrt(Matrices.dot(alpha, alpha) * Matrices.dot(beta, beta));
            if (noise < MOST_NOISE && 1 - correlation < 2 * noise + SLACK) {
                double[] delta = new double[d];
                for (int i = 0; i < a; i++) {
                    delta[first[i]] = alpha[i];
                }
                for (int j = 0; j < b; j++) {
                    delta[second[j]] = -beta[j];
                }
                addRare(geometry, first, second, beta, 1, delta);
                addRare(geometry, second, first, alpha, -1, delta);
                delta[0] = -Matrices.dot(mean, delta);
                flags.add(new Flag(first[0], second[0], correlation, noise, delta));
            }
        }
    }

    private static double[] rectangular(int m, int inner, int n, double[] a, double[] b) {
        double[] c = new double[m * n];
        dev.tacit.numerics.LinearAlgebra.best().multiply(false, false, m, n, inner, 1, a, b, 0, c);
        return c;
    }

    /** Levels too rare for the canonical step have their mean of the other term's score. */
    private static void addRare(
            GlmGeometry geometry, int[] block, int[] other, double[] score, int sign, double[] delta) {
        if (block.length < 2 || other.length < 2) {
            return;
        }
        GlmDesign design = geometry.model.design();
        int factor = design.columns().get(block[0]).factor();
        double least = 0;
        double most = 0;
        for (double value : score) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        for (int l : design.levels()) {
            boolean known = java.util.Arrays.stream(block).anyMatch(j -> j == l);
            if (design.columns().get(l).factor() == factor && !known) {
                double sum = 0;
                for (int j = 0; j < other.length; j++) {
                    sum += geometry.moments.raw()[l * geometry.width + other[j]] * score[j];
                }
                double count = Math.max(geometry.moments.mean()[l] * geometry.rows, geometry.moments.noise());
                delta[l] = sign * Matrices.clamp(sum / count, least, most);
            }
        }
    }

    /** The covariance with the prior's own variance of a step along each flagged direction. */
    static double[] widened(double[] covariance, int all, int width, List<Flag> flags, GlmPrior.Standard prior) {
        double[] result = covariance.clone();
        int d = prior.precision().length;
        for (Flag flag : flags) {
            double size = 0;
            for (int j = 0; j < d; j++) {
                double step = j % width == 0 ? 0 : flag.direction()[j]; // intercepts left out
                size += step * step * prior.precision()[j];
            }
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    result[i * all + j] += flag.direction()[i] * flag.direction()[j] / size;
                }
            }
        }
        return result;
    }
}
