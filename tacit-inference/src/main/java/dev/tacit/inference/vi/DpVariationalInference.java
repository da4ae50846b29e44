package dev.tacit.inference.vi;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.NormalDraws;
import dev.tacit.inference.Step;
import dev.tacit.inference.noiseaware.NoiseAwarePosterior;
import dev.tacit.inference.noiseaware.StoredTrace;
import dev.tacit.inference.noiseaware.TraceNoise;
import dev.tacit.inference.noiseaware.TraceStatistics;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.optimizer.GradientStep;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Differentially private variational inference: stochastic gradients of the evidence bound of a mean-field Gaussian, clipped
 * record by record and noised, and the posterior that knows about the noise in their trace.
 *
 * <pre>
 *   q = N(μ, diag softplus(u)²),   φ = (μ, u)
 *   release t   g̃ = Σ_{n∈B} clip((D_μ, scaleWeight D_u)_n, l2Bound) + noise              {@link Estimator} says how D is found
 *   step        φ ← φ + step(g̃ / weights + κ ∇_φ (E log p(θ) + Σ log softplus(u)))        κ = E|B| / N
 *   posterior   of the optimum φ*, given the trace (φ_t, g̃_t) after the burn-in            {@link NoiseAwarePosterior}
 * </pre>
 *
 * Jälkö, Dikmen, Honkela 2017; Alrawajfeh, Jälkö, Honkela 2025, Algorithm 1. Differs from the paper: the gradient of prior
 * and entropy does not depend on records, so it is added after the clip instead of taking part in it; batches are Poisson or
 * full passes with the public size in place of the data's; the trace is kept as six numbers for each coordinate, and
 * whole only if that is asked for.
 *
 * <p>Clipped: the gradient of one unit with respect to (μ, u), u's part weighted, jointly, in L2; with aligned gradients
 * that with respect to θ alone. Only released values and public draws are carried from one step to the next.
 */
public final class DpVariationalInference
        implements InferenceKernel<DifferentiableModel, DpVariationalInference.State> {
    /** The name on the command line. */
    public static final String NAME = "dpvi";

    /** How the gradient of one unit is found. */
    public enum Estimator {
        /**
         * An average over draws of θ from q, for any model, in mirrored pairs if their number is even: {@link
         * MeanFieldGradient}.
         */
        DRAWS,
        /**
         * No draws: the exact expectation over the margin, for a {@link GaussianMarginModel}: {@link
         * MarginExpectationGradient}.
         */
        EXPECTATION,
        /**
         * Aligned gradients: the gradient at one draw θ = μ + softplus(u) ⊙ z is released, that of u follows from it as
         * softplus′(u) ⊙ z ⊙ g̃ and costs nothing; half as many numbers carry noise. Jälkö, Prediger, Honkela, Kaski
         * 2023, Section 3.1, whose posterior, the average of the trace with its variance, is also the one that is
         * reported then.
         */
        ALIGNED;

        /** The word on the command line. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Public settings.
     *
     * @param steps T, how many releases
     * @param sampling which records each release sees
     * @param l2Bound at which the weighted gradient of a unit is clipped
     * @param draws K, how many θ a gradient is averaged over; 1 for {@link Estimator#ALIGNED}, not used for {@link
     *     Estimator#EXPECTATION}
     * @param scaleWeight factor on the gradient of u before the clip, which is small
     * @param startScale standard deviation of q before any record was seen
     * @param step how a gradient moves φ
     * @param burnInShare part of the steps that is left out of the trace
     * @param estimator how gradients are found
     * @param keepsTrace whether every (φ, g̃) after the burn-in is kept, too
     */
    public record Settings(
            int steps,
            SamplingScheme sampling,
            double l2Bound,
            int draws,
            double scaleWeight,
            double startScale,
            GradientStep step,
            double burnInShare,
            Estimator estimator,
            boolean keepsTrace) {
        public Settings {
            Objects.requireNonNull(estimator, "estimator");
            Objects.requireNonNull(sampling, "sampling");
            Objects.requireNonNull(step, "step");
            if (steps < 10) {
                throw new IllegalArgumentException("steps is a number from 10");
            }
            if (draws < 1) {
                throw new IllegalArgumentException("draws is a number from 1");
            }
            if (estimator == Estimator.ALIGNED && draws != 1) {
                throw new IllegalArgumentException("aligned gradients are those of one draw; set draws to 1");
            }
            requirePositive(l2Bound, "l2Bound");
            requirePositive(scaleWeight, "scaleWeight");
            requirePositive(startScale, "startScale");
            if (!(burnInShare >= 0 && burnInShare <= 0.9)) {
                throw new IllegalArgumentException("burnInShare is a number from 0 to 0.9");
            }
        }

        /** With draws, and without a stored trace. */
        public Settings(
                int steps,
                SamplingScheme sampling,
                double l2Bound,
                int draws,
                double scaleWeight,
                double startScale,
                GradientStep step,
                double burnInShare) {
            this(steps, sampling, l2Bound, draws, scaleWeight, startScale, step, burnInShare, Estimator.DRAWS, false);
        }

        /** The same with another estimator. */
        public Settings with(Estimator other) {
            int count = other == Estimator.ALIGNED ? 1 : draws;
            return new Settings(
                    steps, sampling, l2Bound, count, scaleWeight, startScale, step, burnInShare, other, keepsTrace);
        }

        /** For {@link GaussianMarginModel}s with rows of at most this length: weights and steps scale with its inverse. */
        public static Settings forRows(double rowNormBound) {
            double startScale = 0.2 / rowNormBound;
            return new Settings(
                    800,
                    new SamplingScheme.PoissonSampling(0.05),
                    0.6 * rowNormBound,
                    1,
                    1 / startScale,
                    startScale,
                    new GradientStep.Adam(0.15 / rowNormBound),
                    0.5,
                    Estimator.EXPECTATION,
                    false);
        }

        private static void requirePositive(double value, String name) {
            if (!(value > 0) || Double.isInfinite(value)) {
                throw new IllegalArgumentException(name + " is a positive number");
            }
        }

        int burnIn() {
            return (int) (burnInShare * steps);
        }
    }

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were
     * @param means μ
     * @param links u
     * @param moments of the gradient, for optimisers that keep them
     * @param samplingRate κ
     * @param noiseStandardDeviation of each number of a release; 0 before the first, and without noise
     * @param trace of (φ, g̃) after the burn-in, parameters first, then links
     * @param stored the same pairs one by one, if settings ask for them
     */
    public record State(
            int releases,
            double[] means,
            double[] links,
            double[] moments,
            double samplingRate,
            double noiseStandardDeviation,
            TraceStatistics trace,
            StoredTrace stored)
            implements StoredTrace.Holder {}

    private final Settings settings;

    public DpVariationalInference(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ReleasePlan plan(DifferentiableModel model, long publicSize) {
        requireUsable(model);
        if (settings.estimator == Estimator.EXPECTATION) {
            margin(model);
        }
        int numbers =
                settings.estimator == Estimator.ALIGNED ? model.dimension() : Math.multiplyExact(2, model.dimension());
        return ReleasePlan.of("gradients of the bound", settings.steps, numbers, settings.sampling)
                .forRows(RowBounded.of(model));
    }

    /** Refuses a model that no step could start from, while it costs nothing. */
    static void requireUsable(DifferentiableModel model) {
        int d = model.dimension();
        double[] start = model.start();
        if (d < 1 || start.length != d || model.parameterNames().size() != d) {
            throw new IllegalArgumentException(
                    "a model has as many names and numbers to start from as it has parameters, one or more");
        }
        double[] gradient = new double[d];
        double prior = model.logPrior(start, gradient);
        boolean usable = Double.isFinite(prior);
        for (int j = 0; j < d; j++) {
            usable &= Double.isFinite(start[j]) && Double.isFinite(gradient[j]);
        }
        if (!usable) {
            throw new IllegalArgumentException(
                    "the log-density of a model's prior, and its gradient, are finite numbers where inference starts");
        }
        model.space().ifPresent(space -> {
            if (space.freeDimension() != d
                    || space.dimension() != model.reportedNames().size()) {
                throw new IllegalArgumentException("the parameters that people read are those of the model's space");
            }
        });
    }

    @Override
    public State init(DifferentiableModel model, long publicSize, RandomStream random) {
        int d = model.dimension();
        double[] links = new double[d];
        Arrays.fill(links, SpecialFunctions.inverseSoftplus(settings.startScale));
        double rate = settings.sampling.expectedBatchSize(publicSize) / publicSize;
        boolean keepsMoments = settings.step instanceof GradientStep.Adam;
        return new State(
                0,
                model.start(),
                links,
                new double[keepsMoments ? 4 * d : 0],
                rate,
                0,
                TraceStatistics.empty(2 * d),
                StoredTrace.empty(2 * d));
    }

    @Override
    public Step<State> step(State state, DifferentiableModel model, PrivateSession session, RandomStream random) {
        int d = model.dimension();
        double[] scales = new double[d];
        double[] slopes = new double[d];
        for (int j = 0; j < d; j++) {
            scales[j] = SpecialFunctions.softplus(state.links()[j]);
            slopes[j] = SpecialFunctions.sigmoid(state.links()[j]);
        }
        boolean expected = settings.estimator == Estimator.EXPECTATION;
        NormalDraws draws = NormalDraws.inPairs(random, d, expected ? 0 : settings.draws);
        NoisySum released = session.release(query(model, state.means(), scales, slopes, draws), settings.l2Bound);

        double[] gradient = expected
                ? expectedPriorGradient(margin(model).priorPrecision(), state.means(), scales, slopes)
                : priorGradient(model, state.means(), scales, slopes, draws.written());
        double[] sum = released.value();
        boolean aligned = settings.estimator == Estimator.ALIGNED;
        for (int j = 0; j < d; j++) {
            double location = aligned ? sum[j] : sum[2 * j];
            double scale = aligned ? slopes[j] * draws.numbers()[j] * sum[j] : sum[2 * j + 1] / settings.scaleWeight;
            gradient[j] = -(location + state.samplingRate() * gradient[j]);
            gradient[d + j] = -(scale + state.samplingRate() * gradient[d + j]);
        }
        return new Step<>(moved(state, gradient, released.noiseStandardDeviation()), released);
    }

    private ContributionSum query(
            DifferentiableModel model, double[] means, double[] scales, double[] slopes, NormalDraws draws) {
        return switch (settings.estimator) {
            case DRAWS -> MeanFieldGradient.of(model, means, scales, slopes, draws, settings.scaleWeight);
            case EXPECTATION ->
                MarginExpectationGradient.ofLinks(margin(model), means, scales, slopes, settings.scaleWeight);
            case ALIGNED -> {
                double[] point = new double[means.length];
                for (int j = 0; j < point.length; j++) {
                    point[j] = means[j] + scales[j] * draws.numbers()[j];
                }
                yield new PointGradient(model, point);
            }
        };
    }

    private static GaussianMarginModel margin(DifferentiableModel model) {
        if (!(model instanceof GaussianMarginModel margin)) {
            throw new IllegalArgumentException("the expectation is known for models of one margin; choose draws");
        }
        return margin;
    }

    /** {@link #priorGradient} without draws, for a Gaussian prior. */
    static double[] expectedPriorGradient(double precision, double[] means, double[] scales, double[] slopes) {
        int d = means.length;
        double[] gradient = new double[2 * d];
        for (int j = 0; j < d; j++) {
            gradient[j] = -precision * means[j];
            gradient[d + j] = slopes[j] * (1 / scales[j] - precision * scales[j]);
        }
        return gradient;
    }

    /** ∇_φ of E_q log p(θ), over the same draws, plus that of the entropy Σ log softplus(u). */
    public static double[] priorGradient(
            DifferentiableModel model, double[] means, double[] scales, double[] slopes, double[] draws) {
        int d = scales.length;
        int count = draws.length / d;
        double[] point = new double[d];
        double[] prior = new double[d];
        double[] gradient = new double[2 * d];
        for (int k = 0; k < count; k++) {
            for (int j = 0; j < d; j++) {
                point[j] = means[j] + scales[j] * draws[k * d + j];
            }
            model.logPrior(point, prior);
            for (int j = 0; j < d; j++) {
                gradient[j] += prior[j] / count;
                gradient[d + j] += slopes[j] * prior[j] * draws[k * d + j] / count;
            }
        }
        for (int j = 0; j < d; j++) {
            gradient[d + j] += slopes[j] / scales[j];
        }
        return gradient;
    }

    /** After a step against the gradient of what is minimised. */
    private State moved(State state, double[] gradient, double noise) {
        int d = state.means().length;
        double[] point = new double[2 * d];
        System.arraycopy(state.means(), 0, point, 0, d);
        System.arraycopy(state.links(), 0, point, d, d);
        boolean burning = state.releases() < settings.burnIn();
        TraceStatistics trace = burning ? state.trace() : state.trace().plus(point, gradient);
        StoredTrace stored = burning || !settings.keepsTrace
                ? state.stored()
                : state.stored().plus(point, gradient);
        double[] moments = state.moments().clone();
        for (int i = 0; i < 2 * d; i++) {
            point[i] -= settings.step instanceof GradientStep.Adam adam
                    ? adam.step(gradient[i], moments, i, state.releases() + 1)
                    : noiseScaled(gradient[i], i < d ? noise : noise / settings.scaleWeight, 2 * d);
        }
        double[] means = Arrays.copyOf(point, d);
        double[] links = Arrays.copyOfRange(point, d, 2 * d);
        return new State(state.releases() + 1, means, links, moments, state.samplingRate(), noise, trace, stored);
    }

    private double noiseScaled(double gradient, double noise, int coordinates) {
        if (!(noise > 0)) {
            throw new IllegalStateException("a run without noise has no steps measured in it; choose Adam");
        }
        double rate = ((GradientStep.NoiseScaled) settings.step).rate();
        return rate / Math.sqrt((double) settings.steps * coordinates) * gradient / noise;
    }

    /** A lost release leaves φ where it was. */
    @Override
    public State without(State state, DifferentiableModel model) {
        return new State(
                state.releases() + 1,
                state.means(),
                state.links(),
                state.moments(),
                state.samplingRate(),
                state.noiseStandardDeviation(),
                state.trace(),
                state.stored());
    }

    /** The noise-aware posterior of θ, the average for aligned gradients; without noise or a trace, q itself. */
    @Override
    public Posterior posterior(State state, DifferentiableModel model) {
        if (!(state.noiseStandardDeviation() > 0) || state.trace().steps() < 2) {
            return model.reported(lastIterate(state, model));
        }
        return model.reported(
                settings.estimator == Estimator.ALIGNED
                        ? iterateAverage(state, model)
                        : noiseAware(state).parameters(model.parameterNames()));
    }

    /** q where the run ended: what is reported if noise is ignored. */
    public DiagonalGaussianPosterior lastIterate(State state, DifferentiableModel model) {
        int d = model.dimension();
        double[] variances = new double[d];
        for (int j = 0; j < d; j++) {
            double scale = SpecialFunctions.softplus(state.links()[j]);
            variances[j] = scale * scale;
        }
        return new DiagonalGaussianPosterior(model.parameterNames(), state.means(), variances);
    }

    /** q at the mean of the trace, its variance increased by the trace's own (Jälkö et al. 2023). */
    public DiagonalGaussianPosterior iterateAverage(State state, DifferentiableModel model) {
        int d = model.dimension();
        TraceStatistics trace = state.trace();
        if (trace.steps() < 2) {
            return lastIterate(state, model);
        }
        double[] means = Arrays.copyOf(trace.parameterMeans(), d);
        double[] variances = new double[d];
        for (int j = 0; j < d; j++) {
            double scale = SpecialFunctions.softplus(trace.parameterMeans()[d + j]);
            variances[j] = scale * scale + trace.parameterSquares()[j] / trace.steps();
        }
        return new DiagonalGaussianPosterior(model.parameterNames(), means, variances);
    }

    /** The posterior of φ*. Subsampling adds noise of unknown size: at most as if every unit were clipped and pulled alike. */
    public NoiseAwarePosterior noiseAware(State state) {
        int d = state.means().length;
        double[] noise = new double[2 * d];
        for (int j = 0; j < d; j++) {
            noise[j] = state.noiseStandardDeviation();
            noise[d + j] = state.noiseStandardDeviation() / settings.scaleWeight;
        }
        return new NoiseAwarePosterior(
                state.trace(), new TraceNoise(state.samplingRate(), noise, state.samplingRate() < 1 ? 1 : 0, 1));
    }

    @Override
    public Map<String, Object> toJson(State state) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("releases", state.releases());
        json.put("means", PackedNumbers.write(state.means()));
        json.put("links", PackedNumbers.write(state.links()));
        json.put("moments", PackedNumbers.write(state.moments()));
        json.put("samplingRate", state.samplingRate());
        json.put("noiseStandardDeviation", state.noiseStandardDeviation());
        json.put("trace", state.trace().toJson());
        json.put("stored", PackedNumbers.write(state.stored().numbers()));
        return json;
    }

    @Override
    public State fromJson(JsonFields json) {
        TraceStatistics trace = TraceStatistics.fromJson(JsonFields.of(json.value("trace"), json.pathOf("trace")));
        State state = new State(
                Math.toIntExact(json.integer("releases")),
                PackedNumbers.read(json, "means"),
                PackedNumbers.read(json, "links"),
                PackedNumbers.read(json, "moments"),
                json.number("samplingRate"),
                json.number("noiseStandardDeviation"),
                trace,
                StoredTrace.of(trace.dimension(), PackedNumbers.read(json, "stored")));
        json.end();
        return state;
    }
}
