package dev.tacit.fit.artefact;

import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.partitioned.dealt.PartyProtocol;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import dev.tacit.report.UsableUnits;
import dev.tacit.run.ReleaseNote;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The number of usable units, which a run buys before its kernel's first release, so that a schema that matches nothing
 * is seen.
 *
 * <pre>
 *   a unit adds 1 if a record of it is usable, however many are       one release of one number, L2 clip at 1
 *   noise over that of the run: √((1 − share) / (share · w)),  w = Σ times · rate² / relative noise² of the kernel's phases
 * </pre>
 *
 * @param units the released number
 * @param note about the release
 * @param position in the ledger after it
 */
public record UsableCount(UsableUnits units, ReleaseNote note, RunPosition position) {
    /** The share of the budget that the count gets if nobody says otherwise. */
    public static final double SHARE = 0.01;

    /** A unit with several usable records adds as much as one with a single record. */
    public static final double L2_BOUND = 1;

    private static final String LABEL = "usable units";

    /** Whether a kernel's run has a place for the count: where parties have the records, nobody sums over all of them. */
    public static boolean fits(Object kernel) {
        return !(kernel instanceof PartyProtocol);
    }

    /**
     * The count, then the rest.
     *
     * @param share of the budget that the count gets, to first order
     */
    public static ReleasePlan plan(double share, ReleasePlan rest) {
        double spent = spending(rest);
        return new ReleasePlan(List.of(new ReleasePlan.Phase(
                        LABEL, 1, 1, new SamplingScheme.FullPass(), Math.sqrt((1 - share) / (share * spent)))))
                .then(rest);
    }

    /** To first order, what a plan spends: Σ times × rate² / relative noise². */
    public static double spending(ReleasePlan plan) {
        return plan.phases().stream().mapToDouble(UsableCount::spending).sum();
    }

    /** The part of a phase. */
    public static double spending(ReleasePlan.Phase phase) {
        double rate = rate(phase.sampling());
        return phase.times() * rate * rate / (phase.relativeNoise() * phase.relativeNoise());
    }

    private static double rate(SamplingScheme sampling) {
        if (sampling instanceof SamplingScheme.PoissonSampling poisson) {
            return poisson.samplingRate();
        }
        return sampling instanceof SamplingScheme.FixedSizeSampling fixed
                ? (double) fixed.batch() / fixed.population()
                : 1;
    }

    /** What one record contributes: 1, or nothing if it only keeps a place, as nothing in it is a number then. */
    public static ContributionSum query() {
        return ContributionSum.of(
                1,
                (block, row, contribution) -> contribution.add(0, Double.isNaN(Rows.squaredNorm(block, row)) ? 0 : 1));
    }

    /** Makes the planned release. */
    public static UsableCount buy(PrivateSession session) {
        NoisySum released = session.release(query(), L2_BOUND);
        double sd = released.noiseStandardDeviation();
        return new UsableCount(
                new UsableUnits(released.value()[0], sd),
                new ReleaseNote(LABEL, 1, sd, Math.min(Double.MAX_VALUE, released.noiseToSignal())),
                session.position().orElseThrow());
    }

    /** The released number for {@code release.json} and {@code fit --json}. */
    public static Map<String, Object> toJson(UsableUnits units) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("estimate", units.estimate());
        json.put("sd", units.sd());
        return json;
    }

    /** Reads {@link #toJson(UsableUnits)} back. */
    static UsableUnits unitsFromJson(JsonFields json) {
        UsableUnits units = new UsableUnits(json.number("estimate"), json.number("sd"));
        json.end();
        return units;
    }

    public String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("usableUnits", toJson(units));
        json.put("note", note.toJson());
        json.put("ledgerSequence", position.sequence());
        json.put("ledgerHash", position.hash());
        json.put("released", position.released());
        return Json.write(json);
    }

    /** Reads {@link #toJson()} back. */
    public static UsableCount fromJson(String text) {
        JsonFields json = JsonFields.of(Json.read(text), "count");
        UsableCount counted = new UsableCount(
                unitsFromJson(json.object("usableUnits")),
                ReleaseNote.fromJson(json.object("note")),
                new RunPosition(json.integer("ledgerSequence"), json.text("ledgerHash"), json.integer("released")));
        json.end();
        return counted;
    }
}
