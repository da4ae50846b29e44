package dev.tacit.glm.family;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tacit.glm.GlmRuns;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.GaussianPosterior;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * With next to no noise, fits agree with maximum likelihood by the densities themselves: no family's own code is used for it.
 *
 * <p>Cut scores lose a few percent of the information, so estimates differ by a fraction of their standard deviation, and
 * deviations are as much larger. The prior is worth less than a hundredth of a deviation.
 */
class GlmFamilyPosteriorTest {
    private static final int ROWS = 2000;
    private static final double[] X = GlmRuns.rows(ROWS);

    /** log p(y | η, extra parameters). */
    private interface Density {
        double log(double y, double eta, double[] extra);
    }

    private static double[] targets(GlmFamily family, double low, double high, double[] truth) {
        RandomStream random = RandomStream.ofSeed(12);
        double[] extra = new double[truth.length - 3];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(truth[3 + k]);
        }
        double[] y = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            double eta = truth[0] + truth[1] * X[i * 3 + 1] + truth[2] * X[i * 3 + 2];
            y[i] = Math.max(low, Math.min(high, family.simulate(eta, extra, random)));
        }
        return y;
    }

    private static double logLikelihood(Density density, double[] y, double[] parameters) {
        double[] extra = new double[parameters.length - 3];
        for (int k = 0; k < extra.length; k++) {
            extra[k] = Math.exp(parameters[3 + k]);
        }
        double sum = 0;
        for (int i = 0; i < ROWS; i++) {
            double eta = parameters[0] + parameters[1] * X[i * 3 + 1] + parameters[2] * X[i * 3 + 2];
            sum += density.log(y[i], eta, extra);
        }
        return sum;
    }

    private static void requireMaximumLikelihood(
            GlmFamily family, double low, double high, Density density, double... truth) {
        double[] y = targets(family, low, high, truth);
        GlmModel model = new GlmModel(GlmRuns.design(), family, low, high, GlmPrior.standard());
        GaussianPosterior posterior = GlmRuns.privately(model, X, y, 1e-4, 1)
                .posterior(GlmPrior.standard())
                .linear();
        double[] deviation = posterior.standardDeviation();
        double[] mode = posterior.mean();
        double[] hessian = newton(parameters -> logLikelihood(density, y, parameters), mode, deviation);
        double[] covariance = Matrices.inverse(truth.length, hessian);
        for (int j = 0; j < truth.length; j++) {
            double exact = Math.sqrt(covariance[j * truth.length + j]);
            assertThat(posterior.mean()[j]).isCloseTo(mode[j], within(0.5 * exact));
            assertThat(deviation[j] / exact).isBetween(0.95, 1.2);
        }
    }

    /** Moves to the maximum by Newton's method with differences; minus the second derivatives there. */
    private static double[] newton(ToDoubleFunction<double[]> f, double[] at, double[] scale) {
        int n = at.length;
        double[] hessian = new double[n * n];
        for (int step = 0; step < 6; step++) {
            double[] gradient = new double[n];
            for (int i = 0; i < n; i++) {
                for (int j = 0; j <= i; j++) {
                    double hi = 0.1 * scale[i];
                    double hj = 0.1 * scale[j];
                    double second = (moved(f, at, i, hi, j, hj)
                                    - moved(f, at, i, hi, j, -hj)
                                    - moved(f, at, i, -hi, j, hj)
                                    + moved(f, at, i, -hi, j, -hj))
                            / (4 * hi * hj);
                    hessian[i * n + j] = -second;
                    hessian[j * n + i] = -second;
                }
                double h = 0.1 * scale[i];
                gradient[i] = (moved(f, at, i, h, i, 0) - moved(f, at, i, -h, i, 0)) / (2 * h);
            }
            double[] move = Matrices.times(n, Matrices.inverse(n, hessian), gradient);
            for (int i = 0; i < n; i++) {
                at[i] += move[i];
            }
        }
        return hessian;
    }

    private static double moved(ToDoubleFunction<double[]> f, double[] at, int i, double di, int j, double dj) {
        double[] other = at.clone();
        other[i] += di;
        other[j] += dj;
        return f.applyAsDouble(other);
    }

    @Test
    void gamma() {
        Density density = (y, eta, extra) -> {
            double k = extra[0];
            double rate = k * Math.exp(-eta);
            return k * Math.log(rate) - SpecialFunctions.logGamma(k) + (k - 1) * Math.log(y) - rate * y;
        };
        requireMaximumLikelihood(new GammaLog(), 0, 1e5, density, 6, 0.02, -0.4, Math.log(1.7));
    }

    @Test
    void student() {
        Density density = (y, eta, extra) -> {
            double nu = extra[1];
            double e = (y - eta) / extra[0];
            return SpecialFunctions.logGamma((nu + 1) / 2)
                    - SpecialFunctions.logGamma(nu / 2)
                    - 0.5 * Math.log(nu)
                    - Math.log(extra[0])
                    - (nu + 1) / 2 * Math.log1p(e * e / nu);
        };
        requireMaximumLikelihood(new StudentResponse(), -200, 200, density, -20, 0.8, 5, Math.log(6), Math.log(4));
    }

    @Test
    void beta() {
        Density density = (y, eta, extra) -> {
            double mu = SpecialFunctions.sigmoid(eta);
            double a = mu * extra[0];
            double b = (1 - mu) * extra[0];
            return (a - 1) * Math.log(y) + (b - 1) * Math.log1p(-y) - SpecialFunctions.logBeta(a, b);
        };
        requireMaximumLikelihood(new BetaLogit(), 1e-5, 1 - 1e-5, density, -1.5, 0.03, 0.5, Math.log(6));
    }
}
