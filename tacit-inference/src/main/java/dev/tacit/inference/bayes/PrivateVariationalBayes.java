package dev.tacit.inference.bayes;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.ConjugateExponentialModel;
import dev.tacit.model.PreliminaryRelease;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.optimizer.StepSchedule;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Private variational Bayes for conjugate-exponential models.
 *
 * <pre>
 *   P   hyper-parameters from Σ_n clip(u(x_n), bound) + noise                        once, if the model asks for it; a full pass
 *   E   s̃ = (N / E|B|) (Σ_{n∈B} clip(⟨s(x_n, l_n)⟩_q, l2Bound) + noise)          one release, B drawn by the sampling scheme
 *   M   s ← (1 − ρ_t) s + ρ_t s̃;     q ← prior + s in natural parameters;     hyper-parameters from q
 * </pre>
 *
 * Park, Foulds, Chaudhuri, Welling 2020, Algorithm 2. Differs from the paper: all statistics are released as one vector,
 * weighted by public factors and clipped once (the paper perturbs means one by one, with the sensitivity of a mean over
 * all records where the batch has fewer); batches are Poisson or full passes; what is averaged is the released sum, so
 * that its noise level is known and reaches the posterior; a model may buy hyper-parameters with a share of the budget
 * before the first step (P).
 *
 * <p>Clipped: the concatenated weighted statistics of one unit, in L2, at the model's public bound. Only released values
 * are carried from one step to the next.
 *
 * @param <Q> the family of the posterior
 */
public final class PrivateVariationalBayes<Q extends Posterior>
        implements InferenceKernel<ConjugateExponentialModel<Q>, PrivateVariationalBayes.State> {
    /** Its name on the command line. */
    public static final String NAME = "private-vb";

    /**
     * Public settings.
     *
     * @param steps how many releases
     * @param sampling which records each release sees
     * @param schedule how released sums are averaged
     */
    public record Settings(int steps, SamplingScheme sampling, StepSchedule schedule) {
        public Settings {
            if (steps < 1) {
                throw new IllegalArgumentException("steps is a number from 1");
            }
            Objects.requireNonNull(sampling, "sampling");
            Objects.requireNonNull(schedule, "schedule");
        }
    }

    /**
     * What the releases so far amount to.
     *
     * @param releases how many there were
     * @param used how many of them reached the average
     * @param statistics their average, scaled to the population; empty before the first
     * @param noiseStandardDeviation of the noise on each number of the average
     * @param hyperParameters of the model: released before the steps, or expectations that follow q
     */
    public record State(
            int releases, int used, double[] statistics, double noiseStandardDeviation, double[] hyperParameters) {}

    private final Settings settings;

    public PrivateVariationalBayes(Settings settings) {
        this.settings = Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ReleasePlan plan(ConjugateExponentialModel<Q> model, long publicSize) {
        ReleasePlan steps = ReleasePlan.of(
                "expected sufficient statistics", settings.steps, model.statisticsDimension(), settings.sampling);
        return model.preliminary()
                .map(first -> preliminary(first, publicSize).then(steps))
                .orElse(steps)
                .forRows(RowBounded.of(model));
    }

    private ReleasePlan preliminary(PreliminaryRelease first, long publicSize) {
        double rate = settings.sampling.expectedBatchSize(publicSize) / publicSize;
        return new ReleasePlan(List.of(new ReleasePlan.Phase(
                first.label(),
                1,
                first.query().dimension(),
                new SamplingScheme.FullPass(),
                first.relativeNoise(settings.steps, rate))));
    }

    @Override
    public State init(ConjugateExponentialModel<Q> model, long publicSize, RandomStream random) {
        return new State(0, 0, new double[0], 0, model.hyperParameters());
    }

    @Override
    public Step<State> step(
            State state, ConjugateExponentialModel<Q> model, PrivateSession session, RandomStream random) {
        if (state.releases() == 0 && model.preliminary().isPresent()) {
            return preliminaryStep(state, model.preliminary().get(), session);
        }
        Q current = state.used() == 0 ? model.start(state.hyperParameters(), random) : posterior(state, model);
        NoisySum released = session.release(model.expectedStatistics(current), model.statisticsL2Bound());
        NoisySum whole = released.scaledTo(session.publicSize());

        double rate = state.used() == 0 ? 1 : settings.schedule.rate(state.used());
        double[] statistics = whole.value();
        model.repair(statistics);
        for (int i = 0; i < statistics.length && state.used() > 0; i++) {
            statistics[i] = (1 - rate) * state.statistics()[i] + rate * statistics[i];
        }
        double noise = Math.hypot((1 - rate) * state.noiseStandardDeviation(), rate * whole.noiseStandardDeviation());
        Q next = model.posterior(statistics, noise, state.hyperParameters());
        double[] hyperParameters = model.hyperParameters(next, state.hyperParameters());
        return new Step<>(
                new State(state.releases() + 1, state.used() + 1, statistics, noise, hyperParameters), released);
    }

    private Step<State> preliminaryStep(State state, PreliminaryRelease first, PrivateSession session) {
        NoisySum released = session.release(first.query(), first.l2Bound());
        return new Step<>(
                new State(
                        state.releases() + 1,
                        state.used(),
                        state.statistics(),
                        state.noiseStandardDeviation(),
                        first.hyperParameters(released)),
                released);
    }

    /** A lost preliminary release leaves the hyper-parameters that the model has without it. */
    @Override
    public State without(State state, ConjugateExponentialModel<Q> model) {
        return new State(
                state.releases() + 1,
                state.used(),
                state.statistics(),
                state.noiseStandardDeviation(),
                state.hyperParameters());
    }

    @Override
    public Q posterior(State state, ConjugateExponentialModel<Q> model) {
        double[] statistics = state.used() == 0 ? new double[model.statisticsDimension()] : state.statistics();
        return model.posterior(statistics, state.noiseStandardDeviation(), state.hyperParameters());
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
