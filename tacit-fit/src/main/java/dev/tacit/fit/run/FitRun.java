package dev.tacit.fit.run;

import dev.tacit.accounting.confirm.Confirmed;
import dev.tacit.data.prepare.EngineException;
import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.PrivateBounds;
import dev.tacit.data.prepare.RecordSketch;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.LedgerConflict;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.SealedConflict;
import dev.tacit.fit.artefact.PartyRecord;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.artefact.StoredLikelihood;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.TacitVersion;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.FitOutcome;
import dev.tacit.fit.folder.FolderClaim;
import dev.tacit.fit.folder.KeptRecords;
import dev.tacit.inference.DivergedException;
import dev.tacit.inference.FreePrior;
import dev.tacit.inference.LostReleaseException;
import dev.tacit.inference.OtherStatisticException;
import dev.tacit.inference.noiseaware.StoredTrace;
import dev.tacit.json.JsonException;
import dev.tacit.json.JsonFieldException;
import dev.tacit.ledger.LedgerBroken;
import dev.tacit.ledger.LedgerUnavailable;
import dev.tacit.ledger.SealedFile;
import dev.tacit.noise.SecureNoise;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import dev.tacit.run.CalibratedPlan;
import dev.tacit.run.CheckpointFile;
import dev.tacit.run.InferenceRun;
import dev.tacit.run.ReleaseNote;
import dev.tacit.run.RunListener;
import dev.tacit.run.method.FitMethod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fits a model: plans and calibrates ({@link FitPlanning}), opens the data, charges ({@link FitDoor}), runs, and writes the folder.
 *
 * <p>Everything that can be wrong with what was asked or with the files is found before anything is charged; until then
 * no folder is left behind. From the charge on, an interrupted run can be resumed.
 */
public final class FitRun {
    /** The accountant whose bound is promised. */
    private static final String EXACT = "exact";

    /**
     * What is known before the data are opened.
     *
     * @param method kernel and model
     * @param kernelPlan the releases that the kernel asks for
     * @param counts whether usable units are counted before them
     * @param plan all releases
     * @param calibrated the plan with its noise; empty if the run is not private
     * @param identity of the run
     * @param resumed whether the run goes on that is in the folder
     */
    public record Prepared(
            FitMethod<?, ?> method,
            ReleasePlan kernelPlan,
            boolean counts,
            ReleasePlan plan,
            Optional<CalibratedPlan> calibrated,
            Optional<Confirmed> confirmed,
            Identity identity,
            boolean resumed) {}

    /** The run's own name and the seed of the randomness that is not noise; both stay in {@code sealed/}. */
    public record Identity(String name, long randomSeed) {}

    private final FitRequest request;
    private final FitFolder folder;
    private final RunListener listener;
    private final TableEngine engine;
    private final RunWitness witness;

    /** On this machine. */
    public FitRun(FitRequest request, RunListener listener) {
        this(request, listener, new LocalTables(request.threads()));
    }

    /**
     * On an engine, which the result does not depend on, and which a resumed run may change.
     *
     * @param engine reads the records and adds them up; closed by whoever made it
     */
    public FitRun(FitRequest request, RunListener listener, TableEngine engine) {
        this(request, listener, engine, RunWitness.NOBODY);
    }

    /**
     * On an engine, with a witness.
     *
     * @param witness who puts invented records beside the private ones and listens to what is released
     */
    public FitRun(FitRequest request, RunListener listener, TableEngine engine, RunWitness witness) {
        this.engine = engine;
        this.request = request;
        this.folder = new FitFolder(request.out());
        this.listener = listener;
        this.witness = witness;
    }

    /** Plans and calibrates a run from its start or from its newest checkpoint, without touching the data. */
    public Prepared prepare(boolean resume) {
        Identity identity = resume ? interruptedIdentity() : newIdentity();
        if (!resume) {
            folder.requireFree();
        }
        return new FitPlanning(request, engine, witness).prepared(identity, resume);
    }

    /** Takes the folder, opens the data, charges and fits. */
    public FitOutcome run(Prepared prepared) {
        try (FolderClaim claim = prepared.resumed() ? FolderClaim.resumed(folder) : FolderClaim.fresh(folder)) {
            if (prepared.resumed() && !keptIdentity().equals(prepared.identity())) {
                throw new FitException(
                        FitException.Kind.CONFIGURATION,
                        "another run was begun in " + folder.path() + " meanwhile; look at it first.");
            }
            return run(prepared, claim);
        }
    }

    private FitOutcome run(Prepared prepared, FolderClaim claim) {
        FitLedger charging = FitLedger.of(request, folder, prepared.identity().name(), prepared.resumed(), engine);
        boolean buys = BoughtBounds.neededBy(request.schema());
        try (PrivateDataset data = records(prepared, charging, buys);
                SealedFile sealed =
                        SealedFile.open(folder.releases(), prepared.identity().name())) {
            FitDoor door = new FitDoor(
                    request, prepared, charging, claim, witness, sealed, data, Optional.empty(), Optional.empty());
            if (!buys) {
                return fit(prepared.method(), prepared, door, request.schema());
            }
            BoughtBounds bought = bounds(door);
            try (PrivateDataset encoded = Preparations.open(request.data(), bought.schema(), engine)) {
                return fit(
                        FitPlanning.method(request, bought.schema()),
                        prepared,
                        door.encoded(encoded, bought),
                        bought.schema());
            }
        } catch (BudgetExhausted e) {
            throw new FitException(FitException.Kind.BUDGET_EXHAUSTED, e.getMessage(), e);
        } catch (EngineException e) {
            throw Preparations.said(e);
        } catch (SchemaException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        } catch (LostReleaseException | DivergedException | OtherStatisticException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, e.getMessage() + ".", e);
        } catch (JsonException | JsonFieldException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA,
                    folder.checkpoint() + " is not a checkpoint of this version, so the run cannot be resumed.",
                    e);
        } catch (LedgerBroken e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA, charging.name() + " is not a whole ledger: " + e.getMessage() + ".", e);
        } catch (UncheckedIOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot use " + folder.path() + "; check its rights and that the disk has room, then "
                            + (claim.isKept() ? "go on with --resume." : "repeat the command."),
                    e);
        } catch (LedgerUnavailable e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    e.getMessage() + (claim.isKept() ? "; when it can be used again, go on with --resume." : "."),
                    e);
        } catch (LedgerConflict | SealedConflict e) {
            throw new FitException(FitException.Kind.CONFIGURATION, e.getMessage() + ".", e);
        }
    }

    /** Opens the records; those of a run that goes on must be those that it began with. */
    private PrivateDataset records(Prepared prepared, FitLedger charging, boolean buys) {
        Optional<KeptRecords> before = prepared.resumed() ? Optional.of(keptRecords()) : Optional.empty();
        byte[] secret = before.map(KeptRecords::secret).orElseGet(charging::secret);
        SketchKey key = new SketchKey(secret);
        PrivateDataset data;
        RecordSketch sketch;
        if (buys) {
            sketch = Preparations.sketch(request.data(), request.schema(), engine, key);
            data = Preparations.openForBounds(request.data(), request.schema(), engine);
        } else {
            Preparation.Sketched opened = Preparations.openSketched(
                    request.data(), request.schema(), engine, key, witness.beside(folder, prepared.resumed()));
            sketch = opened.sketch();
            data = opened.dataset();
        }
        try {
            if (before.isPresent() && !before.get().same(sketch, request.data())) {
                throw new FitException(
                        FitException.Kind.CONFIGURATION,
                        "the records of " + request.dataName() + " are not those that the run in " + folder.path()
                                + " began with; go on with the same records, or start a new run.");
            }
            if (before.isEmpty()) {
                folder.write(folder.records(), new KeptRecords(secret, sketch).toJson() + "\n");
                folder.write(folder.runFile(), KeptRun.text(request, prepared.identity()));
            }
            charging.sees(secret, sketch);
            return data;
        } catch (RuntimeException e) {
            data.close();
            throw e;
        }
    }

    private KeptRecords keptRecords() {
        try {
            return KeptRecords.fromJson(
                    Files.readString(folder.records(), StandardCharsets.UTF_8),
                    folder.records().toString());
        } catch (IOException | IllegalArgumentException e) {
            throw new FitException(
                    FitException.Kind.BAD_DATA, folder.records() + " cannot be read, so the run cannot be resumed.", e);
        }
    }

    private <M, S extends Record> FitOutcome fit(
            FitMethod<M, S> method, Prepared prepared, FitDoor before, Schema schema)
            throws BudgetExhausted, LostReleaseException {
        FitDoor door = prepared.counts() ? before.afterCounting(count(before)) : before;
        InferenceRun<M, S> run = new InferenceRun<>(
                method.kernel(),
                method.model(),
                prepared.identity().name(),
                new CheckpointFile(folder.checkpoint(), door.sealed()),
                listener);
        InferenceRun.Result<S> result =
                run.run(door::open, RandomStream.ofSeed(prepared.identity().randomSeed()));
        return outcome(method, prepared, door, schema, result);
    }

    /** Buys the bounds, or finds what an interrupted run bought. */
    private BoughtBounds bounds(FitDoor door) throws BudgetExhausted, LostReleaseException {
        if (Files.exists(folder.bounds())) {
            try {
                return BoughtBounds.fromJson(Files.readString(folder.bounds(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        PrivateSession session = door.open(Optional.empty());
        if (session.lostReleases() > 0) {
            throw new LostReleaseException("the crash took the release of the bounds, which all others build on;"
                    + " what it cost stays spent, so start a new run with what is left of the budget");
        }
        PrivateBounds.Purchase purchase = PrivateBounds.buy(session, request.schema());
        BoughtBounds bought = new BoughtBounds(
                purchase.schema(),
                ReleaseNote.of(session.plan().phaseOf(0).label(), purchase.released()),
                session.position().orElseThrow());
        folder.write(folder.bounds(), bought.toJson() + "\n");
        return bought;
    }

    /** Counts the usable units, or finds what an interrupted run counted. */
    private UsableCount count(FitDoor door) throws BudgetExhausted, LostReleaseException {
        if (Files.exists(folder.count())) {
            try {
                return UsableCount.fromJson(Files.readString(folder.count(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        PrivateSession session = door.open(Optional.empty());
        if (session.lostReleases() > 0) {
            throw new LostReleaseException("the crash took the release of the number of usable units;"
                    + " what it cost stays spent, so start a new run with what is left of the budget");
        }
        UsableCount counted = UsableCount.buy(session);
        folder.write(folder.count(), counted.toJson() + "\n");
        return counted;
    }

    private <M, S extends Record> FitOutcome outcome(
            FitMethod<M, S> method, Prepared prepared, FitDoor door, Schema schema, InferenceRun.Result<S> result) {
        List<ReleaseNote> notes = new ArrayList<>();
        door.bought().ifPresent(bought -> notes.add(bought.note()));
        door.counted().ifPresent(counted -> notes.add(counted.note()));
        notes.addAll(result.notes());
        Optional<Posterior> other = prepared.calibrated().isPresent()
                ? method.withoutPrivacyNoise().map(reading -> reading.posterior(result.state()))
                : Optional.empty();
        Optional<FreePrior.Reading> reading = StoredLikelihood.reading(method, result.state());
        StoredPosterior fitted = new StoredPosterior(
                request.model(),
                method.use(),
                request.method(),
                method.settings(),
                schema,
                result.posterior(),
                other,
                reading.map(FreePrior.Reading::prior),
                reading.map(FreePrior.Reading::cautions).orElse(List.of()),
                reading.map(FreePrior.Reading::centre).orElse(Map.of()),
                result.provenance());
        Optional<ReleaseRecord.Privacy> privacy = prepared.calibrated()
                .map(calibrated -> new ReleaseRecord.Privacy(
                        request.budget().orElseThrow(),
                        calibrated.noiseMultiplier(),
                        calibrated.epsilon().upper(),
                        EXACT,
                        prepared.confirmed(),
                        door.charging().total()));
        ReleaseRecord release = new ReleaseRecord(
                request.dataName(),
                request.schema().privacyUnit(),
                request.schema().size(),
                prepared.plan(),
                door.bought().isPresent() ? 1 : 0,
                door.counted().map(UsableCount::units),
                PartyRecord.of(
                        method.kernel(),
                        FitPlanning.plan(method, request.schema().size())),
                Optional.empty(),
                privacy,
                notes,
                result.provenance(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                versions());
        FitOutcome outcome = new FitOutcome(fitted, release);
        if (result.state() instanceof StoredTrace.Holder holder
                && holder.stored().steps() > 0) {
            folder.write(folder.path().resolve(FitFolder.TRACE), holder.stored().csv());
        }
        StoredLikelihood.text(method, result.state(), result.provenance())
                .ifPresent(text -> folder.write(folder.likelihood(), text));
        witness.done(folder, outcome);
        FitWriting.write(folder, outcome, door.charging());
        return outcome;
    }

    static Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>();
        versions.put("tacit", TacitVersion.number());
        versions.put("java", System.getProperty("java.version"));
        return versions;
    }

    private Identity newIdentity() {
        SecureNoise random = SecureNoise.create();
        String name = String.format("%016x%016x", random.nextLong(), random.nextLong());
        return new Identity(name, request.seed().orElseGet(random::nextLong));
    }

    private Identity interruptedIdentity() {
        if (!folder.resumable()) {
            throw KeptRun.notThere(folder);
        }
        return keptIdentity();
    }

    /** The identity in the folder, which must be that of the same run. */
    public Identity keptIdentity() {
        KeptRun kept = KeptRun.read(folder);
        kept.difference(request).ifPresent(words -> {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "the run in " + request.out() + " was started " + words
                            + "; leave out what differs, or start another run in another folder.");
        });
        return kept.identity();
    }
}
