package dev.tacit.audit.attack;

import dev.tacit.numerics.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A number computed from an output along which two data sets may be told apart; NaN for outputs that are not finite.
 */
record Score(String name, ToDoubleFunction<double[]> function) {
    private static final int MOST_COORDINATES = 12;
    private static final int RANDOM_DIRECTIONS = 4;

    double of(double[] output) {
        // Adding zero turns -0.0 into 0.0, which sorting and searching would tell apart.
        return isFinite(output) ? function.applyAsDouble(output) + 0.0 : Double.NaN;
    }

    /** The scores of all finite outputs in increasing order. */
    double[] sorted(double[][] outputs) {
        double[] scores = new double[outputs.length];
        int count = 0;
        for (double[] output : outputs) {
            double score = of(output);
            if (!Double.isNaN(score)) {
                scores[count++] = score;
            }
        }
        Arrays.sort(scores, 0, count);
        return Arrays.copyOf(scores, count);
    }

    static boolean isFinite(double[] output) {
        for (double value : output) {
            if (!Double.isFinite(value)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Coordinates, mean-difference and random projections, distance from the centre, and the likelihood ratio of fitted
     * Gaussians.
     */
    static List<Score> fitted(double[][] first, double[][] second, long seed) {
        int dimension = first[0].length;
        Moments one = Moments.of(first, dimension);
        Moments two = Moments.of(second, dimension);
        double[] direction = new double[dimension];
        double[] separation = new double[dimension];
        for (int j = 0; j < dimension; j++) {
            double variance = (one.variance[j] + two.variance[j]) / 2;
            direction[j] = (one.mean[j] - two.mean[j]) / variance;
            separation[j] = Math.abs(one.mean[j] - two.mean[j]) / Math.sqrt(variance);
        }
        List<Score> scores = new ArrayList<>();
        List<Integer> coordinates = new ArrayList<>();
        for (int j = 0; j < dimension; j++) {
            coordinates.add(j);
        }
        coordinates.sort(Comparator.comparingDouble((Integer j) -> -separation[j]));
        for (int j : coordinates.subList(0, Math.min(MOST_COORDINATES, dimension))) {
            scores.add(new Score("coordinate " + j, output -> output[j]));
        }
        if (dimension > 1) {
            scores.add(new Score("mean difference", output -> dot(direction, output)));
            RandomStream random = RandomStream.ofSeed(seed);
            for (int k = 0; k < RANDOM_DIRECTIONS; k++) {
                double[] signs = new double[dimension];
                for (int j = 0; j < dimension; j++) {
                    signs[j] = 2 * random.uniform() - 1;
                }
                scores.add(new Score("random projection " + k, output -> dot(signs, output)));
            }
        }
        scores.add(new Score("likelihood ratio", output -> two.squaredDistance(output) - one.squaredDistance(output)));
        scores.add(
                new Score("distance from centre", output -> one.squaredDistance(output) + two.squaredDistance(output)));
        return scores;
    }

    private static double dot(double[] left, double[] right) {
        double sum = 0;
        for (int j = 0; j < left.length; j++) {
            sum += left[j] * right[j];
        }
        return sum;
    }

    /** Mean and variance of each coordinate. */
    private static final class Moments {
        private final double[] mean;
        private final double[] variance;

        private Moments(double[] mean, double[] variance) {
            this.mean = mean;
            this.variance = variance;
        }

        static Moments of(double[][] outputs, int dimension) {
            double[] mean = new double[dimension];
            double[] variance = new double[dimension];
            int finite = 0;
            for (double[] output : outputs) {
                if (output.length != dimension) {
                    throw new IllegalArgumentException("the length of an output must not depend on the data");
                }
                if (isFinite(output)) {
                    finite++;
                    for (int j = 0; j < dimension; j++) {
                        double difference = output[j] - mean[j];
                        mean[j] += difference / finite;
                        variance[j] += difference * (output[j] - mean[j]);
                    }
                }
            }
            for (int j = 0; j < dimension; j++) {
                variance[j] = Math.max(variance[j] / Math.max(1, finite - 1), Double.MIN_NORMAL);
            }
            return new Moments(mean, variance);
        }

        double squaredDistance(double[] output) {
            double sum = 0;
            for (int j = 0; j < mean.length; j++) {
                double difference = output[j] - mean[j];
                sum += difference * difference / variance[j] / 2;
            }
            return sum;
        }
    }
}
