package dev.tacit.experiments.noiseaware;

import dev.tacit.experiments.mcmc.LogDensity;
import dev.tacit.inference.noiseaware.NoiseAwarePosterior;
import dev.tacit.inference.noiseaware.TraceNoise;
import dev.tacit.inference.noiseaware.TraceStatistics;
import dev.tacit.numerics.SpecialFunctions;

/**
 * The noise-aware model of a whole trace as a density for a sampler: the check of {@link NoiseAwarePosterior}, at a
 * cost that grows with the trace.
 *
 * <pre>
 *   Σ_t log N(g_t; κ softplus(v)(φ_t − φ*), τ² + s²) + log N(v; m, σ_v²) + log N(φ*; φ̄, s₀²) + log N(s; 0, h²)
 *   summed over the coordinates
 * </pre>
 *
 * A point holds v of all coordinates, then φ*, then s if there is subsampling noise (s of either sign, as published).
 */
public final class FullTraceDensity implements LogDensity {
    private static final double LOG_TWO_PI = Math.log(2 * Math.PI);

    private final int steps;
    private final int d;
    // coordinate after coordinate
    private final double[] parameters;
    private final double[] gradients;
    private final TraceNoise noise;
    private final NoiseAwarePosterior.CurvaturePrior prior;
    private final double[] centres;

    /**
     * A whole trace.
     *
     * @param parameters φ_t, one step after the other
     * @param gradients g̃_t, one step after the other
     */
    public FullTraceDensity(double[] parameters, double[] gradients, TraceNoise noise) {
        this.d = noise.noiseStandardDeviations().length;
        this.steps = parameters.length / d;
        this.parameters = new double[parameters.length];
        this.gradients = new double[parameters.length];
        this.noise = noise;
        TraceStatistics trace = TraceStatistics.empty(d);
        double[] phi = new double[d];
        double[] g = new double[d];
        for (int t = 0; t < steps; t++) {
            System.arraycopy(parameters, t * d, phi, 0, d);
            System.arraycopy(gradients, t * d, g, 0, d);
            trace = trace.plus(phi, g);
            for (int i = 0; i < d; i++) {
                this.parameters[i * steps + t] = phi[i];
                this.gradients[i * steps + t] = g[i];
            }
        }
        this.prior = NoiseAwarePosterior.CurvaturePrior.empirical(trace, noise);
        this.centres = trace.parameterMeans();
    }

    @Override
    public int dimension() {
        return noise.subsamplingScale() > 0 ? 3 * d : 2 * d;
    }

    /** A point in the middle of the priors: v = m, φ* = φ̄, s = h/2. */
    public double[] start() {
        double[] start = new double[dimension()];
        for (int i = 0; i < d; i++) {
            start[i] = prior.means()[i];
            start[d + i] = centres[i];
            if (noise.subsamplingScale() > 0) {
                start[2 * d + i] = 0.5 * noise.subsamplingScale();
            }
        }
        return start;
    }

    @Override
    public double valueAndGradient(double[] point, double[] gradient) {
        double value = 0;
        for (int i = 0; i < d; i++) {
            value += coordinate(i, point, gradient);
        }
        return value;
    }

    private double coordinate(int i, double[] point, double[] gradient) {
        boolean subsampled = noise.subsamplingScale() > 0;
        double link = point[i];
        double optimum = point[d + i];
        double s = subsampled ? point[2 * d + i] : 0;
        double tau = noise.noiseStandardDeviations()[i];
        double w = tau * tau + s * s;
        double r = noise.samplingRate() * SpecialFunctions.softplus(link);
        double squares = 0;
        double products = 0;
        double residuals = 0;
        for (int at = i * steps; at < (i + 1) * steps; at++) {
            double distance = parameters[at] - optimum;
            double residual = gradients[at] - r * distance;
            squares += residual * residual;
            products += residual * distance;
            residuals += residual;
        }
        double z = (link - prior.means()[i]) / prior.standardDeviations()[i];
        double centred = (optimum - centres[i]) / noise.optimumStandardDeviation();
        gradient[i] = noise.samplingRate() * SpecialFunctions.sigmoid(link) * products / w
                - z / prior.standardDeviations()[i];
        gradient[d + i] = -r * residuals / w - centred / noise.optimumStandardDeviation();
        double value = -0.5 * (steps * (LOG_TWO_PI + Math.log(w)) + squares / w)
                + normal(z, prior.standardDeviations()[i])
                + normal(centred, noise.optimumStandardDeviation());
        if (subsampled) {
            double q = s / noise.subsamplingScale();
            gradient[2 * d + i] = s * (squares / (w * w) - steps / w) - q / noise.subsamplingScale();
            value += normal(q, noise.subsamplingScale());
        }
        return value;
    }

    private static double normal(double z, double deviation) {
        return -0.5 * (LOG_TWO_PI + z * z) - Math.log(deviation);
    }
}
