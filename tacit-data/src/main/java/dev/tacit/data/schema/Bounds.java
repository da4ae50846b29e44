package dev.tacit.data.schema;

/**
 * The declared range of a number; values outside are moved to the nearer end.
 *
 * @param lower the least value
 * @param upper the greatest value, more than the least
 */
public record Bounds(double lower, double upper) {
    public Bounds {
        if (!Double.isFinite(lower) || !Double.isFinite(upper) || !Double.isFinite(upper - lower)) {
            throw new SchemaException("bounds are two finite numbers whose difference is finite");
        }
        if (!(lower < upper)) {
            throw new SchemaException("bounds are a smaller number and then a larger one");
        }
    }

    /** The value, moved to the nearer end if it is outside. */
    public double clamp(double value) {
        return Math.max(lower, Math.min(upper, value));
    }
}
