package dev.tacit.experiments.ep;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.inference.ep.DpStochasticEp;
import dev.tacit.inference.ep.PrivateStarts;
import dev.tacit.json.JsonFields;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.mixture.MixtureMeans;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.Arrays;
import java.util.Map;

/**
 * Private expectation maximisation for the means of a mixture: the baseline for expectation propagation.
 *
 * <pre>
 *   E   Σ_n (r_n, clip(r_nk (x_n − m_k) for all k, shiftBound)) + noise          full pass, L2 norm at most √(1 + shiftBound²)
 *   M   m_k ← m_k + Σ r_nk (x_n − m_k) / max(Σ r_nk, noise floor)
 * </pre>
 *
 * Park, Foulds, Chaudhuri, Welling 2017 (DP-EM), Gaussian noise on expected statistics. Differs from the paper: sums are taken around
 * the current means, which are public, so they are short; everything is on the scale of the data. The last iterate is the result, as
 * in EM; its covariance is what the records of a component would leave.
 *
 * <p>Clipped: shifts of one unit jointly, in L2; responsibilities need no clip.
 */
public final class DpExpectationMaximisation implements InferenceKernel<MixtureMeans, DpExpectationMaximisation.State> {
    /**
     * Public settings.
     *
     * @param steps releases after the private start
     * @param shiftBound the longest shift of one unit
     */
    public record Settings(int steps, double shiftBound) {
        public Settings {
            DpStochasticEp.requireSteps(steps);
            DpStochasticEp.requirePositive(shiftBound, "shiftBound");
        }
    }

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param constants of the model
     * @param means empty before the private start is complete
     */
    public record State(int releases, double[] constants, double[] means) {}

    private final Settings settings;

    public DpExpectationMaximisation(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "dp-em";
    }

    @Override
    public ReleasePlan plan(MixtureMeans model, long publicSize) {
        GaussianBlocks shape = model.shape();
        SamplingScheme full = new SamplingScheme.FullPass();
        ReleasePlan steps = ReleasePlan.of("expected statistics", settings.steps, shape.blocks() + shape.size(), full);
        return PrivateStarts.plan(model, settings.steps, full, publicSize)
                .map(start -> start.then(steps))
                .orElse(steps);
    }

    @Override
    public State init(MixtureMeans model, long publicSize, RandomStream random) {
        double[] constants = PrivateStarts.begin(model, random);
        double[] means =
                model.privateStart().isEmpty() ? model.startMean(constants, random.fork("start")) : new double[0];
        return new State(0, constants, means);
    }

    @Override
    public Step<State> step(State state, MixtureMeans model, PrivateSession session, RandomStream random) {
        if (state.releases() < PrivateStarts.releases(model)) {
            PrivateStart start = model.privateStart().orElseThrow();
            NoisySum released = session.release(start.query(state.constants(), state.releases()), start.l2Bound());
            double[] constants = start.constants(state.constants(), state.releases(), released);
            boolean complete = state.releases() + 1 == start.releases();
            double[] means = complete ? model.startMean(constants, random.fork("start")) : state.means();
            return new Step<>(new State(state.releases() + 1, constants, means), released);
        }
        NoisySum released = session.release(
                model.expectedShifts(state.means(), settings.shiftBound), Math.hypot(1, settings.shiftBound));
        int width = model.columns().size();
        int components = model.shape().blocks();
        double floor = Math.max(1, 2 * released.noiseStandardDeviation());
        double[] means = state.means().clone();
        for (int i = 0; i < means.length; i++) {
            means[i] += released.value()[components + i] / Math.max(released.value()[i / width], floor);
        }
        return new Step<>(new State(state.releases() + 1, state.constants(), means), released);
    }

    @Override
    public State without(State state, MixtureMeans model) throws LostReleaseException {
        if (state.releases() < PrivateStarts.releases(model)) {
            throw PrivateStarts.lost();
        }
        return new State(state.releases() + 1, state.constants(), state.means());
    }

    @Override
    public Posterior posterior(State state, MixtureMeans model) {
        GaussianBlocks shape = model.shape();
        double[] precision = model.priorPrecision();
        double[] records = model.fixedPrecision(state.constants());
        for (int i = 0; i < precision.length; i++) {
            precision[i] += records[i];
        }
        double[] means = state.means().length == 0 ? model.priorMean() : state.means();
        return model.posterior(Arrays.copyOf(means, means.length), shape.inverse(precision), state.constants());
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
