package dev.tacit.privacy.data;

import dev.tacit.privacy.event.PrivacyEvent;
import dev.tacit.privacy.ledger.RunPosition;
import dev.tacit.privacy.mechanism.SumGrid;
import dev.tacit.privacy.noise.Provenance;
import dev.tacit.privacy.unit.PrivacyUnit;
import java.util.Optional;

/**
 * The door: sums behind a {@link Summation}, then the order of a release.
 *
 * <p>A query that throws while it looks at a record contributes zero without a word, since the word could be about a record. A
 * mistake that has nothing to do with records, such as a piece that lies outside of the contribution, would then make a
 * release of pure noise. So every query is tried on a record of zeros, which is public: on a dense
 * and, if that fails, on a sparse row, as it may know only one kind.
 */
final class DoorSession implements PrivateSession {
    private static final double[] LABEL = {0};

    private final Releases releases;
    private final ReleaseView.Sums sums;
    private final PrivateDataset dataset;

    DoorSession(Releases releases, Summation records, PrivateDataset dataset) {
        this.releases = releases;
        this.dataset = dataset;
        this.sums = releases.plan()
                .view()
                .map(view -> view.over(records))
                .orElse((release, request) -> records.sum(request));
    }

    @Override
    public NoisySum release(RecordSum query, double l2Bound) {
        return releases.release(query.dimension(), l2Bound, (grid, sampling, batch) -> {
            requireWorks(query, grid);
            return sums.of(
                    releases.released(),
                    new SumRequest(query, grid, sampling, batch, dataset.unit().maxRecords()));
        });
    }

    private void requireWorks(RecordSum query, SumGrid grid) {
        int columns = dataset.columns();
        Throwable onDense = thrown(query, grid, DenseBlock.of(1, columns, new double[columns], LABEL));
        if (onDense != null
                && thrown(query, grid, SparseBlock.of(1, columns, new int[2], new int[0], new double[0], LABEL))
                        != null) {
            throw new IllegalArgumentException(
                    "the query fails on a record of zeros, so it may fail on any: " + onDense, onDense);
        }
    }

    private static Throwable thrown(RecordSum query, SumGrid grid, RecordBlock row) {
        try {
            UnitSum.Owner sum = new UnitSum.Owner(grid);
            sum.open(1);
            query.summand(grid).addRows(row, sum.units());
            return null;
        } catch (Throwable thrown) {
            return thrown;
        }
    }

    @Override
    public ReleasePlan plan() {
        return releases.plan();
    }

    @Override
    public PrivacyEvent event() {
        return releases.event();
    }

    @Override
    public Provenance provenance() {
        return releases.provenance();
    }

    @Override
    public long released() {
        return releases.released();
    }

    @Override
    public long lostReleases() {
        return releases.lostReleases();
    }

    @Override
    public Optional<RunPosition> position() {
        return releases.position();
    }

    @Override
    public long publicSize() {
        return dataset.publicSize();
    }

    @Override
    public PrivacyUnit unit() {
        return dataset.unit();
    }
}
