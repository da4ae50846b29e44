package dev.tacit.data.schema;

import java.util.Objects;
import java.util.Optional;

/**
 * How a row as a whole is encoded.
 *
 * @param intercept whether the last encoded column is the constant 1
 * @param rowNorm what is done about the row's L2 norm
 * @param formula which columns a row has, in R's syntax; if there is one, it alone decides, and numbers keep their units
 */
public record Encoding(boolean intercept, RowNorm rowNorm, Optional<String> formula) {
    public Encoding {
        Objects.requireNonNull(rowNorm, "rowNorm");
        Objects.requireNonNull(formula, "formula");
        if (formula.isPresent() && !(rowNorm instanceof RowNorm.None)) {
            throw new SchemaException("a formula keeps columns in their own units; leave out rowNorm");
        }
    }

    /** By the declared columns, without a formula. */
    public Encoding(boolean intercept, RowNorm rowNorm) {
        this(intercept, rowNorm, Optional.empty());
    }

    /** By a formula. */
    public static Encoding ofFormula(String formula) {
        return new Encoding(true, new RowNorm.None(), Optional.of(formula));
    }
}
