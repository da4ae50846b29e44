package dev.tacit.data.formula.design;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.Interval;
import dev.tacit.data.formula.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The functions of one number that a formula may use, each with where it is defined. */
enum NumberFunction {
    /** The number itself; what stands inside is arithmetic. */
    I("", Double.NEGATIVE_INFINITY, ""),
    /** The natural logarithm. */
    LOG("above 0", Double.MIN_VALUE, "; log1p(x) takes 0 too"),
    /** log(1 + x). */
    LOG1P("above -1", Math.nextUp(-1.0), ""),
    /** The logarithm to base 2. */
    LOG2("above 0", Double.MIN_VALUE, "; log1p(x) takes 0 too"),
    /** The logarithm to base 10. */
    LOG10("above 0", Double.MIN_VALUE, "; log1p(x) takes 0 too"),
    /** The square root. */
    SQRT("from 0 on", 0, ""),
    /** The exponential function. */
    EXP("", Double.NEGATIVE_INFINITY, ""),
    /** exp(x) - 1. */
    EXPM1("", Double.NEGATIVE_INFINITY, ""),
    /** The size without the sign. */
    ABS("", Double.NEGATIVE_INFINITY, "");

    private final String domain;
    private final double least;
    private final String hint;

    NumberFunction(String domain, double least, String hint) {
        this.domain = domain;
        this.least = least;
        this.hint = hint;
    }

    String label() {
        return this == I ? "I" : name().toLowerCase(Locale.ROOT);
    }

    static NumberFunction find(Node.Call call, Formula formula) {
        List<String> known = new ArrayList<>();
        for (NumberFunction function : values()) {
            if (function.label().equals(call.function())) {
                return function;
            }
            known.add(function.label() + "()");
        }
        if (call.function().equals("scale")) {
            throw formula.problem(
                    "scale() would look at the data; columns are standardised inside the fit and reported in their own"
                            + " units, and public constants can be written as I((x - 60) / 10)",
                    call.at());
        }
        if (List.of("poly", "ns", "bs", "bins", "factor").contains(call.function())) {
            throw formula.problem(
                    call.function() + "() is a term of its own and cannot stand inside another function", call.at());
        }
        throw formula.problem(
                "a formula has no function " + call.function() + "(); the functions of a number are "
                        + String.join(", ", known) + ", and terms can be poly(), ns(), bs() and bins()",
                call.at());
    }

    boolean definedOn(Interval range) {
        return range.lower() >= least;
    }

    String domain() {
        return domain;
    }

    String hint() {
        return hint;
    }

    double apply(double x) {
        return switch (this) {
            case I -> x;
            case LOG -> Math.log(x);
            case LOG1P -> Math.log1p(x);
            case LOG2 -> Math.log(x) / Math.log(2);
            case LOG10 -> Math.log10(x);
            case SQRT -> Math.sqrt(x);
            case EXP -> Math.exp(x);
            case EXPM1 -> Math.expm1(x);
            case ABS -> Math.abs(x);
        };
    }

    Interval range(Interval argument) {
        return this == ABS ? argument.absolute() : argument.rising(this::apply);
    }
}
