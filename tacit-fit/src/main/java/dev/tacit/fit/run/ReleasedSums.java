package dev.tacit.fit.run;

import dev.tacit.door.session.ReleasePlan;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.SamplingText;
import dev.tacit.run.ReleaseNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What left the records, one line each; of sums of several parties, those that were opened. */
final class ReleasedSums {
    private ReleasedSums() {}

    static List<String> lines(ReleaseRecord release) {
        boolean givenUp = release.study()
                .filter(study -> study.masked() && study.releasesLost() > 0)
                .isPresent();
        List<String> lines = new ArrayList<>(givenUp ? opened(release) : planned(release));
        release.usableUnits().ifPresent(usable -> {
            int place = release.boundsReleases();
            lines.set(place, lines.get(place) + "; " + usable.sentence(release.unit(), release.publicSize()));
        });
        lines.add("the posterior, predictions and plots computed from them");
        return lines;
    }

    private static List<String> planned(ReleaseRecord release) {
        String kind = release.privacy().isPresent() ? "noisy" : "exact";
        return release.plan().phases().stream()
                .map(phase -> sums(phase.times(), kind) + what(phase))
                .toList();
    }

    private static String sums(long times, String kind) {
        return times == 1 ? "one " + kind + " sum" : times + " " + kind + " sums";
    }

    private static List<String> opened(ReleaseRecord release) {
        Map<String, Long> times = new LinkedHashMap<>();
        Map<String, Long> opened = new LinkedHashMap<>();
        for (ReleasePlan.Phase phase : release.plan().phases()) {
            times.merge(what(phase), phase.times(), Long::sum);
        }
        for (ReleaseNote note : release.notes()) {
            opened.merge(what(note.dimension(), note.label()), 1L, Long::sum);
        }
        List<String> lines = new ArrayList<>();
        times.forEach((what, planned) -> {
            long there = opened.getOrDefault(what, 0L);
            lines.add((there == planned ? sums(planned, "noisy") : there + " of " + planned + " planned noisy sums")
                    + what);
        });
        return lines;
    }

    private static String what(ReleasePlan.Phase phase) {
        return what(phase.dimension(), phase.label());
    }

    private static String what(int dimension, String label) {
        return " of " + SamplingText.numbers(dimension) + ": " + label;
    }
}
