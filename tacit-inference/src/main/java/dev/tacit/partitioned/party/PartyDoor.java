package dev.tacit.partitioned.party;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.ledger.PrivacyLedger;
import dev.tacit.door.mechanism.NoiseMechanism;
import dev.tacit.door.noise.NoiseSource;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.session.RunRequest;
import dev.tacit.partitioned.NoiseShare;
import dev.tacit.partitioned.message.GridCode;
import dev.tacit.partitioned.shard.RandomShards;
import java.util.Optional;

/**
 * A party's own records, its own ledger and its own noise.
 *
 * @param data the records, which never leave
 * @param protection noise and ledger; empty for a run that is not private
 * @param noise batches, shards and noise
 */
public record PartyDoor(PrivateDataset data, Optional<Protection> protection, NoiseSource noise) {
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
        return protection.map(each -> each.mechanism() instanceof NoiseShare).orElse(false);
    }

    /** What a party may hand over under masks: noise must be there, exact and on a grid. */
    void requireMaskable() {
        if (!protection.map(each -> each.mechanism().forRelease()).orElse(false)) {
            throw new IllegalArgumentException(
                    "masked sums need exact noise on a grid at every party; use noise for release, or a plain sum");
        }
    }

    /**
     * The exponent of the granularity of a release's grid, from public numbers. Without noise nothing is protected and the grid is
     * the door's own affair, so it is then the coarsest that loses no bit of the released numbers.
     */
    int gridExponent(double relativeNoise, double l2Bound, double[] released) {
        return protection
                .map(each -> Math.getExponent(each.mechanism()
                        .scaled(relativeNoise)
                        .grid(l2Bound, released.length)
                        .granularity()))
                .orElseGet(() -> GridCode.wholeExponent(released));
    }

    /** Charges a plan and opens the door for sums over records. */
    public PrivateSession open(String label, ReleasePlan plan) throws BudgetExhausted {
        RunRequest run = RunRequest.of(label, plan);
        return protection.isPresent()
                ? data.open(run, protection.get().mechanism(), protection.get().ledger(), noise)
                : data.openNotPrivate(run, noise);
    }

    /** Charges a plan and opens the door for sums over shards, each of which can move the sum by two bounds. */
    public PrivateSession openShards(String label, int shards, ReleasePlan plan) throws BudgetExhausted {
        return open(label, plan.seenBy(new RandomShards(shards, data.unit().neighbours(), noise)));
    }
}
