package dev.tacit.data.prepare;

import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.ColumnSchema.BinaryColumn;
import dev.tacit.data.schema.ColumnSchema.CategoryColumn;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.RowNorm;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes a record by declared facts only.
 *
 * <pre>
 *   number    u = (t(clamp(x)) − t(lower)) / (t(upper) − t(lower)) in [0, 1], or 2u − 1 if centred; then one 0/1 a bin
 *   category  one 0/1 a category, one for others, one for missing
 *   binary    0/1, one for missing
 *   then the intercept 1; then the row is divided by its norm, or shortened, if the schema says so
 * </pre>
 *
 * The label is 0/1 for a binary target, the place in the list for a category, the clamped number otherwise; it is not
 * scaled ({@link #targetBounds} says by what a model can scale it).
 */
public final class FeatureEncoder implements RecordEncoder {
    private final RowLayout layout;
    private final List<ColumnEncoder> encoders = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final RowShape shape;
    private final boolean intercept;
    private final RowNorm rowNorm;
    private final int targetSlot;
    private final ColumnSchema target;
    private final double targetIfMissing;

    private FeatureEncoder(RowLayout layout) {
        Schema schema = layout.schema();
        this.layout = layout;
        this.intercept = schema.encoding().intercept();
        this.rowNorm = schema.encoding().rowNorm();
        int nonZeros = 0;
        for (ColumnSchema column : schema.features()) {
            ColumnEncoder encoder = ColumnEncoder.of(column, names.size());
            encoders.add(encoder);
            names.addAll(encoder.names());
            nonZeros += encoder.mostNonZeros();
        }
        if (intercept) {
            names.add("intercept");
            nonZeros++;
        }
        boolean labelled = layout.width() > encoders.size();
        this.targetSlot = encoders.size();
        this.target = labelled ? layout.columns().get(targetSlot) : null;
        this.targetIfMissing = labelled ? target.codeIfMissing() : Double.NaN;
        this.shape = RowShape.of(names.size(), nonZeros, labelled);
        for (NumberColumn column : schema.columnsWithPrivateBounds()) {
            throw new SchemaException("column \"" + column.name()
                    + "\" says bounds: PRIVATE; buy its bounds from the budget first (--spend-on-bounds 0.05)");
        }
    }

    /** For private records, with labels if the schema has a target. */
    public static FeatureEncoder of(Schema schema) {
        return new FeatureEncoder(RowLayout.ofPrivateRecords(schema));
    }

    /** For rows to be predicted (without labels) or scored (with labels). */
    static FeatureEncoder ofPublicRows(Schema schema, boolean needTarget) {
        return new FeatureEncoder(RowLayout.ofPublicRows(schema, needTarget));
    }

    /** The names of the encoded columns, such as {@code age}, {@code job=teacher}, {@code intercept}. */
    @Override
    public List<String> names() {
        return List.copyOf(names);
    }

    /** How many numbers an encoded record has. */
    public int columns() {
        return names.size();
    }

    /** Whether records are stored without their zeros. */
    public boolean sparse() {
        return shape.sparse();
    }

    /** The declared bounds of a target that is a number. */
    public Optional<Bounds> targetBounds() {
        return layout.schema()
                .targetColumn()
                .flatMap(column -> column instanceof NumberColumn number ? number.bounds() : Optional.<Bounds>empty());
    }

    /** The classes of a target that is not a number; their places are the labels. */
    public List<String> targetClasses() {
        ColumnSchema column = layout.schema().targetColumn().orElse(null);
        if (column instanceof CategoryColumn category) {
            return category.categories();
        }
        if (column instanceof BinaryColumn binary) {
            String negative = binary.negative().isEmpty()
                    ? "not " + binary.positive().get(0)
                    : binary.negative().get(0);
            return List.of(negative, binary.positive().get(0));
        }
        return List.of();
    }

    /** The largest L2 norm that an encoded record can have. */
    public double largestNorm() {
        if (rowNorm instanceof RowNorm.Unit) {
            return 1;
        }
        double squares = intercept ? 1 : 0;
        for (ColumnEncoder encoder : encoders) {
            squares += encoder.mostNonZeros();
        }
        double largest = Math.sqrt(squares);
        return rowNorm instanceof RowNorm.AtMost atMost ? Math.min(atMost.bound(), largest) : largest;
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
    public int encode(CodedRows rows, int row, EncodedRows to) {
        double[] codes = rows.codes();
        int first = row * rows.width();
        to.beginRow();
        for (int slot = 0; slot < encoders.size(); slot++) {
            if (!encoders.get(slot).encode(codes[first + slot], to)) {
                return slot;
            }
        }
        if (intercept) {
            to.put(names.size() - 1, 1);
        }
        if (rowNorm instanceof RowNorm.Unit) {
            to.normalise(1, true);
        } else if (rowNorm instanceof RowNorm.AtMost atMost) {
            to.normalise(atMost.bound(), false);
        }
        double label = Double.NaN;
        if (target != null) {
            label = label(codes[first + targetSlot]);
            if (Double.isNaN(label)) {
                return targetSlot;
            }
        }
        to.endRow(label);
        return ENCODED;
    }

    private double label(double code) {
        double known = Double.isNaN(code) ? targetIfMissing : code;
        if (target instanceof NumberColumn number) {
            return Double.isNaN(known) ? known : number.bounds().orElseThrow().clamp(known);
        }
        if (target instanceof CategoryColumn category
                && known >= category.categories().size()) {
            return Double.NaN;
        }
        return known;
    }
}
