package dev.tacit.experiments.glm;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;

/**
 * A logistic regression with group intercepts without privacy: Laplace approximation at the mode, a mixture over a grid of 16
 * values of the groups' standard deviation, the prior of the private likelihood. What private fits are compared with.
 */
final class PlainMixedModel {
    private static final int STEPS = 12;

    /** Coefficients on standardised columns, then group effects; the geometric mean of the deviation. */
    record Fit(double[] mean, double[] deviation, double groupDeviation) {}

    /** Rows standardised by their own mean and deviation, intercept first. */
    private final double[] z;

    private final int[] groups;
    private final int n;
    private final int d;
    private final int levels;

    PlainMixedModel(double[] z, int[] groups, int d, int levels) {
        this.z = z;
        this.groups = groups;
        this.n = groups.length;
        this.d = d;
        this.levels = levels;
    }

    /** Predictors at coefficients and effects. */
    double[] predictors(double[] theta) {
        double[] eta = new double[n];
        LinearAlgebra.best().multiplyVector(false, n, d, 1, z, Arrays.copyOf(theta, d), 0, eta);
        for (int r = 0; r < n; r++) {
            eta[r] += theta[d + groups[r]];
        }
        return eta;
    }

    Fit fit(double[] y) {
        int p = d + levels;
        double[] theta = new double[p];
        double[] grid = new double[16];
        for (int k = 0; k < grid.length; k++) {
            grid[k] = 0.04 * Math.pow(50, k / 15.0);
        }
        double[] weights = new double[grid.length];
        double[][] means = new double[grid.length][];
        double[][] covariances = new double[grid.length][];
        double middle = 0.35;
        for (int step = 0; step < STEPS; step++) {
            double[] eta = predictors(theta);
            double[] hessian = new double[p * p];
            double[] pull = new double[p];
            curvature(eta, y, hessian, pull);
            LinearAlgebra.best().multiplyVector(false, p, p, 1, hessian, theta, 1, pull);
            double best = Double.NEGATIVE_INFINITY;
            double[] logs = new double[grid.length];
            for (int k = 0; k < grid.length; k++) {
                double[] root = withPrior(hessian, grid[k]);
                covariances[k] = root.clone();
                LinearAlgebra.best().invert(p, covariances[k]);
                means[k] = new double[p];
                LinearAlgebra.best().multiplyVector(false, p, p, 1, covariances[k], pull, 0, means[k]);
                LinearAlgebra.best().cholesky(p, root);
                double sum = 0;
                for (int i = 0; i < p; i++) {
                    sum += 0.5 * pull[i] * means[k][i] - Math.log(root[i * p + i]);
                }
                logs[k] = sum - (levels - 1) * Math.log(grid[k]) - grid[k] * grid[k] / 2;
                best = Math.max(best, logs[k]);
            }
            double total = 0;
            for (int k = 0; k < grid.length; k++) {
                weights[k] = Math.exp(logs[k] - best);
                total += weights[k];
            }
            Arrays.fill(theta, 0);
            double logMiddle = 0;
            for (int k = 0; k < grid.length; k++) {
                weights[k] /= total;
                logMiddle += weights[k] * Math.log(grid[k]);
                for (int i = 0; i < p; i++) {
                    theta[i] += weights[k] * means[k][i];
                }
            }
            middle = Math.exp(logMiddle);
        }
        double[] deviation = new double[p];
        for (int i = 0; i < p; i++) {
            double variance = 0;
            for (int k = 0; k < grid.length; k++) {
                variance += weights[k] * (covariances[k][i * p + i] + Math.pow(means[k][i] - theta[i], 2));
            }
            deviation[i] = Math.sqrt(variance);
        }
        return new Fit(theta, deviation, middle);
    }

    private double[] withPrior(double[] hessian, double groupDeviation) {
        int p = d + levels;
        double[] sum = hessian.clone();
        for (int i = 0; i < p; i++) {
            sum[i * p + i] += i == 0 ? 1 / 25.0 : i < d ? 1 / 6.25 : 1 / (groupDeviation * groupDeviation);
        }
        return sum;
    }

    private void curvature(double[] eta, double[] y, double[] hessian, double[] gradient) {
        int p = d + levels;
        double[] rooted = new double[n * d];
        double[] residual = new double[n];
        for (int r = 0; r < n; r++) {
            double probability = SpecialFunctions.sigmoid(eta[r]);
            double weight = probability * (1 - probability);
            double root = Math.sqrt(weight);
            residual[r] = y[r] - probability;
            int group = d + groups[r];
            gradient[group] += residual[r];
            hessian[group * p + group] += weight;
            for (int j = 0; j < d; j++) {
                rooted[r * d + j] = root * z[r * d + j];
                hessian[group * p + j] += weight * z[r * d + j];
            }
        }
        double[] block = new double[d * d];
        LinearAlgebra.best().gram(n, d, 1, rooted, 0, block);
        double[] columns = new double[d];
        LinearAlgebra.best().multiplyVector(true, n, d, 1, z, residual, 0, columns);
        for (int i = 0; i < d; i++) {
            gradient[i] = columns[i];
            System.arraycopy(block, i * d, hessian, i * p, d);
            for (int g = d; g < p; g++) {
                hessian[i * p + g] = hessian[g * p + i];
            }
        }
    }
}
