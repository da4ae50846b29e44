package dev.tacit.fit.run;

import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.fit.artefact.DataShapes;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.formula.FormulaRequest;
import dev.tacit.run.method.DataShape;
import dev.tacit.run.method.MethodCatalogue;
import dev.tacit.run.method.SettingException;
import dev.tacit.run.method.SettingValues;
import java.util.Map;
import java.util.Optional;

/**
 * What is fitted, and how.
 *
 * @param schema which encodes records as the method needs them
 * @param model its name
 * @param method its name
 * @param remark why it is not the model's standard method; empty if it is, or was named
 */
public record WantedFit(Schema schema, String model, String method, Optional<String> remark) {
    /** With more columns the standard method takes many minutes: its time grows with their cube. */
    private static final int MOST_COLUMNS = 300;

    /** A formula, by the method that fits formulas unless another is named. */
    public static WantedFit ofFormula(FormulaRequest formula, Optional<String> method) {
        method.ifPresent(WantedFit::requireFormulas);
        return new WantedFit(formula.schema(), formula.model(), method.orElse(FormulaRequest.METHOD), Optional.empty());
    }

    /** Columns of a formula are in natural units, without the bound on a row's norm that other methods need. */
    private static void requireFormulas(String method) {
        if (!method.equals(FormulaRequest.METHOD)) {
            throw FitException.usage("a formula is fitted by " + FormulaRequest.METHOD + ", and " + method
                    + " fits all declared columns on their scaled ranges; leave out --method, or give --model without a"
                    + " formula.");
        }
    }

    /**
     * A model of all declared columns. If no method is named it is the model's standard one, or, where declared facts rule that
     * out, the next one; which it is depends on the schema and the model alone.
     */
    public static WantedFit ofModel(Schema declared, String model, Optional<String> named) {
        try {
            String method = named.orElseGet(() -> MethodCatalogue.standardMethod(model));
            if (!method.equals(FormulaRequest.METHOD)) {
                if (declared.encoding().formula().isPresent()) {
                    requireFormulas(method);
                }
                return new WantedFit(declared, model, method, Optional.empty());
            }
            Optional<String> other = named.isPresent() ? Optional.empty() : MethodCatalogue.otherMethod(model);
            if (other.isPresent()) {
                Optional<String> obstacle = obstacle(declared, model);
                if (obstacle.isPresent()) {
                    return new WantedFit(
                            declared,
                            model,
                            other.get(),
                            Optional.of(other.get() + ", because " + method + " is not taken: " + obstacle.get()));
                }
            }
            return new WantedFit(FormulaRequest.allColumns(declared), model, method, Optional.empty());
        } catch (SettingException e) {
            throw FitException.usage(FitException.sentence(e.getMessage()));
        }
    }

    /** Why the method of formulas cannot fit all declared columns; empty if it can. */
    private static Optional<String> obstacle(Schema declared, String model) {
        if (declared.target().isEmpty()) {
            return Optional.of("the schema declares no target");
        }
        try {
            DataShape shape = DataShapes.of(BoughtBounds.placeholder(FormulaRequest.allColumns(declared)));
            MethodCatalogue.find(model, FormulaRequest.METHOD, shape, new SettingValues(Map.of()), true);
            int columns = shape.columns().size();
            return columns > MOST_COLUMNS
                    ? Optional.of("it takes long with " + columns + " columns; ask for it with --method "
                            + FormulaRequest.METHOD + ", or name fewer with --formula")
                    : Optional.empty();
        } catch (SettingException | SchemaException e) {
            return Optional.of(e.getMessage());
        }
    }
}
