package dev.tacit.glm;

import dev.tacit.diagnostics.LogisticPredictive;
import dev.tacit.model.Prediction;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.util.List;

/**
 * Two classes with logit link: ψ = y − p, |ψ| ≤ max(p, 1 − p), slope and variance p (1 − p). Nothing is cut. A label counts
 * as 1 above one half and as 0 otherwise.
 */
public final class BernoulliLogit implements GlmFamily {
    private static final int P = 3;

    @Override
    public String name() {
        return "bernoulli";
    }

    @Override
    public int referenceSize() {
        return 4;
    }

    @Override
    public List<String> extraNames() {
        return List.of();
    }

    @Override
    public double extraLow() {
        return 1;
    }

    @Override
    public double extraHigh() {
        return 1;
    }

    @Override
    public double chiBound() {
        return 0;
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double p = SpecialFunctions.sigmoid(eta);
        double q = SpecialFunctions.sigmoid(-eta);
        reference[at + BOUND] = Math.max(p, q);
        reference[at + SLOPE] = p * q;
        reference[at + VARIANCE] = p * q;
        reference[at + P] = p;
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        return (y > 0.5 ? 1 : 0) - reference[at + P];
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        return SpecialFunctions.sigmoid(eta) - reference[at + P];
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        return SpecialFunctions.sigmoid(eta) * SpecialFunctions.sigmoid(-eta);
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        return slope(eta, extra, reference, at);
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        return random.uniform() < SpecialFunctions.sigmoid(eta) ? 1 : 0;
    }

    @Override
    public boolean standardisesTarget() {
        return false;
    }

    @Override
    public double startTarget(double y, double centre, double spread) {
        return y > 0.5 ? 0.5 : -0.5;
    }

    @Override
    public double startBound() {
        return 0.5;
    }

    @Override
    public double startShare() {
        return 0.4;
    }

    @Override
    public double startMean(double eta, double centre, double spread) {
        return SpecialFunctions.sigmoid(eta) - 0.5;
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        return SpecialFunctions.sigmoid(eta) * SpecialFunctions.sigmoid(-eta);
    }

    @Override
    public double startVariance() {
        return 0.25;
    }

    @Override
    public boolean boundedByOne() {
        return true;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        return new Prediction.Probability(LogisticPredictive.exact(mean, variance));
    }
}
