package dev.tacit.glm.twin;

import dev.tacit.glm.group.GroupCounts;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.numerics.SymmetricEigen;
import java.util.List;
import org.apache.commons.numbers.gamma.RegularizedBeta;

/**
 * Rows that no record is in, with the released means and covariances: they carry what a sum would be at another point.
 *
 * <pre>
 *   numbers   Gaussian copula with Beta margins of the released mean and variance between the bounds
 *   factors   one after another, levels by linear probabilities given what is there, at least 2 % of their frequency
 *   weights   raked to the counts of levels in eight sweeps, at most 20
 *   groups    dealt to the rows, independent of the columns      {@link TwinGroups}
 *   then      the optimal-transport map of its covariance onto the released one, which keeps near-collinear columns so
 *   long rows their weight over a = min(1, B/|z|²): × (1 + s (|z|²/B − 1)₊), at most 20, s = min(1, (1/ā − 1)/mean of (|z|²/B − 1)₊)
 * </pre>
 *
 * The released moments are Σ a z zᵀ and ā = Σ a/N. Weights ω with ω a = what was released undo a exactly: the twin, weighed
 * by a, has the released moments, and without a those of a table of which they are the cut ones. s keeps to ā where the
 * twin has more long rows than were cut. Rows stay where they are, so columns that go together still do.
 *
 * The seed is public and always the same. Everything here is post-processing.
 */
public final class TwinTable {
    private static final long SEED = 12_345;
    private static final int LEAST_ROWS = 4000;
    private static final int ROWS_OF_A_GROUP = 30;
    private static final double LEAST_SHARE = 0.02;
    private static final int SWEEPS = 8;
    private static final double LARGEST_WEIGHT = 20;

    private final int rows;
    private final int columns;
    private final double[] x;
    private final double[] weights;
    private final double[] cutWeights;
    private final int[][] levels;

    private TwinTable(int rows, int columns, double[] x, double[] weights, double[] cutWeights, int[][] levels) {
        this.rows = rows;
        this.columns = columns;
        this.x = x;
        this.weights = weights;
        this.cutWeights = cutWeights;
        this.levels = levels;
    }

    int rows() {
        return rows;
    }

    /** Standardised rows, one after the other, the offset last if there is one; not to be written to. */
    public double[] x() {
        return x;
    }

    /** Weights of the rows, their sum the number of records; not to be written to. */
    public double[] weights() {
        return weights;
    }

    /** Weights under which the rows have the released moments, groups left out if long rows are restored; not to be written to. */
    double[] cutWeights() {
        return cutWeights;
    }

    /** The group of each row, by term of group effects; not to be written to. */
    public int[][] levels() {
        return levels;
    }

    /** How many rows the table of a number of columns and of levels of groups has. */
    public static int rows(int columns, int levels) {
        return Math.max(LEAST_ROWS, 40 * columns + ROWS_OF_A_GROUP * levels);
    }

    static TwinTable of(
            GlmModel model, Standardisation standard, SecondMoments moments, double records, LongRows longRows) {
        GroupLayout layout = new GroupLayout(model.design());
        int n = rows(model.design().table().size(), GroupCounts.size(layout));
        TwinTable table = drawn(model, standard, moments, records, n, RandomStream.ofSeed(SEED));
        transport(moments, table.rows, table.columns, table.x, table.weights, records);
        TwinTable whole = longRows == LongRows.RESTORED ? table.restored(model, moments, records) : table;
        return whole.withGroups(layout, moments.groups());
    }

    /** The same rows, each as often as it would be if a had not weighed it down. */
    public TwinTable restored(GlmModel model, SecondMoments moments, double records) {
        double most = SecondMoments.rowBound(model);
        double[] missing = new double[rows];
        double mean = 0;
        for (int r = 0; r < rows; r++) {
            double square = 0;
            for (int j = r * columns; j < (r + 1) * columns; j++) {
                square += x[j] * x[j];
            }
            missing[r] = Matrices.clamp(square / most - 1, 0, LARGEST_WEIGHT - 1);
            mean += weights[r] / records * missing[r];
        }
        double share = mean > 0 ? Math.min(1, (1 / moments.kept() - 1) / mean) : 0;
        double[] more = new double[rows];
        double total = 0;
        for (int r = 0; r < rows; r++) {
            more[r] = weights[r] * (1 + share * missing[r]);
            total += more[r];
        }
        Matrices.scale(records / total, more, 0, rows);
        return new TwinTable(rows, columns, x, more, weights, levels);
    }

    /** The same rows with groups, and weights that agree with their counts. */
    public TwinTable withGroups(GroupLayout layout, GroupCounts counts) {
        if (layout.isEmpty()) {
            return this;
        }
        double[] raked = weights.clone();
        int[][] dealt = TwinGroups.deal(layout, counts, raked);
        return new TwinTable(rows, columns, x, raked, cutWeights == weights ? raked : cutWeights, dealt);
    }

    /** Before the map onto the released covariance: levels are 0 or 1, numbers lie in their bounds or close to them. */
    public static TwinTable drawn(
            GlmModel model,
            Standardisation standard,
            SecondMoments moments,
            double records,
            int n,
            RandomStream random) {
        GlmDesign design = model.design().table();
        int d = design.size();
        double[] x = new double[n * d];
        for (int r = 0; r < n; r++) {
            x[r * d] = 1;
        }
        int[] numbers = design.numbers();
        if (numbers.length > 0) {
            drawNumbers(design, standard, moments, numbers, n, x, random);
        }
        int[] known = numbers;
        List<int[]> factors = design.factors();
        for (int[] factor : factors) {
            drawFactor(moments, known, factor, n, d, x, random);
            int[] more = java.util.Arrays.copyOf(known, known.length + factor.length);
            System.arraycopy(factor, 0, more, known.length, factor.length);
            known = more;
        }
        double[] weights = raked(moments, factors, n, d, x);
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        for (int r = 0; r < n; r++) {
            weights[r] *= records / total;
        }
        return new TwinTable(n, d, x, weights, weights, new int[0][]);
    }

    private static void drawNumbers(
            GlmDesign design,
            Standardisation standard,
            SecondMoments moments,
            int[] numbers,
            int n,
            double[] x,
            RandomStream random) {
        int d = design.size();
        int p = numbers.length;
        double[] root = new double[p * p];
        double[] deviation = new double[p];
        for (int i = 0; i < p; i++) {
            deviation[i] = Math.sqrt(moments.covariance()[numbers[i] * d + numbers[i]]);
            for (int j = 0; j < p; j++) {
                root[i * p + j] = moments.covariance()[numbers[i] * d + numbers[j]] + (i == j ? 1e-9 : 0);
            }
        }
        if (!LinearAlgebra.best().cholesky(p, root)) {
            throw new ArithmeticException("the covariance of the released moments is not positive definite");
        }
        Margin[] margins = new Margin[p];
        double[] low = new double[p];
        double[] high = new double[p];
        for (int k = 0; k < p; k++) {
            GlmColumn column = design.columns().get(numbers[k]);
            low[k] = (column.low() - standard.centre()[k]) / standard.scale()[k];
            high[k] = (column.high() - standard.centre()[k]) / standard.scale()[k];
            double width = high[k] - low[k];
            double mean = Matrices.clamp((moments.mean()[numbers[k]] - low[k]) / width, 0.002, 0.998);
            double variance =
                    Matrices.clamp(deviation[k] * deviation[k] / (width * width), 1e-6, 0.9 * mean * (1 - mean));
            double size = mean * (1 - mean) / variance - 1;
            margins[k] = new Margin(mean * size, (1 - mean) * size);
        }
        double[] draw = new double[p];
        for (int r = 0; r < n; r++) {
            random.fillNormal(draw);
            for (int k = 0; k < p; k++) {
                double sum = 0;
                for (int j = 0; j <= k; j++) {
                    sum += root[k * p + j] * draw[j];
                }
                double share = margins[k].quantile(SpecialFunctions.normalCdf(sum / deviation[k]));
                x[r * d + numbers[k]] = low[k] + (high[k] - low[k]) * share;
            }
        }
        for (int k = 0; k < p; k++) {
            rescale(numbers[k], d, n, x, moments.mean()[numbers[k]], deviation[k], low[k], high[k]);
        }
    }

    /** To the wanted mean and deviation, inside of bounds or close to them. */
    private static void rescale(
            int column, int d, int n, double[] x, double mean, double deviation, double low, double high) {
        double sum = 0;
        for (int r = 0; r < n; r++) {
            sum += x[r * d + column];
        }
        double drawn = sum / n;
        double squares = 0;
        for (int r = 0; r < n; r++) {
            squares += Math.pow(x[r * d + column] - drawn, 2);
        }
        double factor = Math.min(3, deviation / (Math.sqrt(squares / n) + 1e-9));
        double least = Math.min(low, mean - 0.5 * deviation);
        double most = Math.max(high, mean + 0.5 * deviation);
        for (int r = 0; r < n; r++) {
            int at = r * d + column;
            x[at] = Matrices.clamp((x[at] - drawn) * factor + mean, least, most);
        }
    }

    /** Quantiles of a Beta distribution by linear interpolation of its distribution function. */
    private static final class Margin {
        private static final int CELLS = 400;

        private final double[] at = new double[CELLS + 4];
        private final double[] below = new double[CELLS + 4];

        Margin(double a, double b) {
            for (int i = 0; i <= CELLS; i++) {
                double angle = Math.sin(Math.PI / 2 * i / CELLS);
                at[i == 0 ? 0 : i + 3] = angle * angle;
            }
            at[1] = 1e-9;
            at[2] = 1e-7;
            at[3] = 1e-6;
            for (int i = 0; i < at.length; i++) {
                below[i] = at[i] <= 0 ? 0 : at[i] >= 1 ? 1 : RegularizedBeta.value(at[i], a, b);
            }
        }

        double quantile(double probability) {
            int found = java.util.Arrays.binarySearch(below, probability);
            if (found >= 0) {
                return at[found];
            }
            int above = -found - 1;
            if (above == 0) {
                return 0;
            }
            if (above == below.length) {
                return 1;
            }
            double share = (probability - below[above - 1]) / (below[above] - below[above - 1]);
            return at[above - 1] + share * (at[above] - at[above - 1]);
        }
    }

    private static void drawFactor(
            SecondMoments moments, int[] known, int[] factor, int n, int d, double[] x, RandomStream random) {
        int k = known.length;
        int l = factor.length;
        double[] slopes = new double[k * l];
        if (k > 0) {
            double[] system = new double[k * k];
            for (int i = 0; i < k; i++) {
                for (int j = 0; j < k; j++) {
                    double entry = moments.covariance()[known[i] * d + known[j]];
                    system[i * k + j] = i == j ? entry * 1.001 : entry;
                }
                for (int j = 0; j < l; j++) {
                    slopes[i * l + j] = moments.covariance()[known[i] * d + factor[j]];
                }
            }
            double[] inverse = Matrices.inverse(k, system);
            double[] solved = new double[k * l];
            LinearAlgebra.best().multiply(false, false, k, l, k, 1, inverse, slopes, 0, solved);
            slopes = solved;
        }
        double reference = 1;
        for (int j : factor) {
            reference -= moments.mean()[j];
        }
        double[] probability = new double[l + 1];
        for (int r = 0; r < n; r++) {
            double left = 1;
            for (int j = 0; j < l; j++) {
                double value = moments.mean()[factor[j]];
                for (int i = 0; i < k; i++) {
                    value += (x[r * d + known[i]] - moments.mean()[known[i]]) * slopes[i * l + j];
                }
                left -= value;
                probability[j + 1] = Math.max(value, LEAST_SHARE * moments.mean()[factor[j]]);
            }
            probability[0] = Math.max(left, LEAST_SHARE * Math.max(reference, 1e-3));
            double total = 0;
            for (double value : probability) {
                total += value;
            }
            double u = random.uniform() * total;
            int pick = 0;
            double sum = probability[0];
            while (pick < l && u > sum) {
                pick++;
                sum += probability[pick];
            }
            if (pick > 0) {
                x[r * d + factor[pick - 1]] = 1;
            }
        }
    }

    private static double[] raked(SecondMoments moments, List<int[]> factors, int n, int d, double[] x) {
        double[] weights = new double[n];
        java.util.Arrays.fill(weights, 1);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int[] factor : factors) {
                double[] totals = new double[factor.length + 1];
                int[] level = new int[n];
                for (int r = 0; r < n; r++) {
                    for (int j = 0; j < factor.length; j++) {
                        if (x[r * d + factor[j]] > 0) {
                            level[r] = j + 1;
                        }
                    }
                    totals[level[r]] += weights[r];
                }
                double reference = 1;
                double[] ratio = new double[totals.length];
                for (int j = 0; j < factor.length; j++) {
                    reference -= moments.mean()[factor[j]];
                    ratio[j + 1] = n * moments.mean()[factor[j]] / Math.max(totals[j + 1], 1e-9);
                }
                ratio[0] = n * Math.max(reference, 1e-4) / Math.max(totals[0], 1e-9);
                for (int r = 0; r < n; r++) {
                    weights[r] *= ratio[level[r]];
                }
            }
            for (int r = 0; r < n; r++) {
                weights[r] = Math.min(weights[r], LARGEST_WEIGHT);
            }
        }
        return weights;
    }

    /** Replaces each row by m + A (row − its mean), A the map of the twin's covariance onto the released one. */
    private static void transport(SecondMoments moments, int n, int d, double[] x, double[] weights, double records) {
        int e = d - 1;
        if (e == 0) {
            return;
        }
        double[] mean = new double[e];
        for (int r = 0; r < n; r++) {
            for (int j = 0; j < e; j++) {
                mean[j] += weights[r] / records * x[r * d + j + 1];
            }
        }
        double[] centred = new double[n * e];
        double[] share = new double[n];
        for (int r = 0; r < n; r++) {
            share[r] = weights[r] / records;
            for (int j = 0; j < e; j++) {
                centred[r * e + j] = x[r * d + j + 1] - mean[j];
            }
        }
        double[] drawn = Matrices.weightedGram(n, e, centred, share, 1);
        double[] wanted = new double[e * e];
        for (int i = 0; i < e; i++) {
            drawn[i * e + i] += 1e-6;
            for (int j = 0; j < e; j++) {
                wanted[i * e + j] = moments.covariance()[(i + 1) * d + j + 1] + (i == j ? 1e-6 : 0);
            }
        }
        SymmetricEigen eigen = Matrices.eigen(e, drawn);
        double[] root = Matrices.function(eigen, value -> Math.sqrt(Math.max(value, 1e-12)));
        double[] inverse = Matrices.function(eigen, value -> 1 / Math.sqrt(Math.max(value, 1e-12)));
        double[] middle = Matrices.function(
                Matrices.eigen(e, Matrices.congruent(e, root, wanted)), value -> Math.sqrt(Math.max(value, 0)));
        double[] map = Matrices.congruent(e, inverse, middle);
        double[] moved = new double[n * e];
        LinearAlgebra.best().multiply(false, false, n, e, e, 1, centred, map, 0, moved);
        for (int r = 0; r < n; r++) {
            for (int j = 0; j < e; j++) {
                x[r * d + j + 1] = moved[r * e + j] + moments.mean()[j + 1];
            }
        }
    }

    int columns() {
        return columns;
    }
}
