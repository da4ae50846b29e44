package dev.tacit.glm.twin;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.group.GroupCounts;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;

/**
 * Second moments of standardised rows and their first cross moments with the target, in one release, and what they say once
 * the noise is taken out.
 *
 * <pre>
 *   z with the offset behind the columns, if there is one;   B = 1 + p + ¾ F,   a = min(1, B/|z|²),   b ≥ |y₁| the bounded target,   k₀ = q √B / b
 *   release   svec(Σ a z zᵀ), k₀ Σ a y₁ ⊗ z      ‖a z zᵀ‖ = a |z|² ≤ B,   k₀ a |y₁| |z| ≤ q √B min(|z|, B/|z|) ≤ q B
 *             together at most B √(1 + q²);  with F_g groupings ½ B e_g for each beside it: B √(1 + q² + F_g/4)     {@link GroupCounts}
 *   means     m = M₀/N; counts of levels pooled with those of the first release by their variances, count ← count³/(count² + sd²)
 *   S         inside a factor −m mᵀ; other correlations × 0.15²/(0.15² + noise²), cut at ±0.98; eigenvalues of the correlations ≥ 0.0003
 * </pre>
 *
 * @param kept Σ a/N as released, between 0.3 and 1
 * @param raw M, scaled so that its first entry is the number of rows
 * @param cross Σ a y₁ z, scaled likewise
 * @param mean m
 * @param covariance S, with zeros for the intercept
 * @param countVariance relative variance of each level's count, at most 4; 0 for numbers
 * @param noise of a diagonal entry of M
 * @param crossNoise of an entry of the cross moments
 * @param groups how many records levels of groupings have
 */
public record SecondMoments(
        double kept,
        double[] raw,
        double[] cross,
        double[] mean,
        double[] covariance,
        double[] countVariance,
        double noise,
        double crossNoise,
        GroupCounts groups)
        implements Serializable {
    private static final double CORRELATION = 0.15;
    private static final double LEAST_EIGENVALUE = 0.0003;
    private static final double LEAST_KEPT = 0.3;

    /** B, the L2 bound of a row's square. */
    public static double rowBound(GlmModel model) {
        return 1
                + model.design().table().numbers().length
                + 0.75 * model.design().factors().size();
    }

    private static double crossWeight(GlmModel model) {
        GlmFamily family = model.family();
        return family.startShare() * Math.sqrt(rowBound(model)) / family.startBound();
    }

    /** How many numbers are released. */
    public static int size(GlmModel model) {
        return Contribution.squareSize(model.design().table().size())
                + model.family().predictors() * model.design().size()
                + GroupCounts.size(new GroupLayout(model.design()));
    }

    /** B √(1 + q² + F_g/4). */
    public static double bound(GlmModel model) {
        double share = model.family().startShare();
        double groups = GroupCounts.squaredShare(new GroupLayout(model.design()));
        return rowBound(model) * Math.sqrt(1 + share * share + groups);
    }

    /** The query. */
    public static ContributionSum query(GlmModel model, Standardisation standard) {
        double most = rowBound(model);
        double crossWeight = crossWeight(model);
        int size = size(model);
        return new ContributionSum() {
            @Override
            public int dimension() {
                return size;
            }

            @Override
            public Worker worker() {
                return new SecondMomentRows(model, standard, most, crossWeight);
            }
        };
    }

    /** svec(a z zᵀ). */
    static void writeSquare(int d, double[] z, double a, double[] values) {
        double root2 = Math.sqrt(2) * a;
        int next = 0;
        for (int i = 0; i < d; i++) {
            double line = root2 * z[i];
            for (int j = 0; j < i; j++) {
                values[next++] = line * z[j];
            }
            values[next++] = a * z[i] * z[i];
        }
    }

    /** What the release says about means and covariances. */
    public static SecondMoments of(
            GlmModel model, Standardisation standard, Standardisation.NoisySums released, double rows) {
        GlmDesign table = model.design().table();
        int d = table.size();
        double crossWeight = crossWeight(model);
        double noise = released.noise();
        double[] raw = SymmetricMatrix.fromVector(d, released.value(), 0);
        double kept = Matrices.clamp(raw[0] / rows, LEAST_KEPT, 1);
        double factor = rows / Math.max(raw[0], LEAST_KEPT * rows);
        for (int i = 0; i < raw.length; i++) {
            raw[i] *= factor;
        }
        double[] cross = new double[model.family().predictors() * model.design().size()];
        for (int j = 0; j < cross.length; j++) {
            cross[j] = factor * released.value()[Contribution.squareSize(d) + j] / crossWeight;
        }
        double[] mean = new double[d];
        for (int j = 0; j < d; j++) {
            mean[j] = raw[j] / rows;
        }
        mean[0] = 1;
        int[] levels = model.design().levels();
        double variance = Math.max(noise * noise / 3, 1e-9);
        double firstVariance = Math.max(standard.countNoise() * standard.countNoise(), 1e-9);
        double pooled = 1 / (1 / variance + 1 / firstVariance);
        double[] countVariance = new double[d];
        for (int k = 0; k < levels.length; k++) {
            int i = levels[k];
            double count =
                    ((raw[i * d + i] + 2 * raw[i]) / 3 / variance + standard.frequency()[k] * rows / firstVariance)
                            * pooled;
            count = Math.max(count, 0);
            count = count > 0 ? count * count * count / (count * count + pooled) : 0;
            mean[i] = Math.max(count, 1e-3) / rows;
            countVariance[i] = Math.min(pooled / Math.pow(Math.max(mean[i] * rows, 1e-9), 2), 4);
        }
        double[] covariance = covariance(table, raw, mean, noise, rows);
        GroupCounts groups = GroupCounts.of(
                new GroupLayout(model.design()),
                released.value(),
                Contribution.squareSize(d) + cross.length,
                GroupCounts.SHARE * rowBound(model),
                noise,
                rows);
        return new SecondMoments(kept, raw, cross, mean, covariance, countVariance, noise, noise / crossWeight, groups);
    }

    /** Of the first columns alone: without the offset. */
    SecondMoments ofFirst(int columns) {
        int d = mean.length;
        if (columns == d) {
            return this;
        }
        return new SecondMoments(
                kept,
                leading(raw, d, columns),
                cross,
                java.util.Arrays.copyOf(mean, columns),
                leading(covariance, d, columns),
                java.util.Arrays.copyOf(countVariance, columns),
                noise,
                crossNoise,
                groups);
    }

    private static double[] leading(double[] matrix, int d, int columns) {
        double[] part = new double[columns * columns];
        for (int i = 0; i < columns; i++) {
            System.arraycopy(matrix, i * d, part, i * columns, columns);
        }
        return part;
    }

    private static double[] covariance(GlmDesign table, double[] raw, double[] mean, double noise, double rows) {
        int d = mean.length;
        double[] deviation = new double[d];
        for (int j = 1; j < d; j++) {
            boolean level = table.columns().get(j).kind() == GlmColumn.Kind.LEVEL;
            double variance =
                    level ? mean[j] * (1 - mean[j]) : Math.max(raw[j * d + j] / rows - mean[j] * mean[j], 0.05);
            deviation[j] = Math.sqrt(Math.max(variance, 1e-12));
        }
        int n = d - 1;
        if (n == 0) {
            return new double[1];
        }
        double[] correlation = new double[n * n];
        for (int i = 1; i < d; i++) {
            int factor = table.columns().get(i).factor();
            for (int j = 1; j <= i; j++) {
                double scale = deviation[i] * deviation[j];
                double entry;
                if (i == j) {
                    entry = 1;
                } else if (factor >= 0 && factor == table.columns().get(j).factor()) {
                    entry = -mean[i] * mean[j] / scale;
                } else {
                    double relative = noise / Math.sqrt(2) / rows / scale;
                    entry = (raw[i * d + j] / rows - mean[i] * mean[j]) / scale;
                    entry *= CORRELATION * CORRELATION / (CORRELATION * CORRELATION + relative * relative);
                    entry = Matrices.clamp(entry, -0.98, 0.98);
                }
                correlation[(i - 1) * n + j - 1] = entry;
                correlation[(j - 1) * n + i - 1] = entry;
            }
        }
        SymmetricEigen eigen = Matrices.eigen(n, correlation);
        double[] repaired = Matrices.function(eigen, value -> Math.max(value, LEAST_EIGENVALUE));
        double[] covariance = new double[d * d];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double unit = Math.sqrt(repaired[i * n + i] * repaired[j * n + j]);
                covariance[(i + 1) * d + j + 1] = repaired[i * n + j] / unit * deviation[i + 1] * deviation[j + 1];
            }
        }
        return covariance;
    }
}
