package dev.tacit.data.schema;

import java.util.Objects;

/**
 * How a row as a whole is encoded.
 *
 * @param intercept whether the last encoded column is the constant 1
 * @param rowNorm what is done about the row's L2 norm
 */
public record Encoding(boolean intercept, RowNorm rowNorm) {
    public Encoding {
        Objects.requireNonNull(rowNorm, "rowNorm");
    }
}
