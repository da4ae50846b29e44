package dev.tacit.partitioned.coordinator;

import dev.tacit.partitioned.message.DoubleVector;
import dev.tacit.query.ContributionSum;
import java.util.Objects;

/**
 * A sum over records that can be asked for by a message: a name and public numbers, from which every party makes the same
 * query.
 */
public final class SentQuery implements ContributionSum {
    private static final long serialVersionUID = 1;

    private final String name;
    private final DoubleVector numbers;
    private final ContributionSum query;

    /** @param query what the name and the numbers stand for */
    public SentQuery(String name, DoubleVector numbers, ContributionSum query) {
        this.name = Objects.requireNonNull(name, "name");
        this.numbers = Objects.requireNonNull(numbers, "numbers");
        this.query = Objects.requireNonNull(query, "query");
    }

    /** The query's name. */
    public String name() {
        return name;
    }

    /** Its public parameters. */
    public DoubleVector numbers() {
        return numbers;
    }

    @Override
    public int dimension() {
        return query.dimension();
    }

    @Override
    public Worker worker() {
        return query.worker();
    }
}
