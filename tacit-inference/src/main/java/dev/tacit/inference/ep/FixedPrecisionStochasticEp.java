package dev.tacit.inference.ep;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.GaussianBlocks;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.RowBounded;
import dev.tacit.model.TiltedMomentModel;
import dev.tacit.model.TiltedMomentModel.Extras;
import dev.tacit.model.TiltedMomentModel.Field;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Private stochastic expectation propagation in the family of Gaussians whose precision is fixed: only means are learned.
 *
 * <pre>
 *   q = N(m, Λ⁻¹),  Λ = Λ_p + L,  L public or bought with a share of the budget
 *   cavity      Λ_c = Λ − L/N,   m_c = Λ_c⁻¹ (Λ m − (Λ m − Λ_p m_p)/N)                  q without one of N tied sites
 *   release t   s = Σ_{n∈B} clip(w ∘ ∇_m log Z_n(m_c, Λ_c⁻¹), l2Bound) + noise           {@link CentredScores}
 *   step        d ← momentum d + (1 − momentum) (N / E|B|) s / w
 *               m ← m + ρ_t (Λ_c⁻¹ d + Λ⁻¹ (L (m_c − m) + Λ_p (m_p − m))),     ρ_t = step · decay^(t / steps)
 *   posterior   of the truth given all but the first releases, {@link FieldPosterior}, if the model knows its records' field;
 *               else N(mean of m over the last averagedShare of the steps, Λ⁻¹)
 * </pre>
 *
 * Vinaroz, Park 2022, Algorithm 3, with the projection onto the exponential family of Gaussians of precision Λ, whose only
 * statistic is θ: matching moments is matching means, and a record's site, written around the public m, is
 * Λ Λ_c⁻¹ ∇ log Z_n. Without noise, clip or decay the fixed point is SEP's, θ_q = θ_p + Σ_n θ_n in that family. Differs from
 * the paper: batches of any size, one clip of everything a record contributes, and no matrix is released, so nothing need be
 * kept positive definite. The paper skips updates that would not be, which records decide.
 *
 * <p>Clipped: the weighted gradient of log Z of one unit, and extras such as a statistic of the noise variance, each to its
 * share of one joint bound, in L2. Where the field is known, the noise of every release is counted, and the posterior's mean is
 * the best estimate from all of them rather than where the steps have led; without noise both are the same.
 */
public final class FixedPrecisionStochasticEp
        implements InferenceKernel<TiltedMomentModel, FixedPrecisionStochasticEp.State> {
    /** The name on the command line. */
    public static final String NAME = "dp-sep";

    /**
     * Public settings.
     *
     * @param steps how many releases after the model's private start
     * @param sampling which records each of them sees
     * @param l2Bound the joint bound of one unit's contribution
     * @param step ρ_0, the damping of the first step
     * @param decay ρ after all steps over ρ_0, in (0, 1]
     * @param momentum weight of past releases in the direction of a step, in [0, 1)
     * @param averagedShare part of the steps, at the end, whose means are averaged
     */
    public record Settings(
            int steps,
            SamplingScheme sampling,
            double l2Bound,
            double step,
            double decay,
            double momentum,
            double averagedShare) {
        public Settings {
            Objects.requireNonNull(sampling, "sampling");
            if (steps < 1) {
                throw new IllegalArgumentException("steps is a number from 1");
            }
            if (!(l2Bound > 0) || Double.isInfinite(l2Bound)) {
                throw new IllegalArgumentException("l2Bound is a positive number");
            }
            if (!(step > 0 && step <= 1)) {
                throw new IllegalArgumentException("step is a number above 0, at most 1");
            }
            if (!(decay > 0 && decay <= 1)) {
                throw new IllegalArgumentException("decay is a number above 0, at most 1");
            }
            if (!(momentum >= 0 && momentum < 1)) {
                throw new IllegalArgumentException("momentum is a number from 0, below 1");
            }
            if (!(averagedShare >= 0 && averagedShare <= 1)) {
                throw new IllegalArgumentException("averagedShare is a number from 0 to 1");
            }
        }

        double rate(int step) {
            return this.step * Math.pow(decay, step / (double) steps);
        }

        /** From this step on released sums are taken as those of a field that is linear; earlier ones are too far from the truth. */
        int firstObserved() {
            return (int) (SKIPPED_SHARE * steps);
        }

        /** From this step on means are averaged; the last one always is. */
        int firstAveraged() {
            return Math.min(steps - 1, (int) Math.round((1 - averagedShare) * steps));
        }
    }

    /**
     * Where the releases so far have led.
     *
     * @param releases how many there were, those of the private start included
     * @param mean m; empty before the model's constants are complete
     * @param direction d
     * @param constants of the model
     * @param averaged how many means are in the averages
     * @param averageMean of m
     * @param averageConstants of the constants, which move with the extras
     * @param observed how many releases are in the next two
     * @param averageField of released sums, scaled to all records, weights undone
     * @param averagePoint of the cavity means that they were asked at
     * @param noiseStandardDeviation of each number of a step's release, scaled to all records
     * @param batchVariance N/E|B| − 1: how much larger a scaled batch's sum makes the variance of a score
     */
    public record State(
            int releases,
            double[] mean,
            double[] direction,
            double[] constants,
            int averaged,
            double[] averageMean,
            double[] averageConstants,
            int observed,
            double[] averageField,
            double[] averagePoint,
            double noiseStandardDeviation,
            double batchVariance) {}

    private static final double SKIPPED_SHARE = 0.3;

    private final Settings settings;

    public FixedPrecisionStochasticEp(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ReleasePlan plan(TiltedMomentModel model, long publicSize) {
        int dimension =
                model.shape().size() + model.extras().map(Extras::dimension).orElse(0);
        ReleasePlan steps = ReleasePlan.of("centred sites", settings.steps, dimension, settings.sampling);
        return PrivateStarts.plan(model, settings.steps, settings.sampling, publicSize)
                .map(start -> start.then(steps))
                .orElse(steps)
                .forRows(RowBounded.of(model));
    }

    @Override
    public State init(TiltedMomentModel model, long publicSize, RandomStream random) {
        double[] constants = PrivateStarts.begin(model, random);
        double[] none = {};
        boolean complete = model.privateStart().isEmpty();
        double[] mean = complete ? model.startMean(constants, random.fork("start")) : none;
        return new State(0, mean, new double[mean.length], constants, 0, none, none, 0, none, none, 0, 0);
    }

    @Override
    public Step<State> step(State state, TiltedMomentModel model, PrivateSession session, RandomStream random) {
        int startReleases = PrivateStarts.releases(model);
        if (state.releases() < startReleases) {
            return start(state, model, session, random);
        }
        int step = state.releases() - startReleases;
        long size = session.publicSize();
        Cavity cavity = cavity(state, model, size);
        NoisySum released = session.release(
                new CentredScores(model, state.constants(), cavity.mean, cavity.covariance, settings.l2Bound),
                settings.l2Bound);
        return new Step<>(moved(state, model, cavity, released, step, size), released);
    }

    private Step<State> start(State state, TiltedMomentModel model, PrivateSession session, RandomStream random) {
        PrivateStart start = model.privateStart().orElseThrow();
        NoisySum released = session.release(start.query(state.constants(), state.releases()), start.l2Bound());
        double[] constants = start.constants(state.constants(), state.releases(), released);
        return new Step<>(started(state, model, constants, random), released);
    }

    private static State started(State state, TiltedMomentModel model, double[] constants, RandomStream random) {
        boolean complete = state.releases() + 1 == PrivateStarts.releases(model);
        double[] mean = complete ? model.startMean(constants, random.fork("start")) : state.mean();
        return new State(
                state.releases() + 1,
                mean,
                new double[mean.length],
                constants,
                0,
                state.averageMean(),
                state.averageConstants(),
                0,
                state.averageField(),
                state.averagePoint(),
                0,
                0);
    }

    /** q without one of its sites, and what a step needs beside it. */
    private record Cavity(double[] mean, double[] covariance, double[] recordPrecision, double[] posteriorCovariance) {}

    private static Cavity cavity(State state, TiltedMomentModel model, long publicSize) {
        GaussianBlocks shape = model.shape();
        double[] prior = model.priorPrecision();
        double[] records = model.fixedPrecision(state.constants());
        double[] whole = new double[prior.length];
        double[] without = new double[prior.length];
        for (int i = 0; i < prior.length; i++) {
            whole[i] = prior[i] + records[i];
            without[i] = whole[i] - records[i] / publicSize;
        }
        double[] covariance = shape.inverse(without);
        double[] weighted = shape.multiply(whole, state.mean());
        double[] weightedPrior = shape.multiply(prior, model.priorMean());
        for (int i = 0; i < weighted.length; i++) {
            weighted[i] -= (weighted[i] - weightedPrior[i]) / publicSize;
        }
        return new Cavity(shape.multiply(covariance, weighted), covariance, records, shape.inverse(whole));
    }

    private State moved(
            State state, TiltedMomentModel model, Cavity cavity, NoisySum released, int step, long publicSize) {
        GaussianBlocks shape = model.shape();
        int size = shape.size();
        NoisySum all = released.scaledTo(publicSize);
        double[] weights = model.meanWeights();
        double[] field = new double[size];
        double[] direction = new double[size];
        double[] fromCavity = new double[size];
        double[] fromPrior = new double[size];
        double[] priorMean = model.priorMean();
        for (int i = 0; i < size; i++) {
            field[i] = all.value()[i] / weights[i];
            direction[i] = settings.momentum * state.direction()[i] + (1 - settings.momentum) * field[i];
            fromCavity[i] = cavity.mean[i] - state.mean()[i];
            fromPrior[i] = priorMean[i] - state.mean()[i];
        }
        double[] pull = shape.multiply(cavity.recordPrecision, fromCavity);
        double[] priorPull = shape.multiply(model.priorPrecision(), fromPrior);
        for (int i = 0; i < size; i++) {
            pull[i] += priorPull[i];
        }
        double[] recordMove = shape.multiply(cavity.covariance, direction);
        double[] priorMove = shape.multiply(cavity.posteriorCovariance, pull);
        double[] mean = new double[size];
        double rate = settings.rate(step);
        for (int i = 0; i < size; i++) {
            mean[i] = state.mean()[i] + rate * (recordMove[i] + priorMove[i]);
        }
        double[] constants = constants(state, model, released);
        int averaged = step < settings.firstAveraged() ? 0 : state.averaged() + 1;
        int observed = step <= settings.firstObserved() ? 1 : state.observed() + 1;
        return new State(
                state.releases() + 1,
                mean,
                direction,
                constants,
                averaged,
                average(state.averageMean(), mean, averaged),
                average(state.averageConstants(), constants, averaged),
                observed,
                average(state.averageField(), field, observed),
                average(state.averagePoint(), cavity.mean, observed),
                all.noiseStandardDeviation(),
                publicSize / released.expectedBatchSize() - 1);
    }

    private double[] constants(State state, TiltedMomentModel model, NoisySum released) {
        if (model.extras().isEmpty()) {
            return state.constants();
        }
        int size = model.shape().size();
        double scale = CentredScores.extrasScale(model, settings.l2Bound) * released.expectedBatchSize();
        double[] means = Arrays.copyOfRange(released.value(), size, released.value().length);
        for (int i = 0; i < means.length; i++) {
            means[i] /= scale;
        }
        return model.extras().get().constants(state.constants(), means);
    }

    private static double[] average(double[] before, double[] newest, int count) {
        double[] result = newest.clone();
        for (int i = 0; i < result.length && count > 1; i++) {
            result[i] = before[i] + (newest[i] - before[i]) / count;
        }
        return result;
    }

    /** A lost step leaves everything where it was. */
    @Override
    public State without(State state, TiltedMomentModel model) throws LostReleaseException {
        if (state.releases() < PrivateStarts.releases(model)) {
            throw PrivateStarts.lost();
        }
        return new State(
                state.releases() + 1,
                state.mean(),
                state.direction(),
                state.constants(),
                state.averaged(),
                state.averageMean(),
                state.averageConstants(),
                state.observed(),
                state.averageField(),
                state.averagePoint(),
                state.noiseStandardDeviation(),
                state.batchVariance());
    }

    @Override
    public Posterior posterior(State state, TiltedMomentModel model) {
        return posterior(state, model, true);
    }

    /** The posterior that a run without privacy noise would report at the same point, for comparison. */
    public Posterior posteriorWithoutPrivacyNoise(State state, TiltedMomentModel model) {
        return posterior(state, model, false);
    }

    private Posterior posterior(State state, TiltedMomentModel model, boolean withNoise) {
        GaussianBlocks shape = model.shape();
        double[] constants = state.averaged() > 0 ? state.averageConstants() : state.constants();
        if (state.mean().length == 0) {
            return model.posterior(model.priorMean(), shape.inverse(model.priorPrecision()), constants);
        }
        double[] mean = state.averaged() > 0 ? state.averageMean() : state.mean();
        Optional<Field> field = state.observed() > 0
                ? model.field(mean, constants, CentredScores.scoreBound(model, settings.l2Bound))
                : Optional.empty();
        if (field.isPresent()) {
            FieldPosterior found = FieldPosterior.of(model, field.get(), averages(state, model));
            return model.posterior(
                    found.mean(), withNoise ? found.covariance() : found.covarianceWithoutPrivacyNoise(), constants);
        }
        double[] precision = model.priorPrecision();
        double[] records = model.fixedPrecision(constants);
        for (int i = 0; i < precision.length; i++) {
            precision[i] += records[i];
        }
        return model.posterior(mean, shape.inverse(precision), constants);
    }

    private static FieldPosterior.Averages averages(State state, TiltedMomentModel model) {
        double[] weights = model.meanWeights();
        double[] noise = new double[weights.length];
        for (int i = 0; i < noise.length; i++) {
            double deviation = state.noiseStandardDeviation() / weights[i];
            noise[i] = deviation * deviation;
        }
        return new FieldPosterior.Averages(
                state.observed(), state.averageField(), state.averagePoint(), noise, state.batchVariance());
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
