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
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

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
    private static final double LOW = 0.7999;
    private static final PrivacyUnit UNIT = PrivacyUnit.record(Neighbours.ADD_REMOVE);

    /**
     * A table with a target and what is fitted to it.
     *
     * @param truth {@code mode}: of the real targets; {@code prior}: drawn from it; {@code overdispersed}: the mode, with counts
     *     drawn from a negative binomial distribution
     */
    record Case(String table, String target, String family, double epsilon, int fits, String truth) {
        Case(String table, String target, String family, double epsilon, int fits) {
            this(table, target, family, epsilon, fits, "mode");
        }

        String label() {
            return table + " / " + target + ", " + family + (truth.equals("mode") ? "" : ", truth: " + truth);
        }

        /** The family that targets are drawn from. */
        String drawn() {
            return truth.equals("overdispersed") ? "negative-binomial" : family;
        }
    }

    /** The dispersion of drawn negative binomial counts, and the spacing of drawn levels. */
    private static final double DISPERSION = 4;

    private static final double SPACING = 0.7;

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
            new Case("diabetes", "readmit", "bernoulli", 0.5, 100),
            new Case("diabetes", "readmit", "bernoulli", 4, 100),
            new Case("diabetes", "meds", "poisson", 0.5, 100),
            new Case("diabetes", "meds", "poisson", 4, 100),
            new Case("diabetes", "meds", "poisson", 1, 100, "overdispersed"),
            new Case("diabetes", "meds", "negative-binomial", 1, 100),
            new Case("diabetes", "readmit", "ordinal:3", 1, 100),
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
                        "null level = how many parameters would be below 0.80 by chance if each covered 0.90"),
                (System.nanoTime() - start) / 1e9);
    }

    /**
     * What one fit showed.
     *
     * @param error of each coefficient on standardised columns
     * @param deviation its standard deviation
     * @param extraError of the logarithms of extra parameters; empty if the drawn family has others
     * @param extraDeviation their standard deviations
     * @param flagged whether a warning names the coefficient
     * @param sums how many sums of two coefficients that a warning calls nested were looked at
     * @param coveredSums how many of them were in their intervals
     */
    record Fit(
            double[] error,
            double[] deviation,
            double[] extraError,
            double[] extraDeviation,
            boolean[] flagged,
            int sums,
            int coveredSums) {}

    /** What many fits of one case showed. */
    record Outcome(List<Fit> fits, double[] plain, double epsilon, List<String> names) {
        private static double covered(double error, double deviation) {
            return Math.abs(error) <= QUANTILE * deviation ? 1 : 0;
        }

        double[] coverage() {
            double[] covered = new double[plain.length];
            for (Fit fit : fits) {
                for (int j = 0; j < plain.length; j++) {
                    covered[j] += covered(fit.error[j], fit.deviation[j]) / fits.size();
                }
            }
            return covered;
        }

        /** For each coefficient the mean width over the plain one. */
        double[] widths() {
            double[] widths = new double[plain.length];
            for (Fit fit : fits) {
                for (int j = 0; j < plain.length; j++) {
                    widths[j] += fit.deviation[j] / plain[j] / fits.size();
                }
            }
            return widths;
        }

        /** Mean error in deviations. */
        double[] bias() {
            double[] bias = new double[plain.length];
            for (Fit fit : fits) {
                for (int j = 0; j < plain.length; j++) {
                    bias[j] += fit.error[j] / fit.deviation[j] / fits.size();
                }
            }
            return bias;
        }

        /** The share of fits in which a warning names the coefficient. */
        double[] flagged() {
            double[] flagged = new double[plain.length];
            for (Fit fit : fits) {
                for (int j = 0; j < plain.length; j++) {
                    flagged[j] += fit.flagged[j] ? 1.0 / fits.size() : 0;
                }
            }
            return flagged;
        }

        /** Coverage of the logarithms of extra parameters, mean over them. */
        OptionalDouble extraCoverage() {
            return fits.stream()
                    .flatMapToDouble(fit -> IntStream.range(0, fit.extraError.length)
                            .mapToDouble(k -> covered(fit.extraError[k], fit.extraDeviation[k])))
                    .average();
        }

        /** The largest relative error of an extra parameter's mean over fits. */
        OptionalDouble extraBias() {
            int count = fits.get(0).extraError.length;
            return IntStream.range(0, count)
                    .mapToDouble(k -> Math.abs(fits.stream()
                            .mapToDouble(fit -> Math.expm1(fit.extraError[k]))
                            .average()
                            .orElseThrow()))
                    .max();
        }

        /** Coverage of sums of coefficients that a warning calls nested. */
        OptionalDouble sumCoverage() {
            int sums = fits.stream().mapToInt(Fit::sums).sum();
            int covered = fits.stream().mapToInt(Fit::coveredSums).sum();
            return sums == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) covered / sums);
        }

        /** How many coefficients would be below 0.80 by chance if each covered 0.90. */
        double nullLevel() {
            int n = fits.size();
            double term = Math.pow(0.1, n);
            double below = 0;
            for (int k = 0; k < 0.8 * n - 1e-9; k++) {
                below += term;
                term *= 9.0 * (n - k) / (k + 1);
            }
            return below * plain.length;
        }

        List<ResultRow> rows(Case one) {
            double[] coverage = coverage();
            double[] flagged = flagged();
            double[] widths = widths();
            Arrays.sort(widths);
            List<ResultRow> rows = new ArrayList<>();
            add(rows, one, "cov90 mean", Arrays.stream(coverage).average().orElseThrow());
            add(rows, one, "cov90 worst", Arrays.stream(coverage).min().orElseThrow());
            add(rows, one, "parameters below 0.80", (double)
                    Arrays.stream(coverage).filter(c -> c < LOW).count());
            add(rows, one, "of these named in a warning in most fits", (double) IntStream.range(0, coverage.length)
                    .filter(j -> coverage[j] < LOW && flagged[j] > 0.5)
                    .count());
            add(rows, one, "null level of these", nullLevel());
            add(rows, one, "parameters", coverage.length);
            add(rows, one, "median width over non-private", widths[widths.length / 2]);
            extraCoverage().ifPresent(value -> add(rows, one, "cov90 of extra parameters", value));
            extraBias().ifPresent(value -> add(rows, one, "relative bias of extra parameters", value));
            sumCoverage().ifPresent(value -> add(rows, one, "cov90 of sums of nested pairs", value));
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
                    fits.size(),
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
        List<Callable<Fit>> parts = new ArrayList<>();
        for (int fit = 0; fit < fits; fit++) {
            long seed = 20_001L + fit;
            parts.add(() -> truth.fit(new PrivateLikelihoodKernel(), calibrated, seed));
        }
        return new Outcome(
                new Parallel(threads, listener).all(parts),
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
                case "bernoulli", "ordinal:3" -> 1 / (1 + Math.exp(-eta));
                case "gaussian" -> eta;
                default -> Math.exp(Math.min(30, eta));
            };
        }

        /** Of a record in the search for the mode: two classes, counts without overdispersion. */
        private double weight(double mu) {
            return switch (one.family) {
                case "bernoulli", "ordinal:3" -> mu * (1 - mu);
                case "gaussian" -> 1;
                default -> mu;
            };
        }

        /** Of a record under the family that targets are drawn from. */
        private double information(double mu) {
            return switch (one.drawn()) {
                case "ordinal:3" -> ordinalInformation(mu);
                case "negative-binomial" -> mu / (1 + mu / DISPERSION);
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

        Fit fit(PrivateLikelihoodKernel kernel, Calibrated calibrated, long seed) throws BudgetExhausted {
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
            double[] extra = drawnExtra();
            GlmFamily drawing = GlmFamilies.named(one.drawn());
            for (int r = 0; r < n; r++) {
                double drawn = drawing.simulate(eta[r], extra, random);
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

        private double[] drawnExtra() {
            return switch (one.drawn()) {
                case "bernoulli" -> new double[0];
                case "gaussian" -> new double[] {sigma};
                case "negative-binomial" -> new double[] {DISPERSION};
                case "ordinal:3" -> new double[] {SPACING};
                default -> new double[] {1};
            };
        }

        private Fit compared(FreePrior.Reading reading, double[] theta) {
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
            double[] extra = one.drawn().equals(one.family) ? drawnExtra() : new double[0];
            double[] extraError = new double[extra.length];
            double[] extraSpread = new double[extra.length];
            for (int k = 0; k < extra.length; k++) {
                extraError[k] = natural[d + k] - Math.log(extra[k]);
                extraSpread[k] = Math.sqrt(covariance[(d + k) * all + d + k]);
            }
            boolean[] flagged = new boolean[d];
            int sums = 0;
            int coveredSums = 0;
            for (FreePrior.Caution caution : reading.cautions()) {
                int[] columns = IntStream.range(0, d)
                        .filter(j ->
                                caution.names().contains(table.design().names().get(j)))
                        .toArray();
                for (int j : columns) {
                    flagged[j] = true;
                }
                if (caution.kind().equals("nested")) {
                    for (int i : columns) {
                        int partner = partner(i, columns);
                        if (partner > i) {
                            double wide = Math.sqrt(covariance[i * all + i]
                                    + 2 * covariance[i * all + partner]
                                    + covariance[partner * all + partner]);
                            sums++;
                            coveredSums += Math.abs(error[i] + error[partner]) <= QUANTILE * wide ? 1 : 0;
                        }
                    }
                }
            }
            return new Fit(error, spread, extraError, extraSpread, flagged, sums, coveredSums);
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
}
