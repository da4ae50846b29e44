package dev.tacit.data.prepare;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.prepare.rows.EncodedRows;
import dev.tacit.data.prepare.rows.RowShape;
import dev.tacit.data.schema.ColumnSchema;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.source.CodedRows;
import dev.tacit.data.source.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes a record by a formula.
 *
 * <pre>
 *   the columns of the design matrix in natural units; then the index of its level in each group term; then its offset
 *   and its weight, where the formula has them
 * </pre>
 *
 * The label is 0/1 for a binary response, the place in the list for a category, the number otherwise.
 */
final class DesignEncoder implements RecordEncoder {
    private final DesignMatrix design;
    private final RowLayout layout;
    private final RowShape shape;
    private final boolean labelled;
    private final int groups;
    private final ThreadLocal<DesignMatrix.RowMaker> makers;

    private DesignEncoder(DesignMatrix design, boolean labelled, Optional<String> idColumn, boolean newRecords) {
        this.design = design;
        this.labelled = labelled;
        List<ColumnSchema> cells = design.cells();
        this.layout = new RowLayout(
                design.schema(),
                labelled
                        ? cells
                        : cells.subList(0, cells.size() - design.response().cellCount()),
                idColumn);
        this.groups = design.groups().size();
        int extra = groups + (design.hasOffset() ? 1 : 0) + (design.hasWeight() ? 1 : 0);
        this.shape = RowShape.of(design.width() + extra, design.mostNonZeros() + extra, labelled);
        this.makers = ThreadLocal.withInitial(
                () -> newRecords ? design.rowMakerOfNewRecords(labelled) : design.rowMaker(labelled));
    }

    static DesignEncoder of(Schema schema) {
        return new DesignEncoder(design(schema), true, schema.unit().idColumn(), false);
    }

    static DesignEncoder ofPublicRows(Schema schema, boolean needTarget) {
        return new DesignEncoder(design(schema), needTarget, Optional.empty(), true);
    }

    private static DesignMatrix design(Schema schema) {
        return DesignMatrix.of(Formula.parse(schema.encoding().formula().orElseThrow()), schema);
    }

    @Override
    public RowLayout layout() {
        return layout;
    }

    @Override
    public List<String> names() {
        List<String> names = new ArrayList<>(
                design.columns().stream().map(DesignColumn::name).toList());
        design.groups().forEach(group -> names.add(group.name()));
        if (design.hasOffset()) {
            names.add("(offset)");
        }
        if (design.hasWeight()) {
            names.add("(weight)");
        }
        return names;
    }

    @Override
    public RowShape shape() {
        return shape;
    }

    @Override
    public int encode(CodedRows rows, int row, EncodedRows to) {
        DesignMatrix.RowMaker maker = makers.get();
        int refused = maker.read(rows.codes(), row * rows.width());
        if (refused >= 0) {
            return refused;
        }
        to.beginRow();
        maker.write(to::put);
        int next = design.width();
        for (int group = 0; group < groups; group++) {
            to.put(next++, maker.group(group));
        }
        if (design.hasOffset()) {
            to.put(next++, maker.offset());
        }
        if (design.hasWeight()) {
            to.put(next, maker.weight());
        }
        to.endRow(labelled ? maker.label() : Double.NaN);
        return ENCODED;
    }
}
