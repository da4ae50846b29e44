package dev.tacit.experiments;

import dev.tacit.accounting.exact.ExactAccountant;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyBudget;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.ledger.InMemoryLedger;
import dev.tacit.ledger.LedgerTerms;
import dev.tacit.ledger.filter.LedgerAccounting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Records and ledgers for tests of perturbed minima. */
public final class MinimumFixtures {
    public static final PrivacyUnit RECORD = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /** Admits any plan whose epsilon can be bounded, and answers fast. */
    public static final LedgerAccounting ACCOUNTING =
            new LedgerAccounting(new ExactAccountant(), (event, order, who) -> 0);

    private MinimumFixtures() {}

    public static InMemoryLedger ledger(PrivacyUnit unit) {
        return new InMemoryLedger(LedgerTerms.of(unit, new PrivacyBudget(10, 1e-5)), ACCOUNTING);
    }

    /** Rows with about a third of their numbers zero. */
    public static double[][] rows(int count, int columns, Random random) {
        double[][] rows = new double[count][columns];
        for (double[] row : rows) {
            Arrays.setAll(row, column -> random.nextInt(3) == 0 ? 0 : 4 * random.nextDouble() - 2);
        }
        return rows;
    }

    /** Rows in blocks of a given size, which is even, with labels that alternate; sparse rows keep their zeros. */
    public static RecordsInMemory source(double[][] rows, int blockRows, boolean sparse) {
        int columns = rows[0].length;
        List<RecordBlock> blocks = new ArrayList<>();
        for (int from = 0; from < rows.length; from += blockRows) {
            double[][] part = Arrays.copyOfRange(rows, from, Math.min(rows.length, from + blockRows));
            double[] values =
                    Arrays.stream(part).flatMapToDouble(Arrays::stream).toArray();
            double[] labels = new double[part.length];
            Arrays.setAll(labels, row -> row % 2);
            int[] starts = new int[part.length + 1];
            Arrays.setAll(starts, row -> row * columns);
            int[] places = new int[values.length];
            Arrays.setAll(places, i -> i % columns);
            blocks.add(
                    sparse
                            ? SparseBlock.of(part.length, columns, starts, places, values, labels)
                            : DenseBlock.of(part.length, columns, values, labels));
        }
        return new RecordsInMemory(columns, true, blocks, null);
    }
}
