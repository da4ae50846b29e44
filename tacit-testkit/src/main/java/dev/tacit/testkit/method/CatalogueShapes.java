package dev.tacit.testkit.method;

import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.run.method.DataShape;
import java.util.List;

/** Shapes of records that the catalogue of methods can be asked to fit. */
public final class CatalogueShapes {
    private static final int SIZE = 24;
    private static final List<String> COLUMNS = List.of("age", "debt", "job=miner", "job=baker");

    /** One shape of every kind that a schema can declare; what no method fits here cannot be tested here. */
    public static final List<DataShape> ALL = List.of(
            new DataShape(COLUMNS, 2, new DataShape.Target.Binary(), SIZE),
            new DataShape(COLUMNS, 2, new DataShape.Target.Numeric(0, 5), SIZE),
            new DataShape(COLUMNS, 2, new DataShape.Target.Category(List.of("a", "b", "c")), SIZE),
            new DataShape(COLUMNS, 2, new DataShape.Target.None(), SIZE),
            new DataShape(COLUMNS, 2, new DataShape.Target.None(), SIZE, true),
            new DataShape(List.of("job=miner", "job=baker"), 1, new DataShape.Target.None(), SIZE),
            formula(new DataShape.Target.Binary()),
            formula(new DataShape.Target.Numeric(0, 5)),
            formula(new DataShape.Target.Numeric(0.01, 0.99)),
            formula(new DataShape.Target.Category(List.of("a", "b", "c"))),
            formula(new DataShape.Target.Survival(List.of(1.0, 2.0, 5.0))));

    /** Columns of a formula, in natural units. */
    private static DataShape formula(DataShape.Target target) {
        GlmDesign design = GlmDesign.of(List.of(
                GlmColumn.intercept("(Intercept)"), GlmColumn.number("age", 20, 80), GlmColumn.level("job=miner", 0)));
        List<String> names = design.columns().stream().map(GlmColumn::name).toList();
        return new DataShape(names, Math.hypot(80, Math.sqrt(2)), target, SIZE).withDesign(design);
    }

    private CatalogueShapes() {}
}
