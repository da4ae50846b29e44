package dev.tacit.fit.artefact;

import dev.tacit.door.session.ReleasePlan;
import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.partitioned.dealt.PartyProtocol;
import dev.tacit.partitioned.shard.PartyRule;
import dev.tacit.partitioned.shard.PartyShards;
import dev.tacit.partitioned.shard.PartyTurns;
import dev.tacit.partitioned.shard.PartyView;
import dev.tacit.report.section.Section;
import dev.tacit.report.section.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How records were dealt out to parties, and what these sent; all of it is public.
 *
 * @param rule who is where
 * @param aggregator whether single sums of parties stayed with a trusted aggregator
 * @param releasesInARow how many releases a party makes before the next has its turn; 0 if all answer at the same time
 * @param shards what releases sum over; empty for records
 * @param noiseCounted whether the posterior's intervals count the privacy noise
 * @param exchanges what each party is sent and sends
 */
public record PartyRecord(
        PartyRule rule,
        boolean aggregator,
        long releasesInARow,
        Optional<PartyShards> shards,
        boolean noiseCounted,
        List<PartyProtocol.Exchange> exchanges) {
    private static final long BYTES_OF_A_NUMBER = 8;

    public PartyRecord {
        exchanges = List.copyOf(exchanges);
    }

    /** Of a kernel across parties; empty for any other. */
    public static Optional<PartyRecord> of(Object kernel, ReleasePlan kernelPlan) {
        return kernel instanceof PartyProtocol protocol
                ? Optional.of(new PartyRecord(
                        protocol.rule(),
                        protocol.aggregator(),
                        PartyView.turnsOf(kernelPlan)
                                .map(PartyTurns::releasesInARow)
                                .orElse(0),
                        PartyView.shardsOf(kernelPlan),
                        protocol.noiseCounted(),
                        protocol.exchanges(kernelPlan)))
                : Optional.empty();
    }

    /** What the releases of the plan see; empty for sums over all records. */
    Optional<PartyView> view() {
        Optional<PartyTurns> turns =
                releasesInARow == 0 ? Optional.empty() : Optional.of(new PartyTurns(rule, (int) releasesInARow));
        return turns.isPresent() || shards.isPresent() ? Optional.of(new PartyView(turns, shards)) : Optional.empty();
    }

    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("count", rule.parties());
        if (rule instanceof PartyRule.Category category) {
            json.put("column", category.name());
            json.put("firstEncodedColumn", category.first());
        } else {
            json.put("hashKey", ((PartyRule.Hashed) rule).key());
        }
        json.put("aggregator", aggregator ? "trusted" : "none");
        json.put("releasesInARow", releasesInARow);
        shards.ifPresent(each -> {
            json.put("shardsOfAParty", each.shards());
            json.put("shardHashKey", each.key());
        });
        json.put("noiseCounted", noiseCounted ? 1 : 0);
        List<Object> messages = new ArrayList<>();
        for (PartyProtocol.Exchange exchange : exchanges) {
            Map<String, Object> message = new LinkedHashMap<>();
            message.put("label", exchange.label());
            message.put("times", exchange.times());
            message.put("numbersDown", exchange.numbersDown());
            message.put("numbersUp", exchange.numbersUp());
            messages.add(message);
        }
        json.put("messagesOfAParty", messages);
        return json;
    }

    static PartyRecord fromJson(JsonFields json) {
        int count = Math.toIntExact(json.integer("count"));
        PartyRule rule = json.has("column")
                ? new PartyRule.Category(
                        json.text("column"), Math.toIntExact(json.integer("firstEncodedColumn")), count)
                : new PartyRule.Hashed(count, json.integer("hashKey"));
        String aggregator = json.text("aggregator");
        if (!aggregator.equals("trusted") && !aggregator.equals("none")) {
            throw new JsonFieldException(json.pathOf("aggregator"), "must be trusted or none");
        }
        long inARow = json.integer("releasesInARow");
        Optional<PartyShards> shards = json.has("shardsOfAParty")
                ? Optional.of(new PartyShards(
                        rule, Math.toIntExact(json.integer("shardsOfAParty")), json.integer("shardHashKey")))
                : Optional.empty();
        boolean noiseCounted = json.integer("noiseCounted") == 1;
        List<PartyProtocol.Exchange> exchanges = new ArrayList<>();
        for (Object value : json.list("messagesOfAParty")) {
            JsonFields message = JsonFields.of(value, json.pathOf("messagesOfAParty"));
            exchanges.add(new PartyProtocol.Exchange(
                    message.text("label"),
                    message.integer("times"),
                    message.integer("numbersDown"),
                    message.integer("numbersUp")));
            message.end();
        }
        json.end();
        return new PartyRecord(rule, aggregator.equals("trusted"), inARow, shards, noiseCounted, exchanges);
    }

    /** How many messages each party sends. */
    long messages() {
        return exchanges.stream().mapToLong(PartyProtocol.Exchange::times).sum();
    }

    /** Bytes of all parties' messages in both directions, over the number of messages that a party sends. */
    public long bytesPerRound() {
        long bytes = exchanges.stream()
                .mapToLong(each -> each.times() * BYTES_OF_A_NUMBER * (each.numbersDown() + each.numbersUp()))
                .sum();
        return rule.parties() * bytes / Math.max(1, messages());
    }

    /** What a statement says about the parties, given what holds for everybody. */
    public String sentences() {
        String where = "Records are at " + rule.parties() + " parties. The rule is public: " + rule.words()
                + ". So no record moves when another comes or goes, and the epsilon of every party is that of the whole.";
        return where
                + shards.map(each -> " Sums are over shards: " + each.words()
                                + ". A record moves what its shard contributes by up"
                                + " to two bounds, and that is what is charged.")
                        .orElse("")
                + (aggregator
                        ? " Only sums over all parties are released: this program adds them up, and all parties trust it to"
                                + " keep the sums of single parties to itself."
                        : " Each party's sums have all of the noise, so that parties need to trust nobody with them; all run in"
                                + " this program, which sees every record.");
    }

    /** In a few words. */
    public String brief() {
        return rule.parties() + ", by " + rule.words() + "; "
                + (aggregator ? "a trusted aggregator sees their sums" : "each adds all of its noise itself") + ", "
                + messages() + (messages() == 1 ? " message" : " messages") + " of each";
    }

    /** The section of a report. */
    public Section section(Optional<String> epsilon) {
        List<List<String>> rows = new ArrayList<>();
        for (PartyProtocol.Exchange exchange : exchanges) {
            rows.add(List.of(
                    exchange.label(),
                    Long.toString(exchange.times()),
                    Long.toString(exchange.numbersDown()),
                    Long.toString(exchange.numbersUp()),
                    Long.toString(
                            rule.parties() * BYTES_OF_A_NUMBER * (exchange.numbersDown() + exchange.numbersUp()))));
        }
        Table table = Table.of(
                "What each party exchanges with the coordinator.",
                List.of(
                        Table.Column.text("message"),
                        Table.Column.number("times"),
                        Table.Column.number("numbers to a party"),
                        Table.Column.number("numbers from a party"),
                        Table.Column.number("bytes of all parties each time")),
                rows);
        List<String> prose = new ArrayList<>();
        prose.add(sentences());
        prose.add("Each party sends " + messages() + (messages() == 1 ? " message" : " messages") + "; a round takes "
                + bytesPerRound() + " bytes of all parties on average, " + BYTES_OF_A_NUMBER + " for each number."
                + (releasesInARow > 0 ? " Parties take turns." : " Parties answer at the same time."));
        epsilon.ifPresent(
                bound -> prose.add("Every party releases as often as every other and with as much noise: epsilon "
                        + bound + " for each of the " + rule.parties() + "."));
        return new Section("Parties", prose, List.of(table));
    }
}
