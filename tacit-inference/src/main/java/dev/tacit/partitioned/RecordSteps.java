package dev.tacit.partitioned;

import dev.tacit.privacy.data.RecordSum;

/** Steps whose releases are sums over the party's records. */
public non-sealed interface RecordSteps extends LocalSteps {
    /** What the party's records are asked next. */
    RecordSum query(double[] memory);
}
