package dev.tacit.glm.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.NoisySum;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.numerics.Matrices;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;

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
        GlmFamily family = model.family();
        int p = numbers.middle.length;
        return query(p + levels.length, model, (reader, label, values) -> {
            scaled(numbers, reader, family.standardisedTarget(label), values);
            for (int k = 0; k < levels.length; k++) {
                values[p + k] = reader.x[levels[k]];
            }
        });
    }

    /** Σ |u − c| and Σ (u − c)², weighted by a function of the row's own numbers. */
    public static ContributionSum second(GlmModel model, double[] centres) {
        Numbers numbers = numbers(model);
        double[] c = centres.clone();
        int p = numbers.middle.length;
        double bound = secondBound(model);
        GlmFamily family = model.family();
        return query(2 * p, model, (reader, label, values) -> {
            scaled(numbers, reader, family.standardisedTarget(label), values);
            double squares = 0;
            for (int k = 0; k < p; k++) {
                double distance = Math.abs(values[k] - c[k]);
                values[k] = distance;
                values[p + k] = distance * distance;
                squares += distance * distance * (1 + distance * distance);
            }
            double norm = Math.sqrt(squares);
            if (norm > bound) {
                for (int k = 0; k < 2 * p; k++) {
                    values[k] *= bound / norm;
                }
            }
        });
    }

    private static void scaled(Numbers numbers, RowReader reader, double target, double[] values) {
        for (int k = 0; k < numbers.middle.length; k++) {
            double number = k < numbers.places.length ? reader.x[numbers.places[k]] : target;
            values[k] = Math.max(-1, Math.min(1, (number - numbers.middle[k]) / numbers.halfRange[k]));
        }
    }

    /** Writes what one row contributes. */
    @FunctionalInterface
    interface RowValues extends Serializable {
        void write(RowReader reader, double label, double[] values);
    }

    static ContributionSum query(int dimension, GlmModel model, RowValues row) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return dimension;
            }

            @Override
            public Worker worker() {
                RowReader reader = new RowReader(model.design());
                double[] values = new double[dimension];
                return new Worker() {
                    @Override
                    public void contribute(RecordBlock block, int index, Contribution contribution) {
                        reader.read(block, index);
                        row.write(reader, block.label(index), values);
                        contribution.addAll(0, values, 0, dimension);
                    }
                };
            }
        };
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
