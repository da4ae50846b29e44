package dev.tacit.partitioned.dealt;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.LocalUpdate;
import dev.tacit.partitioned.shard.ShardSum;
import dev.tacit.partitioned.update.LocalAveraging;
import dev.tacit.partitioned.update.ParameterPerturbation;
import dev.tacit.partitioned.update.ShardProblem;
import dev.tacit.partitioned.update.ShardSolver;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * {@link LocalAveraging} and, with one shard, {@link ParameterPerturbation} in single releases, one in each round, with
 * independent Gaussians.
 *
 * <p>Clipped: a shard's change of natural parameters in units of the prior's standard deviation, jointly, in L2. One record moves the
 * sum of clipped changes by two bounds ({@link dev.tacit.partitioned.shard.PartyShards}). A shard takes a public number of steps, whatever
 * its records are; a change that is not finite counts as none. Memory: the approximation and the cavity of the round, from
 * which every shard starts anew.
 */
public final class LocalAveragingSteps implements ShardSteps {
    private final GaussianMarginModel model;
    private final LocalAveraging.Settings settings;
    private final long shardKey;
    private final ShardProblem problem;
    private final NaturalGaussian prior;

    /** @param shardKey another key deals records out to shards anew */
    public LocalAveragingSteps(GaussianMarginModel model, LocalAveraging.Settings settings, long shardKey) {
        this.model = Objects.requireNonNull(model, "model");
        this.settings = Objects.requireNonNull(settings, "settings");
        if (settings.family() != GaussianFamily.MEAN_FIELD) {
            throw new IllegalArgumentException("records in one place have factors of independent Gaussians");
        }
        this.shardKey = shardKey;
        this.problem = ShardSolver.problem(model, settings.solver());
        this.prior = NaturalGaussian.centred(settings.family(), model.dimension(), model.priorPrecision());
    }

    @Override
    public String label() {
        return "changes of shards";
    }

    @Override
    public int shards() {
        return settings.shards();
    }

    @Override
    public long shardKey() {
        return shardKey;
    }

    @Override
    public int releases() {
        return 1;
    }

    @Override
    public int dimension() {
        return settings.family().size(model.dimension());
    }

    @Override
    public SamplingScheme sampling() {
        return new SamplingScheme.FullPass();
    }

    @Override
    public double l2Bound() {
        return settings.l2Bound();
    }

    /** All parties have the same number of shards, by which sums are divided after the noise. */
    @Override
    public boolean addsUp() {
        return true;
    }

    @Override
    public double[] begin(double[] memory, NaturalGaussian global, NaturalGaussian cavity) {
        double[] round = Arrays.copyOf(global.naturalParameters(), 2 * dimension());
        System.arraycopy(cavity.naturalParameters(), 0, round, dimension(), dimension());
        return round;
    }

    @Override
    public ShardSum query(double[] memory) {
        return new ShardSolver(
                model,
                gaussian(memory, 0),
                gaussian(memory, dimension()),
                prior,
                problem.unit(),
                settings.shards(),
                settings.solver());
    }

    private NaturalGaussian gaussian(double[] memory, int from) {
        return NaturalGaussian.of(
                settings.family(), model.dimension(), Arrays.copyOfRange(memory, from, from + dimension()));
    }

    @Override
    public double[] after(double[] memory, NoisySum released, double publicSize) {
        return memory;
    }

    @Override
    public double[] withoutRelease(double[] memory) {
        return memory;
    }

    @Override
    public LocalUpdate.Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        if (last.isEmpty()) {
            return new LocalUpdate.Change(NaturalGaussian.flat(settings.family(), model.dimension()), 0, 0);
        }
        NoisySum sum = last.get();
        return LocalAveraging.change(problem, global, sum.value(), sum.noiseStandardDeviation(), settings.shards(), 0);
    }
}
