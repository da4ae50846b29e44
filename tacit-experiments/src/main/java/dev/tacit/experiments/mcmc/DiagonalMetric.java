package dev.tacit.experiments.mcmc;

import dev.tacit.numerics.RandomStream;
import java.util.Arrays;

/**
 * Σ = diag(v), v_i ← n/(n+5) v̂_i + 5/(n+5) 10⁻³ after a window of n draws with sample variances v̂_i (as Stan does);
 * Welford's updates.
 */
final class DiagonalMetric implements Metric {
    private final boolean learns;
    private final double[] variance;
    private final double[] inverseRoot;
    private final double[] mean;
    private final double[] squares;
    private int count;

    DiagonalMetric(int dimension, boolean learns) {
        this.learns = learns;
        this.variance = new double[dimension];
        this.inverseRoot = new double[dimension];
        this.mean = new double[dimension];
        this.squares = new double[dimension];
        Arrays.fill(variance, 1);
        Arrays.fill(inverseRoot, 1);
    }

    @Override
    public void velocity(double[] momentum, double[] velocity) {
        for (int i = 0; i < variance.length; i++) {
            velocity[i] = variance[i] * momentum[i];
        }
    }

    @Override
    public void sampleMomentum(RandomStream random, double[] momentum) {
        for (int i = 0; i < variance.length; i++) {
            momentum[i] = random.normal() * inverseRoot[i];
        }
    }

    @Override
    public void learn(double[] position) {
        if (learns) {
            count++;
            for (int i = 0; i < mean.length; i++) {
                double residual = position[i] - mean[i];
                mean[i] += residual / count;
                squares[i] += residual * (position[i] - mean[i]);
            }
        }
    }

    @Override
    public void update() {
        if (count > 1) {
            double share = count / (count + 5.0);
            for (int i = 0; i < variance.length; i++) {
                variance[i] = share * squares[i] / (count - 1) + (1 - share) * 1e-3;
                inverseRoot[i] = 1 / Math.sqrt(variance[i]);
            }
        }
        count = 0;
        Arrays.fill(mean, 0);
        Arrays.fill(squares, 0);
    }

    @Override
    public double[] variances() {
        return variance.clone();
    }
}
