package dev.tacit.model.regression;

import dev.tacit.model.ScoreFieldModel;
import dev.tacit.model.ScoreTrace;
import dev.tacit.model.conjugate.ConjugatePair;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.DiagonalGaussianPosterior;
import dev.tacit.posterior.family.GridMixture;
import dev.tacit.posterior.family.MixturePosterior;
import dev.tacit.posterior.family.ProductPosterior;
import dev.tacit.posterior.family.ScalarGaussianMixture;
import dev.tacit.query.ContributionSum;
import dev.tacit.query.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bayesian linear regression with unknown noise, on columns that are standard normal, by its clipped score.
 *
 * <pre>
 *   y | x ~ N(xᵀw, v),   w | v ~ N(0, v / priorPrecision I),   v ~ InverseGamma(priorShape, priorRate),     φ = (w, log v)
 *   e = (y − xᵀw) / √v
 *   ψ = (ω_w clip(e x, weightBound) / weightBound,   ω_v (min(½ (e² − 1), varianceBound) − c) / h),     ω_w² + ω_v² = 1
 *       [c − h, c + h] = [−½, varianceBound]
 *   k_t = (v* + ‖w_t − w*‖²) / v_t:     N m_w = N ω_w slope(k_t) (w* − w_t) / (weightBound √v_t),     N m_v from E min(½ (k_t z² − 1), ·)
 * </pre>
 *
 * Clipped: the weights' score in L2, the variance's in absolute value; jointly at most 1. Moments: {@link
 * ClippedResiduals}. The model is Gaussian in w for a given k, so w | v is a Gaussian for each weight, and log v has a grid;
 * ‖w_t − w*‖² is ‖w_t − ŵ‖² plus the variance of w that is due to noise, minus that due to sampling, because the residuals
 * of the records are smallest at their own optimum. The field is linear near the truth only: far away a twentieth of it
 * counts as noise.
 *
 * <p>The distribution of the columns is public knowledge here: standardise them by public numbers first. The bounds and
 * shares minimise d log var(w) + log var(log v), as the model foretells them from N, d and the noise; no record is asked.
 */
public final class LinearRegressionScore implements ScoreFieldModel {
    private static final String WEIGHTS = "weights";
    private static final String VARIANCE = "variance";
    private static final int SWEEPS = 4;
    private static final double PRIOR_REACH = 8;
    private static final double LOWEST_LOG_RATIO = -3;
    private static final double HIGHEST_LOG_RATIO = 7;
    private static final int TABLE_SIZE = 512;

    /** Part of a slope that the field may be wrong by far from the truth, where it is not linear; counts as noise. */
    private static final double FIELD_ERROR = 0.05;

    /**
     * Public numbers of the prior and the data.
     *
     * @param columns names of the standard normal columns
     * @param intercept whether a column of ones follows them
     * @param priorPrecision of a weight, over that of the noise
     * @param priorShape of v
     * @param priorRate of v
     * @param publicSize N, the declared number of units
     */
    public record Setting(
            List<String> columns,
            boolean intercept,
            double priorPrecision,
            double priorShape,
            double priorRate,
            long publicSize) {
        public Setting {
            columns = List.copyOf(columns);
            ConjugatePair.requirePositive(priorPrecision, "priorPrecision");
            ConjugatePair.requirePositive(priorShape, "priorShape");
            ConjugatePair.requirePositive(priorRate, "priorRate");
            ConjugatePair.requireSize(publicSize);
        }
    }

    /**
     * Where scores are clipped, and how the norm of 1 is shared.
     *
     * @param weightBound L2 bound of e x
     * @param varianceBound upper bound of ½ (e² − 1)
     * @param varianceShare ω_v²
     */
    public record Bounds(double weightBound, double varianceBound, double varianceShare) {
        public double weightScale() {
            return Math.sqrt(1 - varianceShare) / weightBound;
        }

        double halfRange() {
            return (varianceBound + 0.5) / 2;
        }

        public double centre() {
            return (varianceBound - 0.5) / 2;
        }

        public double varianceScale() {
            return Math.sqrt(varianceShare) / halfRange();
        }
    }

    private final Setting setting;
    private final Bounds bounds;
    private final List<String> names;

    /** Slope and square of columns, then of the intercept, over log k. */
    private final double[][] tables = new double[4][TABLE_SIZE];

    /** With given bounds. */
    public LinearRegressionScore(Setting setting, Bounds bounds) {
        this.setting = setting;
        this.bounds = bounds;
        this.names = new ArrayList<>(setting.columns);
        if (setting.intercept) {
            names.add("intercept");
        }
        names.add("log-variance");
        ClippedResiduals moments = new ClippedResiduals(setting.columns.size(), setting.intercept);
        for (int i = 0; i < TABLE_SIZE; i++) {
            double k = Math.exp(LOWEST_LOG_RATIO + (HIGHEST_LOG_RATIO - LOWEST_LOG_RATIO) * i / (TABLE_SIZE - 1));
            for (int kind = 0; kind < 2; kind++) {
                tables[2 * kind][i] = moments.slope(bounds.weightBound, k, kind == 1);
                tables[2 * kind + 1][i] = moments.square(bounds.weightBound, k, kind == 1);
            }
        }
    }

    /**
     * With the bounds that the model foretells to be best.
     *
     * @param averageNoise noise multiplier over the root of the number of releases: the noise of their mean over the bound
     */
    public static LinearRegressionScore of(Setting setting, double averageNoise) {
        return new LinearRegressionScore(setting, best(setting, averageNoise));
    }

    private static Bounds best(Setting setting, double averageNoise) {
        double n = setting.publicSize;
        double noise = averageNoise / n;
        int weights = setting.columns.size() + (setting.intercept ? 1 : 0);
        ClippedResiduals moments = new ClippedResiduals(setting.columns.size(), setting.intercept);
        Bounds best = new Bounds(1, 1, 0.5);
        double least = Double.POSITIVE_INFINITY;
        for (int w = 0; w < 80; w++) {
            double weightBound = 0.1 * Math.sqrt(weights) * Math.pow(1.06, w);
            double slope = moments.slope(weightBound, 1, false);
            double square = moments.square(weightBound, 1, false);
            for (int v = 0; v < 40; v++) {
                double varianceBound = 0.25 * Math.pow(1.08, v);
                double steepness = ClippedResiduals.varianceSlope(varianceBound, 1);
                double variance = ClippedResiduals.varianceVariance(varianceBound, 1);
                for (double share = 0.02; share < 0.6; share += 0.01) {
                    Bounds tried = new Bounds(weightBound, varianceBound, share);
                    double weightNoise = noise / tried.weightScale();
                    double varianceNoise = noise / tried.varianceScale();
                    double objective = weights * Math.log((weightNoise * weightNoise + square / n) / (slope * slope))
                            + Math.log((varianceNoise * varianceNoise + variance / n) / (steepness * steepness));
                    if (objective < least) {
                        least = objective;
                        best = tried;
                    }
                }
            }
        }
        return best;
    }

    /** Where scores are clipped. */
    public Bounds bounds() {
        return bounds;
    }

    private int weights() {
        return names.size() - 1;
    }

    @Override
    public List<String> parameterNames() {
        return List.copyOf(names);
    }

    @Override
    public double[] start() {
        double[] start = new double[names.size()];
        start[weights()] = Math.log(setting.priorRate) - SpecialFunctions.digamma(setting.priorShape);
        return start;
    }

    @Override
    public double[] startPrecisions() {
        double[] precisions = new double[names.size()];
        double variance = Math.exp(start()[weights()]);
        for (int j = 0; j < weights(); j++) {
            precisions[j] = setting.priorPrecision / variance;
        }
        precisions[weights()] = 1 / SpecialFunctions.trigamma(setting.priorShape);
        return precisions;
    }

    @Override
    public ContributionSum score(double[] point) {
        int last = weights();
        double[] weights = Arrays.copyOf(point, last);
        double scale = Math.exp(-0.5 * point[last]);
        return ContributionSum.of(last + 1, (block, row, contribution) -> {
            double residual = scale * (block.label(row) - Rows.dot(block, row, weights, 0));
            double norm = Math.abs(residual) * Math.sqrt(Rows.squaredNorm(block, row));
            double shortened = norm > bounds.weightBound ? residual * bounds.weightBound / norm : residual;
            contribution.addRow(0, bounds.weightScale() * shortened);
            double spread = Math.min(0.5 * (residual * residual - 1), bounds.varianceBound);
            contribution.add(last, bounds.varianceScale() * (spread - bounds.centre()));
        });
    }

    private double table(int kind, double k) {
        double place = (Math.log(k) - LOWEST_LOG_RATIO) * (TABLE_SIZE - 1) / (HIGHEST_LOG_RATIO - LOWEST_LOG_RATIO);
        double inside = Math.max(0, Math.min(TABLE_SIZE - 1.001, place));
        int i = (int) inside;
        return tables[kind][i] + (inside - i) * (tables[kind][i + 1] - tables[kind][i]);
    }

    /** N times the derivative of m_w in w*, at v_t = 1; kind 0 is a column, 1 the intercept. */
    private double weightSlope(int kind, double k) {
        return setting.publicSize * bounds.weightScale() * table(2 * kind, k);
    }

    /** The root of N V_w. */
    private double weightDeviation(int kind, double k) {
        return bounds.weightScale() * Math.sqrt(setting.publicSize * table(2 * kind + 1, k));
    }

    private boolean isIntercept(int weight) {
        return weight == setting.columns.size();
    }

    private double varianceMean(double k) {
        return setting.publicSize
                * bounds.varianceScale()
                * (ClippedResiduals.varianceMean(bounds.varianceBound, k) - bounds.centre());
    }

    @Override
    public void expect(double[] point, double[] precisions, double[] mean, double[] slopes) {
        double scale = Math.exp(-0.5 * point[weights()]);
        double k = 1;
        for (int j = 0; j < weights(); j++) {
            k += scale * scale / precisions[j];
        }
        for (int j = 0; j < weights(); j++) {
            mean[j] = 0;
            slopes[j] = weightSlope(isIntercept(j) ? 1 : 0, k) * scale;
        }
        mean[weights()] = varianceMean(k);
        slopes[weights()] = setting.publicSize
                * bounds.varianceScale()
                * ClippedResiduals.varianceSlope(bounds.varianceBound, k)
                / k;
    }

    @Override
    public Posterior posterior(ScoreTrace trace) {
        int last = weights();
        int steps = trace.steps();
        Weights weights = new Weights(last);
        double logVariance = trace.point(steps - 1, last);
        for (int j = 0; j < last; j++) {
            weights.means[j] = trace.point(steps - 1, j);
        }
        double reach = PRIOR_REACH / Math.sqrt(startPrecisions()[last]);
        ScalarGaussianMixture spread = null;
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            weights = solve(trace, logVariance, weights);
            double[] squaredGaps = squaredGaps(trace, weights);
            spread = GridMixture.of(
                    at -> logDensity(trace, at, squaredGaps), start()[last] - reach, start()[last] + reach);
            logVariance = spread.mean();
        }
        weights = solve(trace, logVariance, weights);
        Map<String, Posterior> blocks = new LinkedHashMap<>();
        blocks.put(WEIGHTS, new DiagonalGaussianPosterior(names.subList(0, last), weights.means, weights.variances));
        blocks.put(VARIANCE, new MixturePosterior(names.subList(last, last + 1), List.of(spread)));
        return new ProductPosterior(blocks);
    }

    /** Means and variances of w, and the part of the variances that is due to sampling. */
    private static final class Weights {
        private final double[] means;
        private final double[] variances;
        private final double[] samplingVariances;

        Weights(int count) {
            means = new double[count];
            variances = new double[count];
            samplingVariances = new double[count];
        }
    }

    /** ‖w_t − w*‖² as expected at each step. */
    private double[] squaredGaps(ScoreTrace trace, Weights weights) {
        double[] gaps = new double[trace.steps()];
        for (int t = 0; t < gaps.length; t++) {
            for (int j = 0; j < weights.means.length; j++) {
                double gap = trace.point(t, j) - weights.means[j];
                gaps[t] += gap * gap + weights.variances[j] - 2 * weights.samplingVariances[j];
            }
            gaps[t] = Math.max(0, gaps[t]);
        }
        return gaps;
    }

    /** What all weights share at one assumed variance: k_t, and for columns and intercept the scaled s_t, c s_t and 1/τ_t. */
    private final class Readings {
        private final double[] ratios;
        private final double[][] slopes;
        private final double[][] common;
        private final double[][] inverseNoise;
        private final double[] logs = new double[2];

        Readings(ScoreTrace trace, double logVariance, double[] squaredGaps) {
            int steps = trace.steps();
            int kinds = setting.intercept ? 2 : 1;
            ratios = new double[steps];
            slopes = new double[kinds][steps];
            common = new double[kinds][steps];
            inverseNoise = new double[kinds][steps];
            double noise = trace.noiseStandardDeviation();
            double[] optimumDeviations = new double[kinds];
            for (int kind = 0; kind < kinds; kind++) {
                optimumDeviations[kind] = Math.exp(0.5 * logVariance) * weightDeviation(kind, 1) / weightSlope(kind, 1);
            }
            for (int t = 0; t < steps; t++) {
                double scale = Math.exp(-0.5 * trace.point(t, weights()));
                ratios[t] = (Math.exp(logVariance) + squaredGaps[t]) * scale * scale;
                for (int kind = 0; kind < kinds; kind++) {
                    double slope = weightSlope(kind, ratios[t]) * scale;
                    double sampling = weightDeviation(kind, ratios[t]);
                    double shared = slope * optimumDeviations[kind];
                    double error = FIELD_ERROR * slope;
                    double own = noise * noise
                            + Math.max(0, sampling * sampling - shared * shared)
                            + error * error * squaredGaps[t];
                    inverseNoise[kind][t] = 1 / Math.sqrt(own);
                    slopes[kind][t] = slope * inverseNoise[kind][t];
                    common[kind][t] = shared * inverseNoise[kind][t];
                    logs[kind] += Math.log(own);
                }
            }
        }
    }

    private Weights solve(ScoreTrace trace, double logVariance, Weights before) {
        Readings readings = new Readings(trace, logVariance, squaredGaps(trace, before));
        Weights solved = new Weights(weights());
        for (int j = 0; j < weights(); j++) {
            Line line = new Line(trace, j, readings);
            double precision = line.precision() + setting.priorPrecision * Math.exp(-logVariance);
            double mean = line.weighted() / precision;
            if (!(Double.isFinite(mean) && precision < Double.POSITIVE_INFINITY)) {
                // releases that no truth explains leave the prior
                solved.variances[j] = Math.exp(logVariance) / setting.priorPrecision;
                continue;
            }
            solved.means[j] = mean;
            solved.variances[j] = 1 / precision;
            solved.samplingVariances[j] = line.deviation * line.deviation / (precision * precision);
        }
        return solved;
    }

    /** log p(log v) + log p(R_w | v) + log p(R_v | v), weights integrated out. */
    private double logDensity(ScoreTrace trace, double logVariance, double[] squaredGaps) {
        int last = weights();
        Readings readings = new Readings(trace, logVariance, squaredGaps);
        double[] ratios = readings.ratios;
        double sum = -setting.priorShape * logVariance - setting.priorRate * Math.exp(-logVariance);
        for (int j = 0; j < last; j++) {
            sum += new Line(trace, j, readings).logEvidence(setting.priorPrecision * Math.exp(-logVariance));
        }
        double truth = Math.exp(logVariance);
        double scale = setting.publicSize * bounds.varianceScale();
        double bound = bounds.varianceBound;
        double deviation = Math.sqrt(ClippedResiduals.varianceVariance(bound, 1) / setting.publicSize)
                / ClippedResiduals.varianceSlope(bound, 1);
        return sum
                + trace.logLikelihood(last, new ScoreTrace.Field() {
                    @Override
                    public double mean(int step) {
                        return varianceMean(ratios[step]);
                    }

                    @Override
                    public double slope(int step) {
                        double part = truth / (truth + squaredGaps[step]);
                        return scale * part * ClippedResiduals.varianceSlope(bound, ratios[step]);
                    }

                    @Override
                    public double variance(int step) {
                        double part = squaredGaps[step] / (truth + squaredGaps[step]);
                        double error = FIELD_ERROR * scale * part * ClippedResiduals.varianceSlope(bound, ratios[step]);
                        return scale * bounds.varianceScale() * ClippedResiduals.varianceVariance(bound, ratios[step])
                                + error * error;
                    }

                    @Override
                    public double optimumDeviation() {
                        return deviation;
                    }
                });
    }

    /** R_t + s_t w_t = s_t (w* + c ξ) + noise of one weight as in {@link ScoreTrace#logLikelihood}, ξ ~ N(0, 1) shared. */
    private final class Line {
        private double slopes;
        private double cross;
        private double shared;
        private double slopeSum;
        private double sharedSum;
        private double squares;
        private final double logs;
        private final double deviation;

        Line(ScoreTrace trace, int weight, Readings readings) {
            int kind = isIntercept(weight) ? 1 : 0;
            logs = readings.logs[kind];
            for (int t = 0; t < trace.steps(); t++) {
                double s = readings.slopes[kind][t];
                double g = readings.common[kind][t];
                double y = trace.sum(t, weight) * readings.inverseNoise[kind][t] + s * trace.point(t, weight);
                slopes += s * s;
                cross += s * g;
                shared += g * g;
                slopeSum += s * y;
                sharedSum += g * y;
                squares += y * y;
            }
            deviation = cross / (1 + shared);
        }

        /** Of w*, ξ integrated out: at least slopes / (1 + shared) (Cauchy and Schwarz), which cancellation must not undercut. */
        double precision() {
            return Math.max(slopes / (1 + shared), slopes - cross * cross / (1 + shared));
        }

        /** Precision times estimate. */
        double weighted() {
            return slopeSum - cross * sharedSum / (1 + shared);
        }

        /** log p(R) with w* ~ N(0, 1/priorPrecision), up to a constant. */
        double logEvidence(double priorPrecision) {
            double precision = precision() + priorPrecision;
            return -0.5 * (squares - sharedSum * sharedSum / (1 + shared) - weighted() * weighted() / precision)
                    - 0.5 * (Math.log1p(shared) + logs)
                    - 0.5 * Math.log(precision / priorPrecision);
        }
    }
}
