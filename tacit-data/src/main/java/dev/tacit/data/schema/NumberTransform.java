package dev.tacit.data.schema;

/** What is done to a clamped number before it is scaled by its bounds, which are transformed too. */
public enum NumberTransform {
    /** The number itself. */
    NONE("none", Double.NEGATIVE_INFINITY),
    /** log(1 + x), for x from 0 on. */
    LOG1P("log1p", 0),
    /** √x, for x from 0 on. */
    SQRT("sqrt", 0);

    private final String label;
    private final double leastValue;

    NumberTransform(String label, double leastValue) {
        this.label = label;
        this.leastValue = leastValue;
    }

    /** The spelling in a schema. */
    public String label() {
        return label;
    }

    /** The least lower bound that the transform takes. */
    public double leastValue() {
        return leastValue;
    }

    /** The transformed number. */
    public double apply(double value) {
        return switch (this) {
            case NONE -> value;
            case LOG1P -> Math.log1p(value);
            case SQRT -> Math.sqrt(value);
        };
    }
}
