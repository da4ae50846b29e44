package dev.tacit.inference.noiseaware;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.ScoreTrace;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import java.util.Map;

/**
 * A posterior from noisy sums of clipped scores, read through the field of clipped scores that the model itself implies.
 *
 * <pre>
 *   release t   R_t = Σ_n ψ(x_n; φ_t) + noise                          every record, ‖ψ‖ ≤ 1   {@link ScoreFieldModel}
 *   steer       P ← P + s²/noise²,   φ ← φ + (s/noise²) (R_t − N m(φ_t; φ_t)) / P              s: slope of N m in the truth
 *   posterior   p(φ*) Π_t N(R_t; N m(φ_t; φ*), noise² + sampling)                              {@link ScoreTrace}
 * </pre>
 *
 * Steering is the extended Kalman filter of a constant state (Jazwinski 1970, Section 8.3), started at the prior, so it
 * has no learning rate; it only decides where the next score is taken. The posterior does not need it to have converged:
 * it uses each release at the point where it was made, once, and the prior once. After Alrawajfeh, Jälkö, Honkela 2025,
 * section 4, whose posterior is that of the optimum of a quadratic with unknown curvature; differs in that the mean of a
 * release is the model's own, with clip, curvature and nonlinearity in it, and nothing is estimated from the trace first.
 * There are no Monte Carlo draws and no scale parameters.
 *
 * <p>Clipped: the score of one unit, in L2, at 1. Full passes only: the run is one Gaussian mechanism, whatever the number
 * of steps, so more steps cost time and no accuracy. Only released values are carried from one step to the next.
 */
public final class ModelImpliedField implements InferenceKernel<ScoreFieldModel, ModelImpliedField.State> {
    /** The name in reports. */
    public static final String NAME = "model-implied-field";

    /** Enough that the steps before the point has arrived cost little. */
    public static final int STANDARD_STEPS = 100;

    /** Noise that a run without noise is read with, over the largest deviation that sampling can have, √N. */
    private static final double SILENT_NOISE = 1e-3;

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param point φ
     * @param precisions P
     * @param points φ_t of all releases, one after the other
     * @param sums R_t of all releases
     * @param noiseStandardDeviation with which a release is read; 0 before the first
     */
    public record State(
            int releases,
            double[] point,
            double[] precisions,
            double[] points,
            double[] sums,
            double noiseStandardDeviation) {}

    private final int steps;

    /** With a number of releases. */
    public ModelImpliedField(int steps) {
        if (steps < 1) {
            throw new IllegalArgumentException("steps is a number from 1");
        }
        this.steps = steps;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ReleasePlan plan(ScoreFieldModel model, long publicSize) {
        return ReleasePlan.of("clipped scores", steps, model.dimension(), new SamplingScheme.FullPass());
    }

    @Override
    public State init(ScoreFieldModel model, long publicSize, RandomStream random) {
        return new State(0, model.start(), model.startPrecisions(), new double[0], new double[0], 0);
    }

    @Override
    public Step<State> step(State state, ScoreFieldModel model, PrivateSession session, RandomStream random) {
        NoisySum released = session.release(model.score(state.point()), 1);
        double noise =
                Math.max(released.noiseStandardDeviation(), SILENT_NOISE * Math.sqrt(released.expectedBatchSize()));
        int d = model.dimension();
        double[] mean = new double[d];
        double[] slopes = new double[d];
        model.expect(state.point(), state.precisions(), mean, slopes);
        double[] point = state.point().clone();
        double[] precisions = state.precisions().clone();
        for (int j = 0; j < d; j++) {
            double slope = slopes[j] / noise;
            double precision = precisions[j] + slope * slope;
            double moved = point[j] + slope / precision * (released.value()[j] - mean[j]) / noise;
            if (Double.isFinite(moved) && precision < Double.POSITIVE_INFINITY) {
                precisions[j] = precision;
                point[j] = moved;
            }
        }
        ScoreTrace trace = new ScoreTrace(d, state.points(), state.sums(), noise).plus(state.point(), released.value());
        return new Step<>(
                new State(state.releases() + 1, point, precisions, trace.points(), trace.sums(), noise), released);
    }

    /** A lost release leaves everything where it was. */
    @Override
    public State without(State state, ScoreFieldModel model) {
        return new State(
                state.releases() + 1,
                state.point(),
                state.precisions(),
                state.points(),
                state.sums(),
                state.noiseStandardDeviation());
    }

    /** The posterior of the model; the prior's Gaussian before the first release. */
    @Override
    public Posterior posterior(State state, ScoreFieldModel model) {
        if (state.points().length == 0) {
            return belief(state, model);
        }
        return model.posterior(
                new ScoreTrace(model.dimension(), state.points(), state.sums(), state.noiseStandardDeviation()));
    }

    /** What the filter believes: where it steers, without what sampling adds. */
    private static DiagonalGaussianPosterior belief(State state, ScoreFieldModel model) {
        double[] variances = new double[state.point().length];
        for (int j = 0; j < variances.length; j++) {
            variances[j] = 1 / state.precisions()[j];
        }
        return new DiagonalGaussianPosterior(model.parameterNames(), state.point(), variances);
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
