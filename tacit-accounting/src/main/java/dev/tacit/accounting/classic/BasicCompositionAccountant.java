package dev.tacit.accounting.classic;

import dev.tacit.accounting.curve.CurveCatalogue;
import java.util.List;

/**
 * Adds the epsilons of the releases, each taken at an equal share of delta.
 *
 * <pre>
 *   epsilon(delta) = Σ_i epsilon_i(delta / T),     T releases
 * </pre>
 *
 * Dwork, Kenthapadi, McSherry, Mironov, Naor 2006. The reference against which the other accountants are
 * measured.
 */
public final class BasicCompositionAccountant extends ReleaseCompositionAccountant {
    private static final String SOURCE = "sum of the epsilons of the releases at equal shares of delta";

    public BasicCompositionAccountant() {
        this(CurveCatalogue.standard());
    }

    /** With the curves of these mechanisms. */
    public BasicCompositionAccountant(CurveCatalogue catalogue) {
        super(catalogue, SOURCE);
    }

    @Override
    public String name() {
        return "basic";
    }

    @Override
    double composed(ReleaseEpsilons releases, double delta) {
        double sum = 0;
        List<ReleaseEpsilons.Charge> charges = releases.at(delta / releases.releases() * (1 - 4 * Math.ulp(1.0)));
        for (ReleaseEpsilons.Charge charge : charges) {
            sum += charge.times() * charge.epsilon();
        }
        return sum * (1 + Math.ulp(1.0) * (2 + charges.size()));
    }
}
