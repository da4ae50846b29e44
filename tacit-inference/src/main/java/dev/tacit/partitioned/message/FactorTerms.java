package dev.tacit.partitioned.message;

import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.NaturalGaussian;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What a party of factors knows about its run; all of it is public.
 *
 * @param prior of the global approximation
 * @param firstFactor the party's factor before the first round
 * @param damping share of a change that the coordinator applies
 * @param publicShare the party's share of all records behind an aggregator; empty without one
 * @param seed of the public random numbers of the model
 * @param place of the party among all, from 0: which fork of those numbers is its own
 */
public record FactorTerms(
        NaturalGaussian prior,
        NaturalGaussian firstFactor,
        double damping,
        OptionalDouble publicShare,
        long seed,
        int place) {
    public FactorTerms {
        Objects.requireNonNull(publicShare, "publicShare");
        if (firstFactor.family() != prior.family() || firstFactor.dimension() != prior.dimension()) {
            throw new IllegalArgumentException("a factor is of the family and the dimension of the prior");
        }
        if (!(damping > 0 && damping <= 1)) {
            throw new IllegalArgumentException("damping is a number above 0 and up to 1");
        }
        if (publicShare.isPresent() && !(publicShare.getAsDouble() > 0 && publicShare.getAsDouble() <= 1)) {
            throw new IllegalArgumentException("a public share is a number above 0 and up to 1");
        }
    }

    /** From a factor that says nothing, without an aggregator. */
    public static FactorTerms of(NaturalGaussian prior, double damping) {
        return new FactorTerms(
                prior, NaturalGaussian.flat(prior.family(), prior.dimension()), damping, OptionalDouble.empty(), 0, 0);
    }

    /**
     * From a public approximation that the coordinator starts at: every party's factor is the same root of what it has
     * beyond the prior, so that parties unlearn it as they learn. For models whose prior is no place to climb from: there
     * all hidden units of a network are alike.
     */
    public static FactorTerms startingAt(NaturalGaussian start, int parties, NaturalGaussian prior, double damping) {
        return new FactorTerms(prior, start.over(prior).power(1.0 / parties), damping, OptionalDouble.empty(), 0, 0);
    }

    /** The same behind an aggregator. */
    public FactorTerms withShare(double share) {
        return new FactorTerms(prior, firstFactor, damping, OptionalDouble.of(share), seed, place);
    }

    /** The same with public random numbers of its own. */
    public FactorTerms drawing(long fromSeed, int ownPlace) {
        return new FactorTerms(prior, firstFactor, damping, publicShare, fromSeed, ownPlace);
    }

    /** The party's public random numbers. */
    public RandomStream random() {
        return RandomStream.ofSeed(seed).fork(place);
    }
}
