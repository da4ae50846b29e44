package dev.tacit.experiments.backpropagation;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.model.network.MomentPropagation;
import dev.tacit.model.network.NetworkShape;
import dev.tacit.model.network.ProbitMoments;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.Rows;
import java.util.Arrays;
import java.util.Objects;

/**
 * Probabilistic backpropagation, record after record: assumed-density filtering, expectation propagation, and its
 * stochastic form with one site for all records. Not private; for records that may be looked at.
 *
 * <pre>
 *   q(w) = Π N(m_i, v_i) in natural form (η_i, λ_i) = (m_i/v_i, 1/v_i),     q(noise precision) = Gamma(a, b)
 *   cavity     ADF: q          EP: q − site_n          SEP: q − (q − prior)/N
 *   tilted     m ← m + v ∂logZ/∂m,   v ← v − v² ((∂logZ/∂m)² − 2 ∂logZ/∂v),   Gamma by {@link GammaNoise}
 *   site       f = tilted − cavity
 *   q          ADF, SEP: cavity + f        EP: cavity + 0.6 site_n + 0.4 f        clipped SEP: cavity + min(1, C/‖f‖) f
 *   prior      once an epoch: N(w; 0, 1/λ_w), λ_w ~ Gamma(6, 6), refined by EP weight after weight
 *   probit     Z = Φ(y m/√(1 + v)), y = ±1, and no Gamma
 * </pre>
 *
 * Hernández-Lobato, Adams 2015, Section 3 and 3.3; Li, Hernández-Lobato, Turner 2015, Algorithm 1 and its deterministic
 * application to networks; Vinaroz, Park 2022, Section 5.2. Where a precision would leave (1e-20, 1e20) a weight stays as
 * it is. Clipped SEP clips the weights' natural parameters jointly in L2; the published code computes clipped factors and
 * does not use them.
 */
public final class ProbabilisticBackpropagation {
    /** Which cavity and which site. */
    public enum Method {
        /** Assumed-density filtering: the data count once for each epoch. */
        ADF,
        /** A site for every record: memory grows with records times weights. */
        EP,
        /** One site for all records. */
        SEP
    }

    /** What a record says about the output. */
    public enum Likelihood {
        /** y = output + Gaussian noise of unknown precision. */
        GAUSSIAN,
        /** The label is +1 with probability Φ(output), above one half, and −1 otherwise. */
        PROBIT
    }

    private static final double SHAPE = 6;
    private static final double RATE = 6;
    private static final double SITE_STEP = 0.4;
    private static final double LEAST = 1e-20;
    private static final double MOST = 1e20;
    private static final double ABOVE_LEAST = Math.nextUp(LEAST);

    /** Makes more than {@link #MOST} of any distance below {@link #ABOVE_LEAST}. */
    private static final double PENALTY = 1e300;

    private static final double LARGEST_CAVITY_VARIANCE = 1e6;

    private final NetworkShape shape;
    private final Method method;
    private final Likelihood likelihood;
    private final long records;
    private final double l2Bound;
    private final MomentPropagation network;

    private double[] weightedMean;
    private double[] precision;
    private double[] nextWeightedMean;
    private double[] nextPrecision;
    private final double[] cavityMean;
    private final double[] cavityVariance;
    private final double[] extent;

    private final GammaNoise noise = new GammaNoise(SHAPE, RATE);
    private final GammaNoise cavityNoise = new GammaNoise(SHAPE, RATE);

    private final GammaNoise weightPrior = new GammaNoise(SHAPE, RATE);
    private final double[] priorWeightedMean;
    private final double[] priorPrecision;
    private final double[] priorShape;
    private final double[] priorRate;

    /** For EP, made when a record is first seen: η and λ of its site, then what it adds to a and b. */
    private final double[][] sites;

    /** Whether the Gamma distributions of the noise and of the prior move. */
    private boolean learnsPrecisions = true;

    private double logZ;

    /**
     * @param records how many there are, the N of the cavity
     * @param l2Bound at which SEP's sites are clipped; infinite for no clip
     * @param random draws the first means
     */
    public ProbabilisticBackpropagation(
            NetworkShape shape,
            Method method,
            Likelihood likelihood,
            int records,
            double l2Bound,
            RandomStream random) {
        this.shape = Objects.requireNonNull(shape, "shape");
        this.method = Objects.requireNonNull(method, "method");
        this.likelihood = Objects.requireNonNull(likelihood, "likelihood");
        if (records < 1 || !(l2Bound > 0)) {
            throw new IllegalArgumentException("there is at least one record, and a bound is positive");
        }
        this.records = records;
        this.l2Bound = l2Bound;
        int size = shape.size();
        network = new MomentPropagation(shape);
        weightedMean = new double[size];
        precision = new double[size];
        nextWeightedMean = new double[size];
        nextPrecision = new double[size];
        cavityMean = new double[size];
        cavityVariance = new double[size];
        extent = new double[size];
        priorWeightedMean = new double[size];
        priorPrecision = new double[size];
        priorShape = new double[size];
        priorRate = new double[size];
        sites = method == Method.EP ? new double[records][] : new double[0][];
        double variance = weightPrior.variance();
        Arrays.fill(priorPrecision, 1 / variance);
        Arrays.fill(precision, 1 / variance);
        for (int layer = 0; layer < shape.layers(); layer++) {
            double deviation = 1 / Math.sqrt(shape.columns(layer));
            for (int i = shape.offset(layer); i < shape.offset(layer + 1); i++) {
                weightedMean[i] = deviation * random.normal() / variance;
            }
        }
    }

    /**
     * SEP that begins at a given q with a given prior and noise, which it keeps.
     *
     * @param start q of the weights at first
     * @param prior of the weights
     * @param noiseShape a of the noise precision
     * @param noiseRate b of the noise precision
     */
    public static ProbabilisticBackpropagation withFixedPrior(
            NetworkShape shape,
            int records,
            double l2Bound,
            Naturals start,
            Naturals prior,
            double noiseShape,
            double noiseRate) {
        ProbabilisticBackpropagation learned = new ProbabilisticBackpropagation(
                shape, Method.SEP, Likelihood.GAUSSIAN, records, l2Bound, RandomStream.ofSeed(0));
        learned.learnsPrecisions = false;
        System.arraycopy(start.weightedMean(), 0, learned.weightedMean, 0, shape.size());
        System.arraycopy(start.precision(), 0, learned.precision, 0, shape.size());
        System.arraycopy(prior.weightedMean(), 0, learned.priorWeightedMean, 0, shape.size());
        System.arraycopy(prior.precision(), 0, learned.priorPrecision, 0, shape.size());
        learned.noise.set(noiseShape, noiseRate);
        return learned;
    }

    /**
     * Independent Gaussians, one for each weight.
     *
     * @param weightedMean η = m/v
     * @param precision λ = 1/v
     */
    public record Naturals(double[] weightedMean, double[] precision) {}

    /** Visits every row of a block once, in a random order, then refines the prior. */
    public void epoch(RecordBlock block, RandomStream random) {
        epoch(block, random.permutation(block.rows()));
    }

    /** Visits rows of a block in the given order, then refines the prior. */
    public void epoch(RecordBlock block, int[] order) {
        for (int row : order) {
            visit(block, row);
        }
        if (learnsPrecisions) {
            refinePrior();
        }
    }

    /** One record; {@link #epoch} does this for all of them. */
    public void visit(RecordBlock block, int row) {
        double[] input = network.input();
        Arrays.fill(input, 0, shape.inputs(), 0);
        Rows.addTo(block, row, 1, input, 0);
        update(block.label(row), row);
    }

    /** Adds Gaussian noise to all natural parameters of q, then raises precisions to a floor. */
    public void perturb(double standardDeviation, double precisionFloor, RandomStream random) {
        for (int i = 0; i < precision.length; i++) {
            weightedMean[i] += standardDeviation * random.normal();
            precision[i] = Math.max(precisionFloor, precision[i] + standardDeviation * random.normal());
        }
    }

    /** Where the next record's input is written. */
    double[] input() {
        return network.input();
    }

    /** One record, whose input stands in {@link #input}. */
    void update(double target, int record) {
        switch (method) {
            case ADF -> cavityOf(0, null);
            case SEP -> cavityOf(1.0 / records, null);
            case EP -> cavityOf(0, site(record));
        }
        if (!tilt(target)) {
            return;
        }
        if (method == Method.EP) {
            moveSite(sites[record]);
        } else {
            if (method == Method.SEP && l2Bound < Double.POSITIVE_INFINITY) {
                clip();
            }
            accept();
        }
    }

    /** log Z of the last record, without the constant. */
    double logZ() {
        return logZ;
    }

    private double[] site(int record) {
        if (sites[record] == null) {
            sites[record] = new double[2 * shape.size() + 2];
        }
        return sites[record];
    }

    /** Moments of q − share (q − prior), or of q − site. */
    private void cavityOf(double share, double[] site) {
        double[] eta = weightedMean;
        double[] lambda = precision;
        double[] mean = cavityMean;
        double[] variance = cavityVariance;
        int size = mean.length;
        if (site == null) {
            double[] eta0 = priorWeightedMean;
            double[] lambda0 = priorPrecision;
            for (int i = 0; i < size; i++) {
                double inverse = 1 / (lambda[i] - share * (lambda[i] - lambda0[i]));
                variance[i] = inverse;
                mean[i] = inverse * (eta[i] - share * (eta[i] - eta0[i]));
            }
            double known = learnsPrecisions ? share : 0;
            cavityNoise.set(
                    noise.shape() - known * (noise.shape() - SHAPE), noise.rate() - known * (noise.rate() - RATE));
        } else {
            for (int i = 0; i < size; i++) {
                double inverse = 1 / (lambda[i] - site[size + i]);
                variance[i] = inverse;
                mean[i] = inverse * (eta[i] - site[i]);
            }
            cavityNoise.set(noise.shape() - site[2 * size], noise.rate() - site[2 * size + 1]);
        }
    }

    /** Natural parameters of the tilted distribution into {@code next}; the record is left out if this says no. */
    private boolean tilt(double target) {
        network.forward(cavityMean, cavityVariance);
        double mean = network.outputMean();
        double variance = network.outputVariance();
        double byMean;
        double byVariance;
        if (likelihood == Likelihood.GAUSSIAN) {
            double residual = target - mean;
            if (!(cavityNoise.shape() > 1 && cavityNoise.rate() > 0)) {
                return false;
            }
            double total = variance + cavityNoise.variance();
            byMean = residual / total;
            byVariance = 0.5 * (byMean * byMean - 1 / total);
            cavityNoise.update(residual, variance);
            logZ = cavityNoise.logZ();
        } else {
            ProbitMoments probit = ProbitMoments.of(target > 0.5 ? 1 : -1, mean, variance);
            byMean = probit.byMean();
            byVariance = probit.byVariance();
            logZ = probit.logZ();
        }
        network.backward(byMean, byVariance, cavityMean, cavityVariance);
        double[] gradient = network.weightMeanGradient();
        double[] varianceGradient = network.weightVarianceGradient();
        double[] means = cavityMean;
        double[] variances = cavityVariance;
        double[] eta = nextWeightedMean;
        double[] lambda = nextPrecision;
        for (int i = 0; i < means.length; i++) {
            double g = gradient[i];
            double v = variances[i];
            double inverse = 1 / (v - v * v * (g * g - 2 * varianceGradient[i]));
            lambda[i] = inverse;
            eta[i] = inverse * (means[i] + v * g);
        }
        return true;
    }

    private void accept() {
        double[] eta = weightedMean;
        double[] lambda = precision;
        if (allValid(nextPrecision, cavityVariance)) {
            weightedMean = nextWeightedMean;
            precision = nextPrecision;
            nextWeightedMean = eta;
            nextPrecision = lambda;
        } else {
            for (int i = 0; i < eta.length; i++) {
                if (isValid(nextPrecision[i]) && isValid(cavityVariance[i])) {
                    eta[i] = nextWeightedMean[i];
                    lambda[i] = nextPrecision[i];
                }
            }
        }
        if (learnsPrecisions) {
            noise.set(cavityNoise.shape(), cavityNoise.rate());
        }
    }

    private static boolean isValid(double number) {
        return number > LEAST && number < MOST;
    }

    /** {@link #isValid} of both for all weights, first without a branch, which processors do to several weights at once. */
    private boolean allValid(double[] first, double[] second) {
        for (int i = 0; i < extent.length; i++) {
            double low = Math.min(first[i], second[i]);
            extent[i] = Math.max(first[i], second[i]) + PENALTY * Math.max(0, ABOVE_LEAST - low);
        }
        for (double number : extent) {
            if (!(number < MOST)) {
                return false;
            }
        }
        return true;
    }

    /** Shortens next − cavity to the bound. */
    private void clip() {
        double squares = 0;
        for (int i = 0; i < cavityMean.length; i++) {
            double lambda = nextPrecision[i] - 1 / cavityVariance[i];
            double eta = nextWeightedMean[i] - cavityMean[i] / cavityVariance[i];
            squares += lambda * lambda + eta * eta;
        }
        double kept = l2Bound / Math.sqrt(squares);
        if (kept < 1) {
            for (int i = 0; i < cavityMean.length; i++) {
                double lambda = 1 / cavityVariance[i];
                double eta = cavityMean[i] * lambda;
                nextPrecision[i] = lambda + kept * (nextPrecision[i] - lambda);
                nextWeightedMean[i] = eta + kept * (nextWeightedMean[i] - eta);
            }
        }
    }

    private void moveSite(double[] site) {
        int size = cavityMean.length;
        for (int i = 0; i < size; i++) {
            double lambdaCavity = precision[i] - site[size + i];
            double etaCavity = weightedMean[i] - site[i];
            double newEta = (1 - SITE_STEP) * site[i] + SITE_STEP * (nextWeightedMean[i] - etaCavity);
            double newLambda = (1 - SITE_STEP) * site[size + i] + SITE_STEP * (nextPrecision[i] - lambdaCavity);
            double lambda = lambdaCavity + newLambda;
            if (isValid(nextPrecision[i]) && isValid(lambdaCavity) && isValid(lambda)) {
                weightedMean[i] = etaCavity + newEta;
                precision[i] = lambda;
                site[i] = newEta;
                site[size + i] = newLambda;
            }
        }
        double shapeCavity = noise.shape() - site[2 * size];
        double rateCavity = noise.rate() - site[2 * size + 1];
        double siteShape = (1 - SITE_STEP) * site[2 * size] + SITE_STEP * (cavityNoise.shape() - shapeCavity);
        double siteRate = (1 - SITE_STEP) * site[2 * size + 1] + SITE_STEP * (cavityNoise.rate() - rateCavity);
        if (shapeCavity + siteShape > 1 && rateCavity + siteRate > 0) {
            noise.set(shapeCavity + siteShape, rateCavity + siteRate);
            site[2 * size] = siteShape;
            site[2 * size + 1] = siteRate;
        }
    }

    /** One pass of EP over the sites of the hierarchical prior, weight after weight, unit after unit. */
    void refinePrior() {
        for (int layer = 0; layer < shape.layers(); layer++) {
            for (int unit = 0; unit < shape.units(layer); unit++) {
                for (int column = 0; column < shape.columns(layer); column++) {
                    refinePrior(shape.index(layer, unit, column));
                }
            }
        }
    }

    private void refinePrior(int i) {
        double variance = 1 / (precision[i] - priorPrecision[i]);
        double mean = variance * (weightedMean[i] - priorWeightedMean[i]);
        double a = weightPrior.shape() - priorShape[i];
        double b = weightPrior.rate() - priorRate[i];
        if (!(variance > 0 && variance < LARGEST_CAVITY_VARIANCE && a > 1 && b > 0)) {
            return;
        }
        double total = variance + b / (a - 1);
        double gradient = -mean / total;
        double newVariance = variance - variance * variance / total;
        double newPrecision = 1 / newVariance;
        double newWeightedMean = newPrecision * (mean + variance * gradient);
        double oldShape = weightPrior.shape();
        double oldRate = weightPrior.rate();
        weightPrior.set(a, b);
        if (!isValid(newPrecision) || !weightPrior.update(mean, variance)) {
            weightPrior.set(oldShape, oldRate);
            return;
        }
        priorPrecision[i] = newPrecision - 1 / variance;
        priorWeightedMean[i] = newWeightedMean - mean / variance;
        priorShape[i] = weightPrior.shape() - a;
        priorRate[i] = weightPrior.rate() - b;
        precision[i] = newPrecision;
        weightedMean[i] = newWeightedMean;
    }

    /** Moves q to these moments of the weights, to begin where a published run began. */
    public void set(double[] mean, double[] variance) {
        for (int i = 0; i < mean.length; i++) {
            precision[i] = 1 / variance[i];
            weightedMean[i] = mean[i] / variance[i];
        }
    }

    /** Means of the weights. */
    public double[] mean() {
        double[] mean = new double[precision.length];
        for (int i = 0; i < mean.length; i++) {
            mean[i] = weightedMean[i] / precision[i];
        }
        return mean;
    }

    /** Variances of the weights. */
    public double[] variance() {
        double[] variance = new double[precision.length];
        for (int i = 0; i < variance.length; i++) {
            variance[i] = 1 / precision[i];
        }
        return variance;
    }

    /** The mean of the noise variance. */
    public double noiseVariance() {
        return noise.variance();
    }

    /** The prior as refined so far. */
    public Naturals prior() {
        return new Naturals(priorWeightedMean.clone(), priorPrecision.clone());
    }

    /** a of the noise precision's Gamma(a, b). */
    public double noiseShape() {
        return noise.shape();
    }

    /** b of the noise precision's Gamma(a, b). */
    public double noiseRate() {
        return noise.rate();
    }

    GammaNoise noise() {
        return noise;
    }

    GammaNoise weightPrior() {
        return weightPrior;
    }

    double[] naturalMean() {
        return weightedMean.clone();
    }

    double[] naturalPrecision() {
        return precision.clone();
    }

    double[] priorPrecisions() {
        return priorPrecision.clone();
    }
}
