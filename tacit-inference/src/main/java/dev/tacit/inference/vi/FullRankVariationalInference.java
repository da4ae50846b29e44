package dev.tacit.inference.vi;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Differentially private variational inference with a Gaussian of full covariance, by aligned gradients.
 *
 * <pre>
 *   q = N(μ, L Lᵀ),   L lower triangular, L_ii = softplus(u_i)
 *   release t   g̃ = Σ_{n∈B} clip(∇ log p(x_n | θ), l2Bound) + noise,   θ = μ + L z,   z one public draw
 *   step        G = g̃ + κ ∇ log p(θ);     μ by G,   L_ij by G_i z_j (j &lt; i),   u_i by softplus′(u_i) (G_i z_i + κ / L_ii)
 *   posterior   N(μ̄, L̄ L̄ᵀ + diag V), averages over the steps after the burn-in, V the variance of μ over them
 * </pre>
 *
 * Jälkö, Prediger, Honkela, Kaski 2023, Section 3.1, whose aligned gradients make d released numbers enough for d (d + 3) /
 * 2 parameters; they use diagonal q. Kucukelbir et al. 2017, Section 2.4, for L.
 *
 * <p>Clipped: the gradient of one unit with respect to θ, in L2. Only released values and public draws are carried from one
 * step to the next.
 */
public final class FullRankVariationalInference
        implements InferenceKernel<DifferentiableModel, FullRankVariationalInference.State> {
    /**
     * Public settings.
     *
     * @param steps T, how many releases
     * @param sampling which records each release sees
     * @param l2Bound at which the gradient of a unit is clipped
     * @param startScale standard deviation of q before any record was seen
     * @param step how a gradient moves the parameters of q
     * @param burnInShare part of the steps that is left out of the averages
     */
    public record Settings(
            int steps,
            SamplingScheme sampling,
            double l2Bound,
            double startScale,
            GradientStep.Adam step,
            double burnInShare) {
        public Settings {
            Objects.requireNonNull(sampling, "sampling");
            Objects.requireNonNull(step, "step");
            if (steps < 10) {
                throw new IllegalArgumentException("steps is a number from 10");
            }
            if (!(l2Bound > 0 && startScale > 0 && l2Bound < 1e300 && startScale < 1e300)) {
                throw new IllegalArgumentException("l2Bound and startScale are positive numbers");
            }
            if (!(burnInShare >= 0 && burnInShare <= 0.9)) {
                throw new IllegalArgumentException("burnInShare is a number from 0 to 0.9");
            }
        }
    }

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param point μ, then the lower triangle row after row, u in place of its diagonal
     * @param moments of the gradient
     * @param samplingRate κ
     * @param averaged how many steps are in the averages
     * @param means of the point over them, with L in place of u
     * @param squares Σ (μ − μ̄)² over them
     */
    public record State(
            int releases,
            double[] point,
            double[] moments,
            double samplingRate,
            long averaged,
            double[] means,
            double[] squares) {}

    private final Settings settings;

    public FullRankVariationalInference(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return DpVariationalInference.NAME;
    }

    @Override
    public ReleasePlan plan(DifferentiableModel model, long publicSize) {
        DpVariationalInference.requireUsable(model);
        size(model.dimension()); // more numbers than an array holds are refused here
        return ReleasePlan.of("gradients of the bound", settings.steps, model.dimension(), settings.sampling)
                .forRows(RowBounded.of(model));
    }

    private static int size(int d) {
        return Math.addExact(d, Math.multiplyExact(d, d + 1) / 2);
    }

    /** The place of L_ij, j ≤ i. */
    private static int place(int d, int i, int j) {
        return d + i * (i + 1) / 2 + j;
    }

    @Override
    public State init(DifferentiableModel model, long publicSize, RandomStream random) {
        int d = model.dimension();
        double[] point = Arrays.copyOf(model.start(), size(d));
        for (int i = 0; i < d; i++) {
            point[place(d, i, i)] = SpecialFunctions.inverseSoftplus(settings.startScale);
        }
        double rate = settings.sampling.expectedBatchSize(publicSize) / publicSize;
        return new State(0, point, new double[2 * point.length], rate, 0, new double[point.length], new double[d]);
    }

    @Override
    public Step<State> step(State state, DifferentiableModel model, PrivateSession session, RandomStream random) {
        int d = model.dimension();
        double[] point = state.point();
        double[] draw = new double[d];
        random.fillNormal(draw);
        double[] theta = new double[d];
        for (int i = 0; i < d; i++) {
            theta[i] = point[i] + SpecialFunctions.softplus(point[place(d, i, i)]) * draw[i];
            for (int j = 0; j < i; j++) {
                theta[i] += point[place(d, i, j)] * draw[j];
            }
        }
        NoisySum released = session.release(new PointGradient(model, theta), settings.l2Bound);

        double[] direction = new double[d];
        model.logPrior(theta, direction);
        for (int i = 0; i < d; i++) {
            direction[i] = released.value()[i] + state.samplingRate() * direction[i];
        }
        double[] gradient = new double[point.length];
        for (int i = 0; i < d; i++) {
            gradient[i] = direction[i];
            for (int j = 0; j < i; j++) {
                gradient[place(d, i, j)] = direction[i] * draw[j];
            }
            double link = point[place(d, i, i)];
            double entropy = state.samplingRate() / SpecialFunctions.softplus(link);
            gradient[place(d, i, i)] = SpecialFunctions.sigmoid(link) * (direction[i] * draw[i] + entropy);
        }
        double[] moments = state.moments().clone();
        double[] next = point.clone();
        for (int i = 0; i < next.length; i++) {
            next[i] += settings.step.step(gradient[i], moments, i, state.releases() + 1);
        }
        return new Step<>(averaged(state, next, moments), released);
    }

    private State averaged(State state, double[] next, double[] moments) {
        if (state.releases() < (int) (settings.burnInShare * settings.steps)) {
            return new State(
                    state.releases() + 1,
                    next,
                    moments,
                    state.samplingRate(),
                    state.averaged(),
                    state.means(),
                    state.squares());
        }
        int d = state.squares().length;
        double[] values = withScales(d, next);
        double[] means = state.means().clone();
        double[] squares = state.squares().clone();
        double weight = 1.0 / (state.averaged() + 1);
        for (int i = 0; i < means.length; i++) {
            double gap = values[i] - means[i];
            means[i] += weight * gap;
            if (i < d) {
                squares[i] += gap * (values[i] - means[i]);
            }
        }
        return new State(
                state.releases() + 1, next, moments, state.samplingRate(), state.averaged() + 1, means, squares);
    }

    private static double[] withScales(int d, double[] point) {
        double[] values = point.clone();
        for (int i = 0; i < d; i++) {
            values[place(d, i, i)] = SpecialFunctions.softplus(point[place(d, i, i)]);
        }
        return values;
    }

    /** A lost release leaves q where it was. */
    @Override
    public State without(State state, DifferentiableModel model) {
        return new State(
                state.releases() + 1,
                state.point(),
                state.moments(),
                state.samplingRate(),
                state.averaged(),
                state.means(),
                state.squares());
    }

    @Override
    public Posterior posterior(State state, DifferentiableModel model) {
        int d = model.dimension();
        boolean averages = state.averaged() > 1;
        double[] values = averages ? state.means() : withScales(d, state.point());
        double[] covariance = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0;
                for (int k = 0; k <= j; k++) {
                    sum += values[place(d, i, k)] * values[place(d, j, k)];
                }
                covariance[i * d + j] = sum;
                covariance[j * d + i] = sum;
            }
            covariance[i * d + i] += averages ? state.squares()[i] / state.averaged() : 0;
        }
        return model.reported(new GaussianPosterior(model.parameterNames(), Arrays.copyOf(values, d), covariance));
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
