package dev.tacit.glm.group;

import dev.tacit.glm.model.GroupLayout;
import dev.tacit.numerics.Matrices;
import java.util.ArrayList;
import java.util.List;

/**
 * What holds for every row with groups, and so for the curvature of every table: H c = 0.
 *
 * <pre>
 *   a row is in one level of a term       Σ_g v_g/k = z_s:      c = (T⁻¹ e_s, −1/k for the term's levels)
 *   a level lies in another               Σ_{h in g} v_h = v_g
 *   M ← S (I − Q Qᵀ) S⁻¹ M S⁻¹ (I − Q Qᵀ) S,   S² = diag h,   Q an orthonormal basis of S c
 * </pre>
 *
 * The noise of a released curvature does not respect it, and would be taken for information about the difference of the
 * intercept and the mean of all groups, of which there is none but the prior's. Removed in the metric of h, the noise moves
 * small groups in proportion to their size.
 */
public final class GroupConstraints {
    private static final double INDEPENDENT = 1e-9;

    private final int d;
    private final List<double[]> vectors = new ArrayList<>();

    public GroupConstraints(GroupCoordinates coordinates, double[] unwhitening) {
        GroupLayout layout = coordinates.layout;
        this.d = layout.size();
        for (int t = 0; t < layout.terms.size(); t++) {
            double[] c = new double[d];
            int slope = layout.terms.get(t).slope();
            for (int j = 0; j < layout.columns; j++) {
                c[j] = unwhitening[j * d + slope];
            }
            for (int g = 0; g < layout.levels(t); g++) {
                c[layout.coordinate(t, g)] = -1 / coordinates.weight;
            }
            vectors.add(c);
        }
        for (GroupLayout.Pair pair : layout.pairs()) {
            boolean sameSlope = layout.terms.get(pair.first()).slope()
                    == layout.terms.get(pair.second()).slope();
            if (pair.meeting() == GroupLayout.Meeting.INSIDE && sameSlope) {
                for (int g = 0; g < layout.levels(pair.first()); g++) {
                    double[] c = new double[d];
                    c[layout.coordinate(pair.first(), g)] = 1;
                    for (int h = g * pair.each(); h < (g + 1) * pair.each(); h++) {
                        c[layout.coordinate(pair.second(), h)] = -1;
                    }
                    vectors.add(c);
                }
            }
        }
    }

    /**
     * A symmetric matrix that respects the constraints, with {@code floor} along them.
     *
     * @param h the size of each coordinate, positive
     */
    public double[] imposed(double[] matrix, double[] h, double floor) {
        double[] root = new double[d];
        for (int i = 0; i < d; i++) {
            root[i] = Math.sqrt(h[i]);
        }
        double[] scaled = new double[d * d];
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                scaled[i * d + j] = matrix[i * d + j] / (root[i] * root[j]);
            }
        }
        for (double[] q : basis(root)) {
            double[] image = Matrices.times(d, scaled, q);
            double along = Matrices.dot(q, image);
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    scaled[i * d + j] += along * q[i] * q[j] - q[i] * image[j] - image[i] * q[j];
                }
            }
        }
        for (int i = 0; i < d; i++) {
            for (int j = 0; j < d; j++) {
                scaled[i * d + j] *= root[i] * root[j];
            }
        }
        double[] ones = new double[d];
        java.util.Arrays.fill(ones, 1);
        for (double[] q : basis(ones)) {
            for (int i = 0; i < d; i++) {
                for (int j = 0; j < d; j++) {
                    scaled[i * d + j] += floor * q[i] * q[j];
                }
            }
        }
        return scaled;
    }

    /** Orthonormal vectors that span the constraints, each coordinate multiplied by its root. */
    private List<double[]> basis(double[] root) {
        List<double[]> basis = new ArrayList<>();
        for (double[] vector : vectors) {
            double[] q = new double[d];
            for (int i = 0; i < d; i++) {
                q[i] = vector[i] * root[i];
            }
            double before = Matrices.dot(q, q);
            for (int pass = 0; pass < 2; pass++) {
                for (double[] other : basis) {
                    double along = Matrices.dot(q, other);
                    for (int i = 0; i < d; i++) {
                        q[i] -= along * other[i];
                    }
                }
            }
            double left = Matrices.dot(q, q);
            if (left > INDEPENDENT * before) {
                double length = Math.sqrt(left);
                for (int i = 0; i < d; i++) {
                    q[i] /= length;
                }
                basis.add(q);
            }
        }
        return basis;
    }
}
