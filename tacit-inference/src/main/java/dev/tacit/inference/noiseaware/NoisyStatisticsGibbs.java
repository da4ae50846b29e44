package dev.tacit.inference.noiseaware;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.inference.InferenceKernel;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.StateJson;
import dev.tacit.inference.Step;
import dev.tacit.json.JsonFields;
import dev.tacit.model.NoisyStatisticsModel;
import dev.tacit.model.NoisyStatisticsModel.Statistics;
import dev.tacit.model.RowBounded;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.SamplesPosterior;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A posterior from noisy sufficient statistics by Gibbs sampling: each statistic is released once, then a Markov chain goes
 * through what it may have been without noise.
 *
 * <pre>
 *   release   z = Σ_n s(x_n) + noise                       one full pass for each block of statistics
 *   sweep     S | θ, z,     θ | S,     noise variances | z − S      {@link NoisyStatisticsModel}, {@link NoiseLaw}
 * </pre>
 *
 * Bernstein, Sheldon 2018, Algorithm 1 (exponential families); Bernstein, Sheldon 2019, Algorithm 1 (linear regression).
 * Differs from the papers: Gaussian noise of one L2 bound for each block, added behind the door, instead of Laplace noise,
 * so the variances are known; all bounds are public. The chain is post-processing of released values.
 *
 * <p>Clipped: the statistics of one unit, in L2, block by block.
 */
public final class NoisyStatisticsGibbs implements InferenceKernel<NoisyStatisticsModel, NoisyStatisticsGibbs.State> {
    /** The name in reports. */
    public static final String NAME = "noisy-statistics-gibbs";

    /**
     * How long the chain is.
     *
     * @param burnIn sweeps that are left out
     * @param draws sweeps that are kept
     */
    public record Settings(int burnIn, int draws) {
        public Settings {
            if (burnIn < 0 || draws < 2) {
                throw new IllegalArgumentException("a chain keeps at least 2 draws");
            }
        }

        /** 500 and 1000, as published for exponential families. */
        public static Settings standard() {
            return new Settings(500, 1_000);
        }
    }

    /**
     * What was released.
     *
     * @param releases how many
     * @param values noisy sums, one block after the other
     * @param noiseStandardDeviation of the first block
     * @param chainSeed of the chain's randomness: public
     */
    public record State(int releases, double[] values, double noiseStandardDeviation, long chainSeed) {}

    private final Settings settings;

    public NoisyStatisticsGibbs(Settings settings) {
        this.settings = settings;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ReleasePlan plan(NoisyStatisticsModel model, long publicSize) {
        List<ReleasePlan.Phase> phases = new ArrayList<>();
        for (Statistics block : model.releases()) {
            phases.add(
                    new ReleasePlan.Phase(block.label(), 1, block.sum().dimension(), new SamplingScheme.FullPass(), 1));
        }
        return new ReleasePlan(phases).forRows(RowBounded.of(model));
    }

    @Override
    public State init(NoisyStatisticsModel model, long publicSize, RandomStream random) {
        return new State(0, new double[0], 0, random.nextLong());
    }

    @Override
    public Step<State> step(State state, NoisyStatisticsModel model, PrivateSession session, RandomStream random) {
        Statistics block = model.releases().get(state.releases());
        NoisySum released = session.release(block.sum(), block.l2Bound());
        double[] values = Arrays.copyOf(state.values(), state.values().length + released.value().length);
        System.arraycopy(released.value(), 0, values, state.values().length, released.value().length);
        double noise = state.releases() == 0 ? released.noiseStandardDeviation() : state.noiseStandardDeviation();
        return new Step<>(new State(state.releases() + 1, values, noise, state.chainSeed()), released);
    }

    /** There is nothing else to go by. */
    @Override
    public State without(State state, NoisyStatisticsModel model) throws LostReleaseException {
        throw new LostReleaseException("the crash took the statistics that the posterior is made of; what they cost"
                + " stays spent, so start a new run with what is left of the budget");
    }

    @Override
    public Posterior posterior(State state, NoisyStatisticsModel model) {
        List<double[]> released = new ArrayList<>();
        int from = 0;
        for (Statistics block : model.releases()) {
            int to = from + block.sum().dimension();
            if (to > state.values().length) {
                throw new IllegalStateException("the statistics have not been released yet");
            }
            released.add(Arrays.copyOfRange(state.values(), from, to));
            from = to;
        }
        RandomStream random = RandomStream.ofSeed(state.chainSeed());
        return sample(
                model.parameterNames(),
                released.get(0),
                model.chain(released, random),
                new NoiseLaw.Gaussian(state.noiseStandardDeviation()),
                settings,
                random);
    }

    /** Runs a chain over statistics whose noise has a given law. */
    public static SamplesPosterior sample(
            List<String> names,
            double[] noisy,
            NoisyStatisticsModel.Chain chain,
            NoiseLaw law,
            Settings settings,
            RandomStream random) {
        double[] variances = law.start(noisy.length, random);
        double[] noise = new double[noisy.length];
        double[] draws = new double[settings.draws() * names.size()];
        for (int sweep = -settings.burnIn(); sweep < settings.draws(); sweep++) {
            chain.sweep(variances, random);
            double[] statistics = chain.statistics();
            for (int i = 0; i < noise.length; i++) {
                noise[i] = noisy[i] - statistics[i];
            }
            law.draw(noise, random, variances);
            if (sweep >= 0) {
                System.arraycopy(chain.parameters(), 0, draws, sweep * names.size(), names.size());
            }
        }
        return new SamplesPosterior(names, draws);
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
