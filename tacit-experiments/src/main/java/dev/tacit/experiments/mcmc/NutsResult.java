package dev.tacit.experiments.mcmc;

import dev.tacit.diagnostics.ChainDiagnostics;
import dev.tacit.posterior.family.SamplesPosterior;
import dev.tacit.transform.ParameterSpace;
import java.util.ArrayList;
import java.util.List;

/**
 * The draws of several chains, and whether they can be trusted.
 *
 * @param names of the coordinates
 * @param settings of the sampler
 * @param chains in their order
 */
public record NutsResult(List<String> names, NutsSettings settings, List<Chain> chains) {

    /**
     * One chain.
     *
     * @param draws one after the other
     * @param energies the Hamiltonian at the start of each transition
     * @param divergences trajectories with an energy error beyond 1000: a region that steps of this size cannot enter
     * @param atMaximumDepth trajectories that were cut at the largest tree depth
     * @param stepSize of the leapfrog steps
     * @param meanLeapfrogs gradient evaluations in a transition
     * @param meanAcceptance mean of the acceptance statistic
     * @param inverseMass the diagonal of the inverse mass matrix
     */
    public record Chain(
            double[] draws,
            double[] energies,
            int divergences,
            int atMaximumDepth,
            double stepSize,
            double meanLeapfrogs,
            double meanAcceptance,
            double[] inverseMass) {}

    /** Copies the lists. */
    public NutsResult {
        names = List.copyOf(names);
        chains = List.copyOf(chains);
    }

    /** The draws of one coordinate: one array for each chain. */
    public double[][] draws(int coordinate) {
        int n = names.size();
        double[][] draws = new double[chains.size()][settings.draws()];
        for (int chain = 0; chain < draws.length; chain++) {
            double[] all = chains.get(chain).draws();
            for (int draw = 0; draw < settings.draws(); draw++) {
                draws[chain][draw] = all[draw * n + coordinate];
            }
        }
        return draws;
    }

    /** Mean, spread, Monte Carlo error, R̂ and effective sample sizes of one coordinate. */
    public ChainDiagnostics diagnostics(int coordinate) {
        return ChainDiagnostics.of(draws(coordinate));
    }

    /** Diagnostics of every coordinate. */
    public List<ChainDiagnostics> diagnostics() {
        List<ChainDiagnostics> all = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            all.add(diagnostics(i));
        }
        return all;
    }

    /** Divergent trajectories of all chains. */
    public int divergences() {
        return chains.stream().mapToInt(Chain::divergences).sum();
    }

    /** Leapfrog steps in a transition, the mean over chains. */
    public double meanLeapfrogs() {
        return chains.stream().mapToDouble(Chain::meanLeapfrogs).average().orElseThrow();
    }

    /**
     * The energy Bayesian fraction of missing information of each chain, Σ(E_t − E_{t−1})² / Σ(E_t − Ē)² (Betancourt
     * 2016, equation 4): below 0.3 the momentum is resampled too timidly for the tails.
     */
    public double[] energyFractions() {
        return chains.stream()
                .mapToDouble(chain -> energyFraction(chain.energies()))
                .toArray();
    }

    private static double energyFraction(double[] energies) {
        double mean = 0;
        for (double energy : energies) {
            mean += energy / energies.length;
        }
        double steps = 0;
        double spread = 0;
        for (int i = 0; i < energies.length; i++) {
            spread += (energies[i] - mean) * (energies[i] - mean);
            if (i > 0) {
                steps += (energies[i] - energies[i - 1]) * (energies[i] - energies[i - 1]);
            }
        }
        return steps / spread;
    }

    /** The same chains with constrained parameters, if the density was a {@link ConstrainedDensity}. */
    public NutsResult constrained(ParameterSpace space) {
        int free = names.size();
        int dimension = space.dimension();
        List<Chain> mapped = new ArrayList<>();
        double[] from = new double[free];
        double[] to = new double[dimension];
        for (Chain chain : chains) {
            double[] draws = new double[settings.draws() * dimension];
            for (int draw = 0; draw < settings.draws(); draw++) {
                System.arraycopy(chain.draws(), draw * free, from, 0, free);
                space.constrain(from, to);
                System.arraycopy(to, 0, draws, draw * dimension, dimension);
            }
            mapped.add(new Chain(
                    draws,
                    chain.energies(),
                    chain.divergences(),
                    chain.atMaximumDepth(),
                    chain.stepSize(),
                    chain.meanLeapfrogs(),
                    chain.meanAcceptance(),
                    chain.inverseMass()));
        }
        return new NutsResult(space.names(), settings, mapped);
    }

    /** All draws as a posterior, chain after chain. */
    public SamplesPosterior posterior() {
        int each = settings.draws() * names.size();
        double[] all = new double[chains.size() * each];
        for (int chain = 0; chain < chains.size(); chain++) {
            System.arraycopy(chains.get(chain).draws(), 0, all, chain * each, each);
        }
        return new SamplesPosterior(names, all);
    }
}
