package dev.tacit.experiments.mcmc;

import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import java.util.Arrays;

/**
 * Σ ← n/(n+5) Σ̂ + 5/(n+5) 10⁻³ I after a window of n draws with sample covariance Σ̂ (as Stan does). With Σ = L Lᵀ the
 * momentum L⁻ᵀ z, z standard normal, has covariance Σ⁻¹.
 */
final class DenseMetric implements Metric {
    private final int n;
    private final LinearAlgebra algebra = LinearAlgebra.java();
    private double[] covariance;
    private double[] factor;
    private final double[] mean;
    private final double[] products;
    private final double[] residual;
    private int count;

    DenseMetric(int dimension) {
        this.n = dimension;
        this.covariance = identity(dimension);
        this.factor = identity(dimension);
        this.mean = new double[dimension];
        this.residual = new double[dimension];
        this.products = new double[dimension * dimension];
    }

    private static double[] identity(int n) {
        double[] identity = new double[n * n];
        for (int i = 0; i < n; i++) {
            identity[i * n + i] = 1;
        }
        return identity;
    }

    @Override
    public void velocity(double[] momentum, double[] velocity) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            int row = i * n;
            for (int j = 0; j < n; j++) {
                sum += covariance[row + j] * momentum[j];
            }
            velocity[i] = sum;
        }
    }

    @Override
    public void sampleMomentum(RandomStream random, double[] momentum) {
        random.fillNormal(momentum);
        algebra.solveLowerTransposed(n, factor, momentum);
    }

    @Override
    public void learn(double[] position) {
        count++;
        for (int i = 0; i < n; i++) {
            residual[i] = position[i] - mean[i];
            mean[i] += residual[i] / count;
        }
        for (int i = 0; i < n; i++) {
            double after = position[i] - mean[i];
            for (int j = 0; j <= i; j++) {
                products[i * n + j] += after * residual[j];
            }
        }
    }

    @Override
    public void update() {
        if (count > 1) {
            double share = count / (count + 5.0);
            double[] estimate = new double[n * n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double value = share * products[i * n + j] / (count - 1);
                    estimate[i * n + j] = value;
                    estimate[j * n + i] = value;
                }
                estimate[i * n + i] += (1 - share) * 1e-3;
            }
            double[] root = estimate.clone();
            // a window of equal draws is still positive definite through the added diagonal; rounding may say otherwise
            if (algebra.cholesky(n, root)) {
                covariance = estimate;
                factor = root;
            }
        }
        count = 0;
        Arrays.fill(mean, 0);
        Arrays.fill(products, 0);
    }

    @Override
    public double[] variances() {
        double[] diagonal = new double[n];
        for (int i = 0; i < n; i++) {
            diagonal[i] = covariance[i * n + i];
        }
        return diagonal;
    }
}
