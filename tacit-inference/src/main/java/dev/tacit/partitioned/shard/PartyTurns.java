package dev.tacit.partitioned.shard;

import dev.tacit.door.event.PrivacyEvent;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.door.sum.RecordSum;
import dev.tacit.query.Contribution;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Parties that take turns: each release sees the records of one party only, in an order that is public.
 *
 * <pre>
 *   release k sees party ⌊k / releasesInARow⌋ mod parties
 * </pre>
 *
 * <b>What a record pays.</b> A record is at one party, whichever others there are ({@link PartyRule}). Releases of other parties
 * are functions of other records and of what was released before. So what all releases tell about it is told by those of its
 * party, chosen adaptively: the composition of as many releases as one party makes (parallel composition). Under add/remove that
 * is all. A replaced record may change its party, and then two parties' releases move; and records of one person may be at
 * several. Sessions refuse both.
 *
 * @param rule who is where
 * @param releasesInARow how many releases a party makes before the next has its turn
 */
public record PartyTurns(PartyRule rule, int releasesInARow) {
    public PartyTurns {
        Objects.requireNonNull(rule, "rule");
        if (releasesInARow < 1) {
            throw new IllegalArgumentException("a turn has at least one release");
        }
    }

    /** Whose turn a release is. */
    public int party(long release) {
        return (int) (release / releasesInARow % rule.parties());
    }

    /** So many releases in turns: parallel composition of what each party makes of them. */
    PrivacyEvent event(PrivacyEvent once, long releases) {
        long cycle = (long) releasesInARow * rule.parties();
        List<PrivacyEvent> parts = new ArrayList<>();
        for (int party = 0; party < rule.parties(); party++) {
            long begun = releases % cycle - (long) releasesInARow * party;
            long times = releases / cycle * releasesInARow + Math.max(0, Math.min(begun, releasesInARow));
            if (times > 0) {
                parts.add(ReleasePlan.times(once, times));
            }
        }
        return new PrivacyEvent.Disjoint(parts);
    }

    /** The query for the records of one party: all others contribute nothing. */
    RecordSum only(int party, RecordSum query) {
        if (!(query instanceof ContributionSum sum)) {
            throw new IllegalArgumentException("parties that take turns are asked for contributions record by record");
        }
        return new OneParty(rule, party, sum);
    }

    private record OneParty(PartyRule rule, int party, ContributionSum all) implements ContributionSum {
        @Override
        public int dimension() {
            return all.dimension();
        }

        @Override
        public Worker worker() {
            return new OnePartyWorker(rule, party, all.worker());
        }
    }

    private record OnePartyWorker(PartyRule rule, int party, ContributionSum.Worker inner)
            implements ContributionSum.Worker {
        @Override
        public void prepare(RecordBlock block) {
            inner.prepare(block);
        }

        @Override
        public void contribute(RecordBlock block, int row, Contribution contribution) {
            if (rule.party(block, row) == party) {
                inner.contribute(block, row, contribution);
            }
        }
    }
}
