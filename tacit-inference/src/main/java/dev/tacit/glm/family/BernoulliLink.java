package dev.tacit.glm.family;

import dev.tacit.model.prediction.Prediction;
import dev.tacit.numerics.GaussHermite;
import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.numerics.SpecialFunctions;
import java.io.Serializable;
import java.util.List;

/**
 * Two classes with logit, probit or complementary log-log link.
 *
 * <pre>
 *   p = F(η),  f = F′(η),   ψ = c (y − p) with c = f_t/(p_t (1 − p_t)) of the public point: the score there;   c = 1 for the logit
 *   |ψ| ≤ c max(p, 1 − p),   slope c f,   variance c² p (1 − p)
 * </pre>
 *
 * Nothing is cut but predictors of the other links where p is within 10⁻⁷ of 0 or 1. A label counts as 1 above one half and
 * as 0 otherwise.
 */
public final class BernoulliLink implements GlmFamily, Serializable {
    private static final long serialVersionUID = 1;

    /** F. */
    public enum Link {
        /** 1/(1 + e^(−η)). */
        LOGIT("bernoulli"),
        /** The normal distribution function. */
        PROBIT("bernoulli-probit"),
        /** 1 − exp(−e^η). */
        CLOGLOG("bernoulli-cloglog");

        private final String family;

        Link(String family) {
            this.family = family;
        }

        private double cut(double eta) {
            return switch (this) {
                case LOGIT -> eta;
                case PROBIT -> Math.max(-5.2, Math.min(5.2, eta));
                case CLOGLOG -> Math.max(-16, Math.min(2.78, eta));
            };
        }

        double probability(double eta) {
            return switch (this) {
                case LOGIT -> SpecialFunctions.sigmoid(eta);
                case PROBIT -> SpecialFunctions.normalCdf(cut(eta));
                case CLOGLOG -> -Math.expm1(-Math.exp(cut(eta)));
            };
        }

        double complement(double eta) {
            return switch (this) {
                case LOGIT -> SpecialFunctions.sigmoid(-eta);
                case PROBIT -> SpecialFunctions.normalCdf(-cut(eta));
                case CLOGLOG -> Math.exp(-Math.exp(cut(eta)));
            };
        }

        double density(double eta) {
            double at = cut(eta);
            return switch (this) {
                case LOGIT -> SpecialFunctions.sigmoid(eta) * SpecialFunctions.sigmoid(-eta);
                case PROBIT -> SpecialFunctions.normalDensity(at);
                case CLOGLOG -> Math.exp(at - Math.exp(at));
            };
        }
    }

    private static final int P = 3;
    private static final int SCALE = 4;
    private static final GaussHermite RULE = GaussHermite.of(15);

    private final Link link;

    public BernoulliLink(Link link) {
        this.link = link;
    }

    @Override
    public String name() {
        return link.family;
    }

    @Override
    public int referenceSize() {
        return 5;
    }

    @Override
    public List<String> extraNames() {
        return List.of();
    }

    @Override
    public double extraLow(int parameter) {
        return 1;
    }

    @Override
    public double extraHigh(int parameter) {
        return 1;
    }

    @Override
    public double chiBound() {
        return 0;
    }

    @Override
    public void reference(double eta, double[] extra, double[] reference, int at) {
        double p = link.probability(eta);
        double q = link.complement(eta);
        double f = link == Link.LOGIT ? p * q : link.density(eta);
        double c = link == Link.LOGIT ? 1 : f / (p * q);
        reference[at + BOUND] = c * Math.max(p, q);
        reference[at + SLOPE] = c * f;
        reference[at + VARIANCE] = c * c * p * q;
        reference[at + P] = p;
        reference[at + SCALE] = c;
    }

    @Override
    public double psi(double y, double[] reference, int at) {
        return reference[at + SCALE] * ((y > 0.5 ? 1 : 0) - reference[at + P]);
    }

    @Override
    public double field(double eta, double[] extra, double[] reference, int at) {
        return reference[at + SCALE] * (link.probability(eta) - reference[at + P]);
    }

    @Override
    public double slope(double eta, double[] extra, double[] reference, int at) {
        return reference[at + SCALE] * link.density(eta);
    }

    @Override
    public double variance(double eta, double[] extra, double[] reference, int at) {
        double c = reference[at + SCALE];
        return c * c * link.probability(eta) * link.complement(eta);
    }

    @Override
    public double simulate(double eta, double[] extra, RandomStream random) {
        return random.uniform() < link.probability(eta) ? 1 : 0;
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
        return link.probability(eta) - 0.5;
    }

    @Override
    public double startSlope(double eta, double centre, double spread) {
        return link == Link.LOGIT ? link.density(eta) : Math.max(link.density(eta), 1e-6);
    }

    @Override
    public double startVariance() {
        return 0.25;
    }

    @Override
    public boolean boundedByOne() {
        return link == Link.LOGIT;
    }

    @Override
    public Prediction predict(double mean, double variance, double[] extra) {
        if (link == Link.LOGIT) {
            return new Prediction.Probability(LogisticPredictive.exact(mean, variance));
        }
        if (link == Link.PROBIT) {
            return new Prediction.Probability(SpecialFunctions.normalCdf(mean / Math.sqrt(1 + variance)));
        }
        double deviation = Math.sqrt(variance);
        double sum = 0;
        for (int node = 0; node < RULE.size(); node++) {
            sum += RULE.weight(node) * link.probability(mean + deviation * RULE.node(node));
        }
        return new Prediction.Probability(sum);
    }
}
