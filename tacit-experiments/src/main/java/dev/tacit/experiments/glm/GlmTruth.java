package dev.tacit.experiments.glm;

import dev.tacit.door.ledger.BudgetExhausted;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.experiments.harness.SimulatedRun;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.glm.family.GlmFamilies;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.model.GlmColumn;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.inference.FreePrior;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.run.CalibratedPlan;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** A table with its standardised rows and the parameters from which targets are drawn. */
final class GlmTruth {
    /** Of drawn levels. */
    private static final double SPACING = 0.7;

    private final GlmCase one;
    private final GlmTable table;
    private final GlmFamily family;
    private final GlmModel model;
    private final int n;
    private final int d;

    /** Standardised by the rows' own mean and deviation: z = (x − mean)/deviation for numbers. */
    private final double[] z;

    private final double[] mean;
    private final double[] deviation;
    private final double[] precision;
    private final double[] mode;
    private final double sigma;

    GlmTruth(GlmCase one, GlmTable table) {
        this.one = one;
        this.table = table;
        this.family = GlmFamilies.named(one.family());
        this.n = table.rows();
        this.d = table.design().size();
        this.mean = new double[d];
        this.deviation = new double[d];
        Arrays.fill(deviation, 1);
        this.z = table.x().clone();
        for (int j = 0; j < d; j++) {
            if (table.design().columns().get(j).kind() == GlmColumn.Kind.NUMBER) {
                standardise(j);
            }
        }
        double[] y = table.targets().get(one.target());
        this.precision = new double[d];
        Arrays.fill(precision, 1 / 6.25);
        precision[0] = 1 / 25.0;
        double low = 0;
        double high = 1;
        if (one.family().equals("gaussian")) {
            double least = Arrays.stream(y).min().orElseThrow();
            double most = Arrays.stream(y).max().orElseThrow();
            low = least - 0.6 * (most - least);
            high = most + 0.6 * (most - least);
            double average = Arrays.stream(y).average().orElseThrow();
            double variance = Arrays.stream(y)
                    .map(value -> (value - average) * (value - average))
                    .average()
                    .orElseThrow();
            for (int j = 0; j < d; j++) {
                precision[j] /= variance;
            }
            precision[0] = 1e-9;
        } else if (family.standardisesTarget()) {
            high = 100;
        }
        this.model = new GlmModel(table.design(), family, low, high, GlmPrior.standard());
        this.mode = mode(y);
        mode[0] += one.shift();
        double squares = 0;
        double[] eta = predictors(mode);
        for (int r = 0; r < n; r++) {
            squares += (y[r] - eta[r]) * (y[r] - eta[r]);
        }
        this.sigma = Math.sqrt(squares / n);
    }

    private void standardise(int j) {
        double sum = 0;
        for (int r = 0; r < n; r++) {
            sum += z[r * d + j];
        }
        mean[j] = sum / n;
        double squares = 0;
        for (int r = 0; r < n; r++) {
            squares += Math.pow(z[r * d + j] - mean[j], 2);
        }
        deviation[j] = Math.sqrt(squares / n);
        for (int r = 0; r < n; r++) {
            z[r * d + j] = (z[r * d + j] - mean[j]) / deviation[j];
        }
    }

    private double[] predictors(double[] theta) {
        double[] eta = new double[n];
        LinearAlgebra.best().multiplyVector(false, n, d, 1, z, theta, 0, eta);
        return eta;
    }

    private double mean(double eta) {
        return switch (one.family()) {
            case "bernoulli", "ordinal:3" -> 1 / (1 + Math.exp(-eta));
            case "gaussian" -> eta;
            default -> Math.exp(Math.min(30, eta));
        };
    }

    /** Of a record in the search for the mode: two classes, counts without overdispersion. */
    private double weight(double mu) {
        return switch (one.family()) {
            case "bernoulli", "ordinal:3" -> mu * (1 - mu);
            case "gaussian" -> 1;
            default -> mu;
        };
    }

    /** Of a record under the family that targets are drawn from. */
    private double information(double mu) {
        return switch (one.drawn()) {
            case "ordinal:3" -> ordinalInformation(mu);
            case "negative-binomial" -> mu / (1 + mu / one.dispersion());
            case "gaussian" -> 1 / (sigma * sigma);
            default -> weight(mu);
        };
    }

    /** Of a record whose probability to be above the lowest of three levels is given. */
    private static double ordinalInformation(double first) {
        double second = first / (first + (1 - first) * Math.exp(SPACING));
        double slopeFirst = first * (1 - first);
        double slopeSecond = second * (1 - second);
        double between = slopeFirst - slopeSecond;
        return slopeFirst * slopeFirst / (1 - first)
                + between * between / (first - second)
                + slopeSecond * slopeSecond / second;
    }

    /** Σ weight z zᵀ + prior, as an inverse. */
    private double[] covariance(double[] theta, DoubleUnaryOperator weight) {
        double[] eta = predictors(theta);
        double[] rows = new double[n * d];
        for (int r = 0; r < n; r++) {
            double root = Math.sqrt(weight.applyAsDouble(mean(eta[r])));
            for (int j = 0; j < d; j++) {
                rows[r * d + j] = root * z[r * d + j];
            }
        }
        double[] hessian = new double[d * d];
        LinearAlgebra.best().gram(n, d, 1, rows, 0, hessian);
        for (int j = 0; j < d; j++) {
            hessian[j * d + j] += precision[j];
        }
        if (!LinearAlgebra.best().invert(d, hessian)) {
            throw new IllegalStateException("the columns of " + table.name() + " are not independent");
        }
        return hessian;
    }

    /** Damped Newton. */
    private double[] mode(double[] y) {
        double[] theta = new double[d];
        boolean gaussian = one.family().equals("gaussian");
        if (family.standardisesTarget()) {
            double average = Arrays.stream(y).average().orElseThrow();
            theta[0] = gaussian ? average : Math.log(average);
        }
        for (int step = 0; step < 40; step++) {
            double[] eta = predictors(theta);
            double[] residual = new double[n];
            for (int r = 0; r < n; r++) {
                residual[r] = y[r] - mean(eta[r]);
            }
            double[] gradient = new double[d];
            LinearAlgebra.best().multiplyVector(true, n, d, 1, z, residual, 0, gradient);
            for (int j = 0; j < d; j++) {
                gradient[j] -= gaussian ? 0 : precision[j] * theta[j];
            }
            double[] move = new double[d];
            LinearAlgebra.best().multiplyVector(false, d, d, 1, covariance(theta, this::weight), gradient, 0, move);
            double size = 0;
            for (int j = 0; j < d; j++) {
                size = Math.max(size, Math.abs(move[j]));
            }
            double share = Math.min(1, 2 / Math.max(size, 1e-12));
            for (int j = 0; j < d; j++) {
                theta[j] += share * move[j];
            }
            if (size < 1e-9 * (gaussian ? 1e3 : 1)) {
                break;
            }
        }
        return theta;
    }

    double[] plainDeviations() {
        double[] covariance = covariance(mode, this::information);
        double[] deviations = new double[d];
        for (int j = 0; j < d; j++) {
            deviations[j] = Math.sqrt(covariance[j * d + j]);
        }
        return deviations;
    }

    GlmOutcome.Fit fit(CalibratedPlan calibrated, long seed) throws BudgetExhausted {
        RandomStream random = RandomStream.ofSeed(seed);
        double[] theta = mode;
        if (one.truth().equals("prior")) {
            theta = new double[d];
            for (int j = 0; j < d; j++) {
                theta[j] = j == 0 ? random.normal() - 1 : 2.5 * random.normal();
            }
        }
        double[] y = targets(theta, random);
        DenseBlock block = DenseBlock.of(n, d, table.x(), y);
        PrivateLikelihoodKernel kernel = new PrivateLikelihoodKernel();
        return compared(
                kernel.read(
                        SimulatedRun.of(kernel, model, block, calibrated, seed, random.fork("run"))
                                .state(),
                        model),
                theta,
                modeError(y, theta));
    }

    /**
     * How far the mode of the same targets without privacy is off, coefficients and then extra parameters that have one, over its
     * deviation; empty if another family drew them.
     */
    private double[] modeError(double[] y, double[] theta) {
        if (!one.drawn().equals(one.family()) || one.drawn().equals("negative-binomial")) {
            return new double[0];
        }
        if (one.drawn().equals("ordinal:3")) {
            return OrdinalMode.of(z, y, theta, SPACING, precision).error();
        }
        double[] found = mode(y);
        double[] covariance = covariance(found, this::information);
        double[] error = new double[d];
        for (int j = 0; j < d; j++) {
            error[j] = (found[j] - theta[j]) / Math.sqrt(covariance[j * d + j]);
        }
        return error;
    }

    private double[] targets(double[] theta, RandomStream random) {
        double[] eta = predictors(theta);
        double[] y = new double[n];
        double[] extra = drawnExtra();
        GlmFamily drawing = GlmFamilies.named(one.drawn());
        for (int r = 0; r < n; r++) {
            double drawn = drawing.simulate(eta[r], extra, random);
            y[r] = one.family().equals("gaussian")
                    ? Math.max(model.targetLow(), Math.min(model.targetHigh(), drawn))
                    : drawn;
        }
        return y;
    }

    GlmModel model() {
        return model;
    }

    /** Targets drawn at the mode. */
    double[] targets(RandomStream random) {
        return targets(mode, random);
    }

    /** Declared bounds of the target. */
    double[] targetBounds() {
        return new double[] {model.targetLow(), model.targetHigh()};
    }

    /** The mode in natural units. */
    double[] natural() {
        double[] natural = mode.clone();
        for (int j = 1; j < d; j++) {
            natural[j] /= deviation[j];
            natural[0] -= natural[j] * mean[j];
        }
        return natural;
    }

    private double[] drawnExtra() {
        return switch (one.drawn()) {
            case "bernoulli" -> new double[0];
            case "gaussian" -> new double[] {sigma};
            case "negative-binomial" -> new double[] {one.dispersion()};
            case "ordinal:3" -> new double[] {SPACING};
            default -> new double[] {1};
        };
    }

    private GlmOutcome.Fit compared(FreePrior.Reading reading, double[] theta, double[] modeError) {
        GaussianPosterior posterior = (GaussianPosterior) reading.posterior();
        double[] natural = posterior.mean();
        double[] covariance = posterior.covariance();
        int all = natural.length;
        double[] error = new double[d];
        double[] spread = new double[d];
        double intercept = 0;
        double variance = 0;
        for (int i = 0; i < d; i++) {
            double factor = i == 0 ? 1 : mean[i];
            intercept += factor * natural[i];
            for (int j = 0; j < d; j++) {
                variance += factor * (j == 0 ? 1 : mean[j]) * covariance[i * all + j];
            }
            error[i] = natural[i] * deviation[i] - theta[i];
            spread[i] = deviation[i] * Math.sqrt(covariance[i * all + i]);
        }
        error[0] = intercept - theta[0];
        spread[0] = Math.sqrt(variance);
        double[] extra = one.drawn().equals(one.family()) ? drawnExtra() : new double[0];
        double[] extraError = new double[extra.length];
        double[] extraSpread = new double[extra.length];
        for (int k = 0; k < extra.length; k++) {
            extraError[k] = natural[d + k] - Math.log(extra[k]);
            extraSpread[k] = Math.sqrt(covariance[(d + k) * all + d + k]);
        }
        boolean[] flagged = new boolean[d];
        int sums = 0;
        int coveredSums = 0;
        boolean overdispersed = false;
        for (FreePrior.Caution caution : reading.cautions()) {
            int[] columns = IntStream.range(0, d)
                    .filter(j -> caution.names().contains(table.design().names().get(j)))
                    .toArray();
            for (int j : columns) {
                flagged[j] = true;
            }
            overdispersed |= caution.kind().equals("overdispersed");
            if (caution.kind().equals("nested")) {
                for (int i : columns) {
                    int partner = partner(i, columns);
                    if (partner > i) {
                        double wide = Math.sqrt(covariance[i * all + i]
                                + 2 * covariance[i * all + partner]
                                + covariance[partner * all + partner]);
                        sums++;
                        coveredSums += Math.abs(error[i] + error[partner]) <= GlmOutcome.QUANTILE * wide ? 1 : 0;
                    }
                }
            }
        }
        return new GlmOutcome.Fit(
                error, spread, modeError, extraError, extraSpread, flagged, sums, coveredSums, overdispersed);
    }

    /** The level of another factor among the columns that most of this level's records have; −1 if there is none. */
    private int partner(int level, int[] columns) {
        int best = -1;
        double most = 0;
        for (int j : columns) {
            boolean levels = table.design().columns().get(level).factor() >= 0
                    && table.design().columns().get(j).factor() >= 0;
            if (levels
                    && table.design().columns().get(j).factor()
                            != table.design().columns().get(level).factor()) {
                double both = 0;
                for (int r = 0; r < n; r++) {
                    both += table.x()[r * d + level] * table.x()[r * d + j];
                }
                if (both > most) {
                    most = both;
                    best = j;
                }
            }
        }
        return best;
    }
}
