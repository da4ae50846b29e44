package dev.tacit.fit.artefact;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.FormulaException;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.formula.design.GroupTerm;
import dev.tacit.data.formula.design.Response;
import dev.tacit.data.schema.Schema;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GroupEffects;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.SettingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From a formula over declared columns to what a regression needs to know. */
final class FormulaShapes {
    private FormulaShapes() {}

    /**
     * The shape of rows that a schema encodes by its formula.
     *
     * @throws SettingException if no method fits such a formula
     */
    static DataShape of(Schema schema) {
        DesignMatrix matrix;
        try {
            matrix = DesignMatrix.of(Formula.parse(schema.encoding().formula().orElseThrow()), schema);
        } catch (FormulaException e) {
            throw new SettingException(e.sentence());
        }
        GlmDesign design = design(matrix, schema);
        // Numbers are in natural units: no method but those that know the design has a bound on a row's norm.
        return new DataShape(design.names(), Double.POSITIVE_INFINITY, target(matrix.response()), schema.size())
                .withDesign(design);
    }

    private static GlmDesign design(DesignMatrix matrix, Schema schema) {
        if (!matrix.intercept()) {
            throw new SettingException(
                    "a formula is fitted with an intercept; leave out 0 + and - 1, and have the value of a"
                            + " level by tacit summary --contrast '(Intercept) + job[miner]'");
        }
        if (matrix.hasWeight()) {
            throw new SettingException(
                    "weights are not fitted: the largest one would multiply the noise of everybody; leave"
                            + " out weights(), and give equal records as rows of their own");
        }
        List<GlmColumn> columns = new ArrayList<>();
        for (var column : matrix.columns()) {
            columns.add(
                    switch (column.kind()) {
                        case INTERCEPT -> GlmColumn.intercept(column.name());
                        case NUMBER -> GlmColumn.number(column.name(), column.lower(), column.upper());
                        case LEVEL -> GlmColumn.level(column.name(), column.factor());
                    });
        }
        try {
            return new GlmDesign(
                    columns,
                    groups(matrix, columns),
                    offset(matrix),
                    schema.unit().maxRecords());
        } catch (IllegalArgumentException e) {
            throw new SettingException(e.getMessage());
        }
    }

    private static List<GroupEffects> groups(DesignMatrix matrix, List<GlmColumn> columns) {
        List<GroupEffects> groups = new ArrayList<>();
        for (GroupTerm group : matrix.groups()) {
            int slope = 0;
            if (group.slope().isPresent()) {
                String name = group.slope().get();
                slope = columns.stream().map(GlmColumn::name).toList().indexOf(name);
                if (slope < 0) {
                    throw new SettingException("the slope of " + name + " can differ between groups only if " + name
                            + " is a term itself; add + " + name);
                }
            }
            groups.add(new GroupEffects(
                    group.name(), group.levels(), slope, group.slope().orElse("")));
        }
        return groups;
    }

    private static Optional<GlmColumn> offset(DesignMatrix matrix) {
        if (!matrix.hasOffset()) {
            return Optional.empty();
        }
        double[] range = matrix.offsetRange();
        if (!(range[0] < range[1])) {
            throw new SettingException("the offset is the same number for every record, which only moves the intercept;"
                    + " leave out offset() or put a column into it");
        }
        return Optional.of(GlmColumn.number("(offset)", range[0], range[1]));
    }

    private static DataShape.Target target(Response response) {
        return switch (response.kind()) {
            case BINARY -> new DataShape.Target.Binary();
            case CATEGORY -> new DataShape.Target.Category(response.label(), response.classes(), response.reference());
            case SURVIVAL -> new DataShape.Target.Survival(response.ends());
            case NUMBER, COUNT -> new DataShape.Target.Numeric(response.lower(), response.upper());
        };
    }
}
