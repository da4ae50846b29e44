package dev.tacit.audit.table;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.numerics.RandomStream;
import dev.tacit.run.method.DataShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Invented records of a shape that a method can be asked to fit, grouped into units.
 *
 * @param shape what is declared about them
 * @param units the rows of each unit
 * @param unitLabels the labels of each unit's rows
 */
public record SyntheticTable(DataShape shape, List<double[][]> units, List<double[]> unitLabels) {
    /** What a cell may hold that reached the door in spite of everything. */
    private static final double[] POISONS = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        -1e-310,
        -1e300,
        1e300,
        1e-310,
        -0.0,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        1e8,
        -1e8,
        1
    };

    public SyntheticTable {
        units = List.copyOf(units);
        unitLabels = List.copyOf(unitLabels);
    }

    /** Ordinary rows, as an encoder writes them, with up to so many records in a unit. */
    public static SyntheticTable ordinary(DataShape shape, int count, int mostRecords, long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        List<double[][]> units = new ArrayList<>();
        List<double[]> labels = new ArrayList<>();
        for (int unit = 0; unit < count; unit++) {
            int records = 1 + unit % mostRecords;
            double[][] rows = new double[records][];
            double[] own = new double[records];
            for (int record = 0; record < records; record++) {
                rows[record] = row(shape, random);
                own[record] = label(shape.target(), random);
            }
            units.add(rows);
            labels.add(own);
        }
        return new SyntheticTable(shape, units, labels);
    }

    private static double[] row(DataShape shape, RandomStream random) {
        int columns = shape.columns().size();
        double[] row = new double[columns];
        if (shape.counts()) {
            for (int j = 0; j < columns; j++) {
                row[j] = Math.floor(4 * random.uniform());
            }
            return row;
        }
        if (shape.design().isPresent()) {
            for (int j = 0; j < columns; j++) {
                GlmColumn column = shape.design().get().columns().get(j);
                row[j] = switch (column.kind()) {
                    case INTERCEPT -> 1;
                    case NUMBER -> column.low() + (column.high() - column.low()) * random.uniform();
                    case LEVEL -> random.uniform() < 0.4 ? 1 : 0;
                };
            }
            return row;
        }
        int miner = shape.columns().indexOf("job=miner");
        for (int j = 0; j < (miner < 0 ? columns : miner); j++) {
            row[j] = 2 * random.uniform() - 1;
        }
        if (miner >= 0) {
            row[random.uniform() < 0.4 ? miner : miner + 1] = 1;
        }
        double norm = 0;
        for (double number : row) {
            norm += number * number;
        }
        double factor = Math.min(1, shape.rowNormBound() / Math.sqrt(norm));
        for (int j = 0; j < columns; j++) {
            row[j] *= factor;
        }
        return row;
    }

    private static double label(DataShape.Target target, RandomStream random) {
        if (target instanceof DataShape.Target.Binary) {
            return random.uniform() < 0.4 ? 1 : 0;
        }
        if (target instanceof DataShape.Target.Numeric number) {
            return number.low() + (number.high() - number.low()) * random.uniform();
        }
        if (target instanceof DataShape.Target.Survival survival) {
            double end = survival.ends().get(survival.ends().size() - 1);
            return end * (random.uniform() < 0.5 ? random.openUniform() : -random.openUniform());
        }
        if (target instanceof DataShape.Target.Category category) {
            return Math.floor(category.categories().size() * random.uniform());
        }
        return Double.NaN;
    }

    /** The same units and, between them, units whose rows or labels no encoder writes. */
    public SyntheticTable poisoned(long seed) {
        RandomStream random = RandomStream.ofSeed(seed);
        List<double[][]> mixed = new ArrayList<>();
        List<double[]> labels = new ArrayList<>();
        for (int unit = 0; unit < units.size(); unit++) {
            mixed.add(units.get(unit));
            labels.add(unitLabels.get(unit));
            double poison = POISONS[unit % POISONS.length];
            double[][] rows = new double[units.get(unit).length][];
            double[] own = new double[rows.length];
            for (int record = 0; record < rows.length; record++) {
                rows[record] = row(shape, random);
                own[record] = unit % 3 == 1 ? label(shape.target(), random) : poison;
            }
            double[] bad = rows[unit % rows.length];
            if (unit % 3 == 0) {
                Arrays.fill(bad, poison);
            } else if (unit % 3 == 1) {
                bad[unit % bad.length] = poison;
            }
            mixed.add(rows);
            labels.add(own);
        }
        return new SyntheticTable(shape, mixed, labels);
    }

    /** All units but one. */
    public SyntheticTable without(int unit) {
        List<double[][]> kept = new ArrayList<>(units);
        List<double[]> labels = new ArrayList<>(unitLabels);
        kept.remove(unit);
        labels.remove(unit);
        return new SyntheticTable(shape, kept, labels);
    }

    /** One unit alone. */
    public SyntheticTable only(int unit) {
        return new SyntheticTable(shape, List.<double[][]>of(units.get(unit)), List.of(unitLabels.get(unit)));
    }

    /** How many records a unit has at most. */
    public int mostRecords() {
        return units.stream().mapToInt(rows -> rows.length).max().orElse(1);
    }

    /** No unit at all. */
    public static SyntheticTable empty(DataShape shape) {
        return new SyntheticTable(shape, List.of(), List.of());
    }

    /** Both tables' units. */
    public SyntheticTable and(SyntheticTable other) {
        List<double[][]> all = new ArrayList<>(units);
        List<double[]> labels = new ArrayList<>(unitLabels);
        all.addAll(other.units);
        labels.addAll(other.unitLabels);
        return new SyntheticTable(shape, all, labels);
    }

    /** Every unit twice as a unit of its own: the same records under two names. */
    public SyntheticTable duplicated() {
        return and(this);
    }

    /** The units of a table whose units have up to so many records, one of which is added or removed. */
    public static PrivacyUnit unit(int maxRecords) {
        return maxRecords == 1
                ? PrivacyUnit.record(Neighbours.ADD_REMOVE)
                : new PrivacyUnit("person", maxRecords, Neighbours.ADD_REMOVE);
    }

    /** Behind the door, on one thread, in blocks of a few rows, with so many records to a unit. */
    public PrivateDataset dataset(boolean sparse, int maxRecords) {
        return dataset(sparse, unit(maxRecords));
    }

    /** Behind the door, on one thread, in blocks of a few rows. */
    public PrivateDataset dataset(boolean sparse, PrivacyUnit unit) {
        return LocalSummation.dataset(records(sparse, unit.maxRecords() > 1), unit, shape.publicSize(), 1);
    }

    /**
     * The rows, in blocks of a few.
     *
     * @param grouped whether the rows of a unit belong together; otherwise each is a unit
     */
    public RecordsInMemory records(boolean sparse, boolean grouped) {
        int columns = shape.columns().size();
        boolean labelled = !(shape.target() instanceof DataShape.Target.None);
        List<double[]> rows = new ArrayList<>();
        List<Double> labels = new ArrayList<>();
        long[] starts = new long[units.size() + 1];
        for (int unit = 0; unit < units.size(); unit++) {
            for (int record = 0; record < units.get(unit).length; record++) {
                rows.add(units.get(unit)[record]);
                labels.add(unitLabels.get(unit)[record]);
            }
            starts[unit + 1] = rows.size();
        }
        List<RecordBlock> blocks = new ArrayList<>();
        int blockRows = 7;
        for (int from = 0; from < rows.size(); from += blockRows) {
            int to = Math.min(rows.size(), from + blockRows);
            double[] own = labelled
                    ? labels.subList(from, to).stream()
                            .mapToDouble(Double::doubleValue)
                            .toArray()
                    : null;
            blocks.add(
                    sparse
                            ? sparse(rows.subList(from, to), columns, own)
                            : dense(rows.subList(from, to), columns, own));
        }
        return new RecordsInMemory(columns, labelled, blocks, grouped ? starts : null);
    }

    private static RecordBlock dense(List<double[]> rows, int columns, double[] labels) {
        double[] values = new double[rows.size() * columns];
        for (int row = 0; row < rows.size(); row++) {
            System.arraycopy(rows.get(row), 0, values, row * columns, columns);
        }
        return DenseBlock.of(rows.size(), columns, values, labels);
    }

    /** Zeros of either sign are left out, as a writer of sparse rows does. */
    private static RecordBlock sparse(List<double[]> rows, int columns, double[] labels) {
        int[] starts = new int[rows.size() + 1];
        int[] indices = new int[rows.size() * columns];
        double[] values = new double[rows.size() * columns];
        int entries = 0;
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < columns; column++) {
                if (rows.get(row)[column] != 0) {
                    indices[entries] = column;
                    values[entries++] = rows.get(row)[column];
                }
            }
            starts[row + 1] = entries;
        }
        return SparseBlock.of(rows.size(), columns, starts, indices, values, labels);
    }
}
