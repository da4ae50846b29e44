package dev.tacit.experiments.mcmc;

/**
 * How long and how carefully {@link NoUTurnSampler} samples.
 *
 * @param chains independent chains, each from its own start
 * @param warmup transitions of each chain that tune step size and mass matrix, and are thrown away
 * @param draws transitions of each chain that are kept
 * @param targetAcceptance mean acceptance statistic that the step size is tuned to, strictly between 0 and 1
 * @param maximumTreeDepth a trajectory has at most 2^maximumTreeDepth − 1 leapfrog steps
 * @param massMatrix what the warm-up learns
 * @param threads chains that run at once; no result depends on it
 */
public record NutsSettings(
        int chains,
        int warmup,
        int draws,
        double targetAcceptance,
        int maximumTreeDepth,
        MassMatrix massMatrix,
        int threads) {

    /** Checks the values. */
    public NutsSettings {
        if (chains < 1 || draws < 4 || warmup < 0 || threads < 1) {
            throw new IllegalArgumentException(
                    "a sampler needs at least one chain, four draws, no negative warm-up and one thread");
        }
        if (!(targetAcceptance > 0 && targetAcceptance < 1)) {
            throw new IllegalArgumentException("the target acceptance must lie strictly between 0 and 1");
        }
        if (maximumTreeDepth < 1 || maximumTreeDepth > 20) {
            throw new IllegalArgumentException("the maximum tree depth must lie between 1 and 20");
        }
    }

    /** Four chains, 1000 + 1000 transitions, acceptance 0.8, depth 10, diagonal mass matrix, all processors. */
    public static NutsSettings standard() {
        return new NutsSettings(
                4,
                1000,
                1000,
                0.8,
                10,
                MassMatrix.DIAGONAL,
                Runtime.getRuntime().availableProcessors());
    }

    /** With another number of chains. */
    public NutsSettings withChains(int newChains) {
        return new NutsSettings(newChains, warmup, draws, targetAcceptance, maximumTreeDepth, massMatrix, threads);
    }

    /** With other numbers of transitions. */
    public NutsSettings withTransitions(int newWarmup, int newDraws) {
        return new NutsSettings(chains, newWarmup, newDraws, targetAcceptance, maximumTreeDepth, massMatrix, threads);
    }

    /** With another target acceptance; a higher one takes smaller steps. */
    public NutsSettings withTargetAcceptance(double newTargetAcceptance) {
        return new NutsSettings(chains, warmup, draws, newTargetAcceptance, maximumTreeDepth, massMatrix, threads);
    }

    /** With another limit of the tree depth. */
    public NutsSettings withMaximumTreeDepth(int newMaximumTreeDepth) {
        return new NutsSettings(chains, warmup, draws, targetAcceptance, newMaximumTreeDepth, massMatrix, threads);
    }

    /** With another mass matrix. */
    public NutsSettings withMassMatrix(MassMatrix newMassMatrix) {
        return new NutsSettings(chains, warmup, draws, targetAcceptance, maximumTreeDepth, newMassMatrix, threads);
    }

    /** With another number of threads. */
    public NutsSettings withThreads(int newThreads) {
        return new NutsSettings(chains, warmup, draws, targetAcceptance, maximumTreeDepth, massMatrix, newThreads);
    }
}
