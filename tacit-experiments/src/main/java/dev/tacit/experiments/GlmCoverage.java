package dev.tacit.experiments;

import dev.tacit.glm.DesignColumn;
import dev.tacit.glm.GlmFamilies;
import dev.tacit.glm.GlmFamily;
import dev.tacit.glm.GlmModel;
import dev.tacit.glm.GlmPrior;
import dev.tacit.glm.PrivateLikelihoodKernel;
import dev.tacit.inference.FreePrior;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.GaussianPosterior;
import dev.tacit.privacy.accountant.ExactAccountant;
import dev.tacit.privacy.accountant.RenyiAccountant;
import dev.tacit.privacy.calibration.CalibrationException;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.LocalDataset;
import dev.tacit.privacy.data.RecordsInMemory;
import dev.tacit.privacy.data.RunRequest;
import dev.tacit.privacy.ledger.BudgetExhausted;
import dev.tacit.privacy.ledger.InMemoryLedger;
import dev.tacit.privacy.ledger.LedgerAccounting;
import dev.tacit.privacy.ledger.LedgerTerms;
import dev.tacit.privacy.mechanism.DiscreteGaussianMechanism;
import dev.tacit.privacy.noise.ReplayNoise;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyBudget;
import dev.tacit.privacy.unit.PrivacyUnit;
import dev.tacit.run.Calibrated;
import dev.tacit.run.InferenceRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;

/**
 * How often 90 % intervals of private regressions contain the truth, and how wide they are, on published tables.
 *
 * <p>The truth is the mode of the posterior on the real targets; targets are then drawn from the model given the real rows,
 * and fitted with the whole mechanism, over and over. Widths are over those of the curvature at the truth with the same
 * prior. Coefficients are compared on columns standardised by their own mean and deviation, the intercept at their means.
 */
final class GlmCoverage implements Experiment {
    private static final double DELTA = 1e-5;
    private static final double QUANTILE = 1.6448536269514722;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /** A table with a target and what is fitted to it. */
    record Case(String table, String target, String family, double epsilon, int fits, String truth) {
        Case(String table, String target, String family, double epsilon, int fits) {
            this(table, target, family, epsilon, fits, "mode");
        }

        String label() {
            return table + " / " + target + ", " + family + (truth.equals("mode") ? "" : ", truth from the " + truth);
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("icu", "death", "bernoulli", 1, 100),
            new Case("adult14", "income", "bernoulli", 1, 100),
            new Case("power-plant", "y", "gaussian", 1, 100),
            new Case("kin8nm", "y", "gaussian", 1, 100),
            new Case("wine-quality-red", "y", "gaussian", 1, 100),
            new Case("protein-tertiary-structure", "y", "gaussian", 1, 100),
            new Case("protein-tertiary-structure", "bin", "bernoulli", 1, 100),
            new Case("power-plant", "bin", "bernoulli", 1, 100),
            new Case("diabetes", "readmit", "bernoulli", 1, 100),
            new Case("diabetes", "meds", "poisson", 1, 100),
            new Case("icu", "death", "bernoulli", 1, 100, "prior"),
            new Case("icu", "death", "bernoulli", 0.5, 100),
            new Case("icu", "death", "bernoulli", 4, 100),
            new Case("adult14", "income", "bernoulli", 0.5, 100),
            new Case("adult14", "income", "bernoulli", 4, 100),
            new Case("power-plant", "y", "gaussian", 0.5, 100),
            new Case("power-plant", "y", "gaussian", 4, 100),
            new Case("kin8nm", "y", "gaussian", 0.5, 100),
            new Case("kin8nm", "y", "gaussian", 4, 100),
            new Case("wine-quality-red", "y", "gaussian", 0.5, 100),
            new Case("wine-quality-red", "y", "gaussian", 4, 100),
            new Case("diabetes", "readmit", "bernoulli", 0.5, 40),
            new Case("diabetes", "readmit", "bernoulli", 4, 40),
            new Case("diabetes", "meds", "poisson", 0.5, 40),
            new Case("diabetes", "meds", "poisson", 4, 40),
            new Case("adult", "income", "bernoulli", 1, 40));

    @Override
    public String name() {
        return "glm-coverage";
    }

    @Override
    public String about() {
        return "coverage and width of 90 % intervals of private regressions on published tables";
    }

    @Override
    public ExperimentResult run(ExperimentOptions options, ExperimentListener listener) {
        long start = System.nanoTime();
        List<Case> cases = options.quick() ? CASES.subList(0, 1) : CASES;
        listener.started(
                cases.stream().mapToInt(one -> options.seedsOr(one.fits)).sum());
        List<ResultRow> rows = new ArrayList<>();
        for (Case one : cases) {
            Outcome outcome = outcome(
                    one,
                    GlmTable.open(one.table, options.dataDirectory()),
                    options.seedsOr(one.fits),
                    options.threads(),
                    listener);
            rows.addAll(outcome.rows(one));
        }
        return new ExperimentResult(
                name(),
                rows,
                List.of(
                        "epsilon holds = upper bound of the exact accountant, delta 1e-5, one record added or removed",
                        "with 40 fits a parameter that covers 0.90 falls below 0.80 with probability 0.02"),
                (System.nanoTime() - start) / 1e9);
    }

    /** What many fits of one case showed. */
    record Outcome(
            List<double[]> errors, List<double[]> deviations, double[] plain, double epsilon, List<String> names) {
        double[] coverage() {
            double[] covered = new double[plain.length];
            for (int i = 0; i < errors.size(); i++) {
                for (int j = 0; j < plain.length; j++) {
                    boolean inside =
                            Math.abs(errors.get(i)[j]) <= QUANTILE * deviations.get(i)[j];
                    covered[j] += inside ? 1.0 / errors.size() : 0;
                }
            }
            return covered;
        }

        /** For each parameter the mean width over the plain one. */
        double[] widths() {
            double[] widths = new double[plain.length];
            for (double[] fit : deviations) {
                for (int j = 0; j < plain.length; j++) {
                    widths[j] += fit[j] / plain[j] / deviations.size();
                }
            }
            return widths;
        }

        /** Mean error over mean deviation. */
        double[] bias() {
            double[] bias = new double[plain.length];
            for (int i = 0; i < errors.size(); i++) {
                for (int j = 0; j < plain.length; j++) {
                    bias[j] += errors.get(i)[j] / deviations.get(i)[j] / errors.size();
                }
            }
            return bias;
        }

        List<ResultRow> rows(Case one) {
            double[] coverage = coverage();
            double[] widths = widths();
            Arrays.sort(widths);
            List<ResultRow> rows = new ArrayList<>();
            add(rows, one, "cov90 mean", Arrays.stream(coverage).average().orElseThrow());
            add(rows, one, "cov90 worst", Arrays.stream(coverage).min().orElseThrow());
            add(rows, one, "parameters below 0.80", (double)
                    Arrays.stream(coverage).filter(c -> c < 0.7999).count());
            add(rows, one, "parameters", coverage.length);
            add(rows, one, "median width over non-private", widths[widths.length / 2]);
            return rows;
        }

        private void add(List<ResultRow> rows, Case one, String metric, double value) {
            rows.add(new ResultRow(
                    PrivateLikelihoodKernel.NAME,
                    one.label() + ", epsilon " + one.epsilon,
                    metric,
                    OptionalDouble.empty(),
                    value,
                    0,
                    errors.size(),
                    one.epsilon,
                    epsilon));
        }
    }

    static Outcome outcome(Case one, GlmTable table, int fits, int threads, ExperimentListener listener) {
        Truth truth = new Truth(one, table);
        Calibrated calibrated;
        try {
            calibrated = Calibrated.of(
                    new PrivateLikelihoodKernel().plan(truth.model, table.rows()),
                    new PrivacyBudget(one.epsilon, DELTA),
                    new ExactAccountant(),
                    UNIT.neighbours());
        } catch (CalibrationException e) {
            throw new IllegalStateException(e);
        }
        List<Callable<double[][]>> parts = new ArrayList<>();
        for (int fit = 0; fit < fits; fit++) {
            long seed = 20_001L + fit;
            parts.add(() -> truth.fit(new PrivateLikelihoodKernel(), calibrated, seed));
        }
        List<double[]> errors = new ArrayList<>();
        List<double[]> deviations = new ArrayList<>();
        for (double[][] pair : new Parallel(threads, listener).all(parts)) {
            errors.add(pair[0]);
            deviations.add(pair[1]);
        }
        return new Outcome(
                errors,
                deviations,
                truth.plainDeviations(),
                calibrated.epsilon().upper(),
                table.design().names());
    }

    /** A table with its standardised rows and the parameters from which targets are drawn. */
    static final class Truth {
        private final Case one;
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

        Truth(Case one, GlmTable table) {
            this.one = one;
            this.table = table;
            this.family = GlmFamilies.named(one.family);
            this.n = table.rows();
            this.d = table.design().size();
            this.mean = new double[d];
            this.deviation = new double[d];
            Arrays.fill(deviation, 1);
            this.z = table.x().clone();
            for (int j = 0; j < d; j++) {
                if (table.design().columns().get(j).kind() == DesignColumn.Kind.NUMBER) {
                    standardise(j);
                }
            }
            double[] y = table.targets().get(one.target);
            this.precision = new double[d];
            Arrays.fill(precision, 1 / 6.25);
            precision[0] = 1 / 25.0;
            double low = 0;
            double high = 1;
            if (one.family.equals("gaussian")) {
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
            return switch (one.family) {
                case "bernoulli" -> 1 / (1 + Math.exp(-eta));
                case "gaussian" -> eta;
                default -> Math.exp(Math.min(30, eta));
            };
        }

        private double weight(double mu) {
            return switch (one.family) {
                case "bernoulli" -> mu * (1 - mu);
                case "gaussian" -> 1;
                default -> mu;
            };
        }

        /** Σ weight z zᵀ + prior, as an inverse. */
        private double[] covariance(double[] theta, double scale) {
            double[] eta = predictors(theta);
            double[] rows = new double[n * d];
            for (int r = 0; r < n; r++) {
                double root = Math.sqrt(weight(mean(eta[r])) * scale);
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
            boolean gaussian = one.family.equals("gaussian");
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
                LinearAlgebra.best().multiplyVector(false, d, d, 1, covariance(theta, 1), gradient, 0, move);
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
            double[] covariance = covariance(mode, one.family.equals("gaussian") ? 1 / (sigma * sigma) : 1);
            double[] deviations = new double[d];
            for (int j = 0; j < d; j++) {
                deviations[j] = Math.sqrt(covariance[j * d + j]);
            }
            return deviations;
        }

        /** Error and standard deviation of each coefficient on standardised columns. */
        double[][] fit(PrivateLikelihoodKernel kernel, Calibrated calibrated, long seed) throws BudgetExhausted {
            RandomStream random = RandomStream.ofSeed(seed);
            double[] theta = mode;
            if (one.truth.equals("prior")) {
                theta = new double[d];
                for (int j = 0; j < d; j++) {
                    theta[j] = j == 0 ? random.normal() - 1 : 2.5 * random.normal();
                }
            }
            double[] y = targets(theta, random);
            RenyiAccountant renyi = new RenyiAccountant();
            LedgerTerms terms = LedgerTerms.forPlan(
                    UNIT,
                    new PrivacyBudget(calibrated.epsilon().upper(), DELTA),
                    calibrated.event(),
                    renyi::divergence);
            DenseBlock block = DenseBlock.of(n, d, table.x(), y);
            FreePrior.Reading reading;
            try (LocalDataset data = new LocalDataset(RecordsInMemory.of(block, true), UNIT, n, 1)) {
                PrivateLikelihoodKernel.State state = InferenceRun.once(
                                kernel,
                                model,
                                data.open(
                                        RunRequest.of(kernel.name(), calibrated.plan()),
                                        new DiscreteGaussianMechanism(calibrated.noiseMultiplier()),
                                        new InMemoryLedger(
                                                terms, new LedgerAccounting(new ExactAccountant(), renyi::divergence)),
                                        ReplayNoise.ofSeed(seed)),
                                random.fork("run"))
                        .state();
                reading = kernel.read(state, model);
            }
            return compared(reading, theta);
        }

        private double[] targets(double[] theta, RandomStream random) {
            double[] eta = predictors(theta);
            double[] y = new double[n];
            double[] extra = {one.family.equals("gaussian") ? sigma : 1};
            for (int r = 0; r < n; r++) {
                double drawn = family.simulate(eta[r], extra, random);
                y[r] = one.family.equals("gaussian")
                        ? Math.max(model.targetLow(), Math.min(model.targetHigh(), drawn))
                        : drawn;
            }
            return y;
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

        private double[][] compared(FreePrior.Reading reading, double[] theta) {
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
            return new double[][] {error, spread};
        }
    }
}
