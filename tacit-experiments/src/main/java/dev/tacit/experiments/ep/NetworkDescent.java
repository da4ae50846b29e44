package dev.tacit.experiments.ep;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.PrivateStart;
import dev.tacit.model.TiltedMomentModel.Extras;
import dev.tacit.model.TiltedMomentModel.TiltedMoments;
import dev.tacit.model.network.NeuralNetwork;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Variational inference for a network by gradients, as a baseline: the same network, the same start, the same noise
 * variance, the same clip, and weights of a fixed small deviation whose means climb the expected log-likelihood by Adam.
 *
 * <pre>
 *   release   Σ_{n∈B} (clip(w ∘ ∂E log p_n/∂m), t_n) + noise          step   Adam(0.9, 0.9), rate · decay^(t / steps)
 * </pre>
 *
 * With a deviation close to 0 it is a point estimate by stochastic gradients. After Vinaroz, Park 2022, Section 5.2 and
 * Table 6, with moments in place of draws, which has no Monte Carlo noise. Simulations only: it cannot be resumed.
 */
final class NetworkDescent implements InferenceKernel<NeuralNetwork, NetworkDescent.State> {
    private static final double FORGETTING = 0.9;
    private static final double SMALLEST = 1e-12;

    record Settings(
            int steps,
            SamplingScheme sampling,
            double l2Bound,
            double deviation,
            double rate,
            double decay,
            double averagedShare) {}

    record State(
            int releases,
            double[] mean,
            double[] first,
            double[] second,
            double[] constants,
            int averaged,
            double[] averageMean,
            double[] averageConstants) {}

    private final Settings settings;

    NetworkDescent(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return "dp-vi";
    }

    @Override
    public ReleasePlan plan(NeuralNetwork model, long publicSize) {
        PrivateStart start = model.privateStart().orElseThrow();
        double rate = settings.sampling.expectedBatchSize(publicSize) / publicSize;
        return new ReleasePlan(List.of(
                new ReleasePlan.Phase(
                        start.label(),
                        start.releases(),
                        start.dimension(),
                        new SamplingScheme.FullPass(),
                        start.relativeNoise(settings.steps, rate)),
                new ReleasePlan.Phase("gradients", settings.steps, dimension(model), settings.sampling, 1)));
    }

    private static int dimension(NeuralNetwork model) {
        return model.shape().size() + model.extras().orElseThrow().dimension();
    }

    @Override
    public State init(NeuralNetwork model, long publicSize, RandomStream random) {
        double[] none = {};
        double[] constants = model.privateStart().orElseThrow().begin(random);
        int size = model.shape().size();
        return new State(0, none, new double[size], new double[size], constants, 0, none, none);
    }

    @Override
    public Step<State> step(State state, NeuralNetwork model, PrivateSession session, RandomStream random) {
        PrivateStart start = model.privateStart().orElseThrow();
        if (state.releases < start.releases()) {
            NoisySum released = session.release(start.query(state.constants, state.releases), start.l2Bound());
            double[] constants = start.constants(state.constants, state.releases, released);
            double[] mean = model.startMean(constants, random);
            return new Step<>(
                    new State(
                            state.releases + 1,
                            mean,
                            state.first,
                            state.second,
                            constants,
                            0,
                            state.averageMean,
                            state.averageConstants),
                    released);
        }
        NoisySum released = session.release(new Gradients(model, state), settings.l2Bound);
        return new Step<>(moved(state, model, released, session.publicSize()), released);
    }

    private State moved(State state, NeuralNetwork model, NoisySum released, long publicSize) {
        int step = state.releases - model.privateStart().orElseThrow().releases();
        int size = model.shape().size();
        double[] sums = released.scaledTo(publicSize).value();
        double[] weights = model.meanWeights();
        double[] prior = model.priorPrecision();
        double[] mean = state.mean.clone();
        double[] first = state.first.clone();
        double[] second = state.second.clone();
        double rate = settings.rate * Math.pow(settings.decay, step / (double) settings.steps);
        double correction = 1 - Math.pow(FORGETTING, step + 1.0);
        for (int i = 0; i < size; i++) {
            double gradient = sums[i] / weights[i] - prior[i] * mean[i];
            first[i] = FORGETTING * first[i] + (1 - FORGETTING) * gradient;
            second[i] = FORGETTING * second[i] + (1 - FORGETTING) * gradient * gradient;
            mean[i] += rate * first[i] / correction / (Math.sqrt(second[i] / correction) + SMALLEST);
        }
        Extras extras = model.extras().orElseThrow();
        double scale = extras.boundShare() * settings.l2Bound / extras.l2Bound() * released.expectedBatchSize();
        double[] constants = extras.constants(state.constants, new double[] {released.value()[size] / scale});
        boolean average = step >= (1 - settings.averagedShare) * settings.steps;
        int averaged = average ? state.averaged + 1 : 0;
        return new State(
                state.releases + 1,
                mean,
                first,
                second,
                constants,
                averaged,
                average(state.averageMean, mean, averaged),
                average(state.averageConstants, constants, averaged));
    }

    private static double[] average(double[] before, double[] newest, int count) {
        double[] result = newest.clone();
        for (int i = 0; i < result.length && count > 1; i++) {
            result[i] = before[i] + (newest[i] - before[i]) / count;
        }
        return result;
    }

    private double[] variances(int size) {
        double[] variances = new double[size];
        Arrays.fill(variances, settings.deviation * settings.deviation);
        return variances;
    }

    private final class Gradients implements ContributionSum {
        private static final long serialVersionUID = 1;

        private final NeuralNetwork model;
        private final State state;

        Gradients(NeuralNetwork model, State state) {
            this.model = model;
            this.state = state;
        }

        @Override
        public int dimension() {
            return NetworkDescent.dimension(model);
        }

        @Override
        public Worker worker() {
            int size = model.shape().size();
            Extras extras = model.extras().orElseThrow();
            TiltedMoments moments = model.expectedLogLikelihood(state.constants);
            moments.cavity(state.mean, variances(size));
            double[] gradient = new double[size];
            double[] statistics = new double[extras.dimension()];
            double[] weights = model.meanWeights();
            double bound = Math.sqrt(1 - extras.boundShare() * extras.boundShare()) * settings.l2Bound;
            double scale = extras.boundShare() * settings.l2Bound / extras.l2Bound();
            return (RecordBlock block, int row, Contribution contribution) -> {
                moments.gradient(block, row, gradient);
                double squares = 0;
                for (int i = 0; i < size; i++) {
                    gradient[i] *= weights[i];
                    squares += gradient[i] * gradient[i];
                }
                double kept = squares > bound * bound ? bound / Math.sqrt(squares) : 1;
                for (int i = 0; i < size; i++) {
                    gradient[i] *= kept;
                }
                moments.extras(statistics);
                statistics[0] *= scale;
                contribution.addAll(0, gradient, 0, size);
                contribution.addAll(size, statistics, 0, 1);
            };
        }
    }

    @Override
    public State without(State state, NeuralNetwork model) {
        throw new UnsupportedOperationException("a baseline is not resumed");
    }

    @Override
    public Posterior posterior(State state, NeuralNetwork model) {
        return model.posterior(state.averageMean, variances(model.shape().size()), state.averageConstants);
    }

    @Override
    public Map<String, Object> toJson(State state) {
        return Map.of("releases", state.releases);
    }

    @Override
    public State fromJson(JsonFields json) {
        throw new UnsupportedOperationException("a baseline is not resumed");
    }
}
