package dev.tacit.privacy.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tacit.privacy.event.EventJson;
import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.json.Json;
import dev.tacit.privacy.json.JsonException;
import dev.tacit.privacy.json.JsonFields;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
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
 *   {"tacit-ledger":1,"unit":{...},"budget":{...},"filter":{...},"hash":h0}
 *   {"sequence":1,"kind":"charge","run":...,"label":...,"time":...,"event":E,"previous":h0,"hash":h1}
 *   {"sequence":2,"kind":"charged","entry":1,"previous":h1,"hash":h2}
 *   {"sequence":3,"kind":"released","entry":1,"count":50,"previous":h2,"hash":h3}
 *   {"sequence":4,"kind":"torn","bytes":17,"previous":h3,"hash":h4}
 * </pre>
 *
 * A hash is SHA-256 of the line's bytes without its {@code hash} field. It is taken over the bytes as they stand, never
 * over a re-written value, so a ledger verifies on every JDK.
 */
final class LedgerHistory {
    /** How every ledger begins. */
    static final String MAGIC = "{\"tacit-ledger\":1,";

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
        if (released <= seen.released() || released > seen.releases()) {
            throw new IllegalArgumentException(
                    "a run announces more releases than before, and at most those it was charged for");
        }
        return entries.get(index).withReleased(released);
    }

    static String headerLine(LedgerTerms terms) {
        Map<String, Object> unit = new LinkedHashMap<>();
        unit.put("name", terms.unit().name());
        unit.put("maxRecords", terms.unit().maxRecords());
        unit.put("neighbours", terms.unit().neighbours().label());
        Map<String, Object> budget = new LinkedHashMap<>();
        budget.put("epsilon", terms.budget().epsilon());
        budget.put("delta", terms.budget().delta());
        Map<String, Object> filter = new LinkedHashMap<>();
        if (terms.filter() instanceof RenyiFilter renyi) {
            filter.put("type", "renyi");
            filter.put("order", renyi.order());
        } else if (terms.filter() instanceof ApproximateFilter approximate) {
            filter.put("type", "approximate");
            filter.put("slack", approximate.slack());
            filter.put("entryDelta", approximate.entryDelta());
        }
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("tacit-ledger", 1L);
        header.put("unit", unit);
        header.put("budget", budget);
        header.put("filter", filter);
        return sealed(Json.write(header));
    }

    String chargeLine(Charge charge) {
        if (!events.read(events.write(charge.event())).equals(charge.event())) {
            throw new IllegalArgumentException("the event does not read back from its JSON as it was");
        }
        Map<String, Object> details = new LinkedHashMap<>();
        charge.run().ifPresent(run -> details.put("run", run));
        details.put("label", charge.label());
        charge.time().ifPresent(time -> details.put("time", time.toString()));
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
        if (fields.integer("tacit-ledger") != 1) {
            throw new IllegalArgumentException("its format is newer than 1");
        }
        JsonFields unit = fields.object("unit");
        JsonFields budget = fields.object("budget");
        JsonFields filter = fields.object("filter");
        LedgerTerms read = new LedgerTerms(
                new PrivacyUnit(
                        unit.text("name"),
                        (int) Math.max(0, Math.min(unit.integer("maxRecords"), Integer.MAX_VALUE)),
                        Neighbours.ofLabel(unit.text("neighbours"))),
                new PrivacyBudget(budget.number("epsilon"), budget.number("delta")),
                filter(filter));
        unit.end();
        budget.end();
        filter.end();
        return () -> terms = read;
    }

    private static PrivacyFilter filter(JsonFields fields) {
        return switch (fields.text("type")) {
            case "renyi" -> new RenyiFilter(fields.number("order"));
            case "approximate" -> new ApproximateFilter(fields.number("slack"), fields.number("entryDelta"));
            default -> throw new IllegalArgumentException("its filter is unknown");
        };
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
                yield () -> entries.set(index, entries.get(index).asConfirmed());
            }
            case "released" -> {
                int index = known(fields);
                long count = fields.integer("count");
                if (count <= entries.get(index).released()) {
                    throw new IllegalArgumentException("its count is not above the one before");
                }
                yield () -> entries.set(index, entries.get(index).withReleased(count));
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
        PrivacyEvent event = events.fromValue(fields.value("event"));
        if (run.filter(indexOfRun::containsKey).isPresent()) {
            throw new IllegalArgumentException("it charges a run a second time");
        }
        LedgerEntry entry = new LedgerEntry(sequence, hash, fields.text("label"), event, run, time, false, 0);
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
