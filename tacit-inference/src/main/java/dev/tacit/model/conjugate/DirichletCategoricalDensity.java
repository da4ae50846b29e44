package dev.tacit.model.conjugate;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.DifferentiableModel;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.transform.ParameterSpace;
import dev.tacit.transform.Transforms;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How often each category of a column occurs, as a log-density of log-ratios u.
 *
 * <pre>
 *   x ~ Categorical(θ),   θ = softmax(u₁, …, u_{K−1}, 0) ~ Dirichlet(priorConcentration, …)
 *   slope of one record: e_x − θ;     of the prior with its Jacobian Π θ_j: priorConcentration (1 − K θ)       first K − 1 of each
 * </pre>
 *
 * {@link DirichletCategorical} has the closed form. The category of a row is its largest number; a row without a positive
 * number contributes nothing.
 *
 * @param categories their names
 * @param priorConcentration of each category
 */
public record DirichletCategoricalDensity(List<String> categories, double priorConcentration)
        implements DifferentiableModel, Serializable {
    private static final String PARAMETER = "share";

    public DirichletCategoricalDensity {
        categories = List.copyOf(categories);
        if (categories.size() < 2) {
            throw new IllegalArgumentException("a category column has at least two categories");
        }
        ConjugatePair.requirePositive(priorConcentration, "priorConcentration");
    }

    @Override
    public Optional<ParameterSpace> space() {
        return Optional.of(ParameterSpace.of(PARAMETER, Transforms.logRatio(categories.size())));
    }

    @Override
    public List<String> parameterNames() {
        List<String> names = new ArrayList<>();
        String last = categories.get(categories.size() - 1);
        for (String category : categories.subList(0, categories.size() - 1)) {
            names.add("log " + category + " / " + last);
        }
        return names;
    }

    @Override
    public List<String> reportedNames() {
        return categories;
    }

    @Override
    public int dimension() {
        return categories.size() - 1;
    }

    /** Writes softmax(u, 0) to {@code shares} and returns the logarithm of its denominator. */
    private static double shares(double[] parameters, double[] shares) {
        int last = shares.length - 1;
        System.arraycopy(parameters, 0, shares, 0, last);
        shares[last] = 0;
        double logSum = SpecialFunctions.logSumExp(shares, last + 1);
        SpecialFunctions.softmax(shares, shares, last + 1);
        return logSum;
    }

    @Override
    public double logPrior(double[] parameters, double[] gradient) {
        int count = categories.size();
        double[] shares = new double[count];
        double sum = -count * shares(parameters, shares);
        for (int j = 0; j < count - 1; j++) {
            sum += parameters[j];
            gradient[j] = priorConcentration * (1 - count * shares[j]);
        }
        return priorConcentration * sum;
    }

    @Override
    public double[] start() {
        return new double[dimension()];
    }

    @Override
    public Likelihood likelihood() {
        int count = categories.size();
        double[] shares = new double[count];
        double[][] cells = {new double[count]};
        return (block, row, parameters, gradient) -> {
            int category = category(block, row, cells);
            if (category < 0) {
                return 0;
            }
            double logSum = shares(parameters, shares);
            for (int j = 0; j < count - 1; j++) {
                gradient[j] += (j == category ? 1 : 0) - shares[j];
            }
            return (category < count - 1 ? parameters[category] : 0) - logSum;
        };
    }

    private int category(RecordBlock block, int row, double[][] cells) {
        if (cells[0].length != block.columns()) {
            cells[0] = new double[block.columns()];
        }
        return DirichletCategorical.category(block, row, cells[0], Math.min(categories.size(), block.columns()));
    }
}
