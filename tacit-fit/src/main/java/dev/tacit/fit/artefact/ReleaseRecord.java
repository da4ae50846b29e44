package dev.tacit.fit.artefact;

import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.noise.Provenance;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.base.CheckedText;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.Sha256;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.json.EventJson;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.report.UsableUnits;
import dev.tacit.run.ReleaseNote;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What {@code release.json} holds: the public record of a run.
 *
 * @param data the name of the data, without its folder
 * @param unit who is protected
 * @param publicSize the declared number of units
 * @param plan all releases
 * @param boundsReleases how many of the first ones bought bounds
 * @param usableUnits the number of usable units that the release after those bought; empty if none did
 * @param parties how records were dealt out to parties; empty if they were not
 * @param study which parties had records of their own; empty if all were in one place
 * @param privacy what was promised; empty if nothing was
 * @param notes one for each release, without those of the kernel that were lost
 * @param provenance whether the result may be published
 * @param time when the run ended
 * @param versions of the program and of what it ran on, by name
 */
public record ReleaseRecord(
        String data,
        PrivacyUnit unit,
        long publicSize,
        ReleasePlan plan,
        int boundsReleases,
        Optional<UsableUnits> usableUnits,
        Optional<PartyRecord> parties,
        Optional<StudyRecord> study,
        Optional<Privacy> privacy,
        List<ReleaseNote> notes,
        Provenance provenance,
        String time,
        Map<String, String> versions) {
    private static final String FORMAT = "tacit-release/1";

    /**
     * A promise.
     *
     * @param budget what was asked for
     * @param noiseMultiplier of phases whose relative noise is 1
     * @param epsilon an upper bound for everything released
     * @param accountant who computed it
     * @param confirmed which two of its engines answered; empty in a record that was written before they were asked
     * @param ledger what the ledger said when the run ended; empty for a simulation that was charged to none
     */
    public record Privacy(
            PrivacyBudget budget,
            double noiseMultiplier,
            double epsilon,
            String accountant,
            Optional<Confirmed> confirmed,
            Optional<Ledger> ledger) {}

    /**
     * What a ledger said about all runs.
     *
     * @param entries how many charges it held, this one included
     * @param entry which of them this run is, counted from 1
     * @param epsilon an upper bound for all of them together; infinite if there is none
     * @param delta at which it holds
     * @param limit the epsilon that may be spent in all; empty if nothing is refused
     * @param head the hash of its last line
     */
    public record Ledger(long entries, long entry, double epsilon, double delta, OptionalDouble limit, String head) {}

    /** The releases that the kernel made. */
    public ReleasePlan kernelPlan() {
        int bought = boundsReleases + (usableUnits.isPresent() ? 1 : 0);
        return plan.withPhases(plan.phases().subList(bought, plan.phases().size()));
    }

    /** How many releases the posterior was to be made from: all but the number of usable units. */
    public long posteriorReleases() {
        return plan.releases() - (usableUnits.isPresent() ? 1 : 0);
    }

    /** The notes on those of them that reached it. */
    public List<ReleaseNote> posteriorNotes() {
        List<ReleaseNote> reached = new ArrayList<>(notes);
        if (usableUnits.isPresent()) {
            reached.remove(boundsReleases);
        }
        return reached;
    }

    /** What the run was to accounting. */
    public PrivacyEvent event() {
        return privacy.map(promised -> plan.event(new DiscreteGaussianMechanism(promised.noiseMultiplier())))
                .orElseGet(() -> new PrivacyEvent.NotPrivate("no noise was added"));
    }

    /** The noise multiplier of the sums as they were: parties that share noise add more than is charged. */
    public double deliveredNoiseMultiplier() {
        return privacy.orElseThrow().noiseMultiplier()
                * study.map(StudyRecord::noiseFactor).orElse(1.0);
    }

    /** The SHA-256 of the file that holds this. */
    public String hash() {
        return Sha256.of(fileText());
    }

    /** The text of the file. */
    public String fileText() {
        return toJson() + "\n";
    }

    String toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("format", FORMAT);
        json.put("provenance", provenance.label());
        json.put("data", data);
        json.put("unit", unit.name());
        json.put("maxRecords", unit.maxRecords());
        json.put("neighbours", unit.neighbours().label());
        json.put("publicSize", publicSize);
        privacy.ifPresent(promised -> {
            json.put("epsilon", promised.epsilon());
            json.put("delta", promised.budget().delta());
            json.put("budgetEpsilon", promised.budget().epsilon());
            json.put("accountant", promised.accountant());
            promised.confirmed().ifPresent(confirmed -> json.put("engines", json(confirmed)));
            json.put("noiseMultiplier", promised.noiseMultiplier());
            promised.ledger().ifPresent(ledger -> {
                json.put("ledgerEntries", ledger.entries());
                json.put("ledgerEntry", ledger.entry());
                json.put("ledgerEpsilon", LedgerView.finite(ledger.epsilon()));
                json.put("ledgerDelta", ledger.delta());
                ledger.limit().ifPresent(limit -> json.put("ledgerLimit", limit));
                json.put("ledgerHead", ledger.head());
            });
            json.put("event", EventJson.standard().toValue(event()));
        });
        List<Object> phases = new ArrayList<>();
        for (ReleasePlan.Phase phase : plan.phases()) {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("label", phase.label());
            object.put("times", phase.times());
            object.put("dimension", phase.dimension());
            object.put("sampling", SamplingText.write(phase.sampling()));
            object.put("relativeNoise", phase.relativeNoise());
            phases.add(object);
        }
        json.put("phases", phases);
        json.put("boundsReleases", boundsReleases);
        usableUnits.ifPresent(units -> json.put("usableUnits", UsableCount.toJson(units)));
        parties.ifPresent(dealt -> json.put("parties", dealt.toJson()));
        study.ifPresent(held -> json.put("study", held.toJson()));
        json.put("notes", notes.stream().map(note -> (Object) note.toJson()).toList());
        json.put("time", time);
        json.put("versions", versions);
        return CheckedText.seal(Json.write(json));
    }

    /** Reads {@link #toJson} back. */
    public static ReleaseRecord fromJson(String text, String name) {
        try {
            return read(JsonFields.of(Json.read(CheckedText.open(text, name)), name));
        } catch (IllegalArgumentException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    name + " is not a release record that this version can read; fit again or use the version that"
                            + " wrote it.",
                    e);
        }
    }

    /** Fits of before there was one ledger for all runs knew only their own, which says nothing about others. */
    private static Optional<Ledger> ledger(JsonFields json) {
        boolean entries = json.has("ledgerEntries"); // to ask for a field is to know it
        boolean epsilon = json.has("ledgerEpsilon");
        boolean delta = json.has("ledgerDelta");
        if (!(entries && epsilon && delta && json.has("ledgerHead"))) {
            return Optional.empty();
        }
        return Optional.of(new Ledger(
                json.integer("ledgerEntries"),
                json.integer("ledgerEntry"),
                json.value("ledgerEpsilon") instanceof String ? Double.POSITIVE_INFINITY : json.number("ledgerEpsilon"),
                json.number("ledgerDelta"),
                json.has("ledgerLimit") ? OptionalDouble.of(json.number("ledgerLimit")) : OptionalDouble.empty(),
                json.text("ledgerHead")));
    }

    /** Which two engines answered about an epsilon, and what they showed. */
    public static Map<String, Object> json(Confirmed confirmed) {
        Map<String, Object> engines = new LinkedHashMap<>();
        engines.put("first", confirmed.first());
        engines.put("second", confirmed.second());
        engines.put("agreement", confirmed.agreement().label());
        return engines;
    }

    private static Optional<Confirmed> confirmed(JsonFields json) {
        if (!json.has("engines")) {
            return Optional.empty();
        }
        JsonFields engines = json.object("engines");
        Confirmed confirmed = new Confirmed(
                engines.text("first"), engines.text("second"), Confirmed.Agreement.ofLabel(engines.text("agreement")));
        engines.end();
        return Optional.of(confirmed);
    }

    private static ReleaseRecord read(JsonFields json) {
        if (!json.text("format").equals(FORMAT)) {
            throw new JsonFieldException(json.pathOf("format"), "is not one that this version reads");
        }
        Optional<Privacy> privacy = Optional.empty();
        if (json.has("epsilon")) {
            json.value("event");
            privacy = Optional.of(new Privacy(
                    new PrivacyBudget(json.number("budgetEpsilon"), json.number("delta")),
                    json.number("noiseMultiplier"),
                    json.number("epsilon"),
                    json.text("accountant"),
                    confirmed(json),
                    ledger(json)));
        }
        List<ReleasePlan.Phase> phases = new ArrayList<>();
        for (Object value : json.list("phases")) {
            JsonFields phase = JsonFields.of(value, json.pathOf("phases"));
            phases.add(new ReleasePlan.Phase(
                    phase.text("label"),
                    phase.integer("times"),
                    Math.toIntExact(phase.integer("dimension")),
                    SamplingText.read(phase.text("sampling")),
                    phase.number("relativeNoise")));
            phase.end();
        }
        List<ReleaseNote> notes = new ArrayList<>();
        for (Object value : json.list("notes")) {
            notes.add(ReleaseNote.fromJson(JsonFields.of(value, json.pathOf("notes"))));
        }
        Map<String, String> versions = new LinkedHashMap<>();
        if (json.value("versions") instanceof Map<?, ?> map) {
            map.forEach((key, value) -> versions.put(key.toString(), value.toString()));
        }
        Optional<PartyRecord> parties = json.has("parties")
                ? Optional.of(PartyRecord.fromJson(JsonFields.of(json.value("parties"), json.pathOf("parties"))))
                : Optional.empty();
        Optional<StudyRecord> study =
                json.has("study") ? Optional.of(StudyRecord.fromJson(json.object("study"))) : Optional.empty();
        ReleaseRecord release = new ReleaseRecord(
                json.text("data"),
                new PrivacyUnit(
                        json.text("unit"),
                        Math.toIntExact(json.integer("maxRecords")),
                        Neighbours.ofLabel(json.text("neighbours"))),
                json.integer("publicSize"),
                parties.flatMap(PartyRecord::view)
                        .or(() -> study.flatMap(StudyRecord::view))
                        .map(view -> new ReleasePlan(phases).seenBy(view))
                        .orElseGet(() -> new ReleasePlan(phases)),
                Math.toIntExact(json.integer("boundsReleases")),
                json.has("usableUnits")
                        ? Optional.of(UsableCount.unitsFromJson(json.object("usableUnits")))
                        : Optional.empty(),
                parties,
                study,
                privacy,
                List.copyOf(notes),
                StoredPosterior.provenance(json),
                json.text("time"),
                versions);
        json.end();
        return release;
    }
}
