package dev.tacit.partitioned.update;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.ShardSteps;
import dev.tacit.partitioned.shard.ShardSum;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * Local averaging: shards of a party's records each solve the party's problem as if there were N times as many of them, and
 * the changes are averaged.
 *
 * <pre>
 *   shard k    q_k = arg max N E log p(records of k | θ) − KL(q ‖ cavity)     {@link ShardSolver}
 *   release    Σ_k clip(natural parameters of q_k − those of q, l2Bound) + noise          one full pass, two bounds
 *   change     the release / N
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.2, equation 4.1. Differs from the paper: likelihoods are
 * tempered by N also for shards of unequal size, which Theorem 10 needs (the code tempers by n/b_k); a shard moves by two bounds
 * when a record of it comes or goes; it is solved by natural gradients without a memory of earlier rounds.
 *
 * <p>Behind an aggregator all parties must have the same number of shards: sums are divided by it after the noise, and a
 * party with fewer shards than others would be covered by too little of theirs.
 *
 * <p>Clipped: a shard's change of natural parameters in units of the prior's standard deviation, or with precisions
 * weighted, jointly, in L2. A shard takes a public number of steps, whatever its records are; a change that is not finite counts as
 * none. Memory: the approximation and the cavity of the round, from which every shard starts anew.
 */
public final class LocalAveraging implements ShardSteps {
    /**
     * Public settings.
     *
     * @param family of the factors
     * @param shards N
     * @param solver how a shard is solved
     * @param l2Bound on a shard's change
     */
    public record Settings(GaussianFamily family, int shards, ShardSolver.Settings solver, double l2Bound) {
        public Settings {
            Objects.requireNonNull(family, "family");
            Objects.requireNonNull(solver, "solver");
            require(shards);
        }
    }

    /**
     * Public settings of models that are known by their gradients.
     *
     * @param shards N
     * @param solver how a shard is solved
     * @param l2Bound on a shard's change
     * @param precisionWeight factor on precisions before the clip
     */
    public record GradientSettings(int shards, ShardSolver.Settings solver, double l2Bound, double precisionWeight) {
        public GradientSettings {
            Objects.requireNonNull(solver, "solver");
            require(shards);
            if (!(precisionWeight > 0) || Double.isInfinite(precisionWeight)) {
                throw new IllegalArgumentException("precisionWeight is a positive number");
            }
        }
    }

    private static void require(int shards) {
        if (shards < 1) {
            throw new IllegalArgumentException("shards is a number from 1");
        }
    }

    private final ShardProblem problem;
    private final int shards;
    private final long shardKey;
    private final Releases releases;

    private LocalAveraging(
            String name, ShardProblem problem, GaussianFamily family, int shards, double l2Bound, long shardKey) {
        this.problem = problem;
        this.shards = shards;
        this.shardKey = shardKey;
        this.releases = new Releases(
                name,
                "changes of shards",
                family,
                1,
                family.size(problem.dimension()),
                new SamplingScheme.FullPass(),
                l2Bound,
                true); // all parties have the same number of shards, by which sums are divided after the noise
    }

    private LocalAveraging(String name, GaussianMarginModel model, Settings settings, long shardKey) {
        this(
                name,
                ShardSolver.problem(model, settings.solver),
                settings.family,
                settings.shards,
                settings.l2Bound,
                shardKey);
    }

    /** For models whose averages are known: {@link ShardSolver}. */
    public LocalAveraging(GaussianMarginModel model, Settings settings) {
        this(model, settings, 0);
    }

    /** @param shardKey another key deals records in one place out to shards anew */
    public LocalAveraging(GaussianMarginModel model, Settings settings, long shardKey) {
        this("local averaging", model, settings, shardKey);
    }

    /** For any model with a gradient, with independent Gaussians: {@link GradientShardSolver}. */
    public LocalAveraging(DifferentiableModel model, GradientSettings settings) {
        this(
                "local averaging",
                GradientShardSolver.problem(model, settings),
                GaussianFamily.MEAN_FIELD,
                settings.shards,
                settings.l2Bound,
                0);
    }

    /**
     * Parameter perturbation: one shard, so the party's whole change is clipped and noised at once.
     *
     * <pre>
     *   change = clip(natural parameters of q_m − those of q, l2Bound) + noise        the change moves by two bounds
     * </pre>
     *
     * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.2, Theorem 7. Kept for comparison: the noise is as large as one
     * shard's whole change, so it helps only if parties are many and there is an aggregator.
     */
    public static LocalAveraging parameterPerturbation(
            GaussianMarginModel model, GaussianFamily family, ShardSolver.Settings solver, double l2Bound) {
        return new LocalAveraging("parameter perturbation", model, new Settings(family, 1, solver, l2Bound), 0);
    }

    @Override
    public Releases releases() {
        return releases;
    }

    @Override
    public int shards() {
        return shards;
    }

    @Override
    public long shardKey() {
        return shardKey;
    }

    @Override
    public Optional<SumReading> sumReading() {
        return Optional.of(this::change);
    }

    @Override
    public double[] begin(double[] memory, Round round) {
        double[] both = Arrays.copyOf(round.global().naturalParameters(), 2 * size());
        System.arraycopy(round.cavity().naturalParameters(), 0, both, size(), size());
        return both;
    }

    @Override
    public ShardSum query(double[] memory, PublicPart publicPart) {
        return problem.query(
                gaussian(memory, 0), gaussian(memory, size()), publicPart.prior(), shards, publicPart.draws());
    }

    /** How many natural parameters there are. */
    private int size() {
        return releases.dimension();
    }

    private NaturalGaussian gaussian(double[] memory, int from) {
        return NaturalGaussian.of(
                releases.family(), problem.dimension(), Arrays.copyOfRange(memory, from, from + size()));
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
    public Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        return sumReading().orElseThrow().of(global, last);
    }

    /** A released sum over shards, with its noise, as a change of natural parameters: its average. */
    private Change change(NaturalGaussian global, double[] sum, double noiseStandardDeviation) {
        return new Change(
                problem.factor(global, sum).power(1.0 / shards), noiseStandardDeviation / (problem.unit() * shards));
    }
}
