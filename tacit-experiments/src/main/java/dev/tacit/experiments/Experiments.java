package dev.tacit.experiments;

import java.util.List;
import java.util.Optional;

/** All experiments by name. */
public final class Experiments {
    private static final List<Experiment> ALL = List.of(
            new GlmCoverage(),
            new FormulaCoverage(),
            new GlmRealTargets(),
            new MethodCoverage(),
            new GlmFamilyCoverage(),
            new GlmGroups(),
            new VipsLogisticAdult(),
            new VipsLogisticBatch(),
            new VipsLogisticStochastic(),
            new VipsCompositions(),
            new VipsLdaPerplexity(),
            new VipsLdaBatchSize(),
            new VipsLdaTopics(),
            new VipsSbnMnist(),
            new NaDpviGradientModel(),
            new NaDpviExponentialFamilies(),
            new NaDpviLinearRegression(),
            new NaDpviAdult(),
            new DpSepMixture(),
            new DpSepUci(),
            new DpSepClipping(),
            new DpSepBound(),
            new DpPviAdult(10, 1),
            new DpPviMortality(),
            new DpPviAdult(200, 0.5),
            new DpPviBnn(),
            new DpPviPartitions());

    private Experiments() {}

    /** In the order in which they are listed. */
    public static List<Experiment> all() {
        return ALL;
    }

    /** The experiment of a name. */
    public static Optional<Experiment> find(String name) {
        return ALL.stream().filter(experiment -> experiment.name().equals(name)).findFirst();
    }
}
