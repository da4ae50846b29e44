package dev.tacit.model;

import java.util.HashSet;
import java.util.List;

/** Checks that linear models share. */
final class GaussianPrior {
    private GaussianPrior() {}

    static void require(List<String> parameterNames, double rowNormBound, double priorPrecision) {
        if (parameterNames.isEmpty()) {
            throw new IllegalArgumentException("a linear model has at least one column");
        }
        if (new HashSet<>(parameterNames).size() < parameterNames.size()) {
            throw new IllegalArgumentException("two columns of a linear model have the same name");
        }
        if (!(rowNormBound > 0) || Double.isInfinite(rowNormBound)) {
            throw new IllegalArgumentException("the bound on the norm of a record is a positive number");
        }
        if (!(priorPrecision > 0) || Double.isInfinite(priorPrecision)) {
            throw new IllegalArgumentException("a prior precision is a positive number");
        }
    }
}
