package dev.tacit.inference.bayes;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.BoundGradientModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.Map;
import java.util.Objects;

/**
 * Residual variational Bayes: climbs the variational bound by released gradients and public curvature.
 *
 * <pre>
 *   g̃ = (Σ_{n∈B} clip(∂L_n/∂θ, l2Bound) + noise) / E|B|                              one release, B drawn by the sampling scheme
 *   θ ← θ + ρ_t A(θ)⁻¹ (g̃ − prior),    ρ_t = rate (1 − t / steps)^decay         A: a bound on the curvature, from public numbers and θ
 * </pre>
 *
 * The fixed point is that of variational Bayes for the means of the parameters, as in Park, Foulds, Chaudhuri, Welling 2020,
 * Algorithm 2, whose natural-parameter step needs second-order statistics. Here only first-order ones are released: the
 * statistic shrinks as the fit improves, has fewer numbers, and its noise is not multiplied by the parameters. What is
 * given up is a data-driven covariance.
 *
 * <p>Clipped: the concatenated weighted gradient of one unit, in L2, at the model's public bound. Only released values are
 * carried from one step to the next.
 */
public final class ResidualVariationalBayes
        implements InferenceKernel<BoundGradientModel, ResidualVariationalBayes.State> {
    /** The name on the command line. */
    public static final String NAME = "residual-vb";

    /**
     * Public settings.
     *
     * @param steps how many releases
     * @param sampling which records each release sees
     * @param rate the first step, 1 being what the curvature calls for
     * @param decay exponent of the decrease to 0 at the end; 0 for equal steps
     */
    public record Settings(int steps, SamplingScheme sampling, double rate, double decay) {
        public Settings {
            if (steps < 1) {
                throw new IllegalArgumentException("steps is a number from 1");
            }
            Objects.requireNonNull(sampling, "sampling");
            if (!(rate > 0) || Double.isInfinite(rate)) {
                throw new IllegalArgumentException("rate is a positive number");
            }
            if (!(decay >= 0) || Double.isInfinite(decay)) {
                throw new IllegalArgumentException("decay is a number from 0");
            }
        }

        double rate(int step) {
            return rate * Math.pow(1 - (double) step / steps, decay);
        }
    }

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param parameters the current point
     * @param squaredRateNoise Σ (rate · noise standard deviation of the mean gradient)² over them
     */
    public record State(int releases, double[] parameters, double squaredRateNoise) {}

    private final Settings settings;

    public ResidualVariationalBayes(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ReleasePlan plan(BoundGradientModel model, long publicSize) {
        return ReleasePlan.of("gradients of the bound", settings.steps, model.dimension(), settings.sampling);
    }

    @Override
    public State init(BoundGradientModel model, long publicSize, RandomStream random) {
        return new State(0, model.start(random), 0);
    }

    @Override
    public Step<State> step(State state, BoundGradientModel model, PrivateSession session, RandomStream random) {
        NoisySum released = session.release(model.boundGradient(state.parameters()), model.gradientL2Bound());
        NoisySum mean = released.scaledTo(1);
        double rate = settings.rate(state.releases());
        double noise = rate * mean.noiseStandardDeviation();
        return new Step<>(
                new State(
                        state.releases() + 1,
                        model.moved(state.parameters(), mean.value(), rate),
                        state.squaredRateNoise() + noise * noise),
                released);
    }

    @Override
    public State without(State state, BoundGradientModel model) {
        return new State(state.releases() + 1, state.parameters(), state.squaredRateNoise());
    }

    @Override
    public Posterior posterior(State state, BoundGradientModel model) {
        return model.posterior(state.parameters(), state.squaredRateNoise());
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
