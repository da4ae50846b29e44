package dev.tacit.glm;

import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.twin.SecondMoments;
import dev.tacit.numerics.Matrices;

/**
 * How the releases of the private likelihood share the budget, in squares of 1/noise.
 *
 * <pre>
 *   standardisation 6 %,   moments m,   curvature c,   residual sums 94 % − m − c
 *   r = N/B records for each unit of the bound of release 3;   t = log(250/r) / log(250/130), cut to [0, 1]
 *   m = 16 % + 19 % t,   c = 16 % + 4 % t
 * </pre>
 *
 * Noise of the moments is proportional to B, so with few records for each column it hides which columns go together: steps of later
 * rounds are then wrong by more than the noise of their sums, and it pays to buy moments first. The shares follow from public numbers.
 *
 * @param moments m
 * @param curvature c
 */
public record BudgetShares(double moments, double curvature) {
    /** Of tables that are large for their columns, and of all tables in earlier versions. */
    static final BudgetShares STANDARD = new BudgetShares(0.16, 0.16);

    private static final BudgetShares SMALL = new BudgetShares(0.35, 0.2);
    private static final double LARGE_TABLE = 250;
    private static final double SMALL_TABLE = 130;

    /** Both releases of standardisation together. */
    static final double STANDARDISE = 0.06;

    /** The first of them. */
    static final double FIRST = 0.4;

    public BudgetShares {
        if (!(moments > 0 && curvature > 0 && moments + curvature < 1 - STANDARDISE)) {
            throw new IllegalArgumentException("shares of a budget are above 0 and leave something for residual sums");
        }
    }

    /** For a model of so many records. */
    static BudgetShares of(GlmModel model, long records) {
        double perBound = records / SecondMoments.rowBound(model);
        double small = Matrices.clamp(Math.log(LARGE_TABLE / perBound) / Math.log(LARGE_TABLE / SMALL_TABLE), 0, 1);
        return small > 0
                ? new BudgetShares(
                        STANDARD.moments + small * (SMALL.moments - STANDARD.moments),
                        STANDARD.curvature + small * (SMALL.curvature - STANDARD.curvature))
                : STANDARD;
    }

    /** All residual sums together. */
    double rounds() {
        return 1 - STANDARDISE - moments - curvature;
    }
}
