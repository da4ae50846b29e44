package dev.tacit.fit.twin;

import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A posterior stretched around its medians, to be shown; it has no density and is written to no file. */
record StretchedPosterior(Posterior own, double[] by) implements Posterior {
    @Override
    public String family() {
        return own.family();
    }

    @Override
    public List<String> parameterNames() {
        return own.parameterNames();
    }

    @Override
    public double[] mean() {
        return own.mean();
    }

    @Override
    public double[] standardDeviation() {
        double[] deviation = own.standardDeviation();
        for (int i = 0; i < deviation.length; i++) {
            deviation[i] *= by[i];
        }
        return deviation;
    }

    @Override
    public double quantile(int coordinate, double probability) {
        double median = own.quantile(coordinate, 0.5);
        return median + by[coordinate] * (own.quantile(coordinate, probability) - median);
    }

    @Override
    public Optional<double[]> naturalParameters() {
        return Optional.empty();
    }

    @Override
    public void sample(RandomStream random, double[] draw) {
        own.sample(random, draw);
        for (int i = 0; i < draw.length; i++) {
            double median = own.quantile(i, 0.5);
            draw[i] = median + by[i] * (draw[i] - median);
        }
    }

    @Override
    public double logDensity(double[] point) {
        throw new UnsupportedOperationException("what is shown of a posterior has no density");
    }

    @Override
    public Map<String, Object> toJson() {
        throw new UnsupportedOperationException("what is shown of a posterior is written to no file");
    }
}
