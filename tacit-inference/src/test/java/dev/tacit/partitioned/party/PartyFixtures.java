package dev.tacit.partitioned.party;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import dev.tacit.partitioned.Parties;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Records and ledgers for tests of what releases see of parties and shards. */
public final class PartyFixtures {
    private static final LedgerAccounting ACCOUNTING =
            new LedgerAccounting(new ExactAccountant(), (event, order, who) -> 0);

    private PartyFixtures() {}

    /** Admits any plan whose epsilon can be bounded, and answers fast. */
    public static InMemoryLedger ledger(PrivacyUnit unit) {
        return new InMemoryLedger(LedgerTerms.of(unit, new PrivacyBudget(10, 1e-5)), ACCOUNTING);
    }

    public static PrivacyUnit person(int maxRecords) {
        return new PrivacyUnit("person", maxRecords, Neighbours.ADD_REMOVE);
    }

    /** Rows with about a third of their numbers zero. */
    public static double[][] rows(int count, int columns, long seed) {
        Random random = new Random(seed);
        double[][] rows = new double[count][columns];
        for (double[] row : rows) {
            Arrays.setAll(row, column -> random.nextInt(3) == 0 ? 0 : 4 * random.nextDouble() - 2);
        }
        return rows;
    }

    /** Labels alternate. */
    public static DenseBlock dense(double[]... rows) {
        double[] values = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
        double[] labels = new double[rows.length];
        Arrays.setAll(labels, row -> row % 2);
        return DenseBlock.of(rows.length, rows[0].length, values, labels);
    }

    /** The same rows without their zeros. */
    public static SparseBlock sparse(DenseBlock block) {
        int[] starts = new int[block.rows() + 1];
        int[] columns = new int[block.rows() * block.columns()];
        double[] values = new double[columns.length];
        double[] labels = new double[block.rows()];
        int next = 0;
        for (int row = 0; row < block.rows(); row++) {
            labels[row] = block.label(row);
            for (int column = 0; column < block.columns(); column++) {
                double value = block.values()[block.start(row) + column];
                if (value != 0) {
                    columns[next] = column;
                    values[next++] = value;
                }
            }
            starts[row + 1] = next;
        }
        return SparseBlock.of(
                block.rows(),
                block.columns(),
                starts,
                Arrays.copyOf(columns, next),
                Arrays.copyOf(values, next),
                labels);
    }

    /** Rows in blocks of a given size. */
    public static RecordsInMemory source(double[][] rows, int blockRows, boolean sparse, long[] unitStarts) {
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < rows.length; from += blockRows) {
            DenseBlock part = dense(Arrays.copyOfRange(rows, from, Math.min(rows.length, from + blockRows)));
            blocks.add(sparse ? sparse(part) : part);
        }
        return new RecordsInMemory(rows[0].length, true, blocks, unitStarts);
    }

    public static PrivateDataset dataset(double[][] rows, boolean sparse, int threads) {
        return LocalSummation.dataset(source(rows, 64, sparse, null), Parties.RECORD, rows.length, threads);
    }
}
