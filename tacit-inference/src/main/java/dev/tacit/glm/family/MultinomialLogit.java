package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.RandomStream;
import java.io.Serializable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * One of K levels without an order: softmax of K − 1 linear predictors, that of the reference being 0.
 *
 * <pre>
 *   p_k = e^{η_k}/Σ_l e^{η_l},  η_0 = 0 at the reference;     η = L u,  L = I + (√K − 1)/(K − 1) 1 1ᵀ,  so that L² = I + 1 1ᵀ
 *   ψ(y) = L (1(y = k) − p_k)_{k ≥ 1}           the score of u:   |ψ|² = Σ_{k ≥ 0} (1(y = k) − p_k)² = |e_y − p|²
 *   bound  max_y |e_y − p| = √(1 − 2 min p + Σ p²) ≤ √2
 *   slope = variance = L (diag p − p pᵀ) L = Σ_{j &lt; k} p_j p_k c_jk c_jkᵀ,    c_jk = L (e_j − e_k),  e_0 = 0
 *   start  y₁ = L (1(y = k) − 1/K)_{k ≥ 1},  |y₁| = √(1 − 1/K);   its variance is 1/K in every direction where all levels are equally likely
 * </pre>
 *
 * In u no level is special: the norm of a residual, and so the noise, is the same whichever level is the reference. The
 * residuals of all levels are one vector with one norm; fits of each level against the reference would count a record of the
 * reference K − 1 times. A label counts as the nearest level, in the order in which levels are declared. McFadden 1974.
 */
public final class MultinomialLogit implements SeveralPredictors, Serializable {
    private static final long serialVersionUID = 1;

    /** What its names begin with. */
    static final String PREFIX = "multinomial:";

    private static final int MOST_LEVELS = 30;
    private static final int P = 3;

    private final String response;
    private final List<String> levels;
    private final int base;
    private final int q;

    /** (√K − 1)/(K − 1). */
    private final double shared;

    /**
     * @param response the name of the response
     * @param levels as they are declared, 2 to 30
     * @param reference which of them the others are compared with
     */
    public MultinomialLogit(String response, List<String> levels, String reference) {
        this.response = response;
        this.levels = List.copyOf(levels);
        this.base = levels.indexOf(reference);
        this.q = levels.size() - 1;
        this.shared = (Math.sqrt(q + 1.0) - 1) / q;
        if (q < 1 || q >= MOST_LEVELS || base < 0 || new HashSet<>(levels).size() != levels.size()) {
            throw new IllegalArgumentException("a multinomial regression is for 2 to " + MOST_LEVELS
                    + " different levels, one of them the reference");
        }
    }

    /** The family that {@link #name} says. */
    static MultinomialLogit named(String name) {
        String[] parts = name.substring(PREFIX.length()).split(":", -1);
        List<String> texts = new ArrayList<>();
        for (String part : parts) {
            texts.add(URLDecoder.decode(part, StandardCharsets.UTF_8));
        }
        if (texts.size() < 4) {
            throw new IllegalArgumentException("a multinomial family is named multinomial:RESPONSE:REFERENCE:LEVELS");
        }
        return new MultinomialLogit(texts.get(0), texts.subList(2, texts.size()), texts.get(1));
    }

    /** {@code multinomial:RESPONSE:REFERENCE:LEVEL:LEVEL…}, each as in a web address. */
    @Override
    public String name() {
        List<String> parts = new ArrayList<>(List.of(response, levels.get(base)));
        parts.addAll(levels);
        return PREFIX
                + String.join(
                        ":",
                        parts.stream()
                                .map(part -> URLEncoder.encode(part, StandardCharsets.UTF_8))
                                .toList());
    }

    /** As they are declared. */
    public List<String> levels() {
        return levels;
    }

    /** The place of the reference among them. */
    public int reference() {
        return base;
    }

    /** The level of each predictor. */
    public List<String> compared() {
        List<String> others = new ArrayList<>(levels);
        others.remove(base);
        return others;
    }

    /** What stands before the column in the names of a level's coefficients: {@code job[clerk]:}. */
    public String prefix(String level) {
        return response + "[" + level + "]:";
    }

    @Override
    public List<String> coefficientNames(List<String> columns) {
        List<String> names = new ArrayList<>();
        for (String level : compared()) {
            columns.forEach(column -> names.add(prefix(level) + column));
        }
        return names;
    }

    @Override
    public int predictors() {
        return q;
    }

    @Override
    public double[] mixing() {
        double[] mixing = new double[q * q];
        for (int i = 0; i < q; i++) {
            for (int j = 0; j < q; j++) {
                mixing[i * q + j] = shared + (i == j ? 1 : 0);
            }
        }
        return mixing;
    }

    /** c_0k for k = 1 … K − 1, then c_jk for 1 ≤ j &lt; k. */
    @Override
    public double[][] directions() {
        double[][] directions = new double[q * (q + 1) / 2][q];
        for (int k = 0; k < q; k++) {
            directions[k][k] = -1;
        }
        int next = q;
        for (int j = 0; j < q; j++) {
            for (int k = j + 1; k < q; k++) {
                directions[next][j] = 1;
                directions[next++][k] = -1;
            }
        }
        for (double[] direction : directions) {
            mix(direction, 0);
        }
        return directions;
    }

    /** In place, v ← L v. */
    private void mix(double[] v, int from) {
        double sum = 0;
        for (int k = 0; k < q; k++) {
            sum += v[from + k];
        }
        for (int k = 0; k < q; k++) {
            v[from + k] += shared * sum;
        }
    }

    /** Writes p_1 … p_{K−1} of η = L u, or of η itself; p_0. */
    private double probabilities(double[] predictors, int from, boolean mixed, double[] p, int to) {
        System.arraycopy(predictors, from, p, to, q);
        if (mixed) {
            mix(p, to);
        }
        double most = 0;
        for (int k = to; k < to + q; k++) {
            most = Math.max(most, p[k]);
        }
        double total = Math.exp(-most);
        for (int k = to; k < to + q; k++) {
            p[k] = Math.exp(p[k] - most);
            total += p[k];
        }
        for (int k = to; k < to + q; k++) {
            p[k] /= total;
        }
        return Math.exp(-most) / total;
    }

    /** 0 for the reference, otherwise the number of its predictor from 1 on. */
    private int place(double y) {
        int level = (int) Math.max(0, Math.min(q, Math.rint(y)));
        return level == base ? 0 : level < base ? level + 1 : level;
    }

    /** The place among the declared levels of the reference, 0, or of a predictor, from 1 on. */
    private int declared(int place) {
        return place == 0 ? base : place <= base ? place - 1 : place;
    }

    /** p_0 … p_{K−1} beside the three numbers of every reference. */
    @Override
    public int referenceSize() {
        return P + q + 1;
    }

    @Override
    public void reference(double[] u, int from, double[] extra, double[] reference, int at) {
        int p = at + P;
        reference[p] = probabilities(u, from, true, reference, p + 1);
        double least = 1;
        double squares = 0;
        double norm = 0;
        double trace = 0;
        for (int k = p; k <= p + q; k++) {
            double own = reference[k];
            least = Math.min(least, own);
            squares += own * own;
            norm += own * own * (1 - own) * (1 - own);
            trace += own * (1 - own);
            for (int j = p; j < k; j++) {
                norm += 2 * own * own * reference[j] * reference[j];
            }
        }
        reference[at + BOUND] = Math.sqrt(1 - 2 * least + squares);
        reference[at + SLOPE] = Math.sqrt(norm);
        reference[at + VARIANCE] = trace;
    }

    @Override
    public void residual(double y, double[] reference, int at, double[] residual) {
        int place = place(y);
        for (int k = 1; k <= q; k++) {
            residual[k - 1] = (place == k ? 1 : 0) - reference[at + P + k];
        }
        mix(residual, 0);
    }

    @Override
    public void field(double[] u, int from, double[] extra, double[] reference, int at, double[] field, int to) {
        probabilities(u, from, true, field, to);
        for (int k = 0; k < q; k++) {
            field[to + k] -= reference[at + P + 1 + k];
        }
        mix(field, to);
    }

    /** p_j p_k of all pairs, from p_0 and p_1 … in the first places. */
    private void pairs(double reference, double[] pairs, int to) {
        int next = to + q;
        for (int j = to; j < to + q; j++) {
            for (int k = j + 1; k < to + q; k++) {
                pairs[next++] = pairs[j] * pairs[k];
            }
        }
        for (int k = to; k < to + q; k++) {
            pairs[k] *= reference;
        }
    }

    @Override
    public void ownSlopes(double[] reference, int at, double[] slopes, int to) {
        System.arraycopy(reference, at + P + 1, slopes, to, q);
        pairs(reference[at + P], slopes, to);
    }

    @Override
    public void ownVariances(double[] reference, int at, double[] variances, int to) {
        ownSlopes(reference, at, variances, to);
    }

    @Override
    public void slopes(double[] u, int from, double[] extra, double[] reference, int at, double[] slopes, int to) {
        pairs(probabilities(u, from, true, slopes, to), slopes, to);
    }

    @Override
    public void variances(
            double[] u, int from, double[] extra, double[] reference, int at, double[] variances, int to) {
        slopes(u, from, extra, reference, at, variances, to);
    }

    @Override
    public void startTarget(double y, double centre, double spread, double[] target) {
        int place = place(y);
        for (int k = 1; k <= q; k++) {
            target[k - 1] = (place == k ? 1 : 0) - 1.0 / (q + 1);
        }
        mix(target, 0);
    }

    @Override
    public double startBound() {
        return Math.sqrt(1 - 1.0 / (q + 1));
    }

    @Override
    public double startShare() {
        return 0.4;
    }

    @Override
    public double startVariance() {
        return 1.0 / (q + 1);
    }

    @Override
    public void startMean(double[] u, int from, double centre, double spread, double[] mean, int to) {
        probabilities(u, from, true, mean, to);
        for (int k = to; k < to + q; k++) {
            mean[k] -= 1.0 / (q + 1);
        }
        mix(mean, to);
    }

    @Override
    public void startSlopes(double[] u, int from, double centre, double spread, double[] slopes, int to) {
        pairs(probabilities(u, from, true, slopes, to), slopes, to);
    }

    /** Of all levels in the order in which they are declared, for predictors η of coefficients. */
    public double[] probabilities(double[] eta) {
        double[] own = new double[q];
        double reference = probabilities(eta, 0, false, own, 0);
        double[] all = new double[q + 1];
        all[base] = reference;
        for (int k = 0; k < q; k++) {
            all[declared(k + 1)] = own[k];
        }
        return all;
    }

    @Override
    public double simulate(double[] eta, double[] extra, RandomStream random) {
        double[] probabilities = probabilities(eta);
        double left = random.uniform();
        int level = 0;
        while (level < q && left >= probabilities[level]) {
            left -= probabilities[level++];
        }
        return level;
    }

    /** The mean over 2 (K − 1) points at a distance of √(K − 1) deviations, right for polynomials of degree 3 (Arasaratnam, Haykin 2009). */
    @Override
    public Prediction predict(double[] mean, double[] covariance, double[] extra) {
        double[] root = covariance.clone();
        for (int k = 0; k < q; k++) {
            root[k * q + k] += 1e-12 * (1 + covariance[k * q + k]);
        }
        double[] total = new double[q + 1];
        boolean spread = LinearAlgebra.best().cholesky(q, root);
        for (int i = 0; i < q; i++) {
            for (int sign = -1; sign <= 1; sign += 2) {
                double[] eta = mean.clone();
                for (int k = i; k < q && spread; k++) {
                    eta[k] += sign * Math.sqrt(q) * root[k * q + i];
                }
                double[] one = probabilities(eta);
                for (int k = 0; k <= q; k++) {
                    total[k] += one[k] / (2 * q);
                }
            }
        }
        return new Prediction.Classes(total);
    }
}
