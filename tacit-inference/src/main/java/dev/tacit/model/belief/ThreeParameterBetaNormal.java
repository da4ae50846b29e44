package dev.tacit.model.belief;

import dev.tacit.numerics.BesselRatio;
import java.util.Arrays;

/**
 * Expectations under the three-parameter beta normal prior, which shrinks small weights to 0 and leaves large ones alone.
 *
 * <pre>
 *   w_kj ~ N(0, ζ_kj),  ζ_kj ~ Gamma(½, ξ_kj),  ξ_kj ~ Gamma(½, φ_k),  φ_k ~ Gamma(½, ω),  ω ~ Gamma(½, 1)
 *   q(ζ_kj) = GIG(0, 2⟨ξ_kj⟩, ⟨w_kj²⟩)        ⟨ξ_kj⟩ = 1 / (⟨ζ_kj⟩ + ⟨φ_k⟩)
 *   ⟨φ_k⟩ = (½ + ½ J) / (⟨ω⟩ + Σ_j ⟨ξ_kj⟩)     ⟨ω⟩ = (½ + ½ K) / (1 + Σ_k ⟨φ_k⟩)
 * </pre>
 *
 * Armagan, Clyde, Dunson 2011; Gan, Henao, Carlson, Carin 2015. (Park, Foulds, Chaudhuri, Welling 2020 leave φ out of
 * ⟨ξ⟩ in their appendix.) Numbers are kept in one array: ⟨1/ζ⟩ (K J), ⟨ξ⟩ (K J), ⟨φ⟩ (K), ⟨ω⟩. They follow from released
 * weights alone.
 */
public final class ThreeParameterBetaNormal {
    private static final double START_SCALE = 0.5;
    private static final double LEAST_SQUARE = 1e-12;

    private ThreeParameterBetaNormal() {}

    /** ⟨1/ζ⟩ = 1, ⟨ξ⟩ = ½, ⟨φ⟩ = 1, ⟨ω⟩ = ½. */
    public static double[] start(int columns, int hidden) {
        int weights = columns * hidden;
        double[] start = new double[2 * weights + hidden + 1];
        Arrays.fill(start, 0, weights, 1);
        Arrays.fill(start, weights, 2 * weights, START_SCALE);
        Arrays.fill(start, 2 * weights, 2 * weights + hidden, 1);
        start[2 * weights + hidden] = 0.5;
        return start;
    }

    /** One round of updates from ⟨w²⟩. */
    public static double[] updated(int columns, int hidden, double[] squares, double[] before) {
        int weights = columns * hidden;
        double[] after = before.clone();
        double sumOfPhi = 0;
        for (int k = 0; k < hidden; k++) {
            double phi = before[2 * weights + k];
            double sum = before[2 * weights + hidden];
            for (int i = k * columns; i < (k + 1) * columns; i++) {
                double a = 2 * before[weights + i];
                double b = Math.max(LEAST_SQUARE, squares[i]);
                double ratio = BesselRatio.ofOneToZero(Math.sqrt(a * b));
                after[i] = Math.sqrt(a / b) * ratio;
                after[weights + i] = 1 / (Math.sqrt(b / a) * ratio + phi);
                sum += after[weights + i];
            }
            after[2 * weights + k] = (0.5 + 0.5 * columns) / sum;
            sumOfPhi += after[2 * weights + k];
        }
        after[2 * weights + hidden] = (0.5 + 0.5 * hidden) / (1 + sumOfPhi);
        return after;
    }
}
