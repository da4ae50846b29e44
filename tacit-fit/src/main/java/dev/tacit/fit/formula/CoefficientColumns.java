package dev.tacit.fit.formula;

import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.glm.family.MultinomialLogit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which column of a design every coefficient of a fit multiplies: the one of its name, or one of each level of the response. */
final class CoefficientColumns {
    private CoefficientColumns() {}

    /** By the coefficients' names, in their order. */
    static Map<String, DesignColumn> of(StoredPosterior fitted, DesignMatrix design) {
        return of(LevelProbabilities.family(fitted), design);
    }

    /** @param levels of a response without an order */
    static Map<String, DesignColumn> of(Optional<MultinomialLogit> levels, DesignMatrix design) {
        Map<String, DesignColumn> columns = new LinkedHashMap<>();
        if (levels.isEmpty()) {
            design.columns().forEach(column -> columns.put(column.name(), column));
            return columns;
        }
        for (String level : levels.get().compared()) {
            String prefix = levels.get().prefix(level);
            design.columns().forEach(column -> columns.put(prefix + column.name(), column));
        }
        return columns;
    }

    /** Names of effects that are 0: of references of columns, and all of the reference of the response. */
    static Iterable<String> references(StoredPosterior fitted, DesignMatrix design) {
        Map<String, Boolean> names = new LinkedHashMap<>();
        Optional<MultinomialLogit> levels = LevelProbabilities.family(fitted);
        of(levels, design).forEach((name, column) -> {
            String prefix = name.substring(0, name.length() - column.name().length());
            if (column.kind() == DesignColumn.Kind.LEVEL && column.unit().startsWith("vs ")) {
                names.put(prefix + column.term() + "[" + column.unit().substring(3) + "]", true);
            }
        });
        levels.ifPresent(family -> design.columns()
                .forEach(column ->
                        names.put(family.prefix(family.levels().get(family.reference())) + column.name(), true)));
        return names.keySet();
    }
}
