package dev.tacit.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.json.EventJson;
import dev.tacit.json.Json;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFields;
import dev.tacit.ledger.filter.ApproximateFilter;
import dev.tacit.ledger.filter.PrivacyFilter;
import dev.tacit.ledger.filter.RenyiFilter;
import dev.tacit.ledger.filter.RenyiOdometer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The lines of a ledger, read in order and written as the next ones; each carries on the chain of the one before.
 *
 * <pre>
 *   {"tacit-ledger":2,"id":...,"unit":{...},"delta":d,"odometer":[[order,weight],...],"limit":{...},"hash":h0}
 *   {"sequence":1,"kind":"charge","run":...,"label":...,"time":...,"analyst":...,"event":E,"previous":h0,"hash":h1}
 *   {"sequence":2,"kind":"charged","entry":1,"previous":h1,"hash":h2}
 *   {"sequence":3,"kind":"released","entry":1,"count":50,"previous":h2,"hash":h3}
 *   {"sequence":4,"kind":"statement","entry":1,"sha256":...,"previous":h3,"hash":h4}
 *   {"sequence":5,"kind":"torn","bytes":17,"previous":h4,"hash":h5}
 * </pre>
 *
 * Ledgers that begin with {@code {"tacit-ledger":1,"unit":{...},"budget":{...},"filter":{...}}} are read and continued.
 *
 * A hash is SHA-256 of the line's bytes without its {@code hash} field. It is taken over the bytes as they stand, never
 * over a re-written value, so a ledger verifies on every JDK.
 */
final class LedgerHistory {
    /** How every ledger begins. */
    static final String MAGIC = "{\"tacit-ledger\":";

    private static final long FORMAT = 2;

    private static final String PREVIOUS = ",\"previous\":\"";
    private static final String HASH = ",\"hash\":\"";
    private static final int HASH_DIGITS = 64;

    private final EventJson events;
    private final List<LedgerEntry> entries = new ArrayList<>();
    private final Map<Long, Integer> indexOfSequence = new HashMap<>();
    private final Map<String, Integer> indexOfRun = new HashMap<>();
    private final List<String> hashes = new ArrayList<>();
    private LedgerTerms terms;
    private byte[] lastLine = {};
    private long length;

    LedgerHistory(EventJson events) {
        this.events = events;
    }

    /** What the header says; there is always a header once a line was accepted. */
    LedgerTerms terms() {
        return terms;
    }

    List<LedgerEntry> entries() {
        return entries;
    }

    /** The hashes of all lines. */
    List<String> hashes() {
        return hashes;
    }

    /** The hash of the last line. */
    String head() {
        return hashes.get(hashes.size() - 1);
    }

    /** How many bytes the accepted lines have, line ends included. */
    long length() {
        return length;
    }

    /** The bytes of the last line, with its line end. */
    byte[] lastLine() {
        return lastLine;
    }

    LedgerEntry lastEntry() {
        return entries.get(entries.size() - 1);
    }

    /** The entry that a charge would only repeat, if there is one. */
    Optional<LedgerEntry> known(Charge charge) {
        Optional<LedgerEntry> known = charge.run().map(indexOfRun::get).map(entries::get);
        if (known.isPresent() && !known.get().event().equals(charge.event())) {
            throw new LedgerConflict("this run was already charged, as entry "
                    + known.get().sequence() + ", with another event; give the changed run another name");
        }
        return known;
    }

    /** The entry that an announcement of releases is about, if it may be made. */
    LedgerEntry advancing(LedgerEntry seen, long released) {
        Integer index = indexOfSequence.get(seen.sequence());
        if (index == null || !entries.get(index).hash().equals(seen.hash())) {
            throw new LedgerConflict("the ledger does not hold this entry: it is behind, or another ledger");
        }
        if (entries.get(index).released() != seen.released()) {
            throw new LedgerConflict("another process has continued this run: resume it from the ledger's position");
        }
        if (released <= seen.released() || released > PaidReleases.of(seen.event())) {
            throw new IllegalArgumentException(
                    "a run announces more releases than before, and at most those it was charged for");
        }
        return Entries.released(entries.get(index), released);
    }

    static String headerLine(LedgerTerms terms) {
        Map<String, Object> unit = new LinkedHashMap<>();
        unit.put("name", terms.unit().name());
        unit.put("maxRecords", terms.unit().maxRecords());
        unit.put("neighbours", terms.unit().neighbours().label());
        List<Object> odometer = new ArrayList<>();
        terms.odometer().terms().forEach(term -> odometer.add(List.of(term.order(), term.weight())));
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("tacit-ledger", FORMAT);
        terms.id().ifPresent(id -> header.put("id", id));
        header.put("unit", unit);
        header.put("delta", terms.delta());
        header.put("odometer", odometer);
        terms.limit().ifPresent(limit -> {
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("epsilon", limit.budget().epsilon());
            object.put("filter", filter(limit.filter()));
            header.put("limit", object);
        });
        return sealed(Json.write(header));
    }

    private static Map<String, Object> filter(PrivacyFilter filter) {
        Map<String, Object> object = new LinkedHashMap<>();
        if (filter instanceof RenyiFilter renyi) {
            object.put("type", "renyi");
            object.put("order", renyi.order());
        } else if (filter instanceof ApproximateFilter approximate) {
            object.put("type", "approximate");
            object.put("slack", approximate.slack());
            object.put("entryDelta", approximate.entryDelta());
        }
        return object;
    }

    String chargeLine(Charge charge) {
        if (!events.read(events.write(charge.event())).equals(charge.event())) {
            throw new IllegalArgumentException("the event does not read back from its JSON as it was");
        }
        Map<String, Object> details = new LinkedHashMap<>();
        charge.run().ifPresent(run -> details.put("run", run));
        details.put("label", charge.label());
        charge.time().ifPresent(time -> details.put("time", time.toString()));
        charge.analyst().ifPresent(analyst -> details.put("analyst", analyst));
        details.put("event", events.toValue(charge.event()));
        return nextLine("charge", details);
    }

    String chargedLine(long entry) {
        return nextLine("charged", Map.of("entry", entry));
    }

    String releasedLine(long entry, long count) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("entry", entry);
        details.put("count", count);
        return nextLine("released", details);
    }

    String statementLine(LedgerEntry entry, String sha256) {
        if (!indexOfSequence.containsKey(entry.sequence())) {
            throw new LedgerConflict("the ledger does not hold this entry: it is behind, or another ledger");
        }
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("entry", entry.sequence());
        details.put("sha256", requireHash(sha256));
        return nextLine("statement", details);
    }

    private static String requireHash(String sha256) {
        if (!sha256.matches("[0-9a-f]{" + HASH_DIGITS + "}")) {
            throw new IllegalArgumentException("a SHA-256 has 64 hexadecimal digits");
        }
        return sha256;
    }

    String tornLine(long bytes) {
        return nextLine("torn", Map.of("bytes", bytes));
    }

    private String nextLine(String kind, Map<String, Object> details) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("sequence", (long) hashes.size());
        content.put("kind", kind);
        content.putAll(details);
        content.put("previous", head());
        return sealed(Json.write(content));
    }

    /** The line that a torn one would have become, if its content is complete, that is, {@code previous} has begun. */
    Optional<String> completed(byte[] torn) {
        String text = new String(torn, UTF_8);
        int end = text.lastIndexOf(PREVIOUS);
        if (end < 0 || hashes.isEmpty()) {
            return Optional.empty();
        }
        String line = sealed(text.substring(0, end) + PREVIOUS + head() + "\"}");
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        if (torn.length >= bytes.length || !Arrays.equals(torn, Arrays.copyOf(bytes, torn.length))) {
            return Optional.empty();
        }
        try {
            parsed(bytes);
            return Optional.of(line);
        } catch (LedgerBroken e) {
            return Optional.empty();
        }
    }

    /**
     * What to say of a file without any complete line. Only text that a crash can leave of a header, which has no hash,
     * or has it and nothing else, shows that nothing was ever charged.
     */
    static LedgerBroken withoutHeader(byte[] text) {
        return new LedgerBroken(
                1,
                isTornHeader(text)
                        ? "is incomplete, so nothing was ever charged: create the ledger again"
                        : "has no line end, so the file was changed, and it may hold charges: restore it from a copy");
    }

    /** Whether this is what a crash can leave of a ledger that was being created. */
    static boolean isTornHeader(byte[] text) {
        String found = new String(text, UTF_8);
        if (found.indexOf('\n') >= 0 || !(found.startsWith(MAGIC) || MAGIC.startsWith(found))) {
            return false;
        }
        int hash = found.indexOf(HASH);
        return hash < 0 || found.length() <= hash + HASH.length() + HASH_DIGITS + 2;
    }

    /** Accepts every line that has an end and returns the bytes of the last one if it has none. */
    byte[] acceptAll(byte[] text) {
        int start = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                accept(Arrays.copyOfRange(text, start, i + 1));
                start = i + 1;
            }
        }
        return Arrays.copyOfRange(text, start, text.length);
    }

    void accept(String line) {
        accept((line + "\n").getBytes(UTF_8));
    }

    /** Accepts one line with its end, or says what is wrong with it and changes nothing. */
    private void accept(byte[] bytes) {
        Parsed line = parsed(bytes);
        line.effect().run();
        hashes.add(line.hash());
        lastLine = bytes;
        length += bytes.length;
    }

    private record Parsed(String hash, Runnable effect) {}

    private Parsed parsed(byte[] bytes) {
        long number = hashes.size() + 1L;
        try {
            ByteBuffer text = ByteBuffer.wrap(bytes, 0, bytes.length - 1);
            String line = UTF_8.newDecoder().decode(text).toString();
            String hash = verifiedHash(number, line);
            JsonFields fields = JsonFields.of(Json.read(line), "");
            Runnable effect = number == 1 ? header(fields) : successor(number, fields, hash);
            fields.text("hash");
            fields.end();
            return new Parsed(hash, effect);
        } catch (CharacterCodingException e) {
            throw new LedgerBroken(number, "is not UTF-8 text");
        } catch (JsonException e) {
            throw new LedgerBroken(number, "is not JSON");
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new LedgerBroken(number, "has another form than this version of Tacit writes: " + e.getMessage());
        }
    }

    private static String verifiedHash(long number, String line) {
        int hashStart = line.length() - HASH_DIGITS - 2;
        int contentEnd = hashStart - HASH.length();
        if (contentEnd < 0 || !line.startsWith(HASH, contentEnd) || !line.endsWith("\"}")) {
            throw new LedgerBroken(number, "does not end with a hash: it was changed, or is no line of a ledger");
        }
        String content = line.substring(0, contentEnd) + "}";
        if (!sealed(content).equals(line)) {
            throw new LedgerBroken(number, "was changed: its content does not match its hash");
        }
        return line.substring(hashStart, hashStart + HASH_DIGITS);
    }

    private Runnable header(JsonFields fields) {
        long format = fields.integer("tacit-ledger");
        if (format < 1 || format > FORMAT) {
            throw new IllegalArgumentException("its format is newer than " + FORMAT);
        }
        JsonFields unit = fields.object("unit");
        PrivacyUnit named = new PrivacyUnit(
                unit.text("name"),
                (int) Math.max(0, Math.min(unit.integer("maxRecords"), Integer.MAX_VALUE)),
                Neighbours.ofLabel(unit.text("neighbours")));
        unit.end();
        LedgerTerms read = format == 1 ? firstFormat(named, fields) : secondFormat(named, fields);
        return () -> terms = read;
    }

    private static LedgerTerms firstFormat(PrivacyUnit unit, JsonFields fields) {
        JsonFields budget = fields.object("budget");
        LedgerTerms read = new LedgerTerms(
                unit,
                new PrivacyBudget(budget.number("epsilon"), budget.number("delta")),
                filter(fields.object("filter")));
        budget.end();
        return read;
    }

    private static LedgerTerms secondFormat(PrivacyUnit unit, JsonFields fields) {
        double delta = fields.number("delta");
        List<RenyiOdometer.Term> odometer = new ArrayList<>();
        for (Object term : fields.list("odometer")) {
            if (!(term instanceof List<?> pair
                    && pair.size() == 2
                    && pair.get(0) instanceof Number order
                    && pair.get(1) instanceof Number weight)) {
                throw new IllegalArgumentException("its odometer has another form");
            }
            odometer.add(new RenyiOdometer.Term(order.doubleValue(), weight.doubleValue()));
        }
        Optional<SpendingLimit> limit = Optional.empty();
        if (fields.has("limit")) {
            JsonFields object = fields.object("limit");
            limit = Optional.of(new SpendingLimit(
                    new PrivacyBudget(object.number("epsilon"), delta), filter(object.object("filter"))));
            object.end();
        }
        Optional<String> id = fields.has("id") ? Optional.of(fields.text("id")) : Optional.empty();
        return new LedgerTerms(unit, delta, new RenyiOdometer(odometer), limit, id);
    }

    private static PrivacyFilter filter(JsonFields fields) {
        PrivacyFilter filter = switch (fields.text("type")) {
            case "renyi" -> new RenyiFilter(fields.number("order"));
            case "approximate" -> new ApproximateFilter(fields.number("slack"), fields.number("entryDelta"));
            default -> throw new IllegalArgumentException("its filter is unknown");
        };
        fields.end();
        return filter;
    }

    private Runnable successor(long number, JsonFields fields, String hash) {
        if (!fields.text("previous").equals(head())) {
            throw new LedgerBroken(
                    number, "does not follow line " + (number - 1) + ": a line was removed, inserted or moved here");
        }
        long sequence = fields.integer("sequence");
        if (sequence != number - 1) {
            throw new IllegalArgumentException("its sequence number is not that of its place");
        }
        return switch (fields.text("kind")) {
            case "charge" -> charge(fields, sequence, hash);
            case "charged" -> {
                int index = known(fields);
                yield () -> entries.set(index, Entries.confirmed(entries.get(index)));
            }
            case "released" -> {
                int index = known(fields);
                long count = fields.integer("count");
                if (count <= entries.get(index).released()) {
                    throw new IllegalArgumentException("its count is not above the one before");
                }
                yield () -> entries.set(index, Entries.released(entries.get(index), count));
            }
            case "statement" -> {
                int index = known(fields);
                String sha256 = requireHash(fields.text("sha256"));
                yield () -> entries.set(index, Entries.stated(entries.get(index), sha256));
            }
            case "torn" -> {
                fields.integer("bytes");
                yield () -> {};
            }
            default -> throw new IllegalArgumentException("its kind is unknown");
        };
    }

    private Runnable charge(JsonFields fields, long sequence, String hash) {
        Optional<String> run = fields.has("run") ? Optional.of(fields.text("run")) : Optional.empty();
        Optional<Instant> time =
                fields.has("time") ? Optional.of(Instant.parse(fields.text("time"))) : Optional.empty();
        Optional<String> analyst = fields.has("analyst") ? Optional.of(fields.text("analyst")) : Optional.empty();
        PrivacyEvent event = events.fromValue(fields.value("event"));
        if (run.filter(indexOfRun::containsKey).isPresent()) {
            throw new IllegalArgumentException("it charges a run a second time");
        }
        LedgerEntry entry = new LedgerEntry(
                sequence, hash, fields.text("label"), event, run, time, analyst, false, 0, Optional.empty());
        return () -> {
            indexOfSequence.put(sequence, entries.size());
            run.ifPresent(name -> indexOfRun.put(name, entries.size()));
            entries.add(entry);
        };
    }

    private int known(JsonFields fields) {
        Integer index = indexOfSequence.get(fields.integer("entry"));
        if (index == null) {
            throw new IllegalArgumentException("it speaks of an entry that is not there");
        }
        return index;
    }

    /** An object's text with the hash of that text as its last field. */
    private static String sealed(String content) {
        return content.substring(0, content.length() - 1) + HASH + sha256(content) + "\"}";
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
