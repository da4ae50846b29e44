package dev.tacit.accounting.compose;

import dev.tacit.accounting.ErrorBudget;

/** An interval that contains the exact value, and where its width comes from. */
public record CertifiedInterval(double lower, double upper, ErrorBudget errors, String source) {
    /** The interval of the larger of two values, each in its own interval. */
    public CertifiedInterval max(CertifiedInterval other) {
        CertifiedInterval larger = other.upper > upper ? other : this;
        return new CertifiedInterval(Math.max(lower, other.lower), larger.upper, larger.errors, larger.source);
    }

    /** The interval of one value known to lie in two; if they contradict each other, neither is believed alone. */
    public CertifiedInterval and(CertifiedInterval other) {
        boolean otherIsLower = other.upper < upper;
        double most = Math.max(lower, other.lower);
        if (most > Math.min(upper, other.upper)) {
            CertifiedInterval looser = otherIsLower ? this : other;
            return new CertifiedInterval(Math.min(lower, other.lower), looser.upper, looser.errors, looser.source);
        }
        CertifiedInterval tighter = otherIsLower ? other : this;
        return new CertifiedInterval(most, tighter.upper, tighter.errors, tighter.source);
    }

    /** The interval of a value known to be at least this. */
    public CertifiedInterval atLeast(double other) {
        return new CertifiedInterval(Math.min(upper, Math.max(lower, other)), upper, errors, source);
    }

    /** The interval of a value known to be at most another, which lies in its own interval; one that contradicts this is not believed. */
    public CertifiedInterval atMost(CertifiedInterval other) {
        return other.upper < upper && other.upper >= lower
                ? new CertifiedInterval(lower, other.upper, other.errors, other.source)
                : this;
    }

    /** Width relative to the upper end. */
    public double relativeGap() {
        return upper == lower ? 0 : (upper - lower) / upper;
    }
}
