package dev.tacit.experiments.mcmc;

/**
 * Tunes the step size so that the mean acceptance statistic reaches its target δ.
 *
 * <pre>
 *   H̄_t = (1 − 1/(t + t₀)) H̄_{t−1} + (δ − α_t)/(t + t₀)
 *   log ε_t = μ − √t/γ H̄_t,   log ε̄_t = t^−κ log ε_t + (1 − t^−κ) log ε̄_{t−1},   μ = log(10 ε₁)
 * </pre>
 *
 * Hoffman and Gelman 2014, Algorithm 5, with their γ = 0.05, t₀ = 10, κ = 0.75.
 */
final class DualAveraging {
    private static final double GAMMA = 0.05;
    private static final double OFFSET = 10;
    private static final double KAPPA = 0.75;

    private final double target;
    private double mu;
    private double error;
    private double logAverage;
    private int count;

    DualAveraging(double target) {
        this.target = target;
    }

    void restart(double stepSize) {
        mu = Math.log(10 * stepSize);
        error = 0;
        logAverage = 0;
        count = 0;
    }

    /** Takes one acceptance statistic and returns the step size to try next. */
    double next(double acceptance) {
        count++;
        double weight = 1 / (count + OFFSET);
        error = (1 - weight) * error + weight * (target - Math.min(1, acceptance));
        double log = mu - error * Math.sqrt(count) / GAMMA;
        double share = Math.pow(count, -KAPPA);
        logAverage = share * log + (1 - share) * logAverage;
        return Math.exp(log);
    }

    /** ε̄, to keep after the warm-up. */
    double average() {
        return Math.exp(logAverage);
    }

    boolean isEmpty() {
        return count == 0;
    }
}
