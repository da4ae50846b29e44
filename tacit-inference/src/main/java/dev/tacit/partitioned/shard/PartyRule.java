package dev.tacit.partitioned.shard;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import java.io.Serializable;

/**
 * Which party a record belongs to: a public function of that record alone, fixed before any record is read.
 *
 * <p>The rule may be published, and so may the key of a hash: nothing but a record's own encoded numbers decides about its
 * party, so no record moves when another is added or removed. A rule by the record's place in the file would not do, because one
 * record that is removed moves all behind it.
 */
public sealed interface PartyRule extends Serializable {
    /** How many parties there are. */
    int parties();

    /** The party of a record, from 0. */
    int party(RecordBlock block, int row);

    /** The rule in words. */
    String words();

    /**
     * By a hash of the record's numbers and label. Equal records are at the same party.
     *
     * @param parties how many
     * @param key another key deals records out anew
     */
    record Hashed(int parties, long key) implements PartyRule {
        public Hashed {
            requireParties(parties);
        }

        @Override
        public int party(RecordBlock block, int row) {
            long hash = mix(key ^ Double.doubleToLongBits(block.label(row)));
            if (block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    hash = with(hash, sparse.columnIndices()[entry], sparse.values()[entry]);
                }
            } else {
                DenseBlock dense = (DenseBlock) block;
                for (int column = 0; column < dense.columns(); column++) {
                    hash = with(hash, column, dense.values()[dense.start(row) + column]);
                }
            }
            return (int) Long.remainderUnsigned(mix(hash), parties);
        }

        /** Zeros count for nothing, so a record has the same hash in every form. */
        private static long with(long hash, int column, double value) {
            return value == 0 ? hash : mix(mix(hash ^ column) ^ Double.doubleToLongBits(value));
        }

        /** A bijection of the numbers of 64 bits whose bits all depend on all (Steele, Lea, Flood 2014). */
        private static long mix(long number) {
            long mixed = number + 0x9E3779B97F4A7C15L;
            mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return mixed ^ (mixed >>> 31);
        }

        @Override
        public String words() {
            return "a hash of the record's own encoded numbers, key " + key;
        }
    }

    /**
     * By a declared category: the first of some columns of zeros and ones that is not zero; the first party if all are.
     *
     * @param name of the category
     * @param first its first column
     * @param parties how many columns it has
     */
    record Category(String name, int first, int parties) implements PartyRule {
        public Category {
            requireParties(parties);
        }

        @Override
        public int party(RecordBlock block, int row) {
            if (block instanceof SparseBlock sparse) {
                for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                    int place = sparse.columnIndices()[entry] - first;
                    if (place >= 0 && place < parties && sparse.values()[entry] != 0) {
                        return place;
                    }
                }
                return 0;
            }
            DenseBlock dense = (DenseBlock) block;
            for (int place = 0; place < parties; place++) {
                if (dense.values()[dense.start(row) + first + place] != 0) {
                    return place;
                }
            }
            return 0;
        }

        @Override
        public String words() {
            return "the record's own category of the column " + name;
        }
    }

    private static void requireParties(int parties) {
        if (parties < 1) {
            throw new IllegalArgumentException("there is at least one party");
        }
    }
}
