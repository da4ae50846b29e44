package dev.tacit.accounting.classic;

import dev.tacit.accounting.curve.CurveCatalogue;
import java.util.List;

/**
 * Composes the (epsilon, delta) of the releases as if nothing else were known about them.
 *
 * <pre>
 *   epsilon = min{ Σ e_i,  m + √(2·v·log(1/s)),  m + √(2·v·log(e + √v/s)) },   m = Σ e_i·tanh(e_i/2),   v = Σ e_i²
 *   delta   = s + Σ delta_i
 * </pre>
 *
 * Kairouz, Oh, Viswanath 2015, Theorem 3.5 (heterogeneous; sharper than Dwork, Rothblum, Vadhan 2010, Theorem III.3).
 * Their delta is 1 − (1−s)·Π(1−delta_i), which is at most the sum used here. The share s/delta is the best of a fixed
 * list; the rest is divided equally over the releases.
 */
public final class AdvancedCompositionAccountant extends ReleaseCompositionAccountant {
    private static final String SOURCE = "Kairouz, Oh, Viswanath 2015, Theorem 3.5, on exact curves of the releases";
    private static final double[] SHARES = {0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

    public AdvancedCompositionAccountant() {
        this(CurveCatalogue.standard());
    }

    /** With the curves of these mechanisms. */
    public AdvancedCompositionAccountant(CurveCatalogue catalogue) {
        super(catalogue, SOURCE);
    }

    @Override
    public String name() {
        return "advanced";
    }

    @Override
    double composed(ReleaseEpsilons releases, double delta) {
        double best = Double.POSITIVE_INFINITY;
        for (double share : SHARES) {
            double slack = share * delta;
            double deltaOfEach = (1 - share) * delta / releases.releases() * (1 - 8 * Math.ulp(1.0));
            best = Math.min(best, composed(releases.at(deltaOfEach), slack));
        }
        return best;
    }

    private static double composed(List<ReleaseEpsilons.Charge> charges, double slack) {
        double sum = 0;
        double mean = 0;
        double squares = 0;
        for (ReleaseEpsilons.Charge charge : charges) {
            double epsilon = charge.epsilon();
            sum += charge.times() * epsilon;
            mean += charge.times() * epsilon * Math.tanh(epsilon / 2);
            squares += charge.times() * epsilon * epsilon;
        }
        if (Double.isInfinite(sum) || Double.isInfinite(squares)) {
            return sum;
        }
        double logarithm = Math.min(Math.log(1 / slack), Math.log(Math.E + Math.sqrt(squares) / slack));
        double composed = Math.min(sum, mean + Math.sqrt(2 * squares * logarithm));
        return composed * (1 + Math.ulp(1.0) * (16 + charges.size()));
    }
}
