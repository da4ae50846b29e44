package dev.tacit.partitioned.party;

import dev.tacit.query.ContributionSum;

/** Steps whose releases are sums over the party's records. */
public non-sealed interface RecordSteps extends LocalSteps {
    /** What the party's records are asked next. */
    ContributionSum query(double[] memory, PublicPart publicPart);
}
