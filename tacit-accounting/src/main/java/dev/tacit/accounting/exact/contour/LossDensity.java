package dev.tacit.accounting.exact.contour;

import dev.tacit.accounting.exact.contour.PoissonGaussianMoments.Direction;
import dev.tacit.accounting.numerics.MixtureRatio;

/** Ascending losses of a Poisson-sampled Gaussian release, and lower bounds of their tilted density between neighbouring ones. */
final class LossDensity {
    private static final int MOST_POINTS = 4000;

    private final double[] losses;
    private final double[] lower;

    private LossDensity(double[] losses, double[] lower) {
        this.losses = losses;
        this.lower = lower;
    }

    double[] losses() {
        return losses;
    }

    /** Entry i holds between losses i and i + 1. */
    double[] lower() {
        return lower;
    }

    /**
     * From the nodes u = (first + i)·spacing of a rule and their tilted weights.
     *
     * @param relativeError of the weights
     */
    static LossDensity atNodes(
            PoissonGaussianMoments curve,
            double theta,
            double[] nodeLosses,
            double[] weights,
            long first,
            double spacing,
            double relativeError) {
        int n = nodeLosses.length;
        boolean descending = curve.direction == Direction.ADD;
        double[] loss = new double[n];
        double[] density = new double[n];
        for (int i = 0; i < n; i++) {
            double u = (first + i) * spacing;
            int at = descending ? n - 1 - i : i;
            loss[at] = nodeLosses[i];
            density[at] = weights[i] / (spacing * curve.shift * slope(curve, u));
        }
        double dip = Math.exp(-0.125 * spacing * spacing * convexity(curve, theta));
        double least = dip * Math.max(0, 1 - relativeError);
        double[] lower = new double[n - 1];
        for (int i = 0; i + 1 < n; i++) {
            lower[i] = Math.min(density[i], density[i + 1]) * least;
        }
        return new LossDensity(loss, lower);
    }

    /** On points of its own, as fine as the order asks for. */
    static LossDensity of(PoissonGaussianMoments curve, double theta) {
        double[] sums = new double[4];
        curve.addCumulants(theta, sums);
        double logMoment = sums[0] / curve.times();
        double spacing = Math.min(0.2, 0.7 / ((theta + 2) * curve.shift + 1e-9));
        boolean descending = curve.direction == Direction.ADD;
        double from = Math.max(curve.left(theta), -12.0 - (descending ? theta * curve.shift : 0));
        double to = curve.start == Double.NEGATIVE_INFINITY
                ? Math.min(curve.right(theta), (2 * theta + 1) * curve.shift + 12)
                : curve.right(theta);
        spacing = Math.max(spacing, (to - from) / MOST_POINTS);
        int n = (int) ((to - from) / spacing) + 1;
        double[] loss = new double[n];
        double[] logDensity = new double[n];
        for (int i = 0; i < n; i++) {
            double u = from + i * spacing;
            double logRatio = MixtureRatio.log(curve.shift, curve.rate, u);
            int at = descending ? n - 1 - i : i;
            loss[at] = curve.loss(u, logRatio);
            logDensity[at] = curve.logDensity(u, logRatio)
                    - PoissonGaussianMoments.LOG_SQRT_TWO_PI
                    + theta * loss[at]
                    - Math.log(curve.shift * slope(curve, u))
                    - logMoment;
        }
        double dip = spacing * spacing / 8 * convexity(curve, theta);
        double[] lower = new double[n - 1];
        for (int i = 0; i + 1 < n; i++) {
            lower[i] = Math.exp(Math.min(logDensity[i], logDensity[i + 1]) - dip);
        }
        return new LossDensity(loss, lower);
    }

    /** |dL/du| over the shift. */
    private static double slope(PoissonGaussianMoments curve, double u) {
        double slope = MixtureRatio.share(curve.shift, curve.rate, u);
        return curve.direction == Direction.REPLACE ? slope + MixtureRatio.share(curve.shift, curve.rate, -u) : slope;
    }

    /** Largest second derivative in u of the log of the tilted density, i.e. how far it can dip between two points. */
    static double convexity(PoissonGaussianMoments curve, double theta) {
        double square = curve.shift * curve.shift;
        return switch (curve.direction) {
            case REMOVE -> (theta + 2) * square / 4;
            case ADD -> square / 4;
            case REPLACE -> (theta + 1) * square / 2 + 2 * square;
        };
    }
}
