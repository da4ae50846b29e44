package dev.tacit.inference.bayes;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.ResidualModel;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.query.Contribution;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Residual Newton variational Bayes: one joint release of first- and second-order statistics, then a few rounds of
 * residual sums preconditioned by it.
 *
 * <pre>
 *   release 0   a = Σ r(y_n, 0) x_n + noise,   A = κ Σ x_n x_nᵀ + noise / squareWeight          one joint clip, full pass
 *               A = U diag(e) Uᵀ, e ← max(e, 0), edge = largest eigenvalue of the noise in A = sd √(2D)
 *               θ = startScale U diag(1 / (e + α + startRidge edge)) Uᵀ a
 *               P = U diag(1 / (h e + α + ridge edge)) Uᵀ
 *   release k   v = θ + momentum (θ − θ_before);   g = Σ clip(r(y_n, x_nᵀv) x_n, l2Bound) + noise;   θ ← v + P (g − α v)
 *   posterior   N(mean of the last few θ, U diag(E(θ − θ_true)²) Uᵀ)
 * </pre>
 *
 * The fixed point is that of variational Bayes by Pólya-Gamma augmentation (Park, Foulds, Chaudhuri, Welling 2020,
 * Section 5) written with residuals: Σ(y − ½)x − Σ ξ x xᵀμ = Σ (y − p) x, because ξ(c) c = tanh(c/2)/2. So the noisy
 * second-order statistic is only a preconditioner, its noise is not multiplied by the weights, and a round releases D
 * numbers instead of D(D+1)/2. All releases are full passes of Gaussian noise: the run is exactly Gaussian-DP, and the
 * shares of the budget add up as squares of 1/noise multiplier.
 *
 * <p>The variance of the posterior counts everything that separates the estimate from the truth. In direction i of U the
 * recursion above is linear in the truth θ ~ N(0, τ²), the score ξ ~ N(0, H) that all releases share, and the noise of
 * each release; so E(θ − θ_true)² = b² τ² + c² H + Σ_k w_k² sd_k² with coefficients from running the recursion itself.
 * H = h max(0, e_i − edge) is curvature that noise alone cannot explain, τ² the prior variance 1/α or the mean square of
 * the estimate, whichever is larger. The preconditioner P alone, which other methods report, covers far too little.
 * Measured: docs/notes/residual-newton.md.
 *
 * <p>Clipped: the joint statistic of release 0 at its largest norm (nothing is lost), residual sums at
 * {@code residualClip} of theirs, both in L2 by the door. If no clip is set, it follows from the noise of release 0 and
 * public numbers: 1, which clips nothing and biases nothing, if the noise of a residual sum is below the sampling
 * deviation √(h κ N R² / D) of a typical direction, and 0.7, which trades bias for less noise, otherwise. Nothing is
 * repaired before noise; what follows it is post-processing.
 */
public final class ResidualNewton implements InferenceKernel<ResidualModel, ResidualNewton.State> {
    /** Its name on the command line. */
    public static final String NAME = "residual-newton";

    /**
     * Public constants; the defaults were chosen once for all budgets and data sets.
     *
     * @param rounds residual releases after the first release
     * @param firstShare share of the budget (in squares of 1/noise) for the first release
     * @param squareWeight weight of second-order statistics beside first-order ones
     * @param residualClip bound on a residual's size, as a share of the largest; chosen by the noise if empty
     * @param startScale factor on the first step, for the curvature there overstates the one further out
     * @param startRidge multiple of the noise's edge that damps the first step
     * @param ridge multiple of the noise's edge that damps the other steps
     * @param momentum share of the last move that the next one starts with
     * @param averaged how many of the last θ the mean is of, from 2; more of them hold less noise, and are further away
     */
    public record Settings(
            int rounds,
            double firstShare,
            double squareWeight,
            OptionalDouble residualClip,
            double startScale,
            double startRidge,
            double ridge,
            double momentum,
            int averaged) {
        /** With the mean of the last two. */
        public Settings(
                int rounds,
                double firstShare,
                double squareWeight,
                OptionalDouble residualClip,
                double startScale,
                double startRidge,
                double ridge,
                double momentum) {
            this(rounds, firstShare, squareWeight, residualClip, startScale, startRidge, ridge, momentum, 2);
        }

        public Settings {
            requireAtLeast(rounds, 1, "rounds");
            requireShare(firstShare, "firstShare");
            requirePositive(squareWeight, "squareWeight");
            residualClip.ifPresent(clip -> requirePositive(clip, "residualClip"));
            requirePositive(startScale, "startScale");
            requireAtLeast(startRidge, 0, "startRidge");
            requireAtLeast(ridge, 0, "ridge");
            requireAtLeast(momentum, 0, "momentum");
            requireAtLeast(averaged, 2, "averaged");
        }

        /** Eight rounds and constants that suit every budget. */
        public static Settings standard() {
            return new Settings(8, 0.15, 4, OptionalDouble.empty(), 2, 0.5, 0.35, 0.3);
        }

        /** The same with the mean of the last half of the rounds, for sums with the noise of several parties. */
        public Settings acrossParties() {
            return new Settings(
                    rounds,
                    firstShare,
                    squareWeight,
                    residualClip,
                    startScale,
                    startRidge,
                    ridge,
                    momentum,
                    Math.max(2, rounds / 2));
        }

        private static void requireAtLeast(double value, double least, String name) {
            if (!(value >= least) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(name + " is a number from " + least);
            }
        }

        private static void requirePositive(double value, String name) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(name + " is a positive number");
            }
        }

        private static void requireShare(double value, String name) {
            if (!(value > 0 && value < 1)) {
                throw new IllegalArgumentException(name + " is a number between 0 and 1");
            }
        }
    }

    /**
     * What the releases so far amount to.
     *
     * @param releases how many there were
     * @param eigenvalues of the noisy second-order statistic, not below 0; empty before the first release
     * @param eigenvectors one row each
     * @param weights the current estimate
     * @param weightsBefore the one before it
     * @param curvatureEdge the largest eigenvalue that noise alone puts into the second-order statistic
     * @param firstNoise standard deviation of the noise in the first-order statistic
     * @param residualNoise standard deviation of the noise in each residual sum so far
     * @param earlier the estimates before those two that the mean is of, one after the other
     */
    public record State(
            int releases,
            double[] eigenvalues,
            double[] eigenvectors,
            double[] weights,
            double[] weightsBefore,
            double curvatureEdge,
            double firstNoise,
            double[] residualNoise,
            double[] earlier) {}

    private static final double NOISY_CLIP = 0.7;

    private final Settings settings;
    private final LinearAlgebra algebra = LinearAlgebra.best();

    public ResidualNewton(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Shares of the squared inverse noise: {@code firstShare} for release 0, the rest in equal parts. */
    @Override
    public ReleasePlan plan(ResidualModel model, long publicSize) {
        int columns = model.columns();
        double residualShare = (1 - settings.firstShare) / settings.rounds;
        return new ReleasePlan(List.of(
                        new ReleasePlan.Phase(
                                "first- and second-order statistics",
                                1,
                                columns + Contribution.squareSize(columns),
                                new SamplingScheme.FullPass(),
                                1 / Math.sqrt(settings.firstShare)),
                        new ReleasePlan.Phase(
                                "residual sums",
                                settings.rounds,
                                columns,
                                new SamplingScheme.FullPass(),
                                1 / Math.sqrt(residualShare))))
                .forRows(RowBounded.of(model));
    }

    /** The first release is half a matrix; eigenvectors, a covariance and its text are whole ones. */
    @Override
    public long workingBytes(ReleasePlan plan) {
        return 320L * InferenceKernel.largestRelease(plan);
    }

    @Override
    public State init(ResidualModel model, long publicSize, RandomStream random) {
        double[] origin = new double[model.columns()];
        return new State(0, new double[0], new double[0], origin, origin, 0, 0, new double[0], new double[0]);
    }

    @Override
    public Step<State> step(State state, ResidualModel model, PrivateSession session, RandomStream random) {
        return state.releases() == 0 ? start(model, session) : round(state, model, session);
    }

    private Step<State> start(ResidualModel model, PrivateSession session) {
        NoisySum released = session.release(model.originStatistics(settings.squareWeight), firstBound(model));
        int columns = model.columns();
        double[] first = Arrays.copyOf(released.value(), columns);
        SymmetricEigen eigen = algebra.eigen(columns, SymmetricMatrix.fromVector(columns, released.value(), columns));
        double[] values = eigen.values().clone();
        for (int i = 0; i < columns; i++) {
            values[i] = Math.max(0, values[i]) / settings.squareWeight;
        }
        double edge = released.noiseStandardDeviation() / settings.squareWeight * Math.sqrt(2.0 * columns);
        double[] gains = new double[columns];
        for (int i = 0; i < columns; i++) {
            gains[i] = settings.startScale / (values[i] + model.priorPrecision() + settings.startRidge * edge);
        }
        double[] weights = multiplied(eigen.vectors(), gains, first);
        State state = new State(
                1,
                values,
                eigen.vectors(),
                weights,
                weights,
                edge,
                released.noiseStandardDeviation(),
                new double[0],
                new double[0]);
        return new Step<>(state, released);
    }

    private Step<State> round(State state, ResidualModel model, PrivateSession session) {
        int columns = model.columns();
        double[] point = new double[columns];
        for (int i = 0; i < columns; i++) {
            point[i] = state.weights()[i] + settings.momentum * (state.weights()[i] - state.weightsBefore()[i]);
        }
        NoisySum released =
                session.release(model.residualSum(point), residualBound(state, model, session.publicSize()));
        double[] gradient = released.value().clone();
        for (int i = 0; i < columns; i++) {
            gradient[i] -= model.priorPrecision() * point[i];
        }
        double[] move = multiplied(state.eigenvectors(), gains(state, model), gradient);
        for (int i = 0; i < columns; i++) {
            point[i] += move[i];
        }
        double[] noise = Arrays.copyOf(state.residualNoise(), state.residualNoise().length + 1);
        noise[noise.length - 1] = released.noiseStandardDeviation();
        return new Step<>(
                new State(
                        state.releases() + 1,
                        state.eigenvalues(),
                        state.eigenvectors(),
                        point,
                        state.weights(),
                        state.curvatureEdge(),
                        state.firstNoise(),
                        noise,
                        earlier(state)),
                released);
    }

    /** The estimates before the last two, when another one is behind them. */
    private double[] earlier(State state) {
        int columns = state.weights().length;
        if (settings.averaged == 2 || state.residualNoise().length == 0) {
            return state.earlier();
        }
        double[] all = Arrays.copyOf(state.earlier(), state.earlier().length + columns);
        System.arraycopy(state.weightsBefore(), 0, all, state.earlier().length, columns);
        return Arrays.copyOfRange(all, Math.max(0, all.length - (settings.averaged - 2) * columns), all.length);
    }

    /** The mean of the last estimates. */
    private static double[] mean(State state) {
        int columns = state.weights().length;
        int count = 2 + state.earlier().length / columns;
        double[] mean = new double[columns];
        for (int i = 0; i < columns; i++) {
            double sum = state.weights()[i] + state.weightsBefore()[i];
            for (int at = i; at < state.earlier().length; at += columns) {
                sum += state.earlier()[at];
            }
            mean[i] = sum / count;
        }
        return mean;
    }

    /** Largest norm of (r x, squareWeight κ svec(x xᵀ)) at the origin. */
    private double firstBound(ResidualModel model) {
        double norm = model.rowNormBound();
        return Math.hypot(
                norm * model.largestResidualAtOrigin(), norm * norm * settings.squareWeight * model.largestCurvature());
    }

    private double residualBound(State state, ResidualModel model, long publicSize) {
        double noiseMultiplier = state.firstNoise() * Math.sqrt(settings.firstShare) / firstBound(model);
        return settings.residualClip.orElseGet(() -> clip(noiseMultiplier, model, publicSize))
                * largestResidualNorm(model);
    }

    private static double largestResidualNorm(ResidualModel model) {
        return model.largestResidual() * model.rowNormBound();
    }

    /** No clip where its bias would outweigh the noise it saves. */
    private double clip(double noiseMultiplier, ResidualModel model, long publicSize) {
        double noise =
                model.largestResidual() * noiseMultiplier * Math.sqrt(settings.rounds / (1 - settings.firstShare));
        double sampling =
                Math.sqrt(model.typicalCurvatureShare() * model.largestCurvature() * publicSize / model.columns());
        return noise <= sampling ? 1 : NOISY_CLIP;
    }

    /** The diagonal of P in the basis of the eigenvectors. */
    private double[] gains(State state, ResidualModel model) {
        double[] gains = new double[state.eigenvalues().length];
        for (int i = 0; i < gains.length; i++) {
            gains[i] = 1
                    / (model.typicalCurvatureShare() * state.eigenvalues()[i]
                            + model.priorPrecision()
                            + settings.ridge * state.curvatureEdge());
        }
        return gains;
    }

    /** U diag(gains) Uᵀ vector, with the columns of U as rows of {@code vectors}. */
    private double[] multiplied(double[] vectors, double[] gains, double[] vector) {
        int n = gains.length;
        double[] rotated = new double[n];
        algebra.multiplyVector(false, n, n, 1, vectors, vector, 0, rotated);
        for (int i = 0; i < n; i++) {
            rotated[i] *= gains[i];
        }
        double[] result = new double[n];
        algebra.multiplyVector(true, n, n, 1, vectors, rotated, 0, result);
        return result;
    }

    @Override
    public State without(State state, ResidualModel model) throws LostReleaseException {
        if (state.releases() == 0) {
            throw new LostReleaseException("the crash took the first release, which all others build on;"
                    + " what it cost stays spent, so start a new run with what is left of the budget");
        }
        return new State(
                state.releases() + 1,
                state.eigenvalues(),
                state.eigenvectors(),
                state.weights(),
                state.weightsBefore(),
                state.curvatureEdge(),
                state.firstNoise(),
                state.residualNoise(),
                state.earlier());
    }

    @Override
    public GaussianPosterior posterior(State state, ResidualModel model) {
        int columns = model.columns();
        if (state.releases() == 0) {
            return model.posterior(
                    new double[columns], SymmetricMatrix.scaledIdentity(columns, 1 / model.priorPrecision()));
        }
        return model.posterior(mean(state), covariance(state, expectedSquaredErrors(state, model)));
    }

    /** The posterior that a run without privacy noise would report at the same point, for comparison. */
    public GaussianPosterior posteriorWithoutPrivacyNoise(State state, ResidualModel model) {
        GaussianPosterior posterior = posterior(state, model);
        if (state.releases() == 0) {
            return posterior;
        }
        double[] variances = new double[state.eigenvalues().length];
        for (int i = 0; i < variances.length; i++) {
            variances[i] = 1 / (model.typicalCurvatureShare() * state.eigenvalues()[i] + model.priorPrecision());
        }
        return model.posterior(posterior.mean(), covariance(state, variances));
    }

    /** Σ_k variances[k] v_k v_kᵀ over the eigenvectors. */
    private double[] covariance(State state, double[] variances) {
        int n = variances.length;
        SymmetricMatrix.raiseNegligible(variances);
        double[] scaled = state.eigenvectors().clone();
        for (int k = 0; k < n; k++) {
            double root = Math.sqrt(variances[k]);
            for (int i = k * n; i < (k + 1) * n; i++) {
                scaled[i] *= root;
            }
        }
        double[] covariance = new double[n * n];
        algebra.gram(n, n, 1, scaled, 0, covariance);
        return covariance;
    }

    /** E(θ − θ_true)² along each eigenvector, by running the recursion on its linear coefficients. */
    private double[] expectedSquaredErrors(State state, ResidualModel model) {
        double[] errors = new double[state.eigenvalues().length];
        double[] gains = gains(state, model);
        double square = 0;
        for (double weight : mean(state)) {
            square += weight * weight;
        }
        double priorVariance = 1 / model.priorPrecision();
        double truthVariance =
                state.curvatureEdge() > 0 ? Math.max(priorVariance, square / errors.length) : priorVariance;
        for (int i = 0; i < errors.length; i++) {
            double eigenvalue = state.eigenvalues()[i];
            double startGain = settings.startScale
                    / (eigenvalue + model.priorPrecision() + settings.startRidge * state.curvatureEdge());
            double curvature = model.typicalCurvatureShare() * Math.max(0, eigenvalue - state.curvatureEdge());
            errors[i] = expectedSquaredError(state, model, curvature, truthVariance, startGain, gains[i]);
        }
        return errors;
    }

    /** Coefficients: 0 on the truth, 1 on the score, 2 on the first noise, 3 + k on the noise of round k. */
    private double expectedSquaredError(
            State state, ResidualModel model, double curvature, double truthVariance, double startGain, double gain) {
        double prior = model.priorPrecision();
        double[] noise = state.residualNoise();
        double[] now = new double[3 + noise.length];
        now[0] = startGain * curvature;
        now[1] = startGain;
        now[2] = startGain;
        double[] before = now.clone();
        List<double[]> path = new ArrayList<>(List.of(now));
        for (int k = 0; k < noise.length; k++) {
            double[] next = new double[now.length];
            for (int c = 0; c < now.length; c++) {
                double point = now[c] + settings.momentum * (now[c] - before[c]);
                double fresh = c == 0 ? curvature : c == 1 || c == 3 + k ? 1 : 0;
                next[c] = point + gain * (fresh - (curvature + prior) * point);
            }
            before = now;
            now = next;
            path.add(now);
        }
        List<double[]> last = path.subList(Math.max(0, path.size() - settings.averaged), path.size());
        double sum = 0;
        for (int c = 0; c < now.length; c++) {
            double mean = 0;
            for (double[] coefficients : last) {
                mean += coefficients[c] / last.size();
            }
            double coefficient = mean - (c == 0 ? 1 : 0);
            double variance = switch (c) {
                case 0 -> truthVariance;
                case 1 -> curvature;
                case 2 -> state.firstNoise() * state.firstNoise();
                default -> noise[c - 3] * noise[c - 3];
            };
            sum += coefficient * coefficient * variance;
        }
        return sum;
    }

    @Override
    public Map<String, Object> toJson(State state) {
        return StateJson.write(state);
    }

    @Override
    public State fromJson(JsonFields json) {
        return StateJson.read(State.class, json);
    }
}
