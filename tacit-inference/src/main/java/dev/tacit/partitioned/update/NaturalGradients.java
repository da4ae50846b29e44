package dev.tacit.partitioned.update;

import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.model.GaussianMarginModel;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import dev.tacit.partitioned.party.RecordSteps;
import dev.tacit.query.ContributionSum;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The party's factor in closed form: sums of its records' sites, a few times over.
 *
 * <pre>
 *   t ← t + step (Σ_n clip(site_n(q_−m · t), l2Bound) + noise − t),   localSteps times        {@link SiteStatistics}
 * </pre>
 *
 * Partitioned variational inference of Ashman et al. 2022 with the free energy climbed by natural gradients; one step of
 * size 1 is exact for linear regression. Without noise it is the reference that private updates are measured against. With
 * noise it is variational Bayes by statistics inside partitioned inference, where {@link VirtualClients} and residual
 * Newton do better.
 *
 * <p>Clipped: a record's site, precisions weighted, jointly, in L2. One release for each local step. Memory: the factor at the start of the
 * round and now, the approximation with it and without it, and the noise that is in it.
 */
public final class NaturalGradients implements RecordSteps {
    /**
     * Public settings.
     *
     * @param family of the factors
     * @param localSteps releases in a round
     * @param step share of the way to the new sites, up to 1
     * @param l2Bound on a record's site
     * @param precisionWeight factor on precisions before the clip
     */
    public record Settings(GaussianFamily family, int localSteps, double step, double l2Bound, double precisionWeight) {
        public Settings {
            if (localSteps < 1) {
                throw new IllegalArgumentException("localSteps is a number from 1");
            }
            if (!(step > 0 && step <= 1)) {
                throw new IllegalArgumentException("step is a number above 0 and up to 1");
            }
        }
    }

    private final GaussianMarginModel model;
    private final Settings settings;
    private final Releases releases;

    public NaturalGradients(GaussianMarginModel model, Settings settings) {
        this.model = model;
        this.settings = settings;
        this.releases = new Releases(
                "natural gradients",
                "sums of sites",
                settings.family,
                settings.localSteps,
                settings.family.size(model.dimension()),
                new SamplingScheme.FullPass(),
                settings.l2Bound,
                settings.localSteps == 1); // in a second step the party would build on noise that nobody else knows
    }

    @Override
    public Releases releases() {
        return releases;
    }

    @Override
    public double[] begin(double[] memory, Round round) {
        return new Climb(round.factor(), round.factor(), round.global(), round.cavity(), 0).memory();
    }

    /**
     * What is kept.
     *
     * @param factor at the start of the round
     * @param local where it is now
     * @param tilted the approximation with that factor
     * @param cavity the approximation without it
     * @param noiseVariance of the factor's weighted means
     */
    private record Climb(
            NaturalGaussian factor,
            NaturalGaussian local,
            NaturalGaussian tilted,
            NaturalGaussian cavity,
            double noiseVariance) {
        double[] memory() {
            int size = factor.naturalParameters().length;
            double[] memory = new double[4 * size + 1];
            int at = 0;
            for (NaturalGaussian each : List.of(factor, local, tilted, cavity)) {
                System.arraycopy(each.naturalParameters(), 0, memory, at, size);
                at += size;
            }
            memory[at] = noiseVariance;
            return memory;
        }
    }

    private Climb climb(double[] memory) {
        return new Climb(
                gaussian(memory, 0),
                gaussian(memory, 1),
                gaussian(memory, 2),
                gaussian(memory, 3),
                memory[memory.length - 1]);
    }

    private NaturalGaussian gaussian(double[] memory, int place) {
        return NaturalGaussian.of(
                settings.family,
                model.dimension(),
                Arrays.copyOfRange(memory, place * releases.dimension(), (place + 1) * releases.dimension()));
    }

    @Override
    public ContributionSum query(double[] memory, PublicPart publicPart) {
        return new SiteStatistics(
                model,
                settings.family,
                climb(memory)
                        .tilted
                        .withPrecisionOf(publicPart.prior())
                        .normalise(model.parameterNames())
                        .orElseThrow("a raised approximation is proper"),
                settings.precisionWeight);
    }

    @Override
    public double[] after(double[] memory, NoisySum released, double publicSize) {
        Climb climb = climb(memory);
        NaturalGaussian sites =
                SiteStatistics.factor(settings.family, model.dimension(), released.value(), settings.precisionWeight);
        NaturalGaussian local = climb.local.power(1 - settings.step).times(sites, settings.step);
        double noise = settings.step * released.noiseStandardDeviation();
        double left = 1 - settings.step;
        return new Climb(
                        climb.factor,
                        local,
                        climb.cavity.times(local),
                        climb.cavity,
                        left * left * climb.noiseVariance + noise * noise)
                .memory();
    }

    @Override
    public double[] withoutRelease(double[] memory) {
        return memory;
    }

    @Override
    public Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last) {
        Climb climb = climb(memory);
        return new Change(climb.local.over(climb.factor), Math.sqrt(climb.noiseVariance));
    }
}
