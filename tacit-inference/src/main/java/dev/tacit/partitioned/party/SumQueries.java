package dev.tacit.partitioned.party;

import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.query.ContributionSum;

/** The sums over records that a party answers, by name. */
@FunctionalInterface
public interface SumQueries {
    /** The query of a name and its public numbers; refused if the name is not known or the numbers do not fit. */
    ContributionSum query(String name, DoubleVector numbers);
}
