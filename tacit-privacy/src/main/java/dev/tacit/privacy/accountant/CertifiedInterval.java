package dev.tacit.privacy.accountant;

/** An interval that contains the exact value, and where its width comes from. */
record CertifiedInterval(double lower, double upper, ErrorBudget errors, String source) {
    /** The interval of the larger of two values, each in its own interval. */
    CertifiedInterval max(CertifiedInterval other) {
        CertifiedInterval larger = other.upper > upper ? other : this;
        return new CertifiedInterval(Math.max(lower, other.lower), larger.upper, larger.errors, larger.source);
    }

    /** The interval of one value known to lie in two. */
    CertifiedInterval and(CertifiedInterval other) {
        CertifiedInterval tighter = other.upper < upper ? other : this;
        return new CertifiedInterval(Math.max(lower, other.lower), tighter.upper, tighter.errors, tighter.source);
    }

    /** The interval of a value known to be at least this. */
    CertifiedInterval atLeast(double other) {
        return new CertifiedInterval(Math.min(upper, Math.max(lower, other)), upper, errors, source);
    }

    /** Width relative to the upper end. */
    double relativeGap() {
        return upper == lower ? 0 : (upper - lower) / upper;
    }
}
