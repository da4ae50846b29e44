package dev.tacit.glm.group;

import dev.tacit.glm.model.GlmPrior;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.numerics.LinearAlgebra;
import dev.tacit.numerics.Matrices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The standard deviations of group effects, from what the sums say about the effects: post-processing, no budget.
 *
 * <pre>
 *   b ~ N(0, τ_t²) for each term t,   τ_t half-normal(s_t);   grid of τ: 16 values from 0.04 to 2 for s = 1, the same ratio for others
 *   log p(τ | sums) = ½ qᵀ (P + Λ_τ)⁻¹ q − ½ log det(P + Λ_τ) − Σ G_t log τ_t − Σ τ_t²/(2 s_t²) + Σ log τ_t
 *                     P = H V⁻¹ H,  q = H V⁻¹ (ḡ + H θ) + Λ θ_0,  Λ_τ with k²/τ² for the term's levels
 *   while solving   τ_t ← its geometric mean given the others
 *   in the end      the mixture over the grid: one term, or the product of two grids;
 *                   for more terms each one's grid given the others at their geometric means, variances between nodes added up
 * </pre>
 *
 * With b itself as a released coordinate (centred effects) the likelihood does not contain τ at all. A product of three grids
 * would have 4096 nodes, so more than two terms are taken one at a time: how their deviations depend on each other given the
 * sums is left out.
 */
public final class GroupDeviations {
    private static final double LOW = 0.04;
    private static final double HIGH = 2;
    private static final int NODES = 16;
    private static final double LOG_STEP = Math.log(HIGH / LOW) / (NODES - 1);
    private static final double START = 0.4;
    private static final double LEAST_WEIGHT = 1e-4;
    private static final int SWEEPS = 4;

    private final GroupLayout layout;
    private final double weight;
    private final double[] scales;
    private final double[][] grids;
    private final double[] current;

    public GroupDeviations(GroupCoordinates coordinates, GlmPrior.Standard prior, double[] start) {
        this.layout = coordinates.layout;
        this.weight = coordinates.weight;
        this.scales = prior.groupScales();
        this.grids = new double[scales.length][];
        for (int t = 0; t < scales.length; t++) {
            grids[t] = grid(scales[t]);
        }
        this.current = start.clone();
    }

    /** Where the deviations of all terms begin. */
    public static double[] start(GlmPrior.Standard prior) {
        double[] start = new double[prior.groupScales().length];
        Arrays.fill(start, START);
        return start;
    }

    /** From 0.04 to 2 for scale 1, and as far as another scale needs. */
    public static double[] grid(double scale) {
        double low = LOW * Math.min(1, scale);
        double high = HIGH * Math.max(1, scale);
        int nodes = 1 + (int) Math.ceil(Math.log(high / low) / LOG_STEP - 1e-9);
        double[] grid = new double[nodes];
        for (int k = 0; k < nodes; k++) {
            grid[k] = low * Math.exp(k * LOG_STEP);
        }
        return grid;
    }

    /** Prior weights of a grid. */
    public static double[] priorWeights(double scale) {
        double[] grid = grid(scale);
        double[] logs = new double[grid.length];
        for (int k = 0; k < grid.length; k++) {
            logs[k] = logPrior(grid[k], scale);
        }
        return normalised(logs);
    }

    private static double logPrior(double value, double scale) {
        return -0.5 * Math.pow(value / scale, 2) + Math.log(value);
    }

    /** τ of each term; not to be written to. */
    public double[] values() {
        return current;
    }

    /** Adds k²/τ² for every level. */
    public static void addPrecision(GroupCoordinates coordinates, double[] deviations, int size, double[] matrix) {
        GroupLayout layout = coordinates.layout;
        for (int t = 0; t < deviations.length; t++) {
            double precision = Math.pow(coordinates.weight / deviations[t], 2);
            for (int g = 0; g < layout.levels(t); g++) {
                int at = layout.coordinate(t, g);
                matrix[at * size + at] += precision;
            }
        }
    }

    private static double[] normalised(double[] logs) {
        double most = Arrays.stream(logs).max().orElseThrow();
        double[] weights = new double[logs.length];
        double sum = 0;
        for (int k = 0; k < logs.length; k++) {
            double value = Math.exp(logs[k] - most);
            weights[k] = value > 0 ? value : 0;
            sum += weights[k];
        }
        for (int k = 0; k < logs.length; k++) {
            weights[k] = sum > 0 ? weights[k] / sum : 1.0 / logs.length;
        }
        return weights;
    }

    /**
     * What the sums say, without the groups' prior.
     *
     * @param precision P with the columns' prior in it
     * @param pull q
     */
    public record Evidence(double[] precision, double[] pull) {}

    /** One sweep of geometric means. */
    public void update(Evidence evidence) {
        for (int t = 0; t < current.length; t++) {
            double[] weights = conditional(evidence, t);
            double sum = 0;
            for (int k = 0; k < weights.length; k++) {
                sum += weights[k] * Math.log(grids[t][k]);
            }
            current[t] = Math.exp(sum);
        }
    }

    private double[] conditional(Evidence evidence, int term) {
        double[] logs = new double[grids[term].length];
        double[] at = current.clone();
        for (int k = 0; k < logs.length; k++) {
            at[term] = grids[term][k];
            logs[k] = logMarginal(evidence, at);
        }
        return normalised(logs);
    }

    private double logMarginal(Evidence evidence, double[] deviations) {
        int d = layout.size();
        double[] root = evidence.precision.clone();
        double sum = 0;
        for (int t = 0; t < deviations.length; t++) {
            double precision = Math.pow(weight / deviations[t], 2);
            for (int g = 0; g < layout.levels(t); g++) {
                int at = layout.coordinate(t, g);
                root[at * d + at] += precision;
            }
            sum += logPrior(deviations[t], scales[t]) - layout.levels(t) * Math.log(deviations[t]);
        }
        if (!LinearAlgebra.best().cholesky(d, root)) {
            return Double.NEGATIVE_INFINITY;
        }
        double[] z = evidence.pull.clone();
        LinearAlgebra.best().solveLower(d, root, z);
        sum += 0.5 * Matrices.dot(z, z);
        for (int i = 0; i < d; i++) {
            sum -= Math.log(root[i * d + i]);
        }
        return sum;
    }

    /** A node of the mixture. */
    public record Node(double weight, double[] deviations, int[] places) {}

    /**
     * The mixture in the end.
     *
     * @param families one mixture of nodes, or one for each term where terms are taken one at a time; weights add up to 1
     * @param weights of each term's grid
     */
    public record Mixture(List<List<Node>> families, double[][] weights) {}

    public double[][] grids() {
        return grids;
    }

    public Mixture mixture(Evidence evidence) {
        for (int sweep = 0; sweep < SWEEPS && current.length > 1; sweep++) {
            update(evidence);
        }
        if (current.length == 2) {
            return product(evidence);
        }
        double[][] weights = new double[current.length][];
        List<List<Node>> families = new ArrayList<>();
        for (int t = 0; t < current.length; t++) {
            weights[t] = conditional(evidence, t);
            List<Node> nodes = new ArrayList<>();
            for (int k = 0; k < weights[t].length; k++) {
                double[] at = current.clone();
                int[] places = new int[current.length];
                Arrays.fill(places, -1);
                at[t] = grids[t][k];
                places[t] = k;
                nodes.add(new Node(weights[t][k], at, places));
            }
            families.add(kept(nodes));
        }
        return new Mixture(families, weights);
    }

    private Mixture product(Evidence evidence) {
        int rows = grids[0].length;
        int across = grids[1].length;
        double[] logs = new double[rows * across];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < across; j++) {
                logs[i * across + j] = logMarginal(evidence, new double[] {grids[0][i], grids[1][j]});
            }
        }
        double[] joint = normalised(logs);
        double[][] weights = {new double[rows], new double[across]};
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < across; j++) {
                double weight1 = joint[i * across + j];
                weights[0][i] += weight1;
                weights[1][j] += weight1;
                nodes.add(new Node(weight1, new double[] {grids[0][i], grids[1][j]}, new int[] {i, j}));
            }
        }
        return new Mixture(List.of(kept(nodes)), weights);
    }

    private static List<Node> kept(List<Node> nodes) {
        List<Node> kept =
                nodes.stream().filter(node -> node.weight > LEAST_WEIGHT).toList();
        double sum = kept.stream().mapToDouble(Node::weight).sum();
        return kept.stream()
                .map(node -> new Node(node.weight / sum, node.deviations, node.places))
                .toList();
    }
}
