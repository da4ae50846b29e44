package dev.tacit.audit;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.audit.batch.BatchCheck;
import dev.tacit.audit.exact.AdditivityCheck;
import dev.tacit.audit.exact.ResumeCheck;
import dev.tacit.audit.reader.ReaderCheck;
import dev.tacit.audit.result.Defect;
import dev.tacit.audit.result.Defect.Kind;
import dev.tacit.audit.result.LayerResult;
import dev.tacit.audit.subject.AuditSubject;
import dev.tacit.audit.subject.PrivacyClaim;
import dev.tacit.audit.table.CornerRecords;
import dev.tacit.audit.table.SyntheticTable;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.run.method.DataShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** The layers that look at single parts: the claim's arithmetic, what a unit moves, batches, a resumed run, the reader. */
final class ExactLayer {
    private static final int POISONS = 13;
    private static final int CORNERS = 4;
    private static final int MOST_RELEASES = 40;
    private static final long FEW_NUMBERS = 2000;
    private static final int FEW_RELEASES = 4;

    private ExactLayer() {}

    /** Whether the printed epsilon is what its event costs, for the unit that the schema protects. */
    static LayerResult claim(AuditSubject<?, ?> subject) {
        PrivacyClaim claim = subject.claim();
        ExactAccountant accountant = new ExactAccountant();
        double most = 0;
        for (PrivacyEvent event :
                new LinkedHashSet<>(List.of(claim.event(), subject.plan().event(subject.mechanism())))) {
            most = Math.max(
                    most,
                    accountant
                            .epsilon(event, claim.delta(), subject.unit().neighbours())
                            .upper());
        }
        List<Defect> defects = new ArrayList<>();
        if (!(most <= claim.epsilon() * (1 + 1e-6))) {
            defects.add(new Defect(
                    Kind.CLAIM,
                    "the releases cost epsilon " + most + " against "
                            + subject.unit().neighbours().label() + " neighbours, and " + claim.epsilon()
                            + " is claimed"));
        }
        return new LayerResult(
                "claim",
                true,
                "The epsilon of the planned releases, computed again for the neighbours that the schema declares.",
                Map.of("recomputedEpsilon", most),
                defects);
    }

    /** Removes invented units, ordinary and poisoned, dense and sparse, one at a time at every release. */
    static LayerResult door(AuditSubject<?, ?> subject) {
        AdditivityCheck.Checked checked = AdditivityCheck.Checked.NOTHING;
        SyntheticTable table = table(subject.shape(), subject.unit().maxRecords());
        int largest = subject.plan().phases().stream()
                .mapToInt(phase -> phase.dimension())
                .max()
                .orElse(1);
        int releases = largest > FEW_NUMBERS ? FEW_RELEASES : MOST_RELEASES;
        for (boolean sparse : new boolean[] {false, true}) {
            if (checked.defect().isEmpty()) {
                checked = checked.plus(AdditivityCheck.run(subject, table, sparse, releases));
            }
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("releases", checked.releases());
        figures.put("comparisons", checked.comparisons());
        figures.put("largestNorm", checked.largestNorm());
        return new LayerResult(
                "exact",
                true,
                "One unit less moves the integer sums by exactly that unit's, and by no more than its bound: "
                        + checked.comparisons() + " comparisons over " + checked.releases()
                        + " releases, poisoned records included.",
                figures,
                checked.defect().stream().toList());
    }

    /** Ordinary and poisoned units, units at corners, and some of them twice. */
    private static SyntheticTable table(DataShape shape, int maxRecords) {
        int room = (int) Math.min(POISONS, Math.max(1, (shape.publicSize() - CORNERS) / 3));
        SyntheticTable table =
                SyntheticTable.ordinary(shape, room, maxRecords, 3).poisoned(5);
        int added = 0;
        for (SyntheticTable corner : CornerRecords.of(shape, maxRecords, 3).values()) {
            if (added < CORNERS && table.units().size() < shape.publicSize() - 2) {
                table = table.and(added == 0 ? corner.duplicated() : corner);
                added++;
            }
        }
        return table;
    }

    /** Cuts a run off and resumes it. */
    static LayerResult resume(AuditSubject<?, ?> subject) {
        ResumeCheck.Resumed resumed = ResumeCheck.run(subject);
        return resumed.resumed()
                ? new LayerResult(
                        "resume",
                        true,
                        "A run that is cut off and resumed hands out what it had released, and draws fresh noise for the"
                                + " rest.",
                        Map.of(),
                        resumed.defect().stream().toList())
                : LayerResult.notRun("resume", "The run makes one release, or sees parties, so it was not cut off.");
    }

    /** Draws batches and counts who is in them. */
    static LayerResult batches(AuditSubject<?, ?> subject, double falseAlarm, long seed) {
        BatchCheck.Checked checked = BatchCheck.run(subject, falseAlarm, seed);
        if (checked.schemes() == 0) {
            return LayerResult.notRun(
                    "batches", "Every release sees all units, or those of a party: nothing is drawn.");
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("batches", checked.releases());
        figures.put("counts", checked.counts());
        return new LayerResult(
                "batches",
                true,
                checked.releases()
                        + " batches of invented units, seen openly: how often a unit is drawn, alone, together"
                        + " with others and again, is held against the law that is paid for.",
                figures,
                checked.defect().stream().toList());
    }

    /** Takes one unit at a time out of files of odd records. */
    static LayerResult reader(AuditedFile file, long seed, AuditOptions options) {
        if (!ReaderCheck.possible(file.schema(), file.name())) {
            return LayerResult.notRun(
                    "reader", "Files of the format of " + file.name() + " are not written here; other formats are.");
        }
        ReaderCheck.Checked checked =
                ReaderCheck.run(file.schema(), file.name(), file.tables(), seed, file.reader(), options.folder());
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("files", checked.files());
        figures.put("comparisons", checked.comparisons());
        return new LayerResult(
                "reader",
                true,
                "Files of odd records with one unit less give that unit's rows less and nothing else: "
                        + checked.comparisons() + " comparisons over " + checked.files() + " files.",
                figures,
                checked.defect().stream().toList());
    }
}
