package dev.tacit.door.sum;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.mechanism.SumGrid;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.RecordSource;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.noise.ReplayNoise;
import dev.tacit.noise.SecureNoise;
import org.apache.commons.rng.UniformRandomProvider;

/** Records and ledgers for tests of the door. */
public final class DoorFixtures {
    public static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /** Admits any plan whose epsilon can be bounded, and answers fast. */
    public static final LedgerAccounting ACCOUNTING =
            new LedgerAccounting(new ExactAccountant(), (event, order, who) -> 0);

    private DoorFixtures() {}

    /** The seed of a test, fresh at every run; {@code -Dtacit.test.seed=N} repeats one. */
    public static long seed() {
        Long given = Long.getLong("tacit.test.seed");
        return given != null ? given : SecureNoise.create().nextLong() >>> 1;
    }

    /** The message of a failing check. */
    public static String because(String what, long seed) {
        return what + ", repeat with -Dtacit.test.seed=" + seed;
    }

    public static LedgerTerms terms(PrivacyUnit unit) {
        return LedgerTerms.of(unit, new PrivacyBudget(10, 1e-5));
    }

    public static InMemoryLedger ledger(PrivacyUnit unit) {
        return new InMemoryLedger(terms(unit), ACCOUNTING);
    }

    public static PrivacyUnit person(int maxRecords) {
        return new PrivacyUnit("person", maxRecords, Neighbours.ADD_REMOVE);
    }

    /** Rows with about a third of their numbers zero. */
    public static double[][] rows(int count, int columns, UniformRandomProvider random) {
        double[][] rows = new double[count][columns];
        for (double[] row : rows) {
            for (int column = 0; column < columns; column++) {
                row[column] = random.nextInt(3) == 0 ? 0 : 4 * random.nextDouble() - 2;
            }
        }
        return rows;
    }

    /** Rows in blocks of a given size. */
    public static MemoryRecords source(double[][] rows, int blockRows, boolean sparse, long[] unitStarts) {
        return new MemoryRecords(rows, rows[0].length, blockRows, sparse, unitStarts);
    }

    /** A data set of records in memory, which one thread adds up. */
    public static PrivateDataset dataset(RecordSource records, PrivacyUnit unit, long publicSize) {
        return PrivateDataset.of(
                new Summation() {
                    @Override
                    public int columns() {
                        return records.columns();
                    }

                    @Override
                    public long units() {
                        return records.units();
                    }

                    @Override
                    public long[] sum(SumRequest request) {
                        return PartSums.of(records, request);
                    }

                    @Override
                    public void close() {
                        records.close();
                    }
                },
                unit,
                publicSize);
    }

    /** What a row has in each column. */
    public static double[] numbers(RecordBlock block, int row) {
        double[] numbers = new double[block.columns()];
        if (block instanceof SparseBlock sparse) {
            for (int entry = sparse.start(row); entry < sparse.end(row); entry++) {
                numbers[sparse.columnIndices()[entry]] = sparse.values()[entry];
            }
        } else {
            DenseBlock dense = (DenseBlock) block;
            System.arraycopy(dense.values(), dense.start(row), numbers, 0, numbers.length);
        }
        return numbers;
    }

    /** A question about records, whose batch follows from a seed. */
    public static SumRequest request(
            RecordSum query, SumGrid grid, SamplingScheme sampling, long seed, int maxRecords) {
        return new SumRequest(query, grid, sampling, ReplayNoise.ofSeed(seed).batchKey(), maxRecords);
    }
}
