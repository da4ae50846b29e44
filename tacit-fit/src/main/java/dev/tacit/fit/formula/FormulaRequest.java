package dev.tacit.fit.formula;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.FormulaException;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.formula.design.Response;
import dev.tacit.data.schema.Schema;
import dev.tacit.data.schema.SchemaException;
import dev.tacit.fit.base.FitException;
import dev.tacit.glm.PrivateLikelihoodKernel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A fit by a formula as a fit of a model: the schema that encodes by the formula, the model of the family, the method.
 *
 * @param schema with the formula in it
 * @param model of the family
 */
public record FormulaRequest(Schema schema, String model) {
    /** The setting that holds priors of single terms. */
    public static final String PRIOR = "prior";

    /** The name of the method that fits formulas. */
    public static final String METHOD = PrivateLikelihoodKernel.NAME;

    /**
     * Puts a formula, a family and a schema together.
     *
     * @param family its name; null for the one that suits the response
     */
    public static FormulaRequest of(Schema schema, String formula, String family) {
        DesignMatrix design = design(schema, formula);
        Family wanted = family == null ? usual(design.response()) : Family.ofLabel(family);
        wanted.require(design.response());
        return new FormulaRequest(schema.withFormula(formula, design.response().column()), wanted.model());
    }

    /** Every declared column, for a model that is named without a formula. */
    public static Schema allColumns(Schema schema) {
        if (schema.encoding().formula().isPresent()) {
            return schema;
        }
        String target = schema.target()
                .orElseThrow(
                        () -> new FitException(
                                FitException.Kind.CONFIGURATION,
                                "the schema declares no target; declare one (target: NAME), or give a formula with --formula."));
        return schema.withFormula(DesignMatrix.ofAllColumns(schema).text(), target);
    }

    /** The design, or one sentence that points at what is wrong. */
    public static DesignMatrix design(Schema schema, String formula) {
        try {
            return DesignMatrix.of(Formula.parse(formula), schema);
        } catch (FormulaException e) {
            throw FitException.pointing(FitException.sentence(e.sentence()), formula, e.position());
        } catch (SchemaException e) {
            throw new FitException(FitException.Kind.CONFIGURATION, FitException.sentence(e.getMessage()), e);
        }
    }

    private static Family usual(Response response) {
        return switch (response.kind()) {
            case BINARY -> Family.BERNOULLI;
            case CATEGORY -> Family.ORDINAL;
            case COUNT -> Family.POISSON;
            case NUMBER -> Family.GAUSSIAN;
            case SURVIVAL -> Family.PIECEWISE_EXPONENTIAL;
        };
    }

    /** The settings with the priors of single terms among them. */
    public static Map<String, String> withPriors(Map<String, String> settings, List<String> priors) {
        if (priors.isEmpty()) {
            return settings;
        }
        Map<String, String> all = new LinkedHashMap<>(settings);
        if (all.put(PRIOR, String.join("; ", priors)) != null) {
            throw FitException.usage("--prior and --set prior= say the same; give one of them.");
        }
        return all;
    }
}
