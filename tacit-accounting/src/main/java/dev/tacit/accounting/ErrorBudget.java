package dev.tacit.accounting;

/**
 * Where the width of a certified interval comes from: bounds on each error of delta, relative to delta.
 *
 * @param aliasing finite period of the trapezoid rule or of the FFT
 * @param truncation frequencies or losses beyond the last node
 * @param quadrature inner integral, or discretisation of the loss
 * @param rounding floating-point arithmetic
 * @param tailMass outcomes left out of the computation and added to delta
 */
public record ErrorBudget(double aliasing, double truncation, double quadrature, double rounding, double tailMass) {
    /** Nothing but correctly rounded closed forms. */
    public static ErrorBudget roundingOnly(double rounding) {
        return new ErrorBudget(0, 0, 0, rounding, 0);
    }

    /** All errors together, relative to delta. */
    public double total() {
        return aliasing + truncation + quadrature + rounding + tailMass;
    }
}
