package dev.tacit.glm;

import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SymmetricEigen;
import dev.tacit.numerics.SymmetricMatrix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * From residual sums at public points to an estimate with all its variances, in whitened coordinates.
 *
 * <pre>
 *   H(θ) = A H_twin(θ) A,  J(θ) = A J_twin(θ) A        H with weights a, J with a² and var ψ; A from the released curvature
 *   field_i(θ) = γ Σ ω a_i E_θ ψ_i w + (H − γ H_twin)(θ − θ_i)
 *   n_i = noise_i² + var_H (θ − θ_i)² + 0.1² h (h·(θ − θ_i)²)/D + (0.3 (field_i − H (θ − θ_i)))²
 *   ḡ = Σ (g_i − field_i)/n_i / Σ 1/n_i,      V = J + diag(1/Σ 1/n_i),      step = (H V⁻¹ H + Λ)⁻¹ (H V⁻¹ ḡ − Λ (θ − θ_0))
 *   posterior: the information H V⁻¹ H in the eigenbasis of H, divided by 1 + 2.1 var(e)/e² in each direction and by the lack
 *   of fit max(1, ḡᵀ V⁻¹ ḡ/D), plus Λ: never less than the prior's precision
 * </pre>
 *
 * Everything here is post-processing of released sums. A solver is used once, round after round in the order of the
 * releases.
 */
final class LikelihoodSolver {
    private static final int INNER = 10;
    private static final int SMOOTH_PASSES = 3;

    /** Passes for a prior that is far from what the sums say, one trusted step after the other. */
    private static final int MOST_PASSES = 200;

    private static final double LARGEST_VARIANCE = 4;
    private static final double DISTANCE_CV = 0.1;
    private static final double NONLINEAR = 0.3;
    private static final double CURVATURE_DISCOUNT = 0.7 * 3;
    private static final double[] CLIPS = {0.2, 0.3, 0.4, 0.5, 0.6};
    private static final double CLIP_TOLERANCE = 0.03;
    private static final double CLIP = 0.5;
    private static final double CURVATURE_CLIP = 0.3;
    private static final double NOISELESS = 1e-6;
    private static final double UNCLIPPED = 1000;
    private static final int SIMULATIONS = 20;
    private static final long SIMULATION_SEED = 4321;
    private static final GaussHermite RULE = GaussHermite.of(5);

    private final GlmGeometry geometry;
    private final GlmFamily family;
    private final int d;
    private final int n;
    private final int extras;

    /** Noise of all rounds together over their bound. */
    private final double noisePerBound;

    private final List<Round> rounds = new ArrayList<>();

    private double[] extra;
    private double gamma = 1;
    private boolean curvatureKnown;
    private double curvatureNoise;
    private double meanSlope;

    /** Relative variances of the curvature's entries, and the map A. */
    private double[] relativeVariance;

    private double[] map;

    /** Left by the last pass: the twin's curvature diagonal, H − γ H_twin, entrywise variances, H, J and the rest. */
    private double[] h;

    private double[] deviation;
    private double[] entryVariance;
    private Pass pass;

    /** Of the current solution; they move little while it is found. */
    private List<ExtraSlope> slopes;

    /** A release at a public point, and what the twin has there. */
    private record Round(
            RoundQueries.Point at,
            double[] sum,
            double[] extraSum,
            double noise,
            double[] references,
            double[] weights) {}

    /** What one pass computed. */
    private record Pass(
            double[] curvature,
            double[] sampling,
            double[] precisionOfSum,
            double[] gain,
            double[] information,
            double[] covariance,
            double[] residual,
            double[] extraVariance) {}

    GlmGeometry geometry() {
        return geometry;
    }

    LikelihoodSolver(GlmGeometry geometry, double noisePerBound) {
        this.geometry = geometry;
        this.family = geometry.model.family();
        this.d = geometry.d;
        this.n = geometry.twinRows;
        this.extras = family.extraNames().size();
        this.noisePerBound = noisePerBound;
        this.extra = geometry.startExtra.clone();
        this.deviation = new double[d * d];
    }

    /** The first point. */
    RoundQueries.Point start() {
        return pointAt(Matrices.times(d, geometry.unwhitening, geometry.start));
    }

    /** Where the next sums are to be released, with clips chosen on the twin. */
    RoundQueries.Point pointAt(double[] theta) {
        double[] eta = geometry.predictors(Matrices.times(d, geometry.unwhitening, geometry.start));
        double[] reference = new double[family.referenceSize()];
        double residuals = 0;
        double curvatures = 0;
        for (int r = 0; r < n; r++) {
            family.reference(eta[r], geometry.startExtra, reference, 0);
            double square = geometry.length[r] * geometry.length[r];
            residuals += geometry.omega[r] * square * Math.pow(reference[GlmFamily.BOUND], 2);
            curvatures += geometry.omega[r] * square * reference[GlmFamily.SLOPE];
        }
        boolean plain = family.boundedByOne();
        double c = CLIP * (plain ? Math.sqrt(geometry.typicalSquare) : 1.3 * Math.sqrt(residuals / geometry.rows));
        double b = CURVATURE_CLIP * (plain ? geometry.typicalSquare : 4 * curvatures / geometry.rows);
        if (noisePerBound == 0) {
            return new RoundQueries.Point(theta, extra.clone(), UNCLIPPED * c, UNCLIPPED * b);
        }
        return family.choosesClips() ? chosen(theta, c, b) : new RoundQueries.Point(theta, extra.clone(), c, b);
    }

    /** C by the posterior that the twin predicts, B_H by the information-weighted mean of a row's curvature. */
    private RoundQueries.Point chosen(double[] theta, double c, double b) {
        double[] references = references(theta, extra);
        double[] prior = priorPrecision(workingPrior());
        double[] criteria = new double[CLIPS.length];
        double best = Double.POSITIVE_INFINITY;
        double[] slopes = new double[n];
        double[] variances = new double[n];
        for (int k = 0; k < CLIPS.length; k++) {
            double clip = CLIPS[k] / CLIP * c;
            for (int r = 0; r < n; r++) {
                double a = weight(references, r, clip, b);
                int at = r * family.referenceSize();
                slopes[r] = geometry.omega[r] * a * references[at + GlmFamily.SLOPE];
                variances[r] = geometry.omega[r] * a * a * references[at + GlmFamily.VARIANCE];
            }
            double[] curvature = Matrices.weightedGram(n, d, geometry.twin, slopes, 1);
            double[] sampling = Matrices.weightedGram(n, d, geometry.twin, variances, 1);
            for (int i = 0; i < d; i++) {
                sampling[i * d + i] += Math.pow(clip * noisePerBound, 2);
            }
            double[] precision = Matrices.congruent(d, curvature, Matrices.inverse(d, sampling));
            double[] covariance =
                    Matrices.congruent(d, geometry.whitening, Matrices.inverse(d, Matrices.plus(precision, 1, prior)));
            double sum = 0;
            for (int i = 0; i < d; i++) {
                sum += Math.log(covariance[i * d + i]);
            }
            criteria[k] = sum / d;
            best = Math.min(best, criteria[k]);
        }
        double clip = CLIPS[0] / CLIP * c;
        for (int k = 0; k < CLIPS.length; k++) {
            if (criteria[k] <= best + CLIP_TOLERANCE) {
                clip = Math.max(clip, CLIPS[k] / CLIP * c);
            }
        }
        double sum = 0;
        double squares = 0;
        for (int r = 0; r < n; r++) {
            double q = weight(references, r, clip, b)
                    * references[r * family.referenceSize() + GlmFamily.SLOPE]
                    * geometry.length[r]
                    * geometry.length[r];
            sum += geometry.omega[r] * q;
            squares += geometry.omega[r] * q * q;
        }
        return new RoundQueries.Point(theta, extra.clone(), clip, Math.min(b, 3 * squares / sum));
    }

    private double weight(double[] references, int r, double residualBound, double curvatureBound) {
        int at = r * family.referenceSize();
        return RoundQueries.weight(
                geometry.length[r],
                references[at + GlmFamily.BOUND],
                references[at + GlmFamily.SLOPE],
                residualBound,
                curvatureBound);
    }

    private double[] references(double[] theta, double[] extras1) {
        double[] eta = geometry.predictors(theta);
        int size = family.referenceSize();
        double[] references = new double[n * size];
        for (int r = 0; r < n; r++) {
            family.reference(eta[r], extras1, references, r * size);
        }
        return references;
    }

    /** Takes the sums of a round in. */
    void addRound(RoundQueries.Point at, double[] released, double noise) {
        double[] references = references(at.point(), at.extra());
        double[] weights = new double[n];
        for (int r = 0; r < n; r++) {
            weights[r] = geometry.omega[r] * weight(references, r, at.residualBound(), at.curvatureBound());
        }
        double[] extraSum = new double[extras];
        for (int k = 0; k < extras; k++) {
            extraSum[k] = released[d + k] / RoundQueries.extraWeight(geometry.model, at.residualBound());
        }
        double effective = Math.max(noise, NOISELESS * typical(at));
        rounds.add(new Round(at, Arrays.copyOf(released, d), extraSum, effective, references, weights));
        if (curvatureKnown && rounds.size() > 1) {
            secant();
        }
    }

    /** A residual bound, also where nothing is clipped. */
    private double typical(RoundQueries.Point at) {
        return noisePerBound == 0 ? at.residualBound() / UNCLIPPED : at.residualBound();
    }

    /** Takes the curvature at the point of the last round in. */
    void addCurvature(double[] released, double noise) {
        Round last = rounds.get(rounds.size() - 1);
        double[] found = SymmetricMatrix.fromVector(d, released, 0);
        double[] slopes = new double[n];
        double sum = 0;
        for (int r = 0; r < n; r++) {
            slopes[r] = last.weights[r] * last.references[r * family.referenceSize() + GlmFamily.SLOPE];
            sum += slopes[r];
        }
        double[] twin = Matrices.weightedGram(n, d, geometry.twin, slopes, 1);
        meanSlope = sum / geometry.rows;
        gamma = Matrices.clamp(Matrices.dot(found, twin) / Matrices.dot(twin, twin), 0.4, 1.6);
        double floor = 1e-3 * gamma * Matrices.trace(d, twin) / d;
        double[] scale = new double[d];
        double[] scaled = new double[d * d];
        for (int i = 0; i < d * d; i++) {
            scaled[i] = gamma * twin[i];
        }
        for (int i = 0; i < d; i++) {
            scale[i] = Math.max(scaled[i * d + i], floor);
        }
        curvatureNoise = Math.max(
                noise,
                NOISELESS * (noisePerBound == 0 ? last.at.curvatureBound() / UNCLIPPED : last.at.curvatureBound()));
        double[] squared = Matrices.product(d, geometry.whitening, geometry.whitening);
        double[] passedOn = new double[d];
        for (int i = 0; i < d; i++) {
            passedOn[i] = meanSlope * geometry.moments.noise() * squared[i * d + i];
        }
        CurvatureShrinkage shrunk = CurvatureShrinkage.of(
                d, Matrices.minus(found, scaled), scale, curvatureNoise, countVariance(), passedOn);
        relativeVariance = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                relativeVariance[i * d + j] = shrunk.variance()[i * d + j] / (scale[i] * scale[j]);
            }
        }
        double[] base = SymmetricMatrix.withEigenvaluesAtLeast(floor, d, scaled);
        double[] wanted = RelativeSpectrum.of(d, Matrices.plus(scaled, 1, shrunk.deviation()), base)
                .soft(shrunk.variance());
        map = RelativeSpectrum.congruence(d, base, wanted);
        curvatureKnown = true;
    }

    /** Relative variance of each whitened direction's curvature from level counts that are not known well. */
    private double[] countVariance() {
        return geometry.moments.countVariance();
    }

    /** Learns curvature from the difference of the last two residual sums, shrunk by their noise. */
    private void secant() {
        Round now = rounds.get(rounds.size() - 1);
        Round before = rounds.get(rounds.size() - 2);
        double[] move = Matrices.minus(now.at.point(), before.at.point());
        double square = Matrices.dot(move, move);
        if (!(square > 0)) {
            return;
        }
        double[] predicted = field(before, geometry.predictors(now.at.point()), null);
        double[] known = Matrices.times(d, deviation, move);
        double[] residual = new double[d];
        for (int i = 0; i < d; i++) {
            double unknown = 0;
            for (int j = 0; j < d; j++) {
                unknown += relativeVariance[i * d + j] * h[i] * h[j] * move[j] * move[j];
            }
            double share = unknown / (unknown + before.noise * before.noise + now.noise * now.noise);
            residual[i] = share * (before.sum[i] - now.sum[i] - predicted[i] - known[i]);
        }
        double along = Matrices.dot(move, residual);
        double[] twin = curvatureOf(now, now.at.point(), now.at.extra());
        double[] base = SymmetricMatrix.withEigenvaluesAtLeast(1e-3 * Matrices.trace(d, twin) / d, d, twin);
        double[] mapped = Matrices.congruent(d, map, base);
        double[] updated = mapped.clone();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                updated[i * d + j] += (residual[i] * move[j] + move[i] * residual[j]) / square
                        - along * move[i] * move[j] / (square * square);
            }
        }
        map = RelativeSpectrum.congruence(
                d, base, RelativeSpectrum.of(d, updated, mapped).floored(0.3));
    }

    /** γ times the twin's curvature with the weights of a round. */
    private double[] curvatureOf(Round round, double[] theta, double[] extras1) {
        double[] eta = geometry.predictors(theta);
        double[] slopes = new double[n];
        int size = family.referenceSize();
        for (int r = 0; r < n; r++) {
            slopes[r] = round.weights[r] * family.slope(eta[r], extras1, round.references, r * size);
        }
        return Matrices.weightedGram(n, d, geometry.twin, slopes, gamma);
    }

    /** γ Σ ω a E ψ w of a round, at the given predictors or averaged over their variances. */
    private double[] field(Round round, double[] eta, double[] deviations) {
        double[] residuals = new double[n];
        int size = family.referenceSize();
        for (int r = 0; r < n; r++) {
            double value;
            if (deviations == null) {
                value = family.field(eta[r], extra, round.references, r * size);
            } else {
                value = 0;
                for (int k = 0; k < RULE.size(); k++) {
                    value += RULE.weight(k)
                            * family.field(eta[r] + RULE.node(k) * deviations[r], extra, round.references, r * size);
                }
            }
            residuals[r] = gamma * round.weights[r] * value;
        }
        return Matrices.transposedTimes(n, d, geometry.twin, residuals);
    }

    GlmPrior.Standard workingPrior() {
        return GlmPrior.standard().toStandard(geometry.model, geometry.standard, geometry.startIntercept);
    }

    private double[] priorPrecision(GlmPrior.Standard prior) {
        return Matrices.congruent(d, geometry.whitening, Matrices.diagonal(prior.precision()));
    }

    /** The estimate from all rounds so far. */
    double[] solve(GlmPrior.Standard prior, boolean last) {
        double[] precision = priorPrecision(prior);
        double[] centre = Matrices.times(d, geometry.unwhitening, prior.mean());
        Round newest = rounds.get(rounds.size() - 1);
        double[] theta = newest.at.point().clone();
        boolean smooth = last && family.smooths();
        slopes = null;
        GlmPrior.Standard working = workingPrior();
        boolean other =
                !Arrays.equals(working.precision(), prior.precision()) || !Arrays.equals(working.mean(), prior.mean());
        int most = other ? MOST_PASSES : INNER;
        for (int inner = 0; inner < most; inner++) {
            double size = step(theta, newest, precision, centre, null);
            if (size < 0.01 && (!smooth || inner + 1 >= INNER)) {
                break;
            }
        }
        if (smooth) {
            double[] deviations = predictorDeviations(pass.covariance);
            for (int i = 0; i < SMOOTH_PASSES; i++) {
                step(theta, newest, precision, centre, deviations);
            }
        }
        return theta;
    }

    private double[] predictorDeviations(double[] covariance) {
        double[] image = new double[n * d];
        LinearAlgebra.best().multiply(false, false, n, d, d, 1, geometry.twin, covariance, 0, image);
        double[] deviations = new double[n];
        for (int r = 0; r < n; r++) {
            double sum = 0;
            for (int j = r * d; j < (r + 1) * d; j++) {
                sum += image[j] * geometry.twin[j];
            }
            deviations[r] = Math.sqrt(Matrices.clamp(sum, 0, LARGEST_VARIANCE));
        }
        return deviations;
    }

    /** One damped Newton step in place; its length as a predictor's root mean square. */
    private double step(double[] theta, Round newest, double[] prior, double[] centre, double[] deviations) {
        double[] eta = geometry.predictors(theta);
        double[] slopes = new double[n];
        double[] variances = new double[n];
        double slopeSum = 0;
        double varianceSum = 0;
        int size = family.referenceSize();
        for (int r = 0; r < n; r++) {
            double slope = 0;
            double variance = 0;
            if (deviations == null) {
                slope = family.slope(eta[r], extra, newest.references, r * size);
                variance = family.variance(eta[r], extra, newest.references, r * size);
            } else {
                for (int k = 0; k < RULE.size(); k++) {
                    double at = eta[r] + RULE.node(k) * deviations[r];
                    slope += RULE.weight(k) * family.slope(at, extra, newest.references, r * size);
                    variance += RULE.weight(k) * family.variance(at, extra, newest.references, r * size);
                }
            }
            slopeSum += slope;
            varianceSum += variance;
            slopes[r] = newest.weights[r] * slope;
            variances[r] = newest.weights[r] * newest.weights[r] / geometry.omega[r] * variance;
        }
        double[] twin = Matrices.weightedGram(n, d, geometry.twin, slopes, gamma);
        double[] sampling = Matrices.weightedGram(n, d, geometry.twin, variances, gamma);
        double floor = 1e-3 * Matrices.trace(d, twin) / d;
        double ratio = varianceSum / slopeSum;
        h = new double[d];
        for (int i = 0; i < d; i++) {
            h[i] = Math.max(twin[i * d + i], floor);
        }
        entryVariance = new double[d * d];
        double[] counts = countVariance();
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                double relative = curvatureKnown ? relativeVariance[i * d + j] : 0.3 * 0.3 + (i == j ? counts[i] : 0);
                entryVariance[i * d + j] = relative * h[i] * h[j];
            }
        }
        double[] curvature = SymmetricMatrix.withEigenvaluesAtLeast(floor, d, twin);
        sampling = SymmetricMatrix.withEigenvaluesAtLeast(floor * ratio, d, sampling);
        if (curvatureKnown) {
            curvature = Matrices.congruent(d, map, curvature);
            sampling = Matrices.congruent(d, map, sampling);
        }
        deviation = Matrices.minus(curvature, twin);

        int count = rounds.size();
        double[][] noise = new double[count][];
        double[] inverseSum = new double[d];
        double[] residual = new double[d];
        for (int i = 0; i < count; i++) {
            Round round = rounds.get(i);
            double[] off = Matrices.minus(theta, round.at.point());
            double[] field = Matrices.plus(field(round, eta, deviations), 1, Matrices.times(d, deviation, off));
            double[] linear = Matrices.times(d, curvature, off);
            double[] squares = new double[d];
            double weighted = 0;
            for (int j = 0; j < d; j++) {
                squares[j] = off[j] * off[j];
                weighted += h[j] * squares[j];
            }
            double[] unknown = Matrices.times(d, entryVariance, squares);
            double base = round.noise * round.noise;
            noise[i] = new double[d];
            for (int j = 0; j < d; j++) {
                double bent = NONLINEAR * (field[j] - linear[j]);
                double total = base + unknown[j] + DISTANCE_CV * DISTANCE_CV * h[j] * weighted / d + bent * bent;
                noise[i][j] = Math.min(total, 1e4 * base);
                inverseSum[j] += 1 / noise[i][j];
                residual[j] += (round.sum[j] - field[j]) / noise[i][j];
            }
        }
        double[] total = sampling.clone();
        for (int j = 0; j < d; j++) {
            residual[j] /= inverseSum[j];
            total[j * d + j] += 1 / inverseSum[j];
        }
        double[] inverse = Matrices.inverse(d, total);
        double[] gain = Matrices.product(d, curvature, inverse);
        double[] information = Matrices.product(d, gain, curvature);
        SymmetricMatrix.symmetrise(d, information);
        double[] covariance = Matrices.inverse(d, Matrices.plus(information, 1, prior));
        double before = Matrices.form(d, inverse, residual) + priorDistance(prior, theta, centre);
        double[] pull = Matrices.times(d, gain, residual);
        double[] off = Matrices.minus(theta, centre);
        double[] move = Matrices.times(d, covariance, Matrices.minus(pull, Matrices.times(d, prior, off)));
        double length = Math.sqrt(Math.max(Matrices.form(d, geometry.secondMoments, move) / geometry.rows, 0));
        double trust = count == 1
                ? 1.5
                : Math.min(1.5, 4 * Math.sqrt(Matrices.dot(covariance, geometry.secondMoments) / geometry.rows));
        double share = Math.min(1, trust / Math.max(length, 1e-9));
        for (int attempt = 0; attempt < 5; attempt++) {
            double[] next = Matrices.plus(theta, share, move);
            double[] nextEta = geometry.predictors(next);
            double[] left = new double[d];
            for (int i = 0; i < count; i++) {
                Round round = rounds.get(i);
                double[] field = Matrices.plus(
                        field(round, nextEta, deviations),
                        1,
                        Matrices.times(d, deviation, Matrices.minus(next, round.at.point())));
                for (int j = 0; j < d; j++) {
                    left[j] += (round.sum[j] - field[j]) / noise[i][j];
                }
            }
            for (int j = 0; j < d; j++) {
                left[j] /= inverseSum[j];
            }
            double after = Matrices.form(d, inverse, left) + priorDistance(prior, next, centre);
            if (after <= before + 1e-6 * Math.abs(before)) {
                break;
            }
            share /= 2;
        }
        for (int j = 0; j < d; j++) {
            theta[j] += share * move[j];
        }
        double[] extraVariance = extras > 0 ? solveExtra(theta) : new double[0];
        pass = new Pass(curvature, sampling, inverse, gain, information, covariance, residual, extraVariance);
        return length;
    }

    private double priorDistance(double[] prior, double[] theta, double[] centre) {
        return Matrices.form(d, prior, Matrices.minus(theta, centre));
    }

    /** Σ ω E χ of a round. */
    private double[] extraField(Round round, double[] eta, double[] extras1) {
        double[] sum = new double[extras];
        double[] chi = new double[extras];
        int size = family.referenceSize();
        for (int r = 0; r < n; r++) {
            family.chiField(eta[r], extras1, round.references, r * size, chi);
            for (int k = 0; k < extras; k++) {
                sum[k] += geometry.omega[r] * chi[k];
            }
        }
        return sum;
    }

    /** How the expected sums of a round change with the extra parameters' logarithms, and what they are at its own point. */
    private record ExtraSlope(double[] slope, double[] there) {}

    private List<ExtraSlope> extraSlopes(double[] eta) {
        int q = extras;
        List<ExtraSlope> slopes = new ArrayList<>();
        for (Round round : rounds) {
            double[] expected = extraField(round, eta, extra);
            double[] slope = new double[q * q];
            for (int l = 0; l < q; l++) {
                double[] moved = extra.clone();
                moved[l] *= 1.02;
                double[] other = extraField(round, eta, moved);
                for (int k = 0; k < q; k++) {
                    slope[k * q + l] = (other[k] - expected[k]) / Math.log(1.02);
                }
            }
            slopes.add(new ExtraSlope(slope, extraField(round, geometry.predictors(round.at.point()), extra)));
        }
        return slopes;
    }

    /** A Newton step on the logarithms of the extra parameters; the inverse of the information from noise, q × q. */
    private double[] solveExtra(double[] theta) {
        double[] eta = geometry.predictors(theta);
        int q = extras;
        if (slopes == null) {
            slopes = extraSlopes(eta);
        }
        double[] information = new double[q * q];
        double[] pull = new double[q];
        for (int i = 0; i < rounds.size(); i++) {
            Round round = rounds.get(i);
            double[] slope = slopes.get(i).slope;
            double[] there = slopes.get(i).there;
            double[] expected = extraField(round, eta, extra);
            double kappa = RoundQueries.extraWeight(geometry.model, round.at.residualBound());
            for (int k = 0; k < q; k++) {
                double away = 0;
                for (int l = 0; l < q; l++) {
                    away += Math.abs(
                            slope[k * q + l] * Math.log(extra[l] / round.at.extra()[l]));
                }
                double variance = Math.pow(round.noise / kappa, 2)
                        + Math.pow(0.05 * away, 2)
                        + Math.pow(0.1 * (expected[k] - there[k]), 2);
                double residual = round.extraSum[k] - expected[k];
                for (int l = 0; l < q; l++) {
                    pull[l] += slope[k * q + l] * residual / variance;
                    for (int j = 0; j < q; j++) {
                        information[l * q + j] += slope[k * q + l] * slope[k * q + j] / variance;
                    }
                }
            }
        }
        double[] covariance = Matrices.inverse(q, information);
        double[] move = Matrices.times(q, covariance, pull);
        for (int k = 0; k < q; k++) {
            extra[k] = Matrices.clamp(
                    extra[k] * Math.exp(Matrices.clamp(move[k], -0.5, 0.5)), family.extraLow(), family.extraHigh());
        }
        return covariance;
    }

    /**
     * What is known in the end, in standardised coordinates.
     *
     * @param mean of z-coefficients, then logarithms of extra parameters
     * @param covariance of both
     * @param withoutNoise the covariance that the same records would give without privacy: no noise, no weights
     */
    record Estimate(double[] mean, double[] covariance, double[] withoutNoise, List<NestedTerms.Flag> flags) {}

    Estimate estimate(GlmPrior.Standard prior) {
        double[] theta = solve(prior, true);
        double[] precision = priorPrecision(prior);
        SymmetricEigen eigen = Matrices.eigen(d, pass.curvature);
        double[] values = eigen.values();
        double[] vectors = eigen.vectors();
        double[] squaredMap = Matrices.product(d, geometry.whitening, geometry.whitening);
        double[] discount = new double[d];
        double[] squares = new double[d];
        double[] vector = new double[d];
        for (int k = 0; k < d; k++) {
            for (int i = 0; i < d; i++) {
                vector[i] = vectors[k * d + i];
                squares[i] = vector[i] * vector[i];
            }
            double moments = Math.pow(meanSlope * geometry.moments.noise() * Matrices.form(d, squaredMap, vector), 2);
            double released = curvatureNoise * curvatureNoise;
            double variance = Matrices.form(d, entryVariance, squares)
                    + (moments > 0 ? moments * released / (moments + released) : 0);
            discount[k] = 1 / Math.sqrt(1 + CURVATURE_DISCOUNT * variance / Math.pow(Math.max(values[k], 1e-12), 2));
        }
        double misfit = Math.max(1, Matrices.form(d, pass.precisionOfSum, pass.residual) / d);
        double[] scaling = eigen.weighted(discount);
        int all = d + extras;
        double[] joint = new double[all * all];
        if (extras == 0) {
            double[] information = Matrices.mapped(d, scaling, pass.information);
            for (int i = 0; i < d * d; i++) {
                information[i] = information[i] / misfit + precision[i];
            }
            joint = Matrices.inverse(d, information);
        } else {
            joint = jointCovariance(theta, precision, scaling, misfit);
        }
        double[] toStandard = padded(geometry.whitening, all);
        double[] covariance = Matrices.congruent(all, toStandard, joint);
        List<NestedTerms.Flag> flags = NestedTerms.find(geometry);
        covariance = withinPrior(NestedTerms.widened(covariance, all, flags, prior), all, prior);
        double[] plain = Matrices.congruent(all, toStandard, covarianceWithoutNoise(theta, precision, joint, all));
        double[] mean = Arrays.copyOf(Matrices.times(d, geometry.whitening, theta), all);
        for (int k = 0; k < extras; k++) {
            mean[d + k] = Math.log(extra[k]);
        }
        return new Estimate(mean, covariance, plain, flags);
    }

    private double[] padded(double[] matrix, int all) {
        double[] result = new double[all * all];
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                result[i * all + j] = i < d && j < d ? matrix[i * d + j] : i == j ? 1 : 0;
            }
        }
        return result;
    }

    /** Of θ and the logarithms of extra parameters together, from both kinds of sums. */
    private double[] jointCovariance(double[] theta, double[] prior, double[] scaling, double misfit) {
        int q = extras;
        int all = d + q;
        double[] eta = geometry.predictors(theta);
        double[] references = references(theta, extra);
        int size = family.referenceSize();
        Round newest = rounds.get(rounds.size() - 1);
        double[] weights = new double[n];
        for (int r = 0; r < n; r++) {
            weights[r] = weight(references, r, newest.at.residualBound(), newest.at.curvatureBound());
        }
        double[] sampling = new double[q * q];
        double[] cross = new double[d * q];
        simulate(eta, references, weights, sampling, cross);

        double[] derivative = new double[all * all];
        double[] variance = new double[all * all];
        double[] total = Matrices.inverse(d, pass.precisionOfSum);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                derivative[i * all + j] = pass.curvature[i * d + j];
                variance[i * all + j] = total[i * d + j];
            }
        }
        double[] slope = new double[q * q];
        double[] low = new double[q];
        double[] high = new double[q];
        double[][] chiSlope = new double[q][n];
        for (int l = 0; l < q; l++) {
            double[] up = extra.clone();
            double[] down = extra.clone();
            up[l] *= 1.01;
            down[l] /= 1.01;
            double log = 2 * Math.log(1.01);
            double[] residuals = new double[n];
            for (int r = 0; r < n; r++) {
                residuals[r] = geometry.omega[r]
                        * weights[r]
                        * (family.field(eta[r], up, references, r * size)
                                - family.field(eta[r], down, references, r * size))
                        / log;
                family.chiField(eta[r], up, references, r * size, high);
                family.chiField(eta[r], down, references, r * size, low);
                for (int k = 0; k < q; k++) {
                    slope[k * q + l] += geometry.omega[r] * (high[k] - low[k]) / log;
                }
            }
            double[] column = Matrices.transposedTimes(n, d, geometry.twin, residuals);
            for (int i = 0; i < d; i++) {
                derivative[i * all + d + l] = column[i];
            }
        }
        double e = 1e-3;
        for (int r = 0; r < n; r++) {
            family.chiField(eta[r] + e, extra, references, r * size, high);
            family.chiField(eta[r] - e, extra, references, r * size, low);
            for (int k = 0; k < q; k++) {
                chiSlope[k][r] = geometry.omega[r] * (high[k] - low[k]) / (2 * e);
            }
        }
        double[] noise = noiseOfExtra(slope);
        for (int k = 0; k < q; k++) {
            double[] line = Matrices.transposedTimes(n, d, geometry.twin, chiSlope[k]);
            for (int i = 0; i < d; i++) {
                derivative[(d + k) * all + i] = line[i];
                variance[i * all + d + k] = 0.98 * cross[i * q + k];
                variance[(d + k) * all + i] = 0.98 * cross[i * q + k];
            }
            for (int l = 0; l < q; l++) {
                derivative[(d + k) * all + d + l] = slope[k * q + l];
                variance[(d + k) * all + d + l] = sampling[k * q + l] + noise[k * q + l];
            }
        }
        double[] scaled = Matrices.product(all, derivative, padded(scaling, all));
        double[] solved = Matrices.product(all, Matrices.inverse(all, variance), scaled);
        double[] information = new double[all * all];
        LinearAlgebra.best().multiply(true, false, all, all, all, 1 / misfit, scaled, solved, 0, information);
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                information[i * all + j] += prior[i * d + j];
            }
        }
        for (int k = d; k < all; k++) {
            information[k * all + k] += EXTRA_PRECISION;
        }
        return Matrices.inverse(all, information);
    }

    /** Of the logarithm of an extra parameter: a proper prior, wide enough not to matter. */
    static final double EXTRA_PRECISION = 1.0 / 25;

    /** The noise of χ sums, pooled over rounds: slope (Σ)⁻¹ slopeᵀ of what the steps used. */
    private double[] noiseOfExtra(double[] slope) {
        return Matrices.mapped(extras, slope, pass.extraVariance);
    }

    /** Sampling covariance of χ sums, and with residual sums, by targets drawn on the twin. */
    private void simulate(double[] eta, double[] references, double[] weights, double[] sampling, double[] cross) {
        int q = extras;
        int size = family.referenceSize();
        RandomStream random = RandomStream.ofSeed(SIMULATION_SEED);
        double[] chi = new double[q];
        double[] values = new double[n * q];
        double[] psi = new double[n];
        for (int draw = 0; draw < SIMULATIONS; draw++) {
            double[] mean = new double[q];
            for (int r = 0; r < n; r++) {
                double y = family.simulate(eta[r], extra, random);
                psi[r] = family.psi(y, references, r * size);
                family.chi(y, references, r * size, chi);
                for (int k = 0; k < q; k++) {
                    values[r * q + k] = chi[k];
                    mean[k] += geometry.omega[r] / geometry.rows * chi[k];
                }
            }
            for (int r = 0; r < n; r++) {
                double omega = geometry.omega[r] / SIMULATIONS;
                for (int k = 0; k < q; k++) {
                    double x = values[r * q + k] - mean[k];
                    for (int l = 0; l < q; l++) {
                        sampling[k * q + l] += omega * x * (values[r * q + l] - mean[l]);
                    }
                    double scale = omega * weights[r] * psi[r] * x;
                    for (int i = 0; i < d; i++) {
                        cross[i * q + k] += scale * geometry.twin[r * d + i];
                    }
                }
            }
        }
    }

    /** The Laplace covariance with the estimated curvature, without weights and noise; extra parameters as they are. */
    private double[] covarianceWithoutNoise(double[] theta, double[] prior, double[] joint, int all) {
        double[] references = references(theta, extra);
        int size = family.referenceSize();
        double[] slopes = new double[n];
        double[] variances = new double[n];
        for (int r = 0; r < n; r++) {
            slopes[r] = geometry.omega[r] * references[r * size + GlmFamily.SLOPE];
            variances[r] = geometry.omega[r] * references[r * size + GlmFamily.VARIANCE];
        }
        double[] curvature = Matrices.congruent(d, map, floored(slopes));
        double[] sampling = Matrices.congruent(d, map, floored(variances));
        double[] information = Matrices.congruent(d, curvature, Matrices.inverse(d, sampling));
        double[] covariance = Matrices.inverse(d, Matrices.plus(information, 1, prior));
        double[] result = new double[all * all];
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                result[i * all + j] =
                        i < d && j < d ? covariance[i * d + j] : i >= d && j >= d ? joint[i * all + j] : 0;
            }
        }
        return result;
    }

    /** γ times a weighted sum of the twin's squares, its eigenvalues not below a thousandth of their mean. */
    private double[] floored(double[] weights) {
        double[] gram = Matrices.weightedGram(n, d, geometry.twin, weights, gamma);
        return SymmetricMatrix.withEigenvaluesAtLeast(1e-3 * Matrices.trace(d, gram) / d, d, gram);
    }

    /** No direction of z-coefficients is wider than the prior's. */
    private double[] withinPrior(double[] covariance, int all, GlmPrior.Standard prior) {
        double[] root = new double[all];
        for (int j = 0; j < all; j++) {
            root[j] = j < d ? Math.sqrt(prior.precision()[j]) : Math.sqrt(EXTRA_PRECISION);
        }
        double[] relative = new double[all * all];
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                relative[i * all + j] = covariance[i * all + j] * root[i] * root[j];
            }
        }
        SymmetricEigen eigen = Matrices.eigen(all, relative);
        if (eigen.values()[all - 1] <= 1) {
            return covariance;
        }
        double[] capped = Matrices.function(eigen, value -> Math.min(value, 1));
        for (int i = 0; i < all; i++) {
            for (int j = 0; j < all; j++) {
                capped[i * all + j] /= root[i] * root[j];
            }
        }
        return capped;
    }
}
