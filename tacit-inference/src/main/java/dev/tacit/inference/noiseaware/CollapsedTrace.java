package dev.tacit.inference.noiseaware;

import dev.tacit.numerics.LegendreQuadrature;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.family.ScalarGaussianMixture;
import java.util.Arrays;

/**
 * One coordinate of the noise-aware model, with the optimum integrated out: what is left is an integral over v, and
 * over s if the subsampling noise is unknown.
 *
 * <pre>
 *   g_t ~ N(r (φ_t − φ*), w),   r = κ softplus(v),   w = τ² + s²
 *   v ~ N(m, σ_v²),   φ* ~ N(φ̄, s₀²),   s half-normal
 *   log p(v, s | trace) = −n/2 log w − (C_gg − 2 r C_gp + r² C_pp)/2w − n ḡ²/2(w + n r² s₀²) − ½ log(1 + n r² s₀²/w)
 *                         − (v − m)²/2σ_v² − s²/2h² + const
 *   φ* | v, s ~ N(φ̄ − (n r ḡ/w)/P, 1/P),   P = n r²/w + 1/s₀²
 * </pre>
 *
 * Composite Gauss-Legendre rules, {@value #NODES} nodes for each panel. In v, panels end where softplus bends, where
 * the optimum loses its grip (r² n s₀² = w), and where prior and likelihood are. In s, two panels around the mode for
 * each v, as far as the density is within e^−{@value #DEPTH} of it.
 */
final class CollapsedTrace {
    private static final int NODES = 24;
    private static final int INNER_NODES = 16;
    private static final double DEPTH = 40;
    private static final double REACH = 9;
    private static final LegendreQuadrature RULE = LegendreQuadrature.of(NODES);
    private static final LegendreQuadrature INNER_RULE = LegendreQuadrature.of(INNER_NODES);

    private final double steps;
    private final double parameterMean;
    private final double gradientMean;
    private final double parameterSquares;
    private final double crossProduct;
    private final double gradientSquares;
    private final double samplingRate;
    private final double noiseVariance;
    private final double subsamplingScale;
    private final double optimumVariance;
    private final double linkMean;
    private final double linkDeviation;

    // the nodes: v, log density with weight, and the conditional Gaussian of the optimum
    private double[] v = new double[0];
    private double[] s = new double[0];
    private double[] logWeight = new double[0];
    private double[] mean = new double[0];
    private double[] variance = new double[0];
    private int count;

    /**
     * A coordinate of a trace.
     *
     * @param linkMean m
     * @param linkDeviation σ_v
     */
    CollapsedTrace(TraceStatistics trace, int coordinate, TraceNoise noise, double linkMean, double linkDeviation) {
        this.steps = trace.steps();
        this.parameterMean = trace.parameterMeans()[coordinate];
        this.gradientMean = trace.gradientMeans()[coordinate];
        this.parameterSquares = trace.parameterSquares()[coordinate];
        this.crossProduct = trace.crossProducts()[coordinate];
        this.gradientSquares = trace.gradientSquares()[coordinate];
        this.samplingRate = noise.samplingRate();
        double deviation = noise.noiseStandardDeviations()[coordinate];
        this.noiseVariance = deviation * deviation;
        this.subsamplingScale = noise.subsamplingScale();
        this.optimumVariance = noise.optimumStandardDeviation() * noise.optimumStandardDeviation();
        this.linkMean = linkMean;
        this.linkDeviation = linkDeviation;
    }

    /** The posterior of one coordinate. */
    NoiseAwarePosterior.Coordinate solve() {
        double[] panels = panels();
        reserve((panels.length - 1) * NODES * (subsamplingScale > 0 ? 2 * INNER_NODES : 1));
        for (int panel = 0; panel + 1 < panels.length; panel++) {
            double half = 0.5 * (panels[panel + 1] - panels[panel]);
            double middle = 0.5 * (panels[panel + 1] + panels[panel]);
            for (int i = 0; i < NODES; i++) {
                double at = middle + half * RULE.nodes()[i];
                double weight = half * RULE.weights()[i];
                if (subsamplingScale > 0) {
                    addWithSubsampling(at, weight);
                } else {
                    add(at, 0, weight);
                }
            }
        }
        return summary();
    }

    private void reserve(int nodes) {
        v = new double[nodes];
        s = new double[nodes];
        logWeight = new double[nodes];
        mean = new double[nodes];
        variance = new double[nodes];
    }

    private double[] panels() {
        double loss = Math.sqrt(noiseVariance / (steps * optimumVariance)) / samplingRate;
        double slope = crossProduct / (samplingRate * parameterSquares);
        double slopeDeviation = Math.sqrt(noiseVariance / parameterSquares) / samplingRate;
        double low = linkMean - REACH * linkDeviation;
        double high = linkMean + REACH * linkDeviation;
        double[] all = {
            low,
            high,
            -40,
            -4,
            4,
            40,
            loss / 3,
            loss,
            3 * loss,
            10 * loss,
            linkMean - 3 * linkDeviation,
            linkMean,
            linkMean + 3 * linkDeviation,
            slope - REACH * slopeDeviation,
            slope - 3 * slopeDeviation,
            slope,
            slope + 3 * slopeDeviation,
            slope + REACH * slopeDeviation
        };
        for (int i = 0; i < all.length; i++) {
            all[i] = Math.min(high, Math.max(low, all[i]));
        }
        Arrays.sort(all);
        // prior and likelihood often agree to the last bits; what lies between is no panel
        int count = 1;
        for (int i = 1; i < all.length; i++) {
            if (all[i] - all[count - 1] > 1e-9 * (high - low)) {
                all[count++] = all[i];
            }
        }
        return Arrays.copyOf(all, count);
    }

    // ---- the density -----------------------------------------------------------------------------------------------

    private double rate(double link) {
        return samplingRate * SpecialFunctions.softplus(link);
    }

    private double residualSquares(double r) {
        return gradientSquares - 2 * r * crossProduct + r * r * parameterSquares;
    }

    /** log p(v, s | trace) up to a constant; the logarithm of s's prior is included. */
    double logDensity(double link, double subsampling) {
        double w = noiseVariance + subsampling * subsampling;
        double r = rate(link);
        double grip = steps * r * r * optimumVariance;
        double z = (link - linkMean) / linkDeviation;
        double q = subsamplingScale > 0 ? subsampling / subsamplingScale : 0;
        return -0.5
                * (steps * Math.log(w)
                        + residualSquares(r) / w
                        + steps * gradientMean * gradientMean / (w + grip)
                        + Math.log1p(grip / w)
                        + z * z
                        + q * q);
    }

    /** φ* | v, s: mean, then variance. */
    double[] optimum(double link, double subsampling) {
        double w = noiseVariance + subsampling * subsampling;
        double r = rate(link);
        double precision = steps * r * r / w + 1 / optimumVariance;
        return new double[] {parameterMean - steps * r * gradientMean / w / precision, 1 / precision};
    }

    private void add(double link, double subsampling, double weight) {
        double w = noiseVariance + subsampling * subsampling;
        double r = rate(link);
        double precision = steps * r * r / w + 1 / optimumVariance;
        v[count] = link;
        s[count] = subsampling;
        logWeight[count] = logDensity(link, subsampling) + Math.log(weight);
        mean[count] = parameterMean - steps * r * gradientMean / w / precision;
        variance[count++] = 1 / precision;
    }

    // ---- the inner integral ----------------------------------------------------------------------------------------

    /**
     * Without the two terms of the mean gradient, the density of x = log w is concave: −n x/2 − R e^−x/2 − e^x/2h². Its
     * mode solves w²/h² + n w = R, or is the smallest w.
     */
    private void addWithSubsampling(double link, double weight) {
        double residual = residualSquares(rate(link));
        double square = subsamplingScale * subsamplingScale;
        // the positive root without cancellation
        double free = 2 * residual / (steps + Math.sqrt(steps * steps + 4 * residual / square));
        double mode = Math.log(Math.max(noiseVariance, free));
        double low = edge(residual, square, mode, -1);
        double high = edge(residual, square, mode, 1);
        double from = Math.sqrt(Math.max(0, Math.exp(low) - noiseVariance));
        double middle = Math.sqrt(Math.max(0, Math.exp(mode) - noiseVariance));
        double to = Math.sqrt(Math.exp(high) - noiseVariance);
        // a mode at the smallest w leaves one side only, which is cut in the middle
        panel(link, weight, from, middle > from ? middle : 0.5 * (from + to));
        panel(link, weight, middle > from ? middle : 0.5 * (from + to), to);
    }

    private void panel(double link, double weight, double from, double to) {
        double half = 0.5 * (to - from);
        for (int j = 0; j < INNER_NODES; j++) {
            add(
                    link,
                    0.5 * (from + to) + half * INNER_RULE.nodes()[j],
                    weight * half * INNER_RULE.weights()[j]);
        }
    }

    private double edge(double residual, double square, double mode, int side) {
        double target = concave(residual, square, mode) - DEPTH;
        double smallest = Math.log(noiseVariance);
        double step = 1e-3;
        double inside = mode;
        double outside = mode + side * step;
        while (concave(residual, square, outside) > target) {
            if (outside <= smallest) {
                return smallest;
            }
            inside = outside;
            step *= 2;
            outside = mode + side * step;
        }
        for (int i = 0; i < 12; i++) {
            double between = 0.5 * (inside + outside);
            if (concave(residual, square, between) > target) {
                inside = between;
            } else {
                outside = between;
            }
        }
        return Math.max(smallest, outside);
    }

    private double concave(double residual, double square, double x) {
        double w = Math.exp(x);
        return -0.5 * (steps * x + residual / w + w / square);
    }

    // ---- summing up ------------------------------------------------------------------------------------------------

    private NoiseAwarePosterior.Coordinate summary() {
        double largest = Double.NEGATIVE_INFINITY;
        for (int k = 0; k < count; k++) {
            largest = Math.max(largest, logWeight[k]);
        }
        double[] weights = new double[count];
        double sum = 0;
        for (int k = 0; k < count; k++) {
            weights[k] = Math.exp(logWeight[k] - largest);
            sum += weights[k];
        }
        double linkAverage = 0;
        double subsampling = 0;
        int kept = 0;
        for (int k = 0; k < count; k++) {
            weights[k] /= sum;
            linkAverage += weights[k] * v[k];
            subsampling += weights[k] * s[k];
            kept += weights[k] > 1e-16 ? 1 : 0;
        }
        double linkSquares = 0;
        double[] keptWeights = new double[kept];
        double[] means = new double[kept];
        double[] variances = new double[kept];
        int at = 0;
        for (int k = 0; k < count; k++) {
            linkSquares += weights[k] * (v[k] - linkAverage) * (v[k] - linkAverage);
            if (weights[k] > 1e-16) {
                keptWeights[at] = weights[k];
                means[at] = mean[k];
                variances[at++] = variance[k];
            }
        }
        return new NoiseAwarePosterior.Coordinate(
                new ScalarGaussianMixture(keptWeights, means, variances),
                linkAverage,
                Math.sqrt(linkSquares),
                subsampling);
    }

    // ---- Laplace ---------------------------------------------------------------------------------------------------

    /** The derivative in v of the joint density with the optimum at its best for this v. */
    private double profileSlope(double link) {
        double r = rate(link);
        double c = optimum(link, 0)[0] - parameterMean;
        double slope = (crossProduct - r * parameterSquares - steps * (gradientMean + r * c) * c) / noiseVariance;
        return samplingRate * SpecialFunctions.sigmoid(link) * slope
                - (link - linkMean) / (linkDeviation * linkDeviation);
    }

    /** The joint density with the optimum at its best for this v, up to a constant. */
    private double profile(double link) {
        double r = rate(link);
        double grip = steps * r * r * optimumVariance;
        return logDensity(link, 0) + 0.5 * Math.log1p(grip / noiseVariance);
    }

    /** The Gaussian at the mode of (v, φ*), without subsampling noise. */
    NoiseAwarePosterior.Laplace laplace() {
        double[] panels = panels();
        double best = Double.NEGATIVE_INFINITY;
        double low = panels[0];
        double high = panels[panels.length - 1];
        double before = panels[0];
        double at = panels[0];
        // the best of all nodes; the mode lies between its neighbours
        boolean lastWasBest = false;
        for (int panel = 0; panel + 1 < panels.length; panel++) {
            double half = 0.5 * (panels[panel + 1] - panels[panel]);
            double middle = 0.5 * (panels[panel + 1] + panels[panel]);
            for (int i = 0; i < NODES; i++) {
                before = at;
                at = middle + half * RULE.nodes()[i];
                if (lastWasBest) {
                    high = at;
                }
                double value = profile(at);
                lastWasBest = value > best;
                if (lastWasBest) {
                    best = value;
                    low = before;
                    high = panels[panels.length - 1];
                }
            }
        }
        for (int i = 0; i < 200; i++) {
            double middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) {
                break;
            }
            if (profileSlope(middle) > 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return hessian(0.5 * (low + high));
    }

    private NoiseAwarePosterior.Laplace hessian(double link) {
        double r = rate(link);
        double mode = optimum(link, 0)[0];
        double c = mode - parameterMean;
        double w = noiseVariance;
        double sigmoid = SpecialFunctions.sigmoid(link);
        double first = samplingRate * sigmoid;
        double second = first * SpecialFunctions.sigmoid(-link);
        double slope = (crossProduct - r * parameterSquares - steps * (gradientMean + r * c) * c) / w;
        double vv = first * first * (parameterSquares + steps * c * c) / w
                - second * slope
                + 1 / (linkDeviation * linkDeviation);
        double vc = first * steps * (gradientMean + 2 * r * c) / w;
        double cc = steps * r * r / w + 1 / optimumVariance;
        double determinant = vv * cc - vc * vc;
        return new NoiseAwarePosterior.Laplace(link, mode, cc / determinant, -vc / determinant, vv / determinant);
    }
}
