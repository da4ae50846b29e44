package dev.tacit.accounting.exact.jumps;

import dev.tacit.accounting.exact.contour.MomentCurve;
import dev.tacit.accounting.renyi.RenyiConversion;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.DoubleUnaryOperator;

/**
 * Chernoff's bound on the losses that are left when the rarest and largest ones are given away: crude, but it always has an answer.
 *
 * <pre>
 *   δ(ε) ≤ lost + min over τ &gt; 0 of M(τ) e^{−τε} τ^τ/(1+τ)^{1+τ},     M(τ) = E_P[e^{τL}; not cut],   lost = P(cut)
 * </pre>
 *
 * The Rényi bound is the case in which nothing is cut. At small rates its moments are dominated by outcomes far rarer than delta; a share of
 * delta given for them helps by powers of ten. The shares are a fixed list and every phase may lose the same mass, so that what remains
 * grows with every release, rate and shift and with every smaller delta: so does the bound.
 */
public final class CutChernoff {
    public static final String SOURCE = "Chernoff bound without the rarest losses";

    private static final double[] SHARES = {0.9, 0.5, 0.1, 1e-2, 1e-5};
    private static final RenyiConversion.Search SEARCH = new RenyiConversion.Search(1e16, 1e-3);
    /** Delta is found from epsilon in rounds, each giving shares of the delta of the round before, until one gains less than this factor. */
    private static final double LEAST_GAIN = 1.1;

    /** What is left of the losses of one phase. */
    public interface Rest {
        /** P-mass that all releases together lose, from above. */
        double lostMass();

        /** times·log M(θ), from above; infinite if it cannot be computed. */
        double logMoment(double theta);

        static Rest of(CutGaussianMoments moments) {
            return of(moments.lostMass(), moments::logMoment);
        }

        static Rest of(MomentCurve curve) {
            return of(curve.times() * curve.lostMass() * (1 + 1e-12), theta -> {
                double[] sums = new double[4];
                curve.lawUpTo(theta);
                curve.addCumulants(theta, sums);
                double upper = sums[0] + sums[3];
                return Double.isNaN(upper) ? Double.POSITIVE_INFINITY : upper;
            });
        }

        private static Rest of(double lostMass, DoubleUnaryOperator logMoment) {
            return new Rest() {
                @Override
                public double lostMass() {
                    return lostMass;
                }

                @Override
                public double logMoment(double theta) {
                    return logMoment.applyAsDouble(theta);
                }
            };
        }
    }

    private final DoubleFunction<List<Rest>> phases;

    /** @param phases what is left of each phase, given the logarithm of the mass that all of them together may lose */
    public CutChernoff(DoubleFunction<List<Rest>> phases) {
        this.phases = phases;
    }

    /** An epsilon that holds at this delta; +∞ if the moments cannot be computed. */
    public double epsilon(double delta) {
        double best = Double.POSITIVE_INFINITY;
        for (double share : SHARES) {
            List<Rest> rest = phases.apply(Math.log(share) + Math.log(delta));
            double left = (delta - lostMass(rest)) * (1 - 1e-15);
            if (left > 0) {
                best = Math.min(best, RenyiConversion.epsilonOfPart(divergence(rest), left, SEARCH));
            }
        }
        return best;
    }

    /** A delta that holds at this epsilon, found from one that does. */
    public double delta(double epsilon, double known) {
        double best = known;
        double before;
        do {
            before = best;
            for (double share : SHARES) {
                List<Rest> rest = phases.apply(Math.log(share) + Math.log(before));
                double delta = lostMass(rest) + RenyiConversion.deltaOfPart(divergence(rest), epsilon, SEARCH);
                best = Math.min(best, Math.nextUp(delta));
            }
        } while (before > LEAST_GAIN * best);
        return best;
    }

    private static double lostMass(List<Rest> rest) {
        return rest.stream().mapToDouble(Rest::lostMass).sum() * (1 + 1e-14);
    }

    /** log M(a − 1)/(a − 1): the Rényi divergence of order a if nothing were cut. */
    private static DoubleUnaryOperator divergence(List<Rest> rest) {
        return order -> {
            double sum = 0;
            for (Rest phase : rest) {
                sum += phase.logMoment(order - 1);
            }
            return sum / (order - 1);
        };
    }
}
