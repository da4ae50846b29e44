package dev.tacit.fit.run;

import dev.tacit.accounting.renyi.RenyiAccountant;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.KeptRecords;
import dev.tacit.fit.ledger.LedgerKey;
import dev.tacit.fit.ledger.LedgerPlace;
import dev.tacit.fit.ledger.LedgerView;
import dev.tacit.json.Json;
import dev.tacit.json.JsonFields;
import dev.tacit.ledger.FileLedger;
import dev.tacit.ledger.LedgerSummary;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.RenyiCurve;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The ledger that a fit is charged to: where it lies, whether it is that of these records, and what it says.
 *
 * <p>A ledger is bound to its records by a {@link LedgerKey} beside it. Before a charge, the sketch of the table is
 * compared with that of all records charged for so far: unless at least half of the smaller body lies in the larger, the
 * table is another one, and is refused. Nothing of the comparison is written anywhere but into the key's file.
 *
 * <p>A simulation is not charged to the ledger of the records unless one is named: its noise protects nobody.
 */
public final class FitLedger {
    /** Of the smaller of two bodies of records, the share that lies in the larger if they are the same people. */
    static final double SAME_PEOPLE = 0.5;

    /** Between a run's token and what it marked; names of tokens have none. */
    private static final char MARK = '-';

    private final FitRequest request;
    private final FitFolder folder;
    private final String run;
    private final boolean resumed;
    private final TableEngine engine;
    private final String advice;
    private final Path file;
    private final boolean bound;
    private Optional<RecordSketch> sketch = Optional.empty();
    private byte[] secret;
    private FileLedger ledger;

    /** The run's token that this process wrote last; while it is the newest, nobody else goes on with the run. */
    private String token = "";

    private FitLedger(
            FitRequest request, FitFolder folder, String run, boolean resumed, TableEngine engine, String advice) {
        this.advice = advice;
        this.request = request;
        this.folder = folder;
        this.run = run;
        this.resumed = resumed;
        this.engine = engine;
        this.file = request.budget().isPresent() ? place(request) : folder.ledgerOfSimulation();
        this.bound = request.budget().isPresent() && !ownOfSimulation(request);
        this.secret = (bound ? LedgerKey.read(LedgerKey.beside(file)) : Optional.<LedgerKey>empty())
                .map(LedgerKey::secret)
                .orElseGet(KeptRecords::newSecret);
    }

    /** Finds the ledger before any record is read. */
    static FitLedger of(FitRequest request, FitFolder folder, String run, boolean resumed, TableEngine engine) {
        if (Files.exists(folder.ledgerOfEarlierVersions())) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    folder.path() + " was started by an earlier version of Tacit, which kept the ledger inside; go on"
                            + " with that version, or start a new run.");
        }
        return new FitLedger(
                request,
                folder,
                run,
                resumed,
                engine,
                "name the ledger of these records with --ledger, or say --same-people if you know that they are the same"
                        + " people");
    }

    /** The ledger of one who takes part in somebody else's run, and named it when that was approved. */
    static FitLedger held(FitRequest request, FitFolder folder, String run, boolean resumed, TableEngine engine) {
        return new FitLedger(
                request,
                folder,
                run,
                resumed,
                engine,
                "approve the study again with --ledger and the ledger of these records, or of new people one that is not"
                        + " there yet");
    }

    /** Where the ledger of a request lies. */
    public static Path place(FitRequest request) {
        if (ownOfSimulation(request)) {
            return new FitFolder(request.out()).ledgerOfSimulation();
        }
        Path file = request.ledger().file().orElseGet(() -> LedgerPlace.beside(request.data()));
        if (file.toAbsolutePath()
                .normalize()
                .startsWith(request.out().toAbsolutePath().normalize())) {
            throw FitException.usage("the ledger would lie in " + request.out()
                    + ", which belongs to this run alone and may be copied; name a place outside with --ledger.");
        }
        return file;
    }

    public static boolean ownOfSimulation(FitRequest request) {
        return request.seed().isPresent() && request.ledger().file().isEmpty();
    }

    /** The secret under which to sketch the records of a run that begins. */
    byte[] secret() {
        return secret.clone();
    }

    /** The records that the run sees. */
    void sees(byte[] under, RecordSketch records) {
        secret = under.clone();
        sketch = Optional.of(records);
    }

    /**
     * The ledger, which is checked to be that of these records before anything is charged; if there is none, it is created
     * by the charge, so that a run that is refused leaves none behind.
     *
     * @param beforeCharge done when nothing but the charge itself is left to do
     */
    PrivacyLedger atCharge(PrivacyUnit unit, PrivacyEvent plan, Runnable beforeCharge) {
        return new AtCharge(unit, plan, beforeCharge);
    }

    private final class AtCharge implements PrivacyLedger {
        private final PrivacyUnit unit;
        private final LedgerTerms planned;
        private final Runnable beforeCharge;

        AtCharge(PrivacyUnit unit, PrivacyEvent plan, Runnable beforeCharge) {
            this.unit = unit;
            this.planned = ledger == null ? planned(unit, plan) : ledger.terms();
            this.beforeCharge = beforeCharge;
        }

        @Override
        public LedgerEntry charge(Charge charge) throws BudgetExhausted {
            FileLedger ready = ready();
            beforeCharge.run();
            LedgerEntry entry = ready.charge(charge);
            // Of two that began at once, the one that was bound first has to leave.
            ready.exclusively(state -> {
                requireOwn();
                return null;
            });
            return entry;
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            return ready().advance(entry, released, FitLedger.this::requireOwn);
        }

        @Override
        public PrivacyUnit unit() {
            return exists() ? ready().unit() : planned.unit();
        }

        @Override
        public List<LedgerEntry> entries() {
            return exists() ? ready().entries() : List.of();
        }

        @Override
        public boolean durable() {
            return true;
        }

        private boolean exists() {
            return ledger != null || Files.exists(file);
        }

        private FileLedger ready() {
            if (ledger == null) {
                if (bound) {
                    requireNotLost();
                }
                FileLedger found = FileLedger.openOrCreate(file, planned, LedgerView.accounting());
                requireSuitable(found.terms(), unit);
                if (bound) {
                    bind(found);
                }
                ledger = found;
            }
            return ledger;
        }
    }

    private LedgerTerms planned(PrivacyUnit unit, PrivacyEvent plan) {
        double delta = request.budget().orElseThrow().delta();
        RenyiCurve renyi = new RenyiAccountant()::divergence;
        OptionalDouble limit = request.ledger().limit();
        LedgerTerms terms = limit.isPresent()
                ? LedgerTerms.forPlan(unit, new PrivacyBudget(limit.getAsDouble(), delta), plan, renyi)
                : LedgerTerms.withoutLimit(unit, delta, plan, renyi);
        return bound ? terms.identified(LedgerKey.newName()) : terms;
    }

    /** A key is written after its ledger, so a key alone shows that the ledger went. */
    private void requireNotLost() {
        try {
            Path key = LedgerKey.beside(file);
            if (Files.exists(key) && !(Files.exists(file) && Files.size(file) > 0)) {
                throw new FitException(
                        FitException.Kind.CONFIGURATION,
                        file
                                + " is gone, although its key is here, so what was spent would be forgotten; restore it, or"
                                + " remove " + key + " if nothing was ever released.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void requireSuitable(LedgerTerms found, PrivacyUnit unit) {
        if (!found.unit().equals(unit)) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    file + " protects another unit than the schema declares; use the ledger of these data.");
        }
        OptionalDouble asked = request.ledger().limit();
        if (asked.isPresent()
                && found.limit().map(limit -> limit.budget().epsilon()).orElse(0.0) != asked.getAsDouble()) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    file + " exists with " + (found.limit().isPresent() ? "another limit" : "no limit")
                            + ", which cannot be changed; leave out --ledger-epsilon, or name another --ledger.");
        }
    }

    /** Compares and writes the key, again under the key of another process that was faster. */
    private void bind(FileLedger found) {
        Optional<byte[]> other = found.exclusively(this::bound);
        while (other.isPresent()) {
            SketchKey key = new SketchKey(other.get());
            sees(other.get(), Preparations.sketch(request.data(), request.schema(), engine, key));
            other = found.exclusively(this::bound);
        }
    }

    /** Binds the ledger, or refuses; returns the secret under which to sketch again if it is another one. */
    private Optional<byte[]> bound(FileLedger.State state) {
        Path file = LedgerKey.beside(this.file);
        String name = state.terms().id().orElse(state.hashes().get(0));
        Optional<LedgerKey> kept = LedgerKey.read(file);
        boolean told = request.ledger().samePeople();
        if (kept.isPresent() && !kept.get().ledger().equals(name)) {
            requireTold(told, file + " belongs to another ledger");
            kept = Optional.empty();
        } else if (kept.isEmpty() && !state.entries().isEmpty()) {
            requireTold(told, file + ", by which " + this.file + " knows its records, is missing");
        }
        if (kept.isEmpty()) {
            token = LedgerKey.newName();
            writeFence(token, "");
            new LedgerKey(name, secret, sketch.orElseThrow(), state.head(), Map.of(run, token)).write(file);
            return Optional.empty();
        }
        LedgerKey key = kept.get();
        if (!Arrays.equals(key.secret(), secret)) {
            return Optional.of(key.secret());
        }
        if (!state.hashes().contains(key.head())) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    this.file + " is an older copy: it lacks lines that were there before, so what was spent is not all"
                            + " in it; restore the newest.");
        }
        boolean charged = state.entries().stream().anyMatch(entry -> entry.run().equals(Optional.of(run)));
        if (charged && !(resumed && (told || Files.exists(folder.fence())))) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    this.file + " was charged for this run in another folder than " + folder.path()
                            + "; go on in that one, or noise would be drawn twice.");
        }
        if (charged && !told) {
            requireNewest(key);
        }
        requireTold(told || samePeople(key.sketch()), this.file + " is the ledger of other records");
        RecordSketch all =
                sketch.orElseThrow().comparable(key.sketch()) ? sketch.get().union(key.sketch()) : sketch.get();
        takeOver(new LedgerKey(name, secret, all, state.head(), key.runs()), file, markOf(key));
        return Optional.empty();
    }

    private void requireTold(boolean fine, String problem) {
        if (!fine) {
            throw new FitException(FitException.Kind.CONFIGURATION, problem + "; " + advice + ".");
        }
    }

    private boolean samePeople(RecordSketch charged) {
        RecordSketch now = sketch.orElseThrow();
        if (!now.comparable(charged)) {
            return false;
        }
        double share = Math.max(
                now.containedIn(charged).share(), charged.containedIn(now).share());
        return share >= SAME_PEOPLE || now.sameRecords(charged);
    }

    /** Writes a new token into the run's folder and into the key, so that every other copy of the folder has an old one. */
    private void takeOver(LedgerKey key, Path file, long mark) {
        token = mark == 0 ? LedgerKey.newName() : LedgerKey.newName() + MARK + mark;
        writeFence(token, key.runs().getOrDefault(run, ""));
        Map<String, String> runs = new LinkedHashMap<>(key.runs());
        runs.put(run, token);
        new LedgerKey(key.ledger(), key.secret(), key.sketch(), key.head(), runs).write(file);
    }

    /** The mark that the run left last, which goes from token to token. */
    private long markOf(LedgerKey key) {
        String newest = key.runs().getOrDefault(run, "");
        int at = newest.indexOf(MARK);
        String mark = newest.substring(at + 1);
        if (at >= 0 && !mark.matches("[0-9]{1,18}")) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    LedgerKey.beside(file)
                            + " was changed by hand, so nobody can tell which copy of the run is the newest;"
                            + " restore it.");
        }
        return at < 0 ? 0 : Long.parseLong(mark);
    }

    private boolean isOwn() {
        return !bound || LedgerKey.has(LedgerKey.beside(file), token);
    }

    /** Refuses to go on once somebody else went on with the run; asked while nobody can write to the ledger. */
    private void requireOwn() {
        if (!isOwn()) {
            throw wentOn();
        }
    }

    private FitException wentOn() {
        return new FitException(
                FitException.Kind.CONFIGURATION,
                "the run in " + folder.path() + " went on in another copy of this folder; only the newest copy may"
                        + " be resumed, or noise would be drawn twice.");
    }

    /** The run's token is new each time that it goes on, so a copy of its folder has an old one. */
    private void requireNewest(LedgerKey key) {
        String newest = key.runs().getOrDefault(run, "none");
        Map<String, String> fence = readFence();
        if (!newest.equals(fence.get("token")) && !newest.equals(fence.get("previous"))) {
            throw wentOn();
        }
    }

    private void writeFence(String token, String previous) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("token", token);
        json.put("previous", previous);
        folder.write(folder.fence(), Json.write(json) + "\n");
    }

    private Map<String, String> readFence() {
        try {
            JsonFields json = JsonFields.of(Json.read(Files.readString(folder.fence(), StandardCharsets.UTF_8)), "");
            return Map.of("token", json.text("token"), "previous", json.text("previous"));
        } catch (IOException | IllegalArgumentException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA, folder.fence() + " cannot be read, so the run cannot be resumed.", e);
        }
    }

    /** What the ledger says now about all runs; empty for the own ledger of a simulation. */
    Optional<ReleaseRecord.Ledger> total() {
        if (ledger == null || !bound) {
            return Optional.empty();
        }
        LedgerSummary summary = ledger.summary();
        List<LedgerSummary.Line> lines = summary.lines();
        int index = 0;
        while (!lines.get(index).entry().run().equals(Optional.of(run))) {
            index++;
        }
        return Optional.of(new ReleaseRecord.Ledger(
                lines.size(),
                index + 1L,
                summary.holds().upper(),
                summary.terms().delta(),
                summary.terms().limit().isPresent()
                        ? OptionalDouble.of(
                                summary.terms().limit().get().budget().epsilon())
                        : OptionalDouble.empty(),
                ledger.head()));
    }

    /** The hash of the newest line of a ledger that was charged. */
    String head() {
        return ledger.head();
    }

    /** How many releases of a run a ledger that was charged knows of. */
    long released(String run) {
        return ledger.entries().stream()
                .filter(entry -> entry.run().equals(Optional.of(run)))
                .mapToLong(LedgerEntry::released)
                .max()
                .orElse(0);
    }

    /** Whether a ledger that was charged has a line of that hash. */
    boolean knows(String line) {
        return ledger.<Boolean>exclusively(state -> state.hashes().contains(line));
    }

    /** Records what was published about the run. */
    void published(String statementHash) {
        if (ledger == null || !bound) {
            return;
        }
        for (LedgerEntry entry : ledger.entries()) {
            if (entry.run().equals(Optional.of(run)) && !entry.statement().equals(Optional.of(statementHash))) {
                ledger.recordStatement(entry, statementHash);
            }
        }
    }

    /** The run is complete: copies of its folder that were made before are older from now on. */
    void ended() {
        if (ledger == null || !bound) {
            return;
        }
        ledger.exclusively(state -> {
            if (isOwn()) {
                renew(state, OptionalLong.empty());
            }
            return null;
        });
    }

    /**
     * Something is about to leave that must be said once: copies of the folder that were made before are older from now on.
     *
     * @param mark how much was said so, which is kept beside the ledger
     */
    void outdateCopies(long mark) {
        ledger.exclusively(state -> {
            requireOwn();
            renew(state, OptionalLong.of(mark));
            return null;
        });
    }

    private void renew(FileLedger.State state, OptionalLong mark) {
        Path key = LedgerKey.beside(file);
        LedgerKey kept = LedgerKey.read(key).orElseThrow(this::wentOn);
        takeOver(
                new LedgerKey(kept.ledger(), kept.secret(), kept.sketch(), state.head(), kept.runs()),
                key,
                mark.orElse(markOf(kept)));
    }

    /** The newest mark of a ledger that was charged; 0 if there is none. */
    long mark() {
        return LedgerKey.read(LedgerKey.beside(file)).map(this::markOf).orElse(0L);
    }

    String name() {
        return file.toString();
    }
}
