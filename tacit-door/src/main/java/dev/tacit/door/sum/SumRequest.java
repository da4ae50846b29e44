package dev.tacit.door.sum;

import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.sampling.SamplingScheme;
import java.io.Serializable;
import java.util.Objects;

/**
 * What every part of the records is asked for one release. It holds public values and the key of the batch, and no noise.
 *
 * @param query what a unit contributes
 * @param grid the integers in which contributions are added up
 * @param sampling which units are in the batch
 * @param batch draws it: the same wherever and however often a part is summed
 * @param maxRecords how many records of a unit count; further ones are not looked at
 */
public record SumRequest(RecordSum query, SumGrid grid, SamplingScheme sampling, BatchKey batch, int maxRecords)
        implements Serializable {
    public SumRequest {
        Objects.requireNonNull(query, "query");
        Objects.requireNonNull(grid, "grid");
        Objects.requireNonNull(sampling, "sampling");
        Objects.requireNonNull(batch, "batch");
    }

    /** The same question about another query of the same dimension. */
    public SumRequest of(RecordSum other) {
        return new SumRequest(other, grid, sampling, batch, maxRecords);
    }
}
