package dev.tacit.engine;

import dev.tacit.door.record.RecordSource;
import dev.tacit.door.sum.SumRequest;
import dev.tacit.door.sum.Summation;
import java.util.Objects;

/**
 * Records and, beside them, invented ones: every request goes to both, and their integers are added up.
 *
 * <p>The invented ones are units of their own in stretches that no table reaches, so whether one of them is in a batch says nothing
 * about anybody else.
 */
public final class JoinedSummation implements Summation {
    /** Stretches of records are counted from 0, those of persons have 31 bits at most. */
    private static final long FIRST_STRETCH = 1L << 62;

    private final Summation records;
    private final Summation beside;

    private JoinedSummation(Summation records, Summation beside) {
        this.records = Objects.requireNonNull(records, "records");
        this.beside = Objects.requireNonNull(beside, "beside");
    }

    /** Puts invented records beside others; every row of theirs is a unit. */
    public static JoinedSummation of(Summation records, RecordSource invented) {
        if (records.columns() != invented.columns()) {
            throw new IllegalArgumentException("invented records have as many columns as those beside them");
        }
        return new JoinedSummation(records, new LocalSummation(new Apart(invented), 1));
    }

    @Override
    public int columns() {
        return records.columns();
    }

    @Override
    public long units() {
        return records.units() + beside.units();
    }

    @Override
    public long[] sum(SumRequest request) {
        long[] sums = records.sum(request);
        long[] more = beside.sum(request);
        for (int index = 0; index < sums.length; index++) {
            sums[index] += more[index];
        }
        return sums;
    }

    @Override
    public void close() {
        records.close();
        beside.close();
    }

    /** The same rows in stretches of their own. */
    private record Apart(RecordSource rowsOf) implements RecordSource {
        @Override
        public int columns() {
            return rowsOf.columns();
        }

        @Override
        public boolean labelled() {
            return rowsOf.labelled();
        }

        @Override
        public long rows() {
            return rowsOf.rows();
        }

        @Override
        public int blockRows() {
            return rowsOf.blockRows();
        }

        @Override
        public Stretch stretchOf(long unit) {
            Stretch own = RecordSource.super.stretchOf(unit);
            return new Stretch(FIRST_STRETCH + own.number(), own.rank(), own.units());
        }

        @Override
        public Reader reader() {
            return rowsOf.reader();
        }
    }
}
