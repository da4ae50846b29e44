package dev.tacit.fit.artefact;

import dev.tacit.fit.text.Rounded;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyShards;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.Table;
import dev.tacit.report.text.Rounding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Which parties fitted something together, each with its own records, ledger and noise; all of it is public.
 *
 * @param name of the study
 * @param hash of what the parties agreed on
 * @param words the same as eight words
 * @param members in order
 * @param masked whether only sums were seen; otherwise every party added all of its noise
 * @param colluders how many parties may work together with the coordinator
 * @param missing how many might have been missing from a sum
 * @param epsilonAlone what one party's own noise promises if all others work together
 * @param noiseFactor standard deviation of the noise in the sums over that of one trusted curator, as it really was
 * @param releasesLost how many sums were never opened
 * @param shards of each party, if releases are sums over shards
 * @param noiseCounted whether the posterior's intervals count the privacy noise
 */
public record StudyRecord(
        String name,
        String hash,
        String words,
        List<Member> members,
        boolean masked,
        int colluders,
        int missing,
        double epsilonAlone,
        double noiseFactor,
        long releasesLost,
        Optional<Shards> shards,
        boolean noiseCounted) {
    private static final int DIGITS = 3;

    /**
     * A party.
     *
     * @param name of the party
     * @param units how many it declares
     * @param present how many opened sums it is in
     */
    public record Member(String name, long units, long present) {}

    /**
     * How a party's records are dealt out.
     *
     * @param count how many shards
     * @param key of the hash
     */
    public record Shards(int count, long key) {}

    public StudyRecord {
        members = List.copyOf(members);
    }

    /** What the releases of the plan see; empty for sums over all records. */
    Optional<PartyView> view() {
        return shards.map(each -> new PartyView(
                Optional.empty(), Optional.of(new PartyShards(new PartyRule.Hashed(1, 0), each.count(), each.key()))));
    }

    Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("hash", hash);
        json.put("words", words);
        List<Object> parties = new ArrayList<>();
        for (Member member : members) {
            Map<String, Object> party = new LinkedHashMap<>();
            party.put("name", member.name());
            party.put("units", member.units());
            party.put("present", member.present());
            parties.add(party);
        }
        json.put("parties", parties);
        json.put("sums", masked ? "masked" : "open");
        json.put("colluders", colluders);
        json.put("missing", missing);
        json.put("epsilonAlone", epsilonAlone);
        json.put("noiseFactor", noiseFactor);
        json.put("releasesLost", releasesLost);
        shards.ifPresent(each -> {
            json.put("shardsOfAParty", each.count());
            json.put("shardHashKey", each.key());
        });
        if (!noiseCounted) {
            json.put("noiseCounted", 0L);
        }
        return json;
    }

    static StudyRecord fromJson(JsonFields json) {
        List<Member> members = new ArrayList<>();
        for (Object value : json.list("parties")) {
            JsonFields party = JsonFields.of(value, json.pathOf("parties"));
            members.add(new Member(party.text("name"), party.integer("units"), party.integer("present")));
            party.end();
        }
        String sums = json.text("sums");
        if (!sums.equals("masked") && !sums.equals("open")) {
            throw new JsonFieldException(json.pathOf("sums"), "must be masked or open");
        }
        StudyRecord study = new StudyRecord(
                json.text("name"),
                json.text("hash"),
                json.text("words"),
                members,
                sums.equals("masked"),
                Math.toIntExact(json.integer("colluders")),
                Math.toIntExact(json.integer("missing")),
                json.number("epsilonAlone"),
                json.number("noiseFactor"),
                json.integer("releasesLost"),
                json.has("shardsOfAParty")
                        ? Optional.of(new Shards(
                                Math.toIntExact(json.integer("shardsOfAParty")), json.integer("shardHashKey")))
                        : Optional.empty(),
                !json.has("noiseCounted") || json.integer("noiseCounted") == 1);
        json.end();
        return study;
    }

    /** What holds against whoever has the messages and breaks the masks; empty if there are none. */
    public OptionalDouble epsilonBeyondMasks() {
        return masked ? OptionalDouble.of(epsilonAlone) : OptionalDouble.empty();
    }

    /** Of the planned sums, those that never were in the fit. */
    private Optional<String> lost(long planned) {
        if (releasesLost == 0) {
            return Optional.empty();
        }
        return Optional.of(
                masked
                        ? (planned - releasesLost) + " of " + planned + " planned sums were opened; the other "
                                + (releasesLost == 1
                                        ? "one was given up and stays charged"
                                        : releasesLost + " were given up and stay charged")
                        : "up to " + releasesLost + " of " + planned
                                + " planned sums of a party were never used; they stay charged");
    }

    /**
     * What a statement says about the parties.
     *
     * @param planned how many sums there were to be
     */
    public String sentences(long planned) {
        String who =
                "Records are at " + members.size() + " parties, each of which keeps its own, adds its own noise and"
                        + " is charged in its own ledger. It is assumed that all records of a person are at one party: then the"
                        + " epsilon of every party is that of the whole, and otherwise the promises of that person's parties"
                        + " add up. "
                        + lost(planned)
                                .map(words -> Character.toUpperCase(words.charAt(0)) + words.substring(1) + ". ")
                                .orElse("");
        if (!masked) {
            return who + "Each party adds all of its noise itself and needs to trust nobody.";
        }
        return who
                + "Only sums over parties were seen. The epsilon above holds against everybody who can compute no more"
                + " than is usual in cryptography, if at most " + colluders
                + (colluders == 1 ? " party works" : " parties work")
                + " together with the coordinator, whatever these do. If all other parties do, a party's own noise alone"
                + " promises epsilon " + Rounded.up(epsilonAlone) + ". Study " + name + ": " + words + ".";
    }

    /**
     * In a few words.
     *
     * @param planned how many sums there were to be
     */
    public String brief(long planned) {
        return members.size() + " with their own records, study " + name + "; "
                + (masked ? "only sums were seen" : "each adds all of its noise itself") + ", noise "
                + Rounding.nearest(noiseFactor, DIGITS) + " times that of one trusted curator"
                + lost(planned).map(words -> "; " + words).orElse("");
    }

    /**
     * The section of a report.
     *
     * @param planned how many sums there were to be
     */
    public Section section(long planned) {
        List<List<String>> rows = new ArrayList<>();
        for (Member member : members) {
            rows.add(List.of(member.name(), Long.toString(member.units()), Long.toString(member.present())));
        }
        Table table = Table.of(
                "Who took part.",
                List.of(
                        Table.Column.text("party"),
                        Table.Column.number("declared units"),
                        Table.Column.number("sums it is in")),
                rows);
        List<String> prose = new ArrayList<>();
        prose.add(sentences(planned));
        prose.add((masked ? "The noise in the sums was " : "The noise in the sums of all parties together was ")
                + Rounding.nearest(noiseFactor, DIGITS) + " times that of one curator whom everybody trusts"
                + (noiseCounted
                        ? ", and is counted as it was."
                        : ". It went through an optimiser at each party, and the intervals do not count it: they are too"
                                + " narrow."));
        return new Section("Parties", prose, List.of(table));
    }
}
