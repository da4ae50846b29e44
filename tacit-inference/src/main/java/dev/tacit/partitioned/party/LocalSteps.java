package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.Optional;

/**
 * How a party turns the global approximation and its records into a change of its factor, in single releases, so that a run can be
 * kept and resumed between any two of them.
 *
 * <pre>
 *   begin  →  (query  →  release  →  after, or withoutRelease) times releases  →  change
 * </pre>
 *
 * <p>A party's memory is an array of released and public numbers. Nothing else is carried from one release to the next, and no method
 * here has a state of its own. The same steps run at parties with doors of their own ({@link FactorParty}) and on one table that is
 * dealt out to parties.
 */
public sealed interface LocalSteps permits RecordSteps, ShardSteps {
    /** What the releases are, before any of them is made. */
    Releases releases();

    /**
     * How the sum of all parties' releases of a round is the sum of their changes: a linear map, the same for all parties. Empty
     * if changes hold more than the release, so that they cannot be put on the release's grid and masked.
     */
    default Optional<SumReading> sumReading() {
        return Optional.empty();
    }

    /** The memory at the start of a round. */
    double[] begin(double[] memory, Round round);

    /** The memory after a release of the party. */
    double[] after(double[] memory, NoisySum released, double publicSize);

    /** The memory after a release that a crash took, or whose change was not applied. */
    double[] withoutRelease(double[] memory);

    /** The change of the party's factor at the end of a round; {@code last} is the round's last release, if it was not lost. */
    Change change(double[] memory, NaturalGaussian global, Optional<NoisySum> last);

    /** What some rounds are to accounting, with a mechanism for phases of relative noise 1. */
    default PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours) {
        return releases().plan(rounds).event(mechanism);
    }

    /**
     * What a party releases in a round; all of it is public.
     *
     * @param name of the way, in reports and ledgers
     * @param label what is released, in words
     * @param family of the factors
     * @param times how many releases a round has
     * @param dimension how many numbers each has
     * @param sampling which records a release sees
     * @param l2Bound at which the contribution of a unit, or of a shard, is clipped
     * @param addsUp whether changes may be added up by an aggregator with noise that parties share: a change must be one release of
     *     the round times public numbers, the same for all parties, plus public numbers. Noise that went through an optimiser does not
     *     add up to noise of the sum, so such steps need all of their noise at every party
     */
    record Releases(
            String name,
            String label,
            GaussianFamily family,
            int times,
            int dimension,
            SamplingScheme sampling,
            double l2Bound,
            boolean addsUp) {
        public Releases {
            if (!(l2Bound > 0) || Double.isInfinite(l2Bound)) {
                throw new IllegalArgumentException("l2Bound is a positive number");
            }
        }

        /** All releases of some rounds. */
        public ReleasePlan plan(int rounds) {
            return ReleasePlan.of(label, (long) rounds * times, dimension, sampling);
        }

        /** The same under another name. */
        public Releases named(String other) {
            return new Releases(other, label, family, times, dimension, sampling, l2Bound, addsUp);
        }
    }

    /**
     * What all parties of a run know in a round.
     *
     * @param prior of the global approximation
     * @param damping share of a change that the coordinator applies
     * @param random public random numbers of the model
     * @param round which of their forks is for this round
     */
    record PublicPart(NaturalGaussian prior, double damping, RandomStream random, long round) {
        /** The round's public draws, always from the first one. */
        public RandomStream draws() {
            return random.fork(round);
        }
    }

    /**
     * What a party sees at the start of a round.
     *
     * @param global the approximation that was sent
     * @param factor the party's part of it
     * @param cavity the approximation without that part
     * @param publicPart what all parties know
     */
    record Round(NaturalGaussian global, NaturalGaussian factor, NaturalGaussian cavity, PublicPart publicPart) {}

    /**
     * A change of a factor.
     *
     * @param change noise included
     * @param weightedMeanNoise standard deviation of the noise in each weighted mean, 0 if it went through an optimiser
     */
    record Change(NaturalGaussian change, double weightedMeanNoise) {
        /** None. */
        public static Change none(NaturalGaussian like) {
            return new Change(NaturalGaussian.flat(like.family(), like.dimension()), 0);
        }
    }

    /** Reads released sums as changes of factors. */
    @FunctionalInterface
    interface SumReading {
        /**
         * The change.
         *
         * @param global the approximation that was sent
         * @param sum over the records of one party or of all, noise included
         * @param noiseStandardDeviation of the noise on each number
         */
        Change change(NaturalGaussian global, double[] sum, double noiseStandardDeviation);

        /** Of a release of one party; none if it was lost. */
        default Change of(NaturalGaussian global, Optional<NoisySum> released) {
            return released.map(sum -> change(global, sum.value(), sum.noiseStandardDeviation()))
                    .orElse(Change.none(global));
        }
    }
}
