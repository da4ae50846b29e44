package dev.tacit.partitioned.party;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.Charge;
import dev.tacit.door.ledger.LedgerEntry;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.ledger.RunPosition;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.door.session.SealedReleases;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.AskedLedger;
import dev.tacit.partitioned.NoiseShare;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A party's own records, its own ledger and its own noise.
 *
 * @param data the records, which never leave
 * @param protection noise and ledger; empty for a run that is not private
 * @param noise batches, shards and noise
 * @param sealed where releases are kept until the party's state holds what follows from them
 * @param rowNormBound what the model takes for the longest row, if it does; records that may be longer are refused
 */
public record PartyDoor(
        PrivateDataset data,
        Optional<Protection> protection,
        NoiseSource noise,
        SealedReleases sealed,
        OptionalDouble rowNormBound) {
    /** A door of a party whose model takes rows of any length. */
    public PartyDoor(PrivateDataset data, Optional<Protection> protection, NoiseSource noise, SealedReleases sealed) {
        this(data, protection, noise, sealed, OptionalDouble.empty());
    }

    /** A door of a party that is not resumed. */
    public PartyDoor(PrivateDataset data, Optional<Protection> protection, NoiseSource noise) {
        this(data, protection, noise, SealedReleases.NONE);
    }

    /**
     * What a run is protected by.
     *
     * @param mechanism noise of the phases whose relative noise is 1; a share of it behind an aggregator
     * @param ledger the party's own
     */
    public record Protection(NoiseMechanism mechanism, PrivacyLedger ledger) {}

    /** A door that adds no noise and charges nothing. */
    public static PartyDoor notPrivate(PrivateDataset data, NoiseSource batches) {
        return new PartyDoor(data, Optional.empty(), batches);
    }

    /** Whether what leaves this door holds a share of the noise only, and may go to an aggregator and nowhere else. */
    boolean sharesNoise() {
        return noiseShare().isPresent();
    }

    /** The share of the noise, if it is one. */
    Optional<NoiseShare> noiseShare() {
        return protection
                .map(Protection::mechanism)
                .filter(NoiseShare.class::isInstance)
                .map(NoiseShare.class::cast);
    }

    /**
     * Charges a plan and opens the door for its releases.
     *
     * @param run the name that it is charged under, once; empty if it is not resumed
     * @param position where a run that is resumed stands
     */
    PrivateSession open(String label, ReleasePlan plan, Optional<String> run, Optional<RunPosition> position)
            throws BudgetExhausted {
        RunRequest request = request(label, plan);
        if (run.isPresent()) {
            request = request.named(run.get()).sealedIn(sealed);
        }
        if (position.isPresent()) {
            request = request.resumedAt(position.get());
        }
        return protection.isPresent()
                ? data.open(
                        request, protection.get().mechanism(), protection.get().ledger(), noise)
                : data.openNotPrivate(request, noise);
    }

    private RunRequest request(String label, ReleasePlan plan) {
        return RunRequest.of(label, rowNormBound.isPresent() ? plan.forRows(rowNormBound) : plan);
    }

    /**
     * Refuses what {@link #open(String, ReleasePlan)} would refuse now, and charges nothing. Whether the budget pays for it, a ledger
     * says that is an {@link AskedLedger}.
     */
    void require(String label, ReleasePlan plan) throws BudgetExhausted {
        if (protection.isEmpty()) {
            open(label, plan); // which is free
            return;
        }
        try {
            data.open(
                    request(label, plan),
                    protection.get().mechanism(),
                    new UntilTheCharge(protection.get().ledger()),
                    noise);
        } catch (Allowed e) {
            return;
        }
        throw new IllegalStateException("a door was opened without a charge");
    }

    /** A ledger up to which a door comes with all of its checks, and no further. */
    private record UntilTheCharge(PrivacyLedger ledger) implements PrivacyLedger {
        @Override
        public LedgerEntry charge(Charge charge) throws BudgetExhausted {
            if (ledger instanceof AskedLedger asked) {
                asked.require(charge);
            }
            throw new Allowed();
        }

        @Override
        public LedgerEntry advance(LedgerEntry entry, long released) {
            throw new IllegalStateException("nothing is released by trying a door");
        }

        @Override
        public PrivacyUnit unit() {
            return ledger.unit();
        }

        @Override
        public List<LedgerEntry> entries() {
            return ledger.entries();
        }

        @Override
        public boolean durable() {
            return ledger.durable();
        }
    }

    /** The door would charge now: an exception, because no session may come of it. */
    private static final class Allowed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Charges a plan that is not resumed and opens the door for its releases. */
    public PrivateSession open(String label, ReleasePlan plan) throws BudgetExhausted {
        return open(label, plan, Optional.empty(), Optional.empty());
    }

    /**
     * How many rounds a run was charged for before a crash that left no state behind; all that are asked for if it was not. A run whose
     * releases have begun is refused: without its state nobody knows what they were answers to.
     */
    int chargedBefore(String run, int rounds, ChargedParty.Rounds releases) {
        Optional<LedgerEntry> charged = protection.stream()
                .flatMap(each -> each.ledger().entries().stream())
                .filter(entry -> entry.run().equals(Optional.of(run)))
                .findFirst();
        if (charged.map(LedgerEntry::released).orElse(0L) > 0) {
            throw new IllegalStateException(
                    "the ledger knows of releases of this run; go on from the state that was kept");
        }
        int paid = rounds;
        while (charged.isPresent()
                && paid > 1
                && !releases.plan(paid)
                        .event(protection.orElseThrow().mechanism())
                        .equals(charged.get().event())) {
            paid--;
        }
        return paid;
    }
}
