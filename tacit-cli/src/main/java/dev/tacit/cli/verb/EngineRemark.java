package dev.tacit.cli.verb;

import dev.tacit.data.prepare.PreparationOptions;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.plan.EngineCost;
import dev.tacit.fit.run.FitRequest;
import dev.tacit.fit.run.FitRun;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import java.util.List;

/** What is said before a fit that one machine would take very long for; from declared sizes and the plan, which are public. */
final class EngineRemark {
    private static final int CORES = 64;

    private EngineRemark() {}

    static List<String> lines(FitRequest request, FitRun.Prepared prepared) {
        if (!request.schema().columnsWithPrivateBounds().isEmpty()) {
            return List.of();
        }
        EngineCost.Work work = work(request, prepared.plan());
        if (!EngineCost.outgrown(
                work, request.threads(), PreparationOptions.standard().memoryBytes())) {
            return List.of();
        }
        double here = EngineCost.local(work, request.threads()).wholeSeconds() / 3600;
        double there = EngineCost.cluster(work, CORES).wholeSeconds() / 60;
        return new Remark(
                        "engine",
                        "about " + Rounded.brief(here) + " hours on " + request.threads()
                                + " cores; a Spark cluster of "
                                + CORES + " would take about " + Rounded.brief(there)
                                + " minutes for the same bits (--engine spark://HOST:PORT; tacit engine try)")
                .lines();
    }

    static EngineCost.Work work(FitRequest request, ReleasePlan plan) {
        double releases = plan.releases();
        double size = request.schema().size();
        double seen = 0;
        double dimension = 1;
        for (ReleasePlan.Phase phase : plan.phases()) {
            seen += phase.times()
                    * Math.min(
                            1,
                            phase.sampling().expectedBatchSize(request.schema().size()) / size);
            dimension = Math.max(dimension, phase.dimension());
        }
        int columns = DataShapes.of(request.schema()).columns().size();
        return new EngineCost.Work(
                size * request.schema().unit().maxRecords(), columns, releases, seen / releases, dimension);
    }
}
