package dev.tacit.glm.solve;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.twin.GlmGeometry;
import dev.tacit.glm.twin.TwinRound;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;

/**
 * The information about coefficients and logarithms of extra parameters together, from both kinds of sums.
 *
 * <pre>
 *   A = [[H, ∂g/∂log s], [∂X/∂θ, ∂X/∂log s]]        derivatives of the expected sums g and X = Σ χ, on the twin
 *   Σ = [[V, 0.98 c], [0.98 cᵀ, v + noise]]         v = var X, c = cov(g, X) by twenty sets of targets drawn on the twin
 *   information = scalingᵀ Aᵀ Σ⁻¹ A scaling / misfit
 * </pre>
 */
final class JointInformation {
    private static final int SIMULATIONS = 20;
    private static final long SIMULATION_SEED = 4321;
    private static final double KEPT_COVARIANCE = 0.98;
    private static final double STEP = 1.01;
    private static final double ETA_STEP = 1e-3;

    private final GlmGeometry geometry;
    private final GlmFamily family;
    private final int n;
    private final int d;
    private final int q;
    private final int size;
    private final double[] extra;
    private final double[] eta;
    private final double[] references;
    private final double[] weights;

    private JointInformation(GlmGeometry geometry, TwinRound newest, double[] theta, double[] extra) {
        this.geometry = geometry;
        this.family = geometry.model.family();
        this.n = geometry.twinRows;
        this.d = geometry.d;
        this.q = extra.length;
        this.size = family.referenceSize();
        this.extra = extra;
        this.eta = geometry.predictors(theta);
        this.references = TwinRound.references(geometry, theta, extra);
        this.weights = new double[n];
        for (int r = 0; r < n; r++) {
            weights[r] = TwinRound.weight(
                    geometry,
                    references,
                    r,
                    newest.at().residualBound(),
                    newest.at().curvatureBound());
        }
    }

    /**
     * The information about θ and log s, without their priors.
     *
     * @param newest the round whose clips count
     * @param pass the last one
     * @param noiseOfExtra the inverse of the information on log s from noise alone
     * @param scaling of the coordinates of θ by which the information is discounted
     * @param misfit by which all of it is
     */
    static double[] of(
            GlmGeometry geometry,
            TwinRound newest,
            SolverPass pass,
            double[] extra,
            double[] noiseOfExtra,
            double[] scaling,
            double misfit) {
        return new JointInformation(geometry, newest, pass.theta(), extra)
                .information(pass, noiseOfExtra, scaling, misfit);
    }

    private double[] information(SolverPass pass, double[] noiseOfExtra, double[] scaling, double misfit) {
        int all = d + q;
        double[] sampling = new double[q * q];
        double[] cross = new double[d * q];
        simulate(sampling, cross);

        double[] derivative = new double[all * all];
        double[] variance = new double[all * all];
        double[] total = Matrices.inverse(d, pass.precisionOfSum());
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                derivative[i * all + j] = pass.local().curvature()[i * d + j];
                variance[i * all + j] = total[i * d + j];
            }
        }
        double[] slope = extraDerivatives(all, derivative);
        predictorDerivatives(all, derivative);
        double[] noise = Matrices.mapped(q, slope, noiseOfExtra);
        for (int k = 0; k < q; k++) {
            for (int i = 0; i < d; i++) {
                variance[i * all + d + k] = KEPT_COVARIANCE * cross[i * q + k];
                variance[(d + k) * all + i] = KEPT_COVARIANCE * cross[i * q + k];
            }
            for (int l = 0; l < q; l++) {
                derivative[(d + k) * all + d + l] = slope[k * q + l];
                variance[(d + k) * all + d + l] = sampling[k * q + l] + noise[k * q + l];
            }
        }
        double[] scaled = Matrices.product(all, derivative, Matrices.padded(d, scaling, all));
        double[] solved = Matrices.product(all, Matrices.inverse(all, variance), scaled);
        double[] information = new double[all * all];
        LinearAlgebra.best().multiply(true, false, all, all, all, 1 / misfit, scaled, solved, 0, information);
        return information;
    }

    /** Writes ∂g/∂log s; ∂X/∂log s. */
    private double[] extraDerivatives(int all, double[] derivative) {
        double[] slope = new double[q * q];
        double[] low = new double[q];
        double[] high = new double[q];
        for (int l = 0; l < q; l++) {
            double[] up = extra.clone();
            double[] down = extra.clone();
            up[l] *= STEP;
            down[l] /= STEP;
            double log = 2 * Math.log(STEP);
            double[] residuals = new double[n];
            for (int r = 0; r < n; r++) {
                residuals[r] = geometry.omega[r]
                        * weights[r]
                        * (family.field(eta[r], up, references, r * size)
                                - family.field(eta[r], down, references, r * size))
                        / log;
                family.chiField(eta[r], up, references, r * size, high);
                family.chiField(eta[r], down, references, r * size, low);
                for (int k = 0; k < q; k++) {
                    slope[k * q + l] += geometry.omega[r] * (high[k] - low[k]) / log;
                }
            }
            double[] column = geometry.adjoint(residuals);
            for (int i = 0; i < d; i++) {
                derivative[i * all + d + l] = column[i];
            }
        }
        return slope;
    }

    /** Writes ∂X/∂θ. */
    private void predictorDerivatives(int all, double[] derivative) {
        double[] low = new double[q];
        double[] high = new double[q];
        double[][] chiSlope = new double[q][n];
        for (int r = 0; r < n; r++) {
            family.chiField(eta[r] + ETA_STEP, extra, references, r * size, high);
            family.chiField(eta[r] - ETA_STEP, extra, references, r * size, low);
            for (int k = 0; k < q; k++) {
                chiSlope[k][r] = geometry.omega[r] * (high[k] - low[k]) / (2 * ETA_STEP);
            }
        }
        for (int k = 0; k < q; k++) {
            double[] line = geometry.adjoint(chiSlope[k]);
            System.arraycopy(line, 0, derivative, (d + k) * all, d);
        }
    }

    /** Adds the sampling covariance of Σ χ, and with residual sums, by targets drawn on the twin. */
    private void simulate(double[] sampling, double[] cross) {
        RandomStream random = RandomStream.ofSeed(SIMULATION_SEED);
        double[] chi = new double[q];
        double[] values = new double[n * q];
        double[] psi = new double[n];
        for (int draw = 0; draw < SIMULATIONS; draw++) {
            double[] mean = new double[q];
            for (int r = 0; r < n; r++) {
                double y = family.simulate(eta[r], extra, random);
                psi[r] = family.psi(y, references, r * size);
                family.chi(y, references, r * size, chi);
                for (int k = 0; k < q; k++) {
                    values[r * q + k] = chi[k];
                    mean[k] += geometry.omega[r] / geometry.rows * chi[k];
                }
            }
            for (int r = 0; r < n; r++) {
                double omega = geometry.omega[r] / SIMULATIONS;
                for (int k = 0; k < q; k++) {
                    double x = values[r * q + k] - mean[k];
                    for (int l = 0; l < q; l++) {
                        sampling[k * q + l] += omega * x * (values[r * q + l] - mean[l]);
                    }
                    double scale = omega * weights[r] * psi[r] * x;
                    geometry.addRow(r, scale, cross, q, k);
                }
            }
        }
    }
}
