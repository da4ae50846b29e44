package dev.tacit.partitioned.update;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.inference.vi.MarginExpectationGradient;
import dev.tacit.json.JsonFields;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;

/**
 * Global variational inference: one approximation climbs the bound of all records, a release at a time.
 *
 * <pre>
 *   g = Σ_{n∈B} clip(∇ E log p(x_n | θ), l2Bound) + noise            φ = (μ / unit, log s)
 *   φ ← φ + Adam(g / E|B| − ∇KL(q ‖ prior) / N)                      posterior at the mean φ of the last steps
 * </pre>
 *
 * The baseline of Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, whose code starts Adam anew at every step. On pooled
 * records it needs a trusted curator; across parties, one message from each party at every step.
 */
public final class GlobalVariationalInference
        implements InferenceKernel<GaussianMarginModel, GlobalVariationalInference.State> {
    /**
     * Public settings.
     *
     * @param steps releases
     * @param sampling which records a release sees
     * @param l2Bound on the gradient of a unit
     * @param rate of Adam
     * @param averagedShare part of the steps, at the end, whose mean is reported
     */
    public record Settings(int steps, SamplingScheme sampling, double l2Bound, double rate, double averagedShare) {
        public Settings {
            Objects.requireNonNull(sampling, "sampling");
            if (steps < 1) {
                throw new IllegalArgumentException("steps is a number from 1");
            }
            if (!(averagedShare > 0 && averagedShare <= 1)) {
                throw new IllegalArgumentException("averagedShare is a number above 0 and up to 1");
            }
        }

        /** What did best on Adult at epsilon 1. */
        public static Settings standard() {
            return new Settings(800, new SamplingScheme.PoissonSampling(0.05), 2, 0.02, 0.3);
        }
    }

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param point means, then logarithms of scales
     * @param moments of Adam
     * @param sum of the points that are averaged
     * @param averaged how many they are
     */
    public record State(int releases, double[] point, double[] moments, double[] sum, int averaged) {}

    private final Settings settings;

    public GlobalVariationalInference(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return "global-vi";
    }

    @Override
    public ReleasePlan plan(GaussianMarginModel model, long publicSize) {
        return ReleasePlan.of("gradients of the bound", settings.steps, 2 * model.dimension(), settings.sampling)
                .forRows(RowBounded.of(model));
    }

    @Override
    public State init(GaussianMarginModel model, long publicSize, RandomStream random) {
        int d = model.dimension();
        double[] point = new double[2 * d];
        Arrays.fill(point, d, 2 * d, -0.5 * Math.log(model.priorPrecision()));
        return new State(0, point, new double[4 * d], new double[2 * d], 0);
    }

    @Override
    public Step<State> step(State state, GaussianMarginModel model, PrivateSession session, RandomStream random) {
        int d = model.dimension();
        double unit = 1 / Math.sqrt(model.priorPrecision());
        double[] point = state.point().clone();
        double[] means = Arrays.copyOf(point, d);
        double[] variances = new double[d];
        for (int j = 0; j < d; j++) {
            variances[j] = Math.exp(2 * point[d + j]);
        }
        NoisySum released = session.release(
                MarginExpectationGradient.of(model, means, variances, unit, variances), settings.l2Bound);
        double[] gradient = released.scaledTo(1).value();
        double[] moments = state.moments().clone();
        GradientStep.Adam adam = new GradientStep.Adam(settings.rate);
        double n = (double) session.publicSize();
        for (int j = 0; j < d; j++) {
            double meanPart = -means[j] / (unit * n);
            double scalePart = (1 - model.priorPrecision() * variances[j]) / n;
            point[j] -= unit * adam.step(-(gradient[2 * j] + meanPart), moments, j, state.releases() + 1);
            point[d + j] -= adam.step(-(gradient[2 * j + 1] + scalePart), moments, d + j, state.releases() + 1);
        }
        boolean average = state.releases() + 1 > settings.steps * (1 - settings.averagedShare);
        double[] sum = state.sum().clone();
        for (int i = 0; i < sum.length; i++) {
            sum[i] += average ? point[i] : 0;
        }
        return new Step<>(
                new State(state.releases() + 1, point, moments, sum, state.averaged() + (average ? 1 : 0)), released);
    }

    @Override
    public State without(State state, GaussianMarginModel model) {
        return new State(state.releases() + 1, state.point(), state.moments(), state.sum(), state.averaged());
    }

    @Override
    public DiagonalGaussianPosterior posterior(State state, GaussianMarginModel model) {
        int d = model.dimension();
        double[] means = new double[d];
        double[] variances = new double[d];
        for (int j = 0; j < d; j++) {
            double mean = state.averaged() > 0 ? state.sum()[j] / state.averaged() : state.point()[j];
            double log = state.averaged() > 0 ? state.sum()[d + j] / state.averaged() : state.point()[d + j];
            means[j] = mean;
            variances[j] = Math.exp(2 * log);
        }
        return new DiagonalGaussianPosterior(model.parameterNames(), means, variances);
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
