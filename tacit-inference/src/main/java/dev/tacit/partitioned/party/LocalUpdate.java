package dev.tacit.partitioned.party;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.GaussianFamily;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.Optional;

/** How a party turns the global approximation and its records into a change of its factor, through its door. */
public interface LocalUpdate {
    /** The name in reports. */
    String name();

    /** The family of its factors. */
    GaussianFamily family();

    /**
     * Whether changes may be added up by an aggregator with noise that parties share: a change must be one release of the
     * round times public numbers, the same for all parties, plus public numbers. Noise that went through an optimiser does
     * not add up to noise of the sum, so such updates need all of their noise at every party.
     */
    boolean addsUp();

    /**
     * How the sum of all parties' releases of a round is the sum of their changes: a linear map, the same for all parties. Empty
     * if changes hold more than the release, so that they cannot be put on the release's grid and masked.
     */
    default Optional<SumReading> sumReading() {
        return Optional.empty();
    }

    /** Reads released sums as changes of factors. */
    @FunctionalInterface
    interface SumReading {
        /**
         * The change.
         *
         * @param global the approximation that was sent
         * @param sum over all parties, noise included
         * @param noiseStandardDeviation of the noise on each number
         */
        Change change(NaturalGaussian global, double[] sum, double noiseStandardDeviation);
    }

    /**
     * What went through the door, before it was read as a change.
     *
     * @param sum noise included, on the grid of the bound
     * @param l2Bound at which contributions were clipped
     */
    record Released(NoisySum sum, double l2Bound) {}

    /** What so many rounds are to accounting, with a mechanism for phases of relative noise 1. */
    PrivacyEvent event(int rounds, NoiseMechanism mechanism, Neighbours neighbours);

    /** Charges so many rounds, all at once, and opens the door. */
    Opened open(PartyDoor door, LocalTerms terms, int rounds) throws BudgetExhausted;

    /**
     * What a party knows about the protocol; all of it is public.
     *
     * @param prior of the global approximation
     * @param damping share of a change that the coordinator applies
     * @param firstFactor the party's factor before the first round
     */
    record LocalTerms(NaturalGaussian prior, double damping, NaturalGaussian firstFactor) {
        /** From a factor that says nothing. */
        public LocalTerms(NaturalGaussian prior, double damping) {
            this(prior, damping, NaturalGaussian.flat(prior.family(), prior.dimension()));
        }

        /**
         * From a public approximation that the coordinator starts at: every party's factor is the same root of what it has
         * beyond the prior, so that parties unlearn it as they learn. For models whose prior is no place to climb from: there
         * all hidden units of a network are alike.
         */
        public static LocalTerms startingAt(NaturalGaussian start, int parties, NaturalGaussian prior, double damping) {
            return new LocalTerms(prior, damping, start.over(prior).power(1.0 / parties));
        }
    }

    /**
     * A change of a factor.
     *
     * @param change noise included
     * @param weightedMeanNoise standard deviation of the noise in each weighted mean, 0 if it went through an optimiser
     * @param raisedDirections in how many directions the cavity was less certain than the prior and was raised to it
     * @param released the round's one release, if {@link #sumReading} reads it
     */
    record Change(NaturalGaussian change, double weightedMeanNoise, int raisedDirections, Optional<Released> released) {
        /** Of a release that is not read in sums. */
        public Change(NaturalGaussian change, double weightedMeanNoise, int raisedDirections) {
            this(change, weightedMeanNoise, raisedDirections, Optional.empty());
        }

        /** The same with the release that it was read from. */
        public Change from(NoisySum sum, double l2Bound) {
            return new Change(change, weightedMeanNoise, raisedDirections, Optional.of(new Released(sum, l2Bound)));
        }
    }

    /** An open door; it carries released and public values from one round to the next, and nothing else. */
    interface Opened {
        /**
         * The change in the next round.
         *
         * @param global the approximation
         * @param factor the party's part of it
         * @param lastChangeUsed whether the change of the round before was applied
         * @param random public random numbers of the model
         */
        Change change(NaturalGaussian global, NaturalGaussian factor, boolean lastChangeUsed, RandomStream random);

        /** What was charged. */
        PrivacyEvent event();
    }

    /** The global approximation without a party's factor, and what had to be raised to keep it proper. */
    record Cavity(NaturalGaussian cavity, int raisedDirections) {
        /** A cavity holds the prior and the factors of others, so it is at least as certain as the prior. */
        public static Cavity of(NaturalGaussian global, NaturalGaussian factor, NaturalGaussian prior) {
            NaturalGaussian quotient = global.over(factor);
            int improper = quotient.improperDirections(prior);
            return new Cavity(improper == 0 ? quotient : quotient.withPrecisionOf(prior), improper);
        }
    }
}
