package dev.tacit.model.prediction;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;

/** Draws of parameters for predictions that have no closed form: the same ones at every prediction, from a fixed seed. */
public final class PosteriorDraws {
    /** The error of a predicted probability is a twentieth of its posterior standard deviation. */
    static final int COUNT = 400;

    private static final long SEED = 20261115;

    private PosteriorDraws() {}

    /** Draw after draw. */
    public static double[][] of(Posterior posterior, int dimension) {
        if (posterior.dimension() != dimension) {
            throw new IllegalArgumentException(
                    "the posterior has " + posterior.dimension() + " parameters and the model " + dimension);
        }
        RandomStream random = RandomStream.ofSeed(SEED);
        double[][] draws = new double[COUNT][dimension];
        for (double[] draw : draws) {
            posterior.sample(random, draw);
        }
        return draws;
    }
}
