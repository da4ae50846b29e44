package dev.tacit.experiments;

import dev.tacit.experiments.bayes.VipsCompositions;
import dev.tacit.experiments.bayes.VipsLdaBatchSize;
import dev.tacit.experiments.bayes.VipsLdaPerplexity;
import dev.tacit.experiments.bayes.VipsLdaTopics;
import dev.tacit.experiments.bayes.VipsLogisticAdult;
import dev.tacit.experiments.bayes.VipsLogisticBatch;
import dev.tacit.experiments.bayes.VipsLogisticStochastic;
import dev.tacit.experiments.bayes.VipsSbnMnist;
import dev.tacit.experiments.ep.DpSepBound;
import dev.tacit.experiments.ep.DpSepClipping;
import dev.tacit.experiments.ep.DpSepMixture;
import dev.tacit.experiments.ep.DpSepUci;
import dev.tacit.experiments.glm.FormulaCoverage;
import dev.tacit.experiments.glm.GlmCoverage;
import dev.tacit.experiments.glm.GlmFamilyCoverage;
import dev.tacit.experiments.glm.GlmGroups;
import dev.tacit.experiments.glm.GlmHeldOut;
import dev.tacit.experiments.glm.GlmRealTargets;
import dev.tacit.experiments.glm.MethodCoverage;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.noiseaware.NaDpviAdult;
import dev.tacit.experiments.noiseaware.NaDpviExponentialFamilies;
import dev.tacit.experiments.noiseaware.NaDpviGradientModel;
import dev.tacit.experiments.noiseaware.NaDpviLinearRegression;
import dev.tacit.experiments.partitioned.DpPviAdult;
import dev.tacit.experiments.partitioned.DpPviBnn;
import dev.tacit.experiments.partitioned.DpPviMortality;
import dev.tacit.experiments.partitioned.DpPviPartitions;
import java.util.List;
import java.util.Optional;

/** All experiments by name. */
public final class Experiments {
    private static final List<Experiment> ALL = List.of(
            new GlmCoverage(),
            new FormulaCoverage(),
            new GlmRealTargets(),
            new GlmHeldOut(),
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
