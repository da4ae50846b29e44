package dev.tacit.glm.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.numerics.Matrices;
import dev.tacit.query.ColumnProducts;
import dev.tacit.query.ColumnWorker;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Centre and scale of the numbers, bought from the budget, and how often levels occur.
 *
 * <pre>
 *   u = (x − mid)/halfrange ∈ [−1, 1]      for p numbers, an offset and a target with bounds among them;   F factors, at most one level of each is 1
 *   first    Σ u, Σ levels                  ‖·‖₂ ≤ √(p + F)
 *   second   Σ |u − c|, Σ (u − c)²          weighted so that ‖·‖₂ ≤ √p/2
 *   scale    s = √max(1.57 max(m₁, 2 sd)², m₂ − 2 sd, 10⁻⁴)      m₁, m₂ the means, sd their noise
 * </pre>
 *
 * @param centre of each number in natural units, then of the offset and of the target if they have one
 * @param scale of each number in natural units
 * @param frequency of each level, between 0 and 1
 * @param countNoise standard deviation of the noise in the count of a level
 */
public record Standardisation(double[] centre, double[] scale, double[] frequency, double countNoise)
        implements Serializable {
    /** What one release of sums of this kind is about. */
    private record Numbers(int[] places, double[] middle, double[] halfRange) implements Serializable {}

    private static Numbers numbers(GlmModel model) {
        GlmDesign table = model.design().table();
        int[] places = table.numbers();
        int p = places.length + (model.family().standardisesTarget() ? 1 : 0);
        double[] middle = new double[p];
        double[] half = new double[p];
        for (int k = 0; k < p; k++) {
            boolean target = k == places.length;
            double low =
                    target ? model.targetLow() : table.columns().get(places[k]).low();
            double high =
                    target ? model.targetHigh() : table.columns().get(places[k]).high();
            middle[k] = (high + low) / 2;
            half[k] = (high - low) / 2;
        }
        return new Numbers(places, middle, half);
    }

    /** How many numbers are standardised. */
    public static int numberCount(GlmModel model) {
        return model.design().table().numbers().length + (model.family().standardisesTarget() ? 1 : 0);
    }

    /** How many sums the first release has. */
    public static int firstSize(GlmModel model) {
        return numberCount(model) + model.design().levels().length;
    }

    /** The largest norm of a row in the first release. */
    public static double firstBound(GlmModel model) {
        return Math.sqrt(numberCount(model) + model.design().factors().size());
    }

    /** The largest norm of a row in the second release. */
    public static double secondBound(GlmModel model) {
        return Math.sqrt(numberCount(model)) / 2;
    }

    /** Σ u and Σ levels. */
    public static ContributionSum first(GlmModel model) {
        Numbers numbers = numbers(model);
        int[] levels = model.design().levels();
        int p = numbers.middle.length;
        return query(p + levels.length, model, (block, columns, values) -> {
            scaled(numbers, model.family(), block, columns, values);
            for (int k = 0; k < levels.length; k++) {
                System.arraycopy(columns.x[levels[k]], 0, values[p + k], 0, block.rows());
            }
        });
    }

    /** Σ |u − c| and Σ (u − c)², weighted by a function of the row's own numbers. */
    public static ContributionSum second(GlmModel model, double[] centres) {
        Numbers numbers = numbers(model);
        double[] c = centres.clone();
        int p = numbers.middle.length;
        double bound = secondBound(model);
        return query(2 * p, model, (block, columns, values) -> {
            int rows = block.rows();
            scaled(numbers, model.family(), block, columns, values);
            double[] weights = new double[rows];
            for (int k = 0; k < p; k++) {
                distances(values[k], values[p + k], c[k], weights);
            }
            for (int r = 0; r < rows; r++) {
                double norm = Math.sqrt(weights[r]);
                weights[r] = norm > bound ? bound / norm : 1;
            }
            for (double[] column : values) {
                weigh(column, weights);
            }
        });
    }

    /** |u − c| and its square, and what they add to a row's sum of squares. */
    private static void distances(double[] u, double[] squared, double c, double[] squares) {
        for (int r = 0; r < squares.length; r++) {
            double distance = Math.abs(u[r] - c);
            u[r] = distance;
            squared[r] = distance * distance;
            squares[r] += distance * distance * (1 + distance * distance);
        }
    }

    private static void weigh(double[] column, double[] weights) {
        for (int r = 0; r < weights.length; r++) {
            column[r] *= weights[r];
        }
    }

    private static void scaled(
            Numbers numbers, GlmFamily family, RecordBlock block, RowColumns columns, double[][] values) {
        int rows = block.rows();
        for (int k = 0; k < numbers.middle.length; k++) {
            if (k < numbers.places.length) {
                scale(columns.x[numbers.places[k]], numbers.middle[k], numbers.halfRange[k], values[k], rows);
            } else {
                double[] target = values[k];
                for (int r = 0; r < rows; r++) {
                    target[r] = family.standardisedTarget(block.label(r));
                }
                scale(target, numbers.middle[k], numbers.halfRange[k], target, rows);
            }
        }
    }

    private static void scale(double[] column, double middle, double halfRange, double[] u, int rows) {
        for (int r = 0; r < rows; r++) {
            u[r] = Math.max(-1, Math.min(1, (column[r] - middle) / halfRange));
        }
    }

    /** Writes what rows contribute, number after number. */
    @FunctionalInterface
    interface ColumnValues extends Serializable {
        void write(RecordBlock block, RowColumns columns, double[][] values);
    }

    private static ContributionSum query(int dimension, GlmModel model, ColumnValues values) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                return new Rows(dimension, model, values);
            }
        };
    }

    /** Rows and what they contribute; memory of one thread. */
    private static final class Rows implements ColumnWorker {
        private final ColumnValues contributions;
        private final RowColumns columns;
        private final double[][] values;
        private final double[] row;

        Rows(int dimension, GlmModel model, ColumnValues contributions) {
            this.contributions = contributions;
            columns = new RowColumns(model.design());
            values = new double[dimension][0];
            row = new double[dimension];
        }

        @Override
        public void prepare(RecordBlock block) {
            if (values.length > 0 && values[0].length < block.rows()) {
                RowColumns.grow(values, block.rows());
            }
            columns.read(block);
            contributions.write(block, columns, values);
        }

        @Override
        public void squaredNorms(RecordBlock block, double[] target) {
            Arrays.fill(target, 0, block.rows(), 0);
            ColumnProducts.addSquares(values, 0, values.length, target, block.rows());
        }

        @Override
        public void write(RecordBlock block, double[] factors, double[][] target) {
            ColumnProducts.multiply(factors, values, target, block.rows());
        }

        @Override
        public void contribute(RecordBlock block, int index, Contribution contribution) {
            for (int k = 0; k < row.length; k++) {
                row[k] = values[k][index];
            }
            contribution.addAll(0, row, 0, row.length);
        }
    }

    /** Centres on the scale of u from the first release. */
    public static double[] centres(GlmModel model, double[] first, double rows) {
        double[] c = new double[numberCount(model)];
        for (int k = 0; k < c.length; k++) {
            c[k] = Matrices.clamp(first[k] / rows, -1, 1);
        }
        return c;
    }

    /** From both releases. */
    public static Standardisation of(GlmModel model, NoisySums first, NoisySums second, double rows) {
        Numbers numbers = numbers(model);
        int p = numbers.middle.length;
        double[] c = centres(model, first.value(), rows);
        double noise = p == 0 ? 0 : second.noise() / rows;
        double[] centre = new double[p];
        double[] scale = new double[p];
        for (int k = 0; k < p; k++) {
            double m1 = Math.max(second.value()[k] / rows, 2 * noise);
            double m2 = second.value()[p + k] / rows - 2 * noise;
            centre[k] = numbers.middle[k] + numbers.halfRange[k] * c[k];
            scale[k] = numbers.halfRange[k] * Math.sqrt(Math.max(Math.max(1.57 * m1 * m1, m2), 1e-4));
        }
        double[] frequency = new double[model.design().levels().length];
        for (int k = 0; k < frequency.length; k++) {
            frequency[k] = Matrices.clamp(first.value()[p + k] / rows, 0, 1);
        }
        return new Standardisation(centre, scale, frequency, first.noise());
    }

    /** z of a row: numbers centred and scaled, everything else as it is. */
    public void toStandard(int[] numbers, double[] x, double[] z) {
        System.arraycopy(x, 0, z, 0, z.length);
        for (int k = 0; k < numbers.length; k++) {
            z[numbers[k]] = (x[numbers[k]] - centre[k]) / scale[k];
        }
    }

    /** A released sum and its noise. */
    public record NoisySums(double[] value, double noise) {
        static NoisySums of(NoisySum released) {
            return new NoisySums(released.value(), released.noiseStandardDeviation());
        }
    }
}
