package dev.tacit.fit.run;

import dev.tacit.data.prepare.LocalTables;
import dev.tacit.data.prepare.Preparation;
import dev.tacit.data.prepare.TableEngine;
import dev.tacit.data.source.SketchKey;
import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.file.DurableFile;
import dev.tacit.fit.artefact.ReleaseRecord;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.base.Sha256;
import dev.tacit.fit.folder.FitFolder;
import dev.tacit.fit.folder.KeptRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Optional;

/**
 * The records of one who takes part in somebody else's run, with the ledger that they are bound to.
 *
 * <p>As in a fit, the ledger lies beside the data unless it is named, knows its records, and refuses older copies of itself or of the
 * run's folder. A run that goes on must see the records that it began with.
 */
public final class HeldRecords implements AutoCloseable {
    private final PrivateDataset data;
    private final FitLedger charging;

    private HeldRecords(PrivateDataset data, FitLedger charging) {
        this.data = data;
        this.charging = charging;
    }

    /**
     * Opens the records, and finds their ledger; nothing is charged.
     *
     * @param request its folder holds what the run keeps
     * @param run its name, under which it is charged once
     */
    public static HeldRecords open(FitRequest request, String run) {
        FitFolder folder = new FitFolder(request.out());
        try {
            if (!Files.exists(folder.sealed())) {
                DurableFile.createOwnerFolder(folder.sealed());
            }
            boolean resumed = Files.exists(folder.records());
            TableEngine here = new LocalTables(request.threads());
            FitLedger charging = FitLedger.held(request, folder, run, resumed, here);
            Optional<KeptRecords> before = resumed
                    ? Optional.of(KeptRecords.fromJson(
                            Files.readString(folder.records(), StandardCharsets.UTF_8),
                            folder.records().toString()))
                    : Optional.empty();
            byte[] secret = before.map(KeptRecords::secret).orElseGet(charging::secret);
            Preparation.Sketched opened = Preparations.openSketched(
                    request.data(), request.schema(), here, new SketchKey(secret), Optional.empty());
            if (before.isPresent() && !before.get().same(opened.sketch(), request.data())) {
                opened.dataset().close();
                throw new FitException(
                        FitException.Kind.CONFIGURATION,
                        "the records of " + request.dataName() + " are not those that the run in " + folder.path()
                                + " began with; go on with the same records.");
            }
            if (before.isEmpty()) {
                folder.write(folder.records(), new KeptRecords(secret, opened.sketch()).toJson() + "\n");
            }
            charging.sees(secret, opened.sketch());
            return new HeldRecords(opened.dataset(), charging);
        } catch (IOException | IllegalArgumentException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION,
                    "cannot use " + folder.sealed() + "; check who may read and write it.",
                    e);
        }
    }

    /** The records. */
    public PrivateDataset data() {
        return data;
    }

    /** The ledger, which is checked to be that of these records before anything is charged. */
    public PrivacyLedger ledger(PrivacyEvent plan) {
        return charging.atCharge(data.unit(), plan, () -> {});
    }

    /** The hash of the ledger's newest line. */
    public String head() {
        return charging.head();
    }

    /** Whether the ledger has a line of that hash. */
    public boolean knows(String line) {
        return charging.knows(line);
    }

    /** How many releases of a run the ledger knows of. */
    public long released(String run) {
        return charging.released(run);
    }

    /**
     * Copies of the run's folder that were made before cannot go on any more.
     *
     * @param mark how much was said that is said once, which is kept beside the ledger
     */
    public void outdateCopies(long mark) {
        charging.outdateCopies(mark);
    }

    /** The newest mark; 0 if there is none. */
    public long mark() {
        return charging.mark();
    }

    /** What the ledger says now about all runs. */
    public Optional<ReleaseRecord.Ledger> total() {
        return charging.total();
    }

    /** Records what was said about the run. */
    public void published(String statement) {
        charging.published(Sha256.of(statement));
    }

    @Override
    public void close() {
        data.close();
    }
}
