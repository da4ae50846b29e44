package dev.tacit.model.mixture;

import dev.tacit.numerics.SpecialFunctions;
import java.util.Arrays;

/**
 * Finds where the components of a mixture lie in a noisy histogram: least squares between the histogram and that of a mixture of
 * equal parts with known deviation. Post-processing of one release; nothing is random.
 *
 * <pre>
 *   F(μ) = Σ_cells (y_c − Σ_k a Π_d p_{c_d}(μ_kd))²,     p_i(u): mass of N(u, deviation²) in cell i, the outermost cells with their tails
 * </pre>
 *
 * One coordinate at a time is moved to the best of all places on a grid finer than the cells (a search along a line, so it can leave a
 * poor place). Starts by adding the components one after the other where F falls most; then, as long as F falls, takes one away and
 * puts it elsewhere: to the best free place, or beside another component, so that one peak becomes two.
 */
final class HistogramFit {
    /** Places for a mean in one cell. */
    private static final int PLACES = 16;

    private static final int SWEEPS = 8;
    private static final int ROUNDS = 12;

    private final double[] counts;
    private final int dimensions;
    private final int cells;
    private final int places;
    private final double low;
    private final double spacing;
    private final double amount;

    /** p_i at each place, and sums of products of two places. */
    private final double[] mass;

    private final double[] overlap;
    private final int[] firstCell;
    private final int[] lastCell;

    /**
     * @param counts noisy, the last dimension fastest
     * @param low where the first cell begins, in every dimension
     * @param width of a cell
     * @param amount how many records a component has
     */
    HistogramFit(
            double[] counts, int dimensions, int cells, double low, double width, double deviation, double amount) {
        this.counts = counts;
        this.dimensions = dimensions;
        this.cells = cells;
        this.places = cells * PLACES + 1;
        this.low = low;
        this.spacing = width / PLACES;
        this.amount = amount;
        this.mass = new double[places * cells];
        this.overlap = new double[places * places];
        this.firstCell = new int[places];
        this.lastCell = new int[places];
        for (int place = 0; place < places; place++) {
            fillMass(place, width, deviation);
        }
        for (int a = 0; a < places; a++) {
            for (int b = 0; b <= a; b++) {
                double sum = 0;
                for (int i = Math.max(firstCell[a], firstCell[b]); i <= Math.min(lastCell[a], lastCell[b]); i++) {
                    sum += mass[a * cells + i] * mass[b * cells + i];
                }
                overlap[a * places + b] = sum;
                overlap[b * places + a] = sum;
            }
        }
    }

    private void fillMass(int place, double width, double deviation) {
        double mean = low + place * spacing;
        firstCell[place] = cells - 1;
        for (int i = 0; i < cells; i++) {
            double from = i == 0 ? 0 : SpecialFunctions.normalCdf((low + i * width - mean) / deviation);
            double to = i == cells - 1 ? 1 : SpecialFunctions.normalCdf((low + (i + 1) * width - mean) / deviation);
            double part = to - from;
            if (part > 1e-5) {
                mass[place * cells + i] = part;
                firstCell[place] = Math.min(firstCell[place], i);
                lastCell[place] = i;
            }
        }
    }

    /** The means, component after component. */
    double[] means(int components) {
        int[][] best = new int[0][];
        while (best.length < components) {
            best = swept(added(best));
        }
        double value = objective(best);
        for (int round = 0; round < ROUNDS; round++) {
            int[][] better = improved(best, value);
            if (better.length == 0) {
                break;
            }
            best = better;
            value = objective(best);
        }
        double[] means = new double[components * dimensions];
        for (int k = 0; k < components; k++) {
            for (int d = 0; d < dimensions; d++) {
                means[k * dimensions + d] = low + best[k][d] * spacing;
            }
        }
        return means;
    }

    /** The best arrangement with one component taken away and put elsewhere, or none if F does not fall. */
    private int[][] improved(int[][] means, double value) {
        int[][] best = {};
        double least = value - 1e-9 * Math.abs(value);
        for (int taken = 0; taken < means.length; taken++) {
            int[][] others = new int[means.length - 1][];
            for (int k = 0, next = 0; k < means.length; k++) {
                if (k != taken) {
                    others[next++] = means[k];
                }
            }
            int[][] candidate = swept(added(others));
            double found = objective(candidate);
            if (found < least) {
                least = found;
                best = candidate;
            }
            for (int split = 0; split < others.length; split++) {
                for (int d = 0; d < dimensions; d++) {
                    candidate = swept(splitAlong(others, split, d));
                    found = objective(candidate);
                    if (found < least) {
                        least = found;
                        best = candidate;
                    }
                }
            }
        }
        return best;
    }

    private int[][] splitAlong(int[][] means, int split, int dimension) {
        int[][] result = Arrays.copyOf(means, means.length + 1);
        int[] left = means[split].clone();
        int[] right = means[split].clone();
        left[dimension] = Math.max(0, left[dimension] - PLACES / 2);
        right[dimension] = Math.min(places - 1, right[dimension] + PLACES / 2);
        result[split] = left;
        result[means.length] = right;
        return result;
    }

    /** The means with one more, in the middle of the cell where what they leave of the histogram looks most like a component. */
    private int[][] added(int[][] means) {
        double[] residual = counts.clone();
        for (int[] mean : means) {
            subtract(mean, residual);
        }
        for (int d = 0; d < dimensions; d++) {
            residual = filtered(residual, d);
        }
        int best = 0;
        for (int c = 0; c < residual.length; c++) {
            if (residual[c] > residual[best]) {
                best = c;
            }
        }
        int[] mean = new int[dimensions];
        int rest = best;
        for (int d = dimensions - 1; d >= 0; d--) {
            mean[d] = rest % cells * PLACES + PLACES / 2;
            rest /= cells;
        }
        int[][] result = Arrays.copyOf(means, means.length + 1);
        result[means.length] = mean;
        return result;
    }

    /** Correlated, along one dimension, with a component in the middle of each cell. */
    private double[] filtered(double[] input, int dimension) {
        double[] output = new double[input.length];
        int stride = stride(dimension);
        for (int c = 0; c < input.length; c++) {
            int cell = c / stride % cells;
            int place = cell * PLACES + PLACES / 2;
            double sum = 0;
            for (int i = firstCell[place]; i <= lastCell[place]; i++) {
                sum += mass[place * cells + i] * input[c + (i - cell) * stride];
            }
            output[c] = sum;
        }
        return output;
    }

    private int stride(int dimension) {
        int stride = 1;
        for (int d = dimensions - 1; d > dimension; d--) {
            stride *= cells;
        }
        return stride;
    }

    private void subtract(int[] mean, double[] residual) {
        int[] cell = new int[dimensions];
        for (int d = 0; d < dimensions; d++) {
            cell[d] = firstCell[mean[d]];
        }
        boolean more = true;
        while (more) {
            int index = 0;
            double product = amount;
            for (int d = 0; d < dimensions; d++) {
                index = index * cells + cell[d];
                product *= mass[mean[d] * cells + cell[d]];
            }
            residual[index] -= product;
            more = next(cell, mean, -1);
        }
    }

    /** The next cell of a component's support, the last dimension fastest, one dimension left alone. */
    private boolean next(int[] cell, int[] mean, int fixed) {
        for (int d = dimensions - 1; d >= 0; d--) {
            if (d == fixed) {
                continue;
            }
            if (cell[d] < lastCell[mean[d]]) {
                cell[d]++;
                return true;
            }
            cell[d] = firstCell[mean[d]];
        }
        return false;
    }

    /** F without its constant. */
    private double objective(int[][] means) {
        double value = 0;
        for (int k = 0; k < means.length; k++) {
            double[] profile = profile(means[k], 0);
            double inner = 0;
            for (int i = 0; i < cells; i++) {
                inner += profile[i] * mass[means[k][0] * cells + i];
            }
            value -= 2 * amount * inner;
            for (int[] other : means) {
                value += amount * amount * product(means[k], other, -1);
            }
        }
        return value;
    }

    private double product(int[] a, int[] b, int left) {
        double product = 1;
        for (int d = 0; d < dimensions; d++) {
            product *= d == left ? 1 : overlap[a[d] * places + b[d]];
        }
        return product;
    }

    /** The histogram along one dimension, weighted by a component in the others. */
    private double[] profile(int[] mean, int dimension) {
        double[] profile = new double[cells];
        int stride = stride(dimension);
        int[] cell = new int[dimensions];
        for (int d = 0; d < dimensions; d++) {
            cell[d] = d == dimension ? 0 : firstCell[mean[d]];
        }
        boolean more = true;
        while (more) {
            int index = 0;
            double product = 1;
            for (int d = 0; d < dimensions; d++) {
                index = index * cells + cell[d];
                product *= d == dimension ? 1 : mass[mean[d] * cells + cell[d]];
            }
            for (int i = 0; i < cells; i++) {
                profile[i] += product * counts[index + i * stride];
            }
            more = next(cell, mean, dimension);
        }
        return profile;
    }

    /** Moves one coordinate after the other to its best place until none moves. */
    private int[][] swept(int[][] start) {
        int[][] means = new int[start.length][];
        for (int k = 0; k < means.length; k++) {
            means[k] = start[k].clone();
        }
        boolean moved = true;
        for (int sweep = 0; sweep < SWEEPS && moved; sweep++) {
            moved = false;
            for (int k = 0; k < means.length; k++) {
                for (int d = 0; d < dimensions; d++) {
                    int place = bestPlace(means, k, d);
                    moved |= place != means[k][d];
                    means[k][d] = place;
                }
            }
        }
        return means;
    }

    private int bestPlace(int[][] means, int k, int d) {
        double[] profile = profile(means[k], d);
        for (int other = 0; other < means.length; other++) {
            if (other != k) {
                double share = amount * product(means[k], means[other], d);
                int place = means[other][d];
                for (int i = firstCell[place]; i <= lastCell[place]; i++) {
                    profile[i] -= share * mass[place * cells + i];
                }
            }
        }
        double own = amount * product(means[k], means[k], d);
        int best = means[k][d];
        double least = Double.POSITIVE_INFINITY;
        for (int place = 0; place < places; place++) {
            double inner = 0;
            for (int i = firstCell[place]; i <= lastCell[place]; i++) {
                inner += profile[i] * mass[place * cells + i];
            }
            double value = own * overlap[place * places + place] - 2 * inner;
            if (value < least) {
                least = value;
                best = place;
            }
        }
        return best;
    }
}
