package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.DataLocation;
import dev.tacit.data.source.RowLayout;
import dev.tacit.door.sampling.SamplingScheme;
import dev.tacit.door.session.NoisySum;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.session.PrivateSession;
import dev.tacit.door.session.ReleasePlan;
import dev.tacit.engine.LocalSummation;
import dev.tacit.query.ContributionSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Bounds bought from the budget, for numbers whose holder declares {@code bounds: PRIVATE}.
 *
 * <pre>
 *   a record adds 1/√m to one bin of each of the m columns       one release, one joint L2 clip at 1
 *   bins: (−∞, −2^62], ..., (−2^(k+1), −2^k], ..., (−2^−32, 2^−32), ..., [2^k, 2^(k+1)), ..., [2^62, ∞)
 *   bounds: the outer ends of the outermost bins above σ √(2 ln(number of bins / 10^−6))
 * </pre>
 *
 * Bins that hold no record pass the threshold, together, with probability at most 10^−6, because the noise has tails no
 * heavier than a Gaussian of standard deviation σ. A few records beyond the bounds are clamped, as always. The idea is
 * that of ApproxBounds in Google's differential privacy library (Wilson et al. 2020, Section 5.1.1); here all columns
 * share one release with Gaussian noise.
 */
public final class PrivateBounds {
    /** The probability that any bin without records is taken for one with records. */
    public static final double FALSE_ALARM = 1e-6;

    private static final int LEAST_EXPONENT = -32;
    private static final int LARGEST_EXPONENT = 62;
    private static final int BINS_A_SIGN = LARGEST_EXPONENT - LEAST_EXPONENT + 1;
    private static final int BINS = 2 * BINS_A_SIGN + 1;

    private PrivateBounds() {}

    /** The one release that is needed. */
    public static ReleasePlan plan(Schema schema) {
        return ReleasePlan.of("histograms for bounds", 1, dimension(schema), new SamplingScheme.FullPass());
    }

    private static int dimension(Schema schema) {
        int columns = schema.columnsWithPrivateBounds().size();
        if (columns == 0) {
            throw new SchemaException("no column says bounds: PRIVATE, so there are no bounds to buy");
        }
        return Math.multiplyExact(columns, BINS);
    }

    static RowEncoder encoder(Schema schema) {
        return new BinEncoder(schema);
    }

    /** The data set to open with {@link #plan}; it is another view of the same people, under the same ledger. */
    public static PrivateDataset open(DataLocation location, Schema schema, PreparationOptions options) {
        return LocalSummation.dataset(
                Preparation.records(location, new BinEncoder(schema), options),
                schema.privacyUnit(),
                schema.size(),
                options.reading().threads());
    }

    /**
     * What was bought.
     *
     * @param schema the schema with the bounds filled in
     * @param released the histograms that show them
     */
    public record Purchase(Schema schema, NoisySum released) {}

    /** Makes the planned release and fills in the bounds. */
    public static Purchase buy(PrivateSession session, Schema schema) {
        NoisySum released = session.release(query(schema), 1);
        return new Purchase(withBounds(schema, released), released);
    }

    /** What one record contributes: its bins, of L2 norm at most 1. */
    static ContributionSum query(Schema schema) {
        return ContributionSum.of(dimension(schema), (block, row, contribution) -> contribution.addRow(0, 1));
    }

    /**
     * The schema with the bounds that a release shows.
     *
     * @throws SchemaException if a column's values do not rise above the noise; this is said of the released numbers, so
     *     it reveals nothing more
     */
    static Schema withBounds(Schema schema, NoisySum released) {
        List<NumberColumn> open = schema.columnsWithPrivateBounds();
        double threshold = released.noiseStandardDeviation() * Math.sqrt(2 * Math.log(dimension(schema) / FALSE_ALARM));
        List<ColumnSchema> columns = new ArrayList<>();
        for (ColumnSchema column : schema.columns()) {
            int place = open.indexOf(column);
            columns.add(
                    place < 0 ? column : withBounds((NumberColumn) column, released.value(), place * BINS, threshold));
        }
        return schema.withColumns(columns);
    }

    private static NumberColumn withBounds(NumberColumn column, double[] counts, int first, double threshold) {
        int lowest = BINS;
        int highest = -1;
        for (int bin = 0; bin < BINS; bin++) {
            if (counts[first + bin] > threshold) {
                lowest = Math.min(lowest, bin);
                highest = bin;
            }
        }
        double lower =
                highest < 0 ? 0 : Math.max(lowerEnd(lowest), column.transform().leastValue());
        double upper = highest < 0 ? 0 : upperEnd(highest);
        if (!(lower < upper)) {
            throw new SchemaException("column \"" + column.name()
                    + "\" has too few values above the noise to buy its bounds; spend more on bounds or declare them");
        }
        return column.withBounds(new Bounds(lower, upper));
    }

    /** The bin of a value; not for NaN. */
    static int bin(double value) {
        if (Math.abs(value) < Math.scalb(1.0, LEAST_EXPONENT)) {
            return BINS_A_SIGN;
        }
        int exponent = Math.min(LARGEST_EXPONENT, Math.getExponent(value));
        int steps = exponent - LEAST_EXPONENT + 1;
        return value > 0 ? BINS_A_SIGN + steps : BINS_A_SIGN - steps;
    }

    static double lowerEnd(int bin) {
        return bin > BINS_A_SIGN ? Math.scalb(1.0, bin - BINS_A_SIGN - 1 + LEAST_EXPONENT) : -upperEnd(BINS - 1 - bin);
    }

    static double upperEnd(int bin) {
        return bin >= BINS_A_SIGN ? Math.scalb(1.0, bin - BINS_A_SIGN + LEAST_EXPONENT) : -lowerEnd(BINS - 1 - bin);
    }

    /** Encodes a row as the bins of its numbers; missing cells have none, and no row is refused. */
    private static final class BinEncoder implements RowEncoder {
        private final RowLayout layout;
        private final RowShape shape;

        BinEncoder(Schema schema) {
            List<NumberColumn> columns = schema.columnsWithPrivateBounds();
            Optional<String> id = schema.unit().idColumn();
            this.layout = new RowLayout(schema, new ArrayList<>(columns), id);
            this.shape = RowShape.of(dimension(schema), columns.size(), false);
        }

        @Override
        public RowLayout layout() {
            return layout;
        }

        @Override
        public RowShape shape() {
            return shape;
        }

        @Override
        public int encode(CodedRows rows, int row, EncodedRows target) {
            double weight = 1 / Math.sqrt(layout.width());
            target.beginRow();
            for (int column = 0; column < layout.width(); column++) {
                double value = rows.codes()[row * layout.width() + column];
                if (!Double.isNaN(value)) {
                    target.put(column * BINS + bin(value), weight);
                }
            }
            target.endRow(Double.NaN);
            return ENCODED;
        }
    }
}
