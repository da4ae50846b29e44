package dev.tacit.fit.run;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.DiscreteGaussianMechanism;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.fit.artefact.UsableCount;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.folder.FolderClaim;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import dev.tacit.run.Checkpoint;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The way to the records of a fit, which is opened once the kernel is ready: at its start, or where an interrupted run stands.
 *
 * @param request what was asked for
 * @param prepared the plan and its noise
 * @param charging the ledger that is charged
 * @param claim on the folder, which is kept from the charge on
 * @param witness who listens to what is released
 * @param sealed where releases are kept
 * @param data the records
 * @param bought bounds that were bought before
 * @param counted how many usable units there are, if they were counted before
 */
record FitDoor(
        FitRequest request,
        FitRun.Prepared prepared,
        FitLedger charging,
        FolderClaim claim,
        RunWitness witness,
        SealedReleases sealed,
        PrivateDataset data,
        Optional<BoughtBounds> bought,
        Optional<UsableCount> counted) {
    /** To the records that were encoded by bounds that were bought. */
    FitDoor encoded(PrivateDataset encoded, BoughtBounds bounds) {
        return new FitDoor(request, prepared, charging, claim, witness, sealed, encoded, Optional.of(bounds), counted);
    }

    /** After usable units were counted. */
    FitDoor afterCounting(UsableCount units) {
        return new FitDoor(request, prepared, charging, claim, witness, sealed, data, bought, Optional.of(units));
    }

    PrivateSession open(Optional<Checkpoint> checkpoint) throws BudgetExhausted {
        RunRequest run = RunRequest.of(request.label(), prepared.plan())
                .named(prepared.identity().name())
                .sealedIn(sealed)
                .askedFor(
                        Instant.now().truncatedTo(ChronoUnit.SECONDS),
                        request.ledger().analyst());
        NoiseSource noise =
                request.seed().isPresent() ? ReplayNoise.ofSeed(request.seed().getAsLong()) : SecureNoise.create();
        if (prepared.calibrated().isEmpty()) {
            RunRequest position = checkpoint
                    .map(kept -> run.resumedAt(new RunPosition(0, "", kept.released())))
                    .orElse(run);
            claim.keep();
            return data.openNotPrivate(position, noise);
        }
        boolean before = claim.isKept();
        // The folder stays from the moment on at which a charge may have been written, whether or not it was.
        PrivacyLedger ledger =
                charging.atCharge(data.unit(), prepared.calibrated().get().event(), claim::keep);
        RunRequest position = checkpoint
                .flatMap(Checkpoint::position)
                .or(() -> counted.map(UsableCount::position))
                .or(() -> bought.map(BoughtBounds::position))
                .map(run::resumedAt)
                .orElse(run);
        try {
            NoiseMechanism mechanism =
                    new DiscreteGaussianMechanism(prepared.calibrated().get().noiseMultiplier());
            return witness.listening(data.open(position, mechanism, ledger, noise), mechanism);
        } catch (BudgetExhausted e) {
            forget(before);
            throw e;
        } catch (IllegalArgumentException e) {
            forget(before);
            // What was declared and what was asked do not fit; records play no part in it.
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }

    /** Nothing was charged; the folder stays only if something was before. */
    private void forget(boolean kept) {
        if (!kept) {
            claim.release();
        }
    }
}
