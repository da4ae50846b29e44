package dev.tacit.cli.account;

import dev.tacit.accounting.ErrorBudget;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One accountant's answer.
 *
 * @param accountant its name in JSON
 * @param finding what it says
 * @param seconds how long it took
 */
record Answer(String accountant, Finding finding, double seconds) {
    /** What can be known: a bound, an interval, an estimate that bounds nothing, or a refusal. */
    sealed interface Finding {}

    /** The true value is at most {@code upper}. */
    record Bound(double upper, String source) implements Finding {}

    /** The true value lies between {@code lower} and {@code upper}. */
    record Interval(double lower, double upper, ErrorBudget errors, String source) implements Finding {}

    /** No finite value holds. */
    record Unbounded(String reason) implements Finding {}

    /** A number without a guarantee. */
    record Estimate(double value, String source) implements Finding {}

    /** The method does not apply. */
    record Unsupported(String reason) implements Finding {}

    /**
     * The value that holds: +∞ if none is known, NaN for an estimate, so that no comparison mistakes it for a bound.
     */
    double upper() {
        if (finding instanceof Bound bound) {
            return bound.upper();
        }
        if (finding instanceof Interval interval) {
            return interval.upper();
        }
        return finding instanceof Estimate ? Double.NaN : Double.POSITIVE_INFINITY;
    }

    /** The stable JSON form; full precision, infinity is the string "unbounded". */
    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("accountant", accountant);
        if (finding instanceof Interval interval) {
            json.put("lower", number(interval.lower()));
            json.put("upper", number(interval.upper()));
            json.put("source", interval.source());
            json.put("errors", errors(interval.errors()));
        } else if (finding instanceof Bound bound) {
            json.put("upper", number(bound.upper()));
            json.put("source", bound.source());
        } else if (finding instanceof Unbounded unbounded) {
            if (accountant.equals(Accounting.EXACT)) {
                json.put("lower", "unbounded");
            }
            json.put("upper", "unbounded");
            json.put("source", unbounded.reason());
        } else if (finding instanceof Estimate estimate) {
            json.put("estimate", number(estimate.value()));
            json.put("source", estimate.source());
        } else if (finding instanceof Unsupported unsupported) {
            json.put("unsupported", unsupported.reason());
        }
        return json;
    }

    private static Map<String, Object> errors(ErrorBudget errors) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("aliasing", number(errors.aliasing()));
        json.put("truncation", number(errors.truncation()));
        json.put("quadrature", number(errors.quadrature()));
        json.put("rounding", number(errors.rounding()));
        json.put("tailMass", number(errors.tailMass()));
        return json;
    }

    private static Object number(double value) {
        return Double.isInfinite(value) ? "unbounded" : (Object) value;
    }
}
