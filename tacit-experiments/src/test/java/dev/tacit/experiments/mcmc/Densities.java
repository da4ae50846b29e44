package dev.tacit.experiments.mcmc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.numerics.RandomStream;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;

/** Densities whose moments are known. */
final class Densities {
    private Densities() {}

    /** N(mean, Σ), given Σ⁻¹. */
    static LogDensity gaussian(double[] mean, double[] precision) {
        int n = mean.length;
        return density(n, (x, gradient) -> {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                double product = 0;
                for (int j = 0; j < n; j++) {
                    product += precision[i * n + j] * (x[j] - mean[j]);
                }
                gradient[i] = -product;
                sum += (x[i] - mean[i]) * product;
            }
            return -0.5 * sum;
        });
    }

    /** A funnel whose neck is wide enough to enter: x₀ ~ N(0, 1), x_i | x₀ ~ N(0, e^x₀), so E x_i² = e^½. */
    static LogDensity funnel(int n) {
        return density(n, (x, gradient) -> {
            double inverse = Math.exp(-x[0]);
            double squares = 0;
            for (int i = 1; i < n; i++) {
                squares += x[i] * x[i];
                gradient[i] = -x[i] * inverse;
            }
            gradient[0] = -x[0] + 0.5 * squares * inverse - 0.5 * (n - 1);
            return -0.5 * x[0] * x[0] - 0.5 * squares * inverse - 0.5 * (n - 1) * x[0];
        });
    }

    /** A multivariate Student distribution around 0 with unit scale; variances ν/(ν − 2). */
    static LogDensity student(int n, double degreesOfFreedom) {
        return density(n, (x, gradient) -> {
            double squares = 0;
            for (double value : x) {
                squares += value * value;
            }
            double scale = (degreesOfFreedom + n) / (degreesOfFreedom + squares);
            for (int i = 0; i < n; i++) {
                gradient[i] = -scale * x[i];
            }
            return -0.5 * (degreesOfFreedom + n) * Math.log1p(squares / degreesOfFreedom);
        });
    }

    /** A positive number, a number in (0, 1) and three shares: Gamma(3, rate 2), Beta(2, 5), Dirichlet(1, 2, 4). */
    static final ParameterSpace CONJUGATE_SPACE = ParameterSpace.of("rate", Transforms.positive(1))
            .and("chance", Transforms.unitInterval(1))
            .and("shares", Transforms.simplex(3));

    static LogDensity gammaBetaDirichlet() {
        return density(5, (x, gradient) -> {
            gradient[0] = 2 / x[0] - 2;
            gradient[1] = 1 / x[1] - 4 / (1 - x[1]);
            gradient[2] = 0;
            gradient[3] = 1 / x[3];
            gradient[4] = 3 / x[4];
            return 2 * Math.log(x[0])
                    - 2 * x[0]
                    + Math.log(x[1])
                    + 4 * Math.log1p(-x[1])
                    + Math.log(x[3])
                    + 3 * Math.log(x[4]);
        });
    }

    interface Function {
        double valueAndGradient(double[] point, double[] gradient);
    }

    static LogDensity density(int n, Function function) {
        return new LogDensity() {
            @Override
            public int dimension() {
                return n;
            }

            @Override
            public double valueAndGradient(double[] point, double[] gradient) {
                return function.valueAndGradient(point, gradient);
            }
        };
    }

    /** Compares a gradient with central differences at random points near {@code centre}. */
    static void checkGradient(LogDensity density, double[] centre, double radius, double tolerance) {
        RandomStream random = RandomStream.ofSeed(31);
        int n = density.dimension();
        double[] gradient = new double[n];
        double[] ignored = new double[n];
        for (int trial = 0; trial < 5; trial++) {
            double[] x = centre.clone();
            for (int i = 0; i < n; i++) {
                x[i] += radius * random.normal();
            }
            density.valueAndGradient(x, gradient);
            for (int i = 0; i < n; i++) {
                double step = 1e-5 * Math.max(radius, 1e-6);
                double at = x[i];
                x[i] = at + step;
                double up = density.valueAndGradient(x, ignored);
                x[i] = at - step;
                double down = density.valueAndGradient(x, ignored);
                x[i] = at;
                double expected = (up - down) / (2 * step);
                assertThat(gradient[i])
                        .as("coordinate %s", i)
                        .isCloseTo(expected, within(tolerance * Math.max(1, Math.abs(expected))));
            }
        }
    }
}
