package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.Matrices;
import dev.tacit.numerics.RandomStream;
import java.io.Serializable;
import java.util.List;

/**
 * A number with errors of a Student distribution, its scale σ and degrees of freedom ν unknown, fitted to the standardised
 * target.
 *
 * <pre>
 *   e = (y − η_t)/σ_t,   ψ = (ν_t + 1) e/(ν_t + e²): the score, |ψ| ≤ (ν_t + 1)/(2 √ν_t); nothing is cut, outliers count less and less
 *   u = e²/(ν_t + e²) at |e| ≤ 2.576 + 4.92/ν_t, about the 99th percent;   u = E u + the score of log σ
 *   χ_1 = u/u_most − ½,   χ_2 = (S − middle)/range,  S = −log(1 − u) − u (ν_t + 3)/ν_t: the score of ν without the part that σ explains;   ‖χ‖₂ ≤ √½
 *   E over θ = atan(z/√ν), whose density is proportional to cos^(ν−1) θ, by the midpoint rule of 40 nodes;  e = (η − η_t)/σ_t + (σ/σ_t) z
 * </pre>
 *
 * (Lange, Little, Taylor 1989.) ν is between 2.1 and 60: above, no sum tells it from a normal error, and its interval says so.
 */
public final class StudentResponse implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    private static final int HALF = 20;
    private static final double[] TANGENT = new double[HALF];
    private static final double[] LOG_COSINE = new double[HALF];
    private static final int ETA = 3;
    private static final int SIGMA = 4;
    private static final int NU = 5;

    /** The largest u, then the smallest S and the inverse of its range. */
    private static final int MOST = 6;

    private static final int LEAST = 7;
    private static final int INVERSE_RANGE = 8;

    static {
        for (int j = 0; j < HALF; j++) {
            double angle = Math.PI * (j + 0.5) / (2 * HALF);
            TANGENT[j] = Math.tan(angle);
            LOG_COSINE[j] = Math.log(Math.cos(angle));
        }
    }

    private enum What {
        FIELD,
        SLOPE,
        SQUARE,
        SCALE,
        TAIL
    }

    @Override
    public String name() {
        return "student";
    }

    @Override
    public int referenceSize() {
        return 9;
    }

    @Override
    public List<String> extraNames() {
        return List.of("sigma", "nu");
    }

    @Override
    public double extraLow(int parameter) {
        return parameter == 0 ? 0.02 : 2.1;
    }

    @Override
    public double extraHigh(int parameter) {
        return parameter == 0 ? 1.5 : 60;
    }

    @Override
    public double chiBound() {
        return Math.sqrt(0.5);
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double nu = extra[1];
        double far = 2.576 + 4.92 / nu;
        double most = far * far / (nu + far * far);
        double least = Math.log1p(3 / nu) - 3 / nu;
        double end = -Math.log1p(-most) - most * (nu + 3) / nu;
        reference[at + ETA] = eta;
        reference[at + SIGMA] = extra[0];
        reference[at + NU] = nu;
        reference[at + MOST] = most;
        reference[at + LEAST] = least;
        reference[at + INVERSE_RANGE] = 1 / (Math.max(0, end) - least);
        reference[at + BOUND] = (nu + 1) / (2 * Math.sqrt(nu));
        reference[at + SLOPE] = slope(eta, extra, reference, at);
        reference[at + VARIANCE] = variance(eta, extra, reference, at);
    }

    private static double value(What what, double e, double[] reference, int at) {
        double nu = reference[at + NU];
        double square = e * e;
        double inverse = 1 / (nu + square);
        return switch (what) {
            case FIELD -> (nu + 1) * e * inverse;
            case SLOPE -> (nu + 1) * (nu - square) * inverse * inverse;
            case SQUARE -> (nu + 1) * (nu + 1) * square * inverse * inverse;
            case SCALE -> Math.min(square * inverse, reference[at + MOST]) / reference[at + MOST];
            case TAIL -> {
                double u = Math.min(square * inverse, reference[at + MOST]);
                double s = -Math.log1p(-u) - u * (nu + 3) / nu;
                yield (s - reference[at + LEAST]) * reference[at + INVERSE_RANGE];
            }
        };
    }

    /** Half of the nodes z of t with ν degrees of freedom, and their weights; the other half is their mirror image. */
    private record Rule(double nu, double[] nodes, double[] weights) implements Serializable {
        static Rule of(double nu) {
            int used = 0;
            double total = 0;
            double[] weights = new double[HALF];
            while (used < HALF) {
                weights[used] = Math.exp((nu - 1) * LOG_COSINE[used]);
                if (weights[used] < 1e-13) {
                    break;
                }
                total += 2 * weights[used++];
            }
            double[] nodes = new double[used];
            double[] shares = new double[used];
            for (int j = 0; j < used; j++) {
                nodes[j] = Math.sqrt(nu) * TANGENT[j];
                shares[j] = weights[j] / total;
            }
            return new Rule(nu, nodes, shares);
        }
    }

    /** The rule that was used last: rows in a row ask for the same. Any thread may replace it, by one that is as good. */
    private volatile Rule last = Rule.of(6);

    private double expected(What what, double eta, double[] extra, double[] reference, int at) {
        Rule rule = last;
        if (rule.nu != extra[1]) {
            rule = Rule.of(extra[1]);
            last = rule;
        }
        double d = (eta - reference[at + ETA]) / reference[at + SIGMA];
        double scale = extra[0] / reference[at + SIGMA];
        double sum = 0;
        for (int j = 0; j < rule.nodes.length; j++) {
            double z = scale * rule.nodes[j];
            sum += rule.weights[j] * (value(what, d - z, reference, at) + value(what, d + z, reference, at));
        }
        return sum;
    }

    /** Labels that are not finite count as ones far out. */
    private static double residual(double y, double[] reference, int at) {
        return Math.max(-1e100, Math.min(1e100, (y - reference[at + ETA]) / reference[at + SIGMA]));
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        return value(What.FIELD, residual(y, reference, at), reference, at);
    }

    @Override
    public void chi(double y, double[] reference, int at, double[] chi) {
        double e = residual(y, reference, at);
        chi[0] = value(What.SCALE, e, reference, at) - 0.5;
        chi[1] = value(What.TAIL, e, reference, at) - 0.5;
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        return expected(What.FIELD, eta, extra, reference, at);
    }

    /** Far from the point outliers would turn the field around; the search then goes on as if it were nearly flat. */
    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        return Math.max(1e-3, expected(What.SLOPE, eta, extra, reference, at)) / reference[at + SIGMA];
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        double mean = expected(What.FIELD, eta, extra, reference, at);
        return Math.max(1e-6, expected(What.SQUARE, eta, extra, reference, at) - mean * mean);
    }

    @Override
    public void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        chi[0] = expected(What.SCALE, eta, extra, reference, at) - 0.5;
        chi[1] = expected(What.TAIL, eta, extra, reference, at) - 0.5;
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        double half = extra[1] / 2;
        return eta + extra[0] * random.normal() / Math.sqrt(random.gamma(half) / half);
    }

    @Override
    public boolean standardisesTarget() {
        return true;
    }

    @Override
    public boolean fitsStandardised() {
        return true;
    }

    @Override
    public double startTarget(double y, double centre, double spread) {
        return Math.max(-2.5, Math.min(2.5, (y - centre) / spread));
    }

    @Override
    public double startBound() {
        return 2.5;
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return eta;
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        return 1;
    }

    /** Six degrees of freedom, and the scale with which they leave what the predictor does of the target's variance of 1. */
    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double mean = Matrices.dot(weights, eta);
        double variance = 0;
        for (int i = 0; i < eta.length; i++) {
            variance += weights[i] * (eta[i] - mean) * (eta[i] - mean);
        }
        return new double[] {Math.sqrt(Matrices.clamp(1 - variance, 0.3, 1) * 4 / 6), 6};
    }

    @Override
    public double[] usualExtra() {
        return new double[] {1, 5};
    }

    @Override
    public boolean smooths() {
        return false;
    }

    @Override
    public boolean choosesClips() {
        return false;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        double nu = Math.max(2.1, extra[1]);
        return new Prediction.Numeric(mean, Math.sqrt(variance + extra[0] * extra[0] * nu / (nu - 2)));
    }
}
