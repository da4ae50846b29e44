package dev.tacit.spark;

import dev.tacit.door.noise.BatchKey;
import dev.tacit.door.noise.RandomBits;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.engine.BlockReader;
import java.util.List;

/**
 * A part of a table, and where its units stand in the whole.
 *
 * <p>Records are counted through, so a part may begin and end inside a stretch; then the whole stretch is drawn and what lies
 * outside is passed over ({@link #whole}). Persons come in whole stretches.
 */
final class PlacedPart implements RecordSource {
    private final EncodedPart part;
    private final List<RecordBlock> blocks;
    private final long unitsBefore;
    private final long unitsAfter;

    /**
     * @param unitsBefore how many units of the table come before this part
     * @param unitsAfter how many come after it
     */
    PlacedPart(EncodedPart part, long unitsBefore, long unitsAfter) {
        this.part = part;
        this.blocks = part.blocks();
        this.unitsBefore = unitsBefore;
        this.unitsAfter = unitsAfter;
    }

    @Override
    public int columns() {
        return part.columns();
    }

    @Override
    public boolean labelled() {
        return part.labelled();
    }

    @Override
    public long rows() {
        return part.rows();
    }

    @Override
    public int blockRows() {
        return blocks.isEmpty() ? 1 : blocks.get(0).rows();
    }

    @Override
    public long units() {
        return part.unitStarts() == null ? part.rows() : part.unitStarts().length - 1L;
    }

    @Override
    public long firstRow(long unit) {
        return part.unitStarts() == null ? unit : part.unitStarts()[Math.toIntExact(unit)];
    }

    @Override
    public long unitsBefore() {
        return unitsBefore;
    }

    @Override
    public Stretch stretchOf(long unit) {
        long[] stretches = part.stretches();
        if (stretches == null) {
            return RecordSource.super.stretchOf(unit);
        }
        int low = 0;
        int high = stretches.length / 2;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (stretches[2 * middle + 1] <= unit) {
                low = middle;
            } else {
                high = middle;
            }
        }
        long end = 2 * low + 3 < stretches.length ? stretches[2 * low + 3] : units();
        return new Stretch(stretches[2 * low], unit - stretches[2 * low + 1], end - unit);
    }

    @Override
    public Reader reader() {
        return new BlockReader() {
            @Override
            public RecordBlock block(long block) {
                return blocks.get(Math.toIntExact(block));
            }
        };
    }

    /**
     * A key whose draws for a stretch that this part ends inside of are those of the whole stretch.
     *
     * <p>A draw looks up to a limit, and may, rarely, read other bits if that limit is nearer. So the limit is moved to the end of
     * the stretch, and what is found beyond the part counts as not found.
     */
    BatchKey whole(BatchKey key) {
        long end = unitsBefore + units();
        long inLast = end % STRETCH_UNITS;
        if (part.stretches() != null || inLast == 0 || unitsAfter == 0) {
            return key;
        }
        return new WholeStretches(key, end / STRETCH_UNITS, Math.min(STRETCH_UNITS - inLast, unitsAfter));
    }

    /**
     * The key of a batch, for a part.
     *
     * @param cut the stretch that the part ends inside of
     * @param beyond how many units of that stretch come after the part
     */
    private record WholeStretches(BatchKey key, long cut, long beyond) implements BatchKey {
        @Override
        public RandomBits stretch(long number) {
            RandomBits bits = key.stretch(number);
            return number == cut ? new FurtherLimit(bits, beyond) : bits;
        }

        @Override
        public String toString() {
            return "the key of a batch";
        }
    }

    private record FurtherLimit(RandomBits bits, long beyond) implements RandomBits {
        @Override
        public long nextLong() {
            return bits.nextLong();
        }

        @Override
        public long below(long bound) {
            return bits.below(bound);
        }

        @Override
        public long failures(double rate, long limit) {
            return Math.min(limit, bits.failures(rate, limit + beyond));
        }
    }
}
