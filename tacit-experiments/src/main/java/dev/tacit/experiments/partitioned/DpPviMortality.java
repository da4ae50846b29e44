package dev.tacit.experiments.partitioned;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.split.PartySplit;
import dev.tacit.experiments.bayes.VipsLogisticAdult;
import dev.tacit.experiments.harness.Experiment;
import dev.tacit.experiments.harness.ExperimentListener;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.ExperimentResult;
import dev.tacit.experiments.harness.MissingDataException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Death in hospital from the first two days in intensive care, across ten hospitals: Figure 2 of Heikkilä, Ashman, Swaroop,
 * Turner, Honkela 2023, on open records.
 *
 * <p>The paper uses MIMIC-III, half of it deaths, which is not open; this is PhysioNet 2012, set a, a quarter held out, about
 * twenty columns that clinicians look at first with public ranges. So only the ranking can be compared.
 */
public final class DpPviMortality implements Experiment {
    private static final double EPSILON = 1;
    private static final int PARTIES = 10;

    @Override
    public String name() {
        return "dp-pvi-mortality";
    }

    @Override
    public String about() {
        return "private prediction of death in hospital across 10 parties (PhysioNet 2012), by communications";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        int seeds = options.seedsOr(5);
        int tables = options.quick() ? 1 : 3;
        PartitionedFigure figure = new PartitionedFigure(seeds, EPSILON, options.threads(), listener);
        listener.started(seeds * (3 * 6 + (tables - 1)));
        for (int table = 0; table < tables; table++) {
            PartitionedTask task = task(options, table);
            if (table > 0) {
                ComparedMethods methods = new ComparedMethods(task, task.dealt(PartySplit.BALANCED, PARTIES), EPSILON);
                figure.run(
                        "other rows held out " + table,
                        List.of(methods.residualNewton(true, ComparedMethods.gentle(), false)));
                continue;
            }
            for (Map.Entry<String, PartySplit> split : DpPviAdult.splits().entrySet()) {
                ComparedMethods methods = new ComparedMethods(task, task.dealt(split.getValue(), PARTIES), EPSILON);
                figure.run(
                        "hospitals, " + split.getKey(),
                        List.of(
                                methods.residualNewton(true, ComparedMethods.gentle(), false),
                                methods.residualNewton(false, ComparedMethods.gentle(), false),
                                methods.virtualClients(true),
                                methods.virtualClients(false),
                                methods.dpOptimisation(10, 10, 0.02, 0.5),
                                methods.committee(true)));
            }
        }
        return figure.result(
                name(),
                List.of(
                        "epsilon holds = upper bound of the exact accountant for every party, delta 1e-5, one stay added or"
                                + " removed",
                        "accuracy is close to the share of survivors for every method; the area under the ROC curve and the"
                                + " log-likelihood tell them apart",
                        "settings other than those of residual Newton are those of Adult and were not chosen for these"
                                + " records"),
                start);
    }

    private static PartitionedTask task(ExperimentOptions options, int table) {
        Path prepared = options.workDirectory().resolve("stays-" + table);
        try {
            Catalogue.find("physionet2012")
                    .prepare(options.dataDirectory(), prepared, Map.of("split", Integer.toString(table)));
        } catch (DatasetException e) {
            throw new MissingDataException(e.getMessage(), e);
        }
        return new PartitionedTask(
                prepared, VipsLogisticAdult.schema(prepared.resolve("schema-compact.yaml")), DpPviAdult.DELTA);
    }
}
