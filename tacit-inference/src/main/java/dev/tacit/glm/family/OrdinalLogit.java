package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * Ordered levels 0 … K − 1 by cumulative logits with unknown spacings of the cut points.
 *
 * <pre>
 *   F_k = P(y ≥ k) = σ(η − c_k),   c_1 = 0,  c_k = c_{k−1} + s_{k−1};   F_0 = 1, F_K = 0
 *   ψ = d log P(y)/dη = 1 − F_y − F_{y+1},   |ψ| ≤ max(F_1, 1 − F_{K−1}) ≤ 1
 *   χ_k = 1(y > k) − 1(y ≥ k) F_{k+1}/F_k,  k = 1 … K − 2,   |χ_k| ≤ 1,   ‖χ‖₂ ≤ √(K − 2)
 * </pre>
 *
 * χ_k asks those who reached level k who goes on: for K = 3 it is a multiple of the score of the spacing. Its expectation moves with η by
 * F_{k+1} (F_k − F_{k+1}) only, where that of 1(y > k) − F_{k+1} moves by F_{k+1} (1 − F_{k+1}). So the spacing hardly takes in what the
 * predictors have of noise, of the prior, and of what the twin gets wrong.
 *
 * A label counts as the nearest level.
 */
public final class OrdinalLogit implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    private static final int FIRST = 3;
    private static final GaussHermite RULE = GaussHermite.of(15);

    private final int levels;

    /** @param levels K, at least 3 */
    public OrdinalLogit(int levels) {
        if (levels < 3 || levels > 30) {
            throw new IllegalArgumentException("an ordinal regression is for 3 to 30 levels");
        }
        this.levels = levels;
    }

    @Override
    public String name() {
        return GlmFamilies.ORDINAL + levels;
    }

    /** The first had χ_k = 1(y > k) − F_{k+1}. */
    @Override
    public int statistic() {
        return 2;
    }

    /** ψ of every level, then F_2/F_1 … F_{K−1}/F_{K−2}. */
    @Override
    public int referenceSize() {
        return FIRST + levels + levels - 2;
    }

    @Override
    public List<String> extraNames() {
        List<String> names = new ArrayList<>();
        for (int k = 1; k <= levels - 2; k++) {
            names.add("spacing " + k);
        }
        return names;
    }

    @Override
    public double extraLow(int parameter) {
        return 0.02;
    }

    @Override
    public double extraHigh(int parameter) {
        return 8;
    }

    @Override
    public double chiBound() {
        return Math.sqrt(levels - 2.0);
    }

    /** σ(η − next)/σ(η − cut), also where both are next to nothing. */
    private static double ratio(double eta, double cut, double next) {
        double step = Math.exp(cut - next);
        double odds = Math.exp(-Math.abs(eta - cut));
        return step * (1 + odds) / (eta < cut ? 1 + odds * step : step + odds);
    }

    private int level(double y) {
        return (int) Math.max(0, Math.min(levels - 1, Math.rint(y)));
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double cut = 0;
        double above = 1;
        double information = 0;
        for (int k = 0; k < levels; k++) {
            double next = k == levels - 1 ? 0 : SpecialFunctions.sigmoid(eta - cut);
            double psi = 1 - above - next;
            reference[at + FIRST + k] = psi;
            information += (above - next) * psi * psi;
            if (k > 0 && k < levels - 1) {
                reference[at + FIRST + levels + k - 1] = ratio(eta, cut - extra[k - 1], cut);
            }
            if (k < levels - 2) {
                cut += extra[k];
            }
            above = next;
        }
        reference[at + BOUND] = Math.max(Math.abs(reference[at + FIRST]), Math.abs(reference[at + FIRST + levels - 1]));
        reference[at + SLOPE] = information;
        reference[at + VARIANCE] = information;
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        return reference[at + FIRST + level(y)];
    }

    @Override
    public void chi(double y, double[] reference, int at, double[] chi) {
        int level = level(y);
        for (int k = 0; k < levels - 2; k++) {
            double onward = reference[at + FIRST + levels + k];
            chi[k] = level > k + 1 ? 1 - onward : level == k + 1 ? -onward : 0;
        }
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        double cut = 0;
        double above = 1;
        double sum = 0;
        for (int k = 0; k < levels; k++) {
            double next = k == levels - 1 ? 0 : SpecialFunctions.sigmoid(eta - cut);
            sum += (above - next) * reference[at + FIRST + k];
            if (k < levels - 2) {
                cut += extra[k];
            }
            above = next;
        }
        return sum;
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        double cut = 0;
        double above = 1;
        double sum = 0;
        for (int k = 0; k < levels; k++) {
            double next = k == levels - 1 ? 0 : SpecialFunctions.sigmoid(eta - cut);
            sum += (above - next) * (1 - above - next) * reference[at + FIRST + k];
            if (k < levels - 2) {
                cut += extra[k];
            }
            above = next;
        }
        return Math.max(sum, 1e-4);
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        double cut = 0;
        double above = 1;
        double sum = 0;
        double squares = 0;
        for (int k = 0; k < levels; k++) {
            double next = k == levels - 1 ? 0 : SpecialFunctions.sigmoid(eta - cut);
            double psi = reference[at + FIRST + k];
            sum += (above - next) * psi;
            squares += (above - next) * psi * psi;
            if (k < levels - 2) {
                cut += extra[k];
            }
            above = next;
        }
        return Math.max(squares - sum * sum, 1e-9);
    }

    @Override
    public void chiField(double eta, double[] extra, double[] reference, int at, double[] chi) {
        double cut = 0;
        for (int k = 0; k < levels - 2; k++) {
            double next = cut + extra[k];
            double onward = ratio(eta, cut, next) - reference[at + FIRST + levels + k];
            chi[k] = SpecialFunctions.sigmoid(eta - cut) * onward;
            cut = next;
        }
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        double u = random.uniform();
        double cut = 0;
        int level = 0;
        for (int k = 1; k < levels; k++) {
            level += u < SpecialFunctions.sigmoid(eta - cut) ? 1 : 0;
            if (k < levels - 1) {
                cut += extra[k - 1];
            }
        }
        return level;
    }

    @Override
    public boolean standardisesTarget() {
        return true;
    }

    @Override
    public double startTarget(double y, double centre, double spread) {
        return Math.max(-3, Math.min(3, (level(y) - centre) / spread));
    }

    @Override
    public double startBound() {
        return 3;
    }

    private double startSpacing() {
        return 3.0 / (levels - 1);
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        double mean = 0;
        for (int k = 0; k < levels - 1; k++) {
            mean += SpecialFunctions.sigmoid(eta - k * startSpacing());
        }
        return Math.max(-3, Math.min(3, (mean - centre) / spread));
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        double slope = 0;
        for (int k = 0; k < levels - 1; k++) {
            double p = SpecialFunctions.sigmoid(eta - k * startSpacing());
            slope += p * (1 - p);
        }
        return Math.max(slope / spread, 1e-3);
    }

    @Override
    public double[] startExtra(double centre, double spread, double[] eta, double[] weights) {
        double[] extra = new double[levels - 2];
        java.util.Arrays.fill(extra, startSpacing());
        return extra;
    }

    @Override
    public double[] usualExtra() {
        return startExtra(0, 1, new double[0], new double[0]);
    }

    @Override
    public boolean smooths() {
        return false;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        double[] probabilities = new double[levels];
        double deviation = Math.sqrt(variance);
        for (int node = 0; node < RULE.size(); node++) {
            double eta = mean + deviation * RULE.node(node);
            double cut = 0;
            double above = 1;
            for (int k = 0; k < levels; k++) {
                double next = k == levels - 1 ? 0 : SpecialFunctions.sigmoid(eta - cut);
                probabilities[k] += RULE.weight(node) * (above - next);
                if (k < levels - 2) {
                    cut += extra[k];
                }
                above = next;
            }
        }
        return new Prediction.Classes(probabilities);
    }
}
