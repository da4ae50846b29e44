package dev.tacit.glm.twin;

import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.group.GroupCoordinates;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.SymmetricEigen;
import java.io.Serializable;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where the rounds take place: standardised rows, a twin table, a first estimate, and the map that makes the curvature round.
 *
 * <pre>
 *   start     θ with Σ ω (mean(zᵀθ)) z = cross moments on the twin, by damped Gauss-Newton with the working prior and the noise
 *   H_s       the twin's curvature at the start, scaled to the trace of the second moments
 *   T         √N max(H_s + ρ, 1)^(−½),  ρ = ½ sd √(2D);      w = T z,   θ_z = T θ_w
 * </pre>
 *
 * Where a formula has an offset, the twin's rows carry one jointly with their columns, and it is part of every predictor; the
 * intercept's prior is then centred at the start's for a record with the mean offset.
 *
 * <p>A typical row then has |w|² ≈ D, and every direction about the same information. All of it follows from the first three
 * releases and public numbers.
 */
public final class GlmGeometry implements Serializable {
    private static final long serialVersionUID = 1;

    private static final double RIDGE = 0.5;

    /** The least second moment of a direction: one record's. A level that the twin has no row of has none of its own. */
    private static final double ONE_RECORD = 1;

    private static final int START_STEPS = 50;

    public final GlmModel model;
    public final double rows;
    public final Standardisation standard;
    public final SecondMoments moments;

    /** How many columns the design has, and how many coefficients: as many for each linear predictor. */
    public final int width;

    public final int columns;

    /** How many whitened coordinates there are: coefficients of columns, then levels of groups. */
    public final int d;

    /** What rows do in a model with the family's linear predictors. */
    public final PredictorRows rowsOf;

    /** Rows of the twin, and their weights. */
    public final int twinRows;

    public final double[] omega;

    /** The twin's rows in whitened coordinates of columns, and the lengths of all their coordinates. */
    public final double[] twin;

    /** Empty without group effects. */
    private final GroupCoordinates groupCoordinates;

    public final double[] length;

    /** What is added to the twin's predictors, on the scale of the model. */
    private final double[] offset;

    /** T and its inverse, symmetric; k and 1/k on the diagonal for group effects. */
    public final double[] whitening;

    public final double[] unwhitening;

    /** T of the columns alone: w = T z. */
    public final double[] rowWhitening;

    /** T² for each linear predictor, groups left out. */
    public final double[] squaredWhitening;

    /** Σ ω z zᵀ, in whitened coordinates. */
    public final double[] secondMoments;

    /** Relative variance of each coordinate's curvature from counts that are not known well. */
    public final double[] countVariance;

    /** The first estimate in standardised coordinates of columns. */
    final double[] start;

    public final double[] startExtra;

    /** Mean squared length of a row over the twin. */
    final double typicalSquare;

    public final double targetCentre;
    public final double targetSpread;
    public final double startIntercept;

    public GlmGeometry(
            GlmModel model,
            Standardisation standard,
            Standardisation.NoisySums second,
            double rows,
            LongRows longRows) {
        this.model = model;
        this.rows = rows;
        this.standard = standard;
        GlmFamily family = model.family();
        this.width = model.design().size();
        this.columns = family.predictors() * width;
        GroupLayout layout = new GroupLayout(model.design());
        this.d = model.coordinates();
        SecondMoments all = SecondMoments.of(model, standard, second, rows);
        this.moments = all.ofFirst(width);
        int p = standard.centre().length;
        this.targetCentre = family.standardisesTarget() ? standard.centre()[p - 1] : 0;
        this.targetSpread = family.standardisesTarget() ? standard.scale()[p - 1] : 1;
        TwinTable table = TwinTable.of(model, standard, all, rows, longRows);
        this.twinRows = table.rows();
        this.omega = table.weights();
        this.rowsOf = new PredictorRows(twinRows, width, family);
        double[] x = columns(table.x());
        this.offset = offsets(table.x());
        this.startIntercept = family.startIntercept(targetCentre) - meanOffset();
        double[] cut = new double[width * width];
        for (int i = 0; i < width; i++) {
            for (int j = 0; j < width; j++) {
                cut[i * width + j] =
                        rows * (moments.covariance()[i * width + j] + moments.mean()[i] * moments.mean()[j]);
            }
        }
        int predictors = family.predictors();
        double[] one = Matrices.identity(predictors);
        double[] first = start(x, table.cutWeights(), PredictorRows.kronecker(predictors, one, width, cut));
        double[] plain = longRows == LongRows.CUT ? cut : Matrices.weightedGram(twinRows, width, x, omega, 1);
        this.start = mixed(family, first);
        double[] eta = Matrices.plus(rowsOf.images(x, first), 1, offset);
        double[] share = new double[twinRows];
        for (int r = 0; r < twinRows; r++) {
            share[r] = omega[r] / rows;
        }
        this.startExtra = family.startExtra(targetCentre, targetSpread, eta, share);
        double[] weights = new double[twinRows];
        double[] reference = new double[family.referenceSize()];
        double[] slopes = new double[family.directions().length];
        for (int r = 0; r < twinRows; r++) {
            family.reference(eta, r * predictors, startExtra, reference, 0);
            family.ownSlopes(reference, 0, slopes, 0);
            weights[r] = omega[r] * rowsOf.meanSlope(slopes, 0);
        }
        double[] curvature = Matrices.weightedGram(twinRows, width, x, weights, 1);
        double perMoment = Matrices.trace(width, curvature) / Matrices.trace(width, plain);
        SymmetricEigen eigen = Matrices.eigen(width, curvature);
        double ridge = RIDGE * moments.noise() * Math.sqrt(2.0 * width);
        double[] root = Matrices.function(
                eigen, value -> Math.sqrt(rows / Math.max(Math.max(value, 0) / perMoment + ridge, ONE_RECORD)));
        double[] inverseRoot = Matrices.function(
                eigen, value -> Math.sqrt(Math.max(Math.max(value, 0) / perMoment + ridge, ONE_RECORD) / rows));
        double[] rotated = new double[twinRows * width];
        LinearAlgebra.best().multiply(false, false, twinRows, width, width, 1, x, root, 0, rotated);
        this.twin = rotated;
        double[] squares = new double[twinRows];
        double sum = 0;
        for (int r = 0; r < twinRows; r++) {
            for (int j = r * width; j < (r + 1) * width; j++) {
                squares[r] += rotated[j] * rotated[j];
            }
            sum += omega[r] * squares[r];
        }
        double[] plainRoot = Matrices.congruent(width, root, plain);
        this.rowWhitening = root;
        this.squaredWhitening = PredictorRows.kronecker(predictors, one, width, Matrices.product(width, root, root));
        if (layout.isEmpty()) {
            double[] mixing = family.mixing();
            this.groupCoordinates = null;
            this.whitening = PredictorRows.kronecker(predictors, mixing, width, root);
            this.unwhitening =
                    PredictorRows.kronecker(predictors, Matrices.inverse(predictors, mixing), width, inverseRoot);
            this.secondMoments = PredictorRows.kronecker(predictors, one, width, plainRoot);
            this.countVariance = new double[d];
            for (int i = 0; i < d; i++) {
                countVariance[i] = moments.countVariance()[i % width];
            }
        } else {
            GroupCoordinates coordinates = new GroupCoordinates(layout, table.levels(), twinRows, x, sum / rows);
            this.groupCoordinates = coordinates;
            this.whitening = coordinates.extended(root, coordinates.weight);
            this.unwhitening = coordinates.extended(inverseRoot, 1 / coordinates.weight);
            this.secondMoments = coordinates.extended(plainRoot, 0);
            this.countVariance = Arrays.copyOf(moments.countVariance(), d);
            for (int i = columns; i < d; i++) {
                int term = layout.termOf(i);
                int grouping = layout.grouping[term];
                int level = i - layout.coordinate(term, 0);
                countVariance[i] = moments.groups().variances()[grouping][level];
                secondMoments[i * d + i] =
                        moments.groups().counts()[grouping][level] * coordinates.weight * coordinates.weight;
            }
            for (int r = 0; r < twinRows; r++) {
                double more = coordinates.square(r);
                squares[r] += more;
                sum += omega[r] * more;
            }
        }
        this.length = new double[twinRows];
        for (int r = 0; r < twinRows; r++) {
            length[r] = Math.sqrt(squares[r]);
        }
        this.typicalSquare = sum / rows;
    }

    /** From coefficients of the predictors that residuals are of to those of the model. */
    private double[] mixed(GlmFamily family, double[] theta) {
        double[] map = PredictorRows.kronecker(family.predictors(), family.mixing(), width, Matrices.identity(width));
        return Matrices.times(columns, map, theta);
    }

    /**
     * The working prior holds for the predictors that residuals are of: it only keeps the first point in reach.
     *
     * @param shares weights under which the twin has the released moments: cross moments are weighed by a as well
     */
    private double[] start(double[] x, double[] shares, double[] plain) {
        GlmFamily family = model.family();
        GlmPrior.Standard prior = GlmPrior.standard().toStandard(model, standard, startIntercept);
        double variance = family.startVariance();
        double[] system = new double[columns * columns];
        double noise = moments.crossNoise() * moments.crossNoise();
        for (int i = 0; i < columns; i++) {
            for (int j = 0; j < columns; j++) {
                system[i * columns + j] = variance * plain[i * columns + j];
            }
            double own = 0.05 * variance * plain[i * columns + i];
            system[i * columns + i] += noise + own * own / rows * 4;
        }
        double[] inverse = Matrices.inverse(columns, system);
        double[] theta = prior.mean().clone();
        double[] weights = new double[twinRows * family.directions().length];
        double[] residual = new double[columns];
        double value = objective(x, shares, theta, inverse, prior, residual, weights);
        for (int step = 0; step < START_STEPS; step++) {
            double[] h = rowsOf.gram(x, weights, 1);
            double[] gain = Matrices.product(columns, h, inverse);
            double[] precision = Matrices.product(columns, gain, h);
            double[] pull = Matrices.times(columns, gain, residual);
            for (int i = 0; i < columns; i++) {
                precision[i * columns + i] += prior.precision()[i];
                pull[i] -= prior.precision()[i] * (theta[i] - prior.mean()[i]);
            }
            double[] move = Matrices.times(columns, Matrices.inverse(columns, precision), pull);
            double length1 = 1;
            double[] next = theta;
            double better = value;
            double[] nextResidual = residual.clone();
            double[] nextWeights = weights.clone();
            while (length1 > 1e-4) {
                next = Matrices.plus(theta, length1, move);
                better = objective(x, shares, next, inverse, prior, nextResidual, nextWeights);
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
            double[] shares,
            double[] theta,
            double[] inverse,
            GlmPrior.Standard prior,
            double[] residual,
            double[] weights) {
        GlmFamily family = model.family();
        double[] eta = Matrices.plus(rowsOf.images(x, theta), 1, offset);
        int predictors = family.predictors();
        int directions = weights.length / twinRows;
        double[] expected = new double[eta.length];
        for (int r = 0; r < twinRows; r++) {
            int from = r * predictors;
            family.startMean(eta, from, targetCentre, targetSpread, expected, from);
            family.startSlopes(eta, from, targetCentre, targetSpread, weights, r * directions);
            Matrices.scale(shares[r], expected, from, predictors);
            Matrices.scale(shares[r], weights, r * directions, directions);
        }
        double[] sum = rowsOf.adjoint(x, expected);
        double distance = 0;
        for (int j = 0; j < columns; j++) {
            residual[j] = moments.cross()[j] - sum[j];
            double off = theta[j] - prior.mean()[j];
            distance += prior.precision()[j] * off * off;
        }
        return Matrices.form(columns, inverse, residual) + distance;
    }

    /** The coordinates of effects of groups, if there are any. */
    public Optional<GroupCoordinates> groups() {
        return Optional.ofNullable(groupCoordinates);
    }

    /** Whether nothing was added to the moments: then there is nothing to the other sums either, and nothing to learn from the twin. */
    public boolean isExact() {
        return moments.noise() == 0;
    }

    /** The first estimate in whitened coordinates, without effects of groups. */
    public double[] startPoint() {
        return Matrices.times(d, unwhitening, Arrays.copyOf(start, d));
    }

    /** The twin's predictors at a point in whitened coordinates. */
    public double[] predictors(double[] point) {
        double[] eta = Matrices.plus(rowsOf.images(twin, point), 1, offset);
        groups().ifPresent(coordinates -> coordinates.addPredictors(point, eta));
        return eta;
    }

    /** Σ residual v over the twin's rows. */
    public double[] adjoint(double[] residuals) {
        double[] sum = rowsOf.adjoint(twin, residuals);
        return groups().map(coordinates -> coordinates.adjoint(sum, residuals)).orElse(sum);
    }

    /** Adds a multiple of a row of the twin to every {@code stride}-th number from {@code first} on. */
    public void addRow(int row, double factor, double[] sum, int stride, int first) {
        for (int i = 0; i < columns; i++) {
            sum[i * stride + first] += factor * twin[row * columns + i];
        }
        groups().ifPresent(coordinates -> coordinates.addRow(row, factor, sum, stride, first));
    }

    /** factor Σ weight v vᵀ over the twin's rows, weights not negative: those of a row's directions together. */
    public double[] gram(double[] weights, double factor) {
        double[] gram = rowsOf.gram(twin, weights, factor);
        return groups().map(coordinates -> coordinates.gram(gram, twin, weights, factor))
                .orElse(gram);
    }

    /** vᵀ C v of each of the twin's rows. */
    public double[] predictorVariances(double[] covariance) {
        double[] block = Matrices.leading(d, covariance, columns);
        double[] image = new double[twinRows * columns];
        LinearAlgebra.best().multiply(false, false, twinRows, columns, columns, 1, twin, block, 0, image);
        double[] variances = new double[twinRows];
        for (int r = 0; r < twinRows; r++) {
            for (int j = r * columns; j < (r + 1) * columns; j++) {
                variances[r] += image[j] * twin[j];
            }
        }
        groups().ifPresent(coordinates -> coordinates.addVariances(covariance, twin, variances));
        return variances;
    }

    /** What a step in whitened coordinates does to the predictors of the twin's rows. */
    public double[] images(double[] step) {
        return rowsOf.images(twin, step);
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
        if (all == width) {
            return table;
        }
        double[] x = new double[twinRows * width];
        for (int r = 0; r < twinRows; r++) {
            System.arraycopy(table, r * all, x, r * width, width);
        }
        return x;
    }

    private double[] offsets(double[] table) {
        double[] offsets = new double[twinRows * model.family().predictors()];
        model.design().offset().ifPresent(column -> {
            int place = model.design().numbers().length;
            for (int r = 0; r < twinRows; r++) {
                double number = standard.centre()[place] + standard.scale()[place] * table[r * (width + 1) + width];
                offsets[r] = Matrices.clamp(number, column.low(), column.high()) / predictorUnit();
            }
        });
        return offsets;
    }
}
