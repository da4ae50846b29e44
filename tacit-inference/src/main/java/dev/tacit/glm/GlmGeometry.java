package dev.tacit.glm;

import dev.tacit.numerics.SymmetricEigen;

/**
 * Where the rounds take place: standardised rows, a twin table, a first estimate, and the map that makes the curvature round.
 *
 * <pre>
 *   start     θ with Σ ω (mean(zᵀθ)) z = cross moments on the twin, by damped Gauss-Newton with the working prior and the noise
 *   H_s       the twin's curvature at the start, scaled to the trace of the second moments
 *   T         √N (H_s + ρ)^(−½),  ρ = ½ sd √(2D);      w = T z,   θ_z = T θ_w
 * </pre>
 *
 * Where a formula has an offset, the twin's rows carry one jointly with their columns, and it is part of every predictor; the
 * intercept's prior is then centred at the start's for a record with the mean offset.
 *
 * <p>A typical row then has |w|² ≈ D, and every direction about the same information. All of it follows from the first three
 * releases and public numbers.
 */
final class GlmGeometry {
    private static final double RIDGE = 0.5;
    private static final int START_STEPS = 50;

    final GlmModel model;
    final double rows;
    final Standardisation standard;
    final SecondMoments moments;
    final int d;

    /** Rows of the twin, and their weights. */
    final int twinRows;

    final double[] omega;

    /** The twin's rows in whitened coordinates, and their lengths. */
    final double[] twin;

    final double[] length;

    /** What is added to the twin's predictors, on the scale of the model. */
    private final double[] offset;

    /** T and its inverse, symmetric. */
    final double[] whitening;

    final double[] unwhitening;

    /** N (S + m mᵀ), in whitened coordinates. */
    final double[] secondMoments;

    /** The first estimate in standardised coordinates. */
    final double[] start;

    final double[] startExtra;

    /** Mean |w|² over the twin. */
    final double typicalSquare;

    final double targetCentre;
    final double targetSpread;
    final double startIntercept;

    GlmGeometry(GlmModel model, Standardisation standard, Standardisation.NoisySums second, double rows) {
        this.model = model;
        this.rows = rows;
        this.standard = standard;
        this.d = model.design().size();
        SecondMoments all = SecondMoments.of(model, standard, second, rows);
        this.moments = all.ofFirst(d);
        GlmFamily family = model.family();
        int p = standard.centre().length;
        this.targetCentre = family.standardisesTarget() ? standard.centre()[p - 1] : 0;
        this.targetSpread = family.standardisesTarget() ? standard.scale()[p - 1] : 1;
        TwinTable table = TwinTable.of(model, standard, all, rows);
        this.twinRows = table.rows();
        this.omega = table.weights();
        double[] x = columns(table.x());
        this.offset = offsets(table.x());
        this.startIntercept = family.startIntercept(targetCentre) - meanOffset();
        double[] plain = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                plain[i * d + j] = rows * (moments.covariance()[i * d + j] + moments.mean()[i] * moments.mean()[j]);
            }
        }
        this.start = start(x, plain);
        double[] eta = Matrices.plus(Matrices.predictors(twinRows, d, x, start), 1, offset);
        double[] share = new double[twinRows];
        for (int r = 0; r < twinRows; r++) {
            share[r] = omega[r] / rows;
        }
        this.startExtra = family.startExtra(targetCentre, targetSpread, eta, share);
        double[] weights = new double[twinRows];
        double[] reference = new double[family.referenceSize()];
        for (int r = 0; r < twinRows; r++) {
            family.reference(eta[r], startExtra, reference, 0);
            weights[r] = omega[r] * reference[GlmFamily.SLOPE];
        }
        double[] curvature = Matrices.weightedGram(twinRows, d, x, weights, 1);
        double perMoment = Matrices.trace(d, curvature) / Matrices.trace(d, plain);
        SymmetricEigen eigen = Matrices.eigen(d, curvature);
        double ridge = RIDGE * moments.noise() * Math.sqrt(2.0 * d);
        double least = 1e-12 * rows;
        this.whitening = Matrices.function(
                eigen, value -> Math.sqrt(rows / Math.max(Math.max(value, 0) / perMoment + ridge, least)));
        this.unwhitening = Matrices.function(
                eigen, value -> Math.sqrt(Math.max(Math.max(value, 0) / perMoment + ridge, least) / rows));
        double[] rotated = new double[twinRows * d];
        dev.tacit.numerics.LinearAlgebra.best().multiply(false, false, twinRows, d, d, 1, x, whitening, 0, rotated);
        this.twin = rotated;
        this.length = new double[twinRows];
        double sum = 0;
        for (int r = 0; r < twinRows; r++) {
            double squares = 0;
            for (int j = r * d; j < (r + 1) * d; j++) {
                squares += rotated[j] * rotated[j];
            }
            length[r] = Math.sqrt(squares);
            sum += omega[r] * squares;
        }
        this.typicalSquare = sum / rows;
        this.secondMoments = Matrices.congruent(d, whitening, plain);
    }

    private double[] start(double[] x, double[] plain) {
        GlmFamily family = model.family();
        GlmPrior.Standard prior = GlmPrior.standard().toStandard(model, standard, startIntercept);
        double variance = family.startVariance();
        double[] system = new double[d * d];
        double noise = moments.crossNoise() * moments.crossNoise();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                system[i * d + j] = variance * plain[i * d + j];
            }
            double own = 0.05 * variance * plain[i * d + i];
            system[i * d + i] += noise + own * own / rows * 4;
        }
        double[] inverse = Matrices.inverse(d, system);
        double[] theta = prior.mean().clone();
        double[] weights = new double[twinRows];
        double[] residual = new double[d];
        double value = objective(x, theta, inverse, prior, residual, weights);
        for (int step = 0; step < START_STEPS; step++) {
            double[] h = Matrices.weightedGram(twinRows, d, x, weights, 1);
            double[] gain = Matrices.product(d, h, inverse);
            double[] precision = Matrices.product(d, gain, h);
            double[] pull = Matrices.times(d, gain, residual);
            for (int i = 0; i < d; i++) {
                precision[i * d + i] += prior.precision()[i];
                pull[i] -= prior.precision()[i] * (theta[i] - prior.mean()[i]);
            }
            double[] move = Matrices.times(d, Matrices.inverse(d, precision), pull);
            double length1 = 1;
            double[] next = theta;
            double better = value;
            double[] nextResidual = residual.clone();
            double[] nextWeights = weights.clone();
            while (length1 > 1e-4) {
                next = Matrices.plus(theta, length1, move);
                better = objective(x, next, inverse, prior, nextResidual, nextWeights);
                if (better < value) {
                    break;
                }
                length1 /= 2;
            }
            if (!(length1 > 1e-4)) {
                break;
            }
            boolean done = value - better < 1e-3;
            theta = next;
            value = better;
            residual = nextResidual;
            weights = nextWeights;
            if (done) {
                break;
            }
        }
        return theta;
    }

    private double objective(
            double[] x,
            double[] theta,
            double[] inverse,
            GlmPrior.Standard prior,
            double[] residual,
            double[] weights) {
        GlmFamily family = model.family();
        double[] eta = Matrices.plus(Matrices.predictors(twinRows, d, x, theta), 1, offset);
        double[] expected = new double[twinRows];
        for (int r = 0; r < twinRows; r++) {
            expected[r] = omega[r] * family.startMean(eta[r], targetCentre, targetSpread);
            weights[r] = omega[r] * family.startSlope(eta[r], targetCentre, targetSpread);
        }
        double[] sum = Matrices.transposedTimes(twinRows, d, x, expected);
        double distance = 0;
        for (int j = 0; j < d; j++) {
            residual[j] = moments.cross()[j] - sum[j];
            double off = theta[j] - prior.mean()[j];
            distance += prior.precision()[j] * off * off;
        }
        return Matrices.form(d, inverse, residual) + distance;
    }

    /** The first estimate in whitened coordinates. */
    double[] startPoint() {
        return Matrices.times(d, unwhitening, start);
    }

    /** The row of the twin's predictor at a point in whitened coordinates. */
    double[] predictors(double[] point) {
        return Matrices.plus(Matrices.predictors(twinRows, d, twin, point), 1, offset);
    }

    /** What a step in whitened coordinates does to the predictors of the twin's rows. */
    double[] images(double[] step) {
        return Matrices.predictors(twinRows, d, twin, step);
    }

    /** The unit of the predictor in natural units. */
    double predictorUnit() {
        return model.family().fitsStandardised() ? targetSpread : 1;
    }

    private double meanOffset() {
        return model.design().offset().isPresent()
                ? standard.centre()[model.design().numbers().length] / predictorUnit()
                : 0;
    }

    /** The twin's rows without the offset. */
    private double[] columns(double[] table) {
        int all = model.design().table().size();
        if (all == d) {
            return table;
        }
        double[] x = new double[twinRows * d];
        for (int r = 0; r < twinRows; r++) {
            System.arraycopy(table, r * all, x, r * d, d);
        }
        return x;
    }

    private double[] offsets(double[] table) {
        double[] offsets = new double[twinRows];
        model.design().offset().ifPresent(column -> {
            int place = model.design().numbers().length;
            for (int r = 0; r < twinRows; r++) {
                double number = standard.centre()[place] + standard.scale()[place] * table[r * (d + 1) + d];
                offsets[r] = Matrices.clamp(number, column.low(), column.high()) / predictorUnit();
            }
        });
        return offsets;
    }
}
