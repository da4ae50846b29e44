package dev.tacit.fit.formula;

import dev.tacit.fit.artefact.MeasuredIntervals;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.IntervalText;
import dev.tacit.fit.text.Remark;
import dev.tacit.fit.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What stands above a table of terms: the model, the budget, the prior and whether intervals were checked. */
public final class FitHeader {
    private FitHeader() {}

    public static List<String> lines(FitOutcome outcome) {
        StoredPosterior fitted = outcome.fitted();
        List<String> lines = new ArrayList<>();
        String formula = fitted.schema().encoding().formula().orElse(fitted.model());
        String family = Family.ofModel(fitted.model()).map(Family::withLink).orElse(fitted.model());
        lines.add("  " + formula);
        lines.addAll(new Remark("model", family + ", " + budget(outcome.release())).lines());
        outcome.release()
                .study()
                .ifPresent(study -> lines.addAll(new Remark(
                                "parties", study.brief(outcome.release().plan().releases()))
                        .lines()));
        PriorText.sentence(fitted).ifPresent(prior -> lines.addAll(new Remark("prior", prior).lines()));
        lines.addAll(new Remark("checked", IntervalText.checked(outcome)).lines());
        MeasuredIntervals.of(fitted).ifPresent(measured -> lines.addAll(new Remark("measured", measured).lines()));
        if (!fitted.provenance().forRelease()) {
            lines.addAll(new Remark("stamp", fitted.provenance().label()).lines());
        }
        return lines;
    }

    private static String budget(ReleaseRecord release) {
        String size = String.format(java.util.Locale.ROOT, "%,d", release.publicSize()) + " declared "
                + (release.unit().maxRecords() == 1 ? "records" : "persons");
        Optional<ReleaseRecord.Privacy> privacy = release.privacy();
        return size
                + privacy.map(promised -> ", epsilon " + Rounded.up(promised.epsilon()) + " at delta "
                                + Rounded.asGiven(promised.budget().delta()))
                        .orElse(", not private");
    }
}
