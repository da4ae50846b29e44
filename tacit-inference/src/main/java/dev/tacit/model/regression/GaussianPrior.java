package dev.tacit.model.regression;

import java.util.HashSet;
import java.util.List;

/** The prior θ ~ N(0, I / precision) of linear models, and checks that they share. */
public final class GaussianPrior {
    private GaussianPrior() {}

    public static void require(List<String> parameterNames, double rowNormBound, double priorPrecision) {
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

    /** −precision |θ|² / 2, with its gradient written. */
    static double logDensity(double precision, double[] parameters, double[] gradient) {
        double squares = 0;
        for (int j = 0; j < parameters.length; j++) {
            gradient[j] = -precision * parameters[j];
            squares += parameters[j] * parameters[j];
        }
        return -0.5 * precision * squares;
    }
}
