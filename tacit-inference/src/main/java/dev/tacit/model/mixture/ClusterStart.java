package dev.tacit.model.mixture;

import dev.tacit.door.session.NoisySum;
import dev.tacit.model.PrivateStart;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;
import java.util.Arrays;

/**
 * Where the components of a mixture lie, from a few noisy steps of k-means with more centres than components: for any number of columns.
 *
 * <pre>
 *   release   for the nearest centre c of a record:  count 1,  clip(x_n − c, reach)          L2 norm at most √(1 + reach²)
 *   centre    c ← c + sum / max(count, noise)                                                 then the centres are grouped by weight
 * </pre>
 *
 * Su, Cao, Li, Bertino, Jin 2016 (DPLloyd), with sums taken around the public centre. The grouping is free: it sees released numbers, and it
 * prefers components of equal size.
 *
 * @param columns how many
 * @param components how many
 * @param centres how many centres are moved, more than components
 * @param rounds releases
 * @param spread standard deviation of the first centres in each column, around {@code middle}
 * @param middle of the public range
 * @param reach the longest way from a centre that counts
 * @param budgetShare of all rounds together
 */
public record ClusterStart(
        int columns,
        int components,
        int centres,
        int rounds,
        double spread,
        double middle,
        double reach,
        double budgetShare)
        implements PrivateStart, Serializable {
    private static final int GROUPING_ROUNDS = 12;
    private static final int MOST_PASSES = 20;

    /** What unequal sizes cost, in squares of the reach: components have equal weights. */
    private static final double BALANCE = 0.5;

    public ClusterStart {
        if (centres < components || rounds < 1 || !(budgetShare > 0 && budgetShare < 1)) {
            throw new IllegalArgumentException(
                    "clusters need as many centres as components, a round and a share of the budget");
        }
        if (!(spread > 0) || !(reach > 0)) {
            throw new IllegalArgumentException("the spread and the reach of centres are positive numbers");
        }
    }

    @Override
    public String label() {
        return "clusters";
    }

    @Override
    public int releases() {
        return rounds;
    }

    @Override
    public int dimension() {
        return centres * (1 + columns);
    }

    @Override
    public double l2Bound() {
        return Math.sqrt(1 + reach * reach);
    }

    @Override
    public double[] begin(RandomStream random) {
        double[] start = new double[centres * columns];
        for (int i = 0; i < start.length; i++) {
            start[i] = middle + spread * random.normal();
        }
        return start;
    }

    @Override
    public ContributionSum query(double[] constants, int release) {
        return new ContributionSum() {
            @Override
            public int dimension() {
                return ClusterStart.this.dimension();
            }

            @Override
            public Worker worker() {
                MixtureMeans.Row rows = new MixtureMeans.Row(columns);
                double[] statistics = new double[1 + columns];
                return (block, row, contribution) -> {
                    double[] numbers = rows.of(block, row);
                    int nearest = nearest(numbers, 0, constants, centres);
                    statistics[0] = 1;
                    double square = 0;
                    for (int j = 0; j < columns; j++) {
                        statistics[1 + j] = numbers[j] - constants[nearest * columns + j];
                        square += statistics[1 + j] * statistics[1 + j];
                    }
                    double scale = square > reach * reach ? reach / Math.sqrt(square) : 1;
                    for (int j = 1; j <= columns; j++) {
                        statistics[j] *= scale;
                    }
                    contribution.addAll(nearest * (1 + columns), statistics, 0, statistics.length);
                };
            }
        };
    }

    private int nearest(double[] numbers, int offset, double[] points, int count) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int c = 0; c < count; c++) {
            double square = 0;
            for (int j = 0; j < columns; j++) {
                double distance = numbers[offset + j] - points[c * columns + j];
                square += distance * distance;
            }
            if (square < least) {
                least = square;
                best = c;
            }
        }
        return best;
    }

    @Override
    public double[] constants(double[] before, int release, NoisySum released) {
        double[] sums = released.value();
        double noise = Math.max(1, released.noiseStandardDeviation());
        double[] moved = before.clone();
        double[] weights = new double[centres];
        for (int c = 0; c < centres; c++) {
            double count = sums[c * (1 + columns)];
            weights[c] = Math.max(0, count - noise);
            for (int j = 0; j < columns; j++) {
                moved[c * columns + j] += sums[c * (1 + columns) + 1 + j] / Math.max(count, 2 * noise);
            }
        }
        return release + 1 < rounds ? moved : grouped(moved, weights);
    }

    /** Means of components, and what they cost. */
    private record Grouping(double[] means, double cost) {}

    /**
     * Centres grouped into components: the heaviest first, then each time the one whose weight times squared distance is largest; then one of
     * these is exchanged for another centre as long as that costs less.
     */
    private double[] grouped(double[] points, double[] weights) {
        int[] seeds = apart(points, weights);
        Grouping best = settled(points, weights, seeds);
        boolean better = true;
        for (int pass = 0; pass < MOST_PASSES && better; pass++) {
            better = false;
            for (int k = 0; k < components; k++) {
                for (int c = 0; c < centres; c++) {
                    int[] tried = seeds.clone();
                    tried[k] = c;
                    Grouping grouping = settled(points, weights, tried);
                    if (grouping.cost < best.cost) {
                        best = grouping;
                        seeds = tried;
                        better = true;
                    }
                }
            }
        }
        return best.means;
    }

    private int[] apart(double[] points, double[] weights) {
        int[] seeds = new int[components];
        double[] means = new double[components * columns];
        double[] distances = new double[centres];
        Arrays.fill(distances, 1);
        for (int k = 0; k < components; k++) {
            int best = 0;
            for (int c = 0; c < centres; c++) {
                if (weights[c] * distances[c] > weights[best] * distances[best]) {
                    best = c;
                }
            }
            seeds[k] = best;
            System.arraycopy(points, best * columns, means, k * columns, columns);
            for (int c = 0; c < centres; c++) {
                distances[c] = squaredDistance(points, c, means, nearest(points, c * columns, means, k + 1));
            }
        }
        return seeds;
    }

    private double squaredDistance(double[] points, int point, double[] means, int mean) {
        double square = 0;
        for (int j = 0; j < columns; j++) {
            double distance = points[point * columns + j] - means[mean * columns + j];
            square += distance * distance;
        }
        return square;
    }

    /** Weighted k-means from some of the centres; the cost is that of k-means, and of components whose sizes are unequal. */
    private Grouping settled(double[] points, double[] weights, int[] seeds) {
        double[] means = new double[components * columns];
        for (int k = 0; k < components; k++) {
            System.arraycopy(points, seeds[k] * columns, means, k * columns, columns);
        }
        double[] totals = new double[components];
        double distances = 0;
        for (int round = 0; round < GROUPING_ROUNDS; round++) {
            double[] sums = new double[components * columns];
            Arrays.fill(totals, 0);
            distances = 0;
            for (int c = 0; c < centres; c++) {
                int k = nearest(points, c * columns, means, components);
                totals[k] += weights[c];
                distances += weights[c] * squaredDistance(points, c, means, k);
                for (int j = 0; j < columns; j++) {
                    sums[k * columns + j] += weights[c] * points[c * columns + j];
                }
            }
            for (int k = 0; k < components; k++) {
                for (int j = 0; j < columns && totals[k] > 0; j++) {
                    means[k * columns + j] = sums[k * columns + j] / totals[k];
                }
            }
        }
        double usual = Math.max(1, Arrays.stream(totals).sum() / components);
        double imbalance = 0;
        for (double total : totals) {
            imbalance += (total - usual) * (total - usual) / usual;
        }
        return new Grouping(means, distances + BALANCE * reach * reach * imbalance);
    }
}
