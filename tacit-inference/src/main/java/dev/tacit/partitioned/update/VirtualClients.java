package dev.tacit.partitioned.update;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.model.LinearPredictorModel;
import dev.tacit.model.ResidualModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.gaussian.Repair;
import dev.tacit.partitioned.party.RecordSteps;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Virtual clients: every record is a client of its own inside its party, with a factor t_n that nobody sees.
 *
 * <pre>
 *   change_n = clip(site_n(q) − t_n, l2Bound)        {@link VirtualSites}, {@link VirtualNetworkSites}
 *   t_n ← t_n + damping change_n
 *   release    Σ_n change_n + noise                                                  one full pass, one in each round
 * </pre>
 *
 * Heikkilä, Ashman, Swaroop, Turner, Honkela 2023, Section 4.3, with shards of one record, so that an absent record
 * contributes nothing and the sum moves by one bound under add/remove; a shard of several would move it by two. Differs from
 * the paper: sites are natural gradients, in closed form or, for networks, with squared gradients for the curvature; t_n is
 * the damped sum of clipped changes without noise. In the paper's code each shard keeps its own unreleased noise in its factor, so that later rounds depend on more than the record and
 * released values. Here t_n is a function of the record and of the approximations that were sent, and is computed from them
 * anew in every round: nothing private is stored.
 *
 * <p>Clipped: a record's change of natural parameters, for regressions in units of the prior's standard deviation, precisions
 * weighted, jointly, in L2. The same with and without an aggregator. What the approximation has beyond the prior at the start
 * stays in it: no record's factor answers for that. Memory: all approximations that the party's changes were applied to, for
 * regressions as means and variances, for networks as natural parameters and public draws.
 */
public final class VirtualClients implements RecordSteps {
    /**
     * Public settings.
     *
     * @param l2Bound on a record's change
     * @param precisionWeight factor on precisions before the clip
     */
    public record Settings(double l2Bound, double precisionWeight) {
        public Settings {
            if (!(precisionWeight > 0) || Double.isInfinite(precisionWeight)) {
                throw new IllegalArgumentException("precisionWeight is a positive number");
            }
        }
    }

    /** What records contribute after some rounds, each of them an array of the memory. */
    @FunctionalInterface
    private interface Sites {
        ContributionSum after(List<double[]> rounds, double damping);
    }

    private final int dimension;
    private final Releases releases;
    private final Settings settings;
    private final double unit;
    private final int draws;
    private final Function<NaturalGaussian, double[]> seen;
    private final Sites sites;

    /** For models whose averages are known. */
    public VirtualClients(GaussianMarginModel model, Settings settings) {
        this.dimension = model.dimension();
        this.settings = settings;
        this.releases = releases(dimension, settings);
        this.unit = 1 / Math.sqrt(model.priorPrecision());
        this.draws = 0;
        this.seen = global -> {
            VirtualSites.Seen moments = VirtualSites.Seen.of(global, unit);
            return joined(moments.means(), moments.variances());
        };
        this.sites = (rounds, damping) -> new VirtualSites(
                model,
                rounds.stream()
                        .map(each -> new VirtualSites.Seen(
                                Arrays.copyOf(each, dimension), Arrays.copyOfRange(each, dimension, each.length)))
                        .toList(),
                unit,
                damping,
                settings.l2Bound,
                settings.precisionWeight);
    }

    /**
     * For networks and other models of linear predictors.
     *
     * @param draws of θ in a round
     */
    public VirtualClients(LinearPredictorModel model, Settings settings, int draws) {
        this.dimension = model.dimension();
        this.settings = settings;
        this.releases = releases(dimension, settings);
        this.unit = 1;
        this.draws = draws;
        if (draws < 1) {
            throw new IllegalArgumentException("draws is a number from 1");
        }
        this.seen = NaturalGaussian::naturalParameters;
        this.sites = (rounds, damping) -> new VirtualNetworkSites(
                model,
                rounds.stream()
                        .map(each -> VirtualNetworkSites.Seen.of(
                                NaturalGaussian.of(
                                        GaussianFamily.MEAN_FIELD, dimension, Arrays.copyOf(each, 2 * dimension)),
                                Arrays.copyOfRange(each, 2 * dimension, each.length)))
                        .toList(),
                damping,
                settings.l2Bound,
                settings.precisionWeight);
    }

    private static Releases releases(int dimension, Settings settings) {
        return new Releases(
                "virtual clients",
                "changes of factors",
                GaussianFamily.MEAN_FIELD,
                1,
                2 * dimension,
                new SamplingScheme.FullPass(),
                settings.l2Bound,
                true);
    }

    private static double[] joined(double[] first, double[] second) {
        double[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    @Override
    public Releases releases() {
        return releases;
    }

    @Override
    public Optional<SumReading> sumReading() {
        return Optional.of(this::change);
    }

    @Override
    public double[] begin(double[] memory, Round round) {
        double[] normals = new double[draws * dimension];
        round.publicPart().draws().fillNormal(normals);
        return joined(memory, joined(seen.apply(round.global()), normals));
    }

    /** How many numbers a round has in the memory. */
    private int roundSize() {
        return (2 + draws) * dimension;
    }

    @Override
    public ContributionSum query(double[] memory, PublicPart publicPart) {
        List<double[]> rounds = new ArrayList<>();
        for (int at = 0; at < memory.length; at += roundSize()) {
            rounds.add(Arrays.copyOfRange(memory, at, at + roundSize()));
        }
        return sites.after(rounds, publicPart.damping());
    }

    @Override
    public double[] after(double[] memory, NoisySum released, double publicSize) {
        return memory;
    }

    /** The change was not applied, so the records' factors did not move. */
    @Override
    public double[] withoutRelease(double[] memory) {
        return Arrays.copyOf(memory, memory.length - roundSize());
    }

    @Override
    public Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        return sumReading().orElseThrow().of(global, last);
    }

    /** A released sum as a change of natural parameters. */
    private Change change(NaturalGaussian global, double[] sum, double noise) {
        double[] parameters = new double[2 * dimension];
        for (int j = 0; j < dimension; j++) {
            parameters[j] = sum[2 * j] / unit;
            parameters[dimension + j] = -0.5 * sum[2 * j + 1] / (settings.precisionWeight * unit * unit);
        }
        return new Change(NaturalGaussian.of(GaussianFamily.MEAN_FIELD, dimension, parameters), noise / unit);
    }

    /**
     * The precision that all records together are worth to a weight at the start, on average over columns: public, for
     * {@link Repair}. curvature N rowNormBound² / columns.
     */
    public static double startPrecision(ResidualModel model, long publicSize) {
        double norm = model.rowNormBound();
        return model.largestCurvature() * publicSize * norm * norm / model.columns();
    }
}
