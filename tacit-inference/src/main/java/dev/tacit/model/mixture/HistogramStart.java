package dev.tacit.model.mixture;

import dev.tacit.door.session.NoisySum;
import dev.tacit.model.PrivateStart;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.ContributionSum;
import java.io.Serializable;

/**
 * Where the components of a mixture lie, from one noisy histogram of all columns: for few columns.
 *
 * <pre>
 *   release   Σ_n 1{x_n in cell},   one 1 a record: L2 norm 1            then {@link HistogramFit}
 * </pre>
 *
 * A number outside of the public range counts in the outermost cell. Nothing is lost to the clip.
 *
 * @param columns how many
 * @param low the public range of every column
 * @param high the public range of every column
 * @param cells in every column
 * @param components how many
 * @param deviation of the records of a component, in every column
 * @param publicSize declared number of units
 * @param budgetShare of the histogram
 */
public record HistogramStart(
        int columns,
        double low,
        double high,
        int cells,
        int components,
        double deviation,
        long publicSize,
        double budgetShare)
        implements PrivateStart, Serializable {
    /** The most cells that a histogram may have. */
    public static final int MOST_CELLS = 1 << 18;

    public HistogramStart {
        if (!(Math.pow(cells, columns) <= MOST_CELLS)) {
            throw new IllegalArgumentException("a histogram of these columns has too many cells");
        }
        if (!(low < high) || cells < 2 || !(budgetShare > 0 && budgetShare < 1)) {
            throw new IllegalArgumentException(
                    "a histogram has a range, two cells in each column or more, and a share of the budget");
        }
    }

    @Override
    public String label() {
        return "histogram";
    }

    @Override
    public int releases() {
        return 1;
    }

    @Override
    public int dimension() {
        return (int) Math.pow(cells, columns);
    }

    @Override
    public double l2Bound() {
        return 1;
    }

    @Override
    public double[] begin(RandomStream random) {
        return new double[components * columns];
    }

    @Override
    public ContributionSum query(double[] constants, int release) {
        double width = (high - low) / cells;
        return new ContributionSum() {
            @Override
            public int dimension() {
                return HistogramStart.this.dimension();
            }

            @Override
            public Worker worker() {
                MixtureMeans.Row cellsOfRow = new MixtureMeans.Row(columns);
                return (block, row, contribution) -> {
                    double[] numbers = cellsOfRow.of(block, row);
                    int index = 0;
                    for (int j = 0; j < columns; j++) {
                        // not-a-number counts in the first cell
                        int cell = (int) Math.min(cells - 1.0, Math.max(0, Math.floor((numbers[j] - low) / width)));
                        index = index * cells + cell;
                    }
                    contribution.add(index, 1);
                };
            }
        };
    }

    @Override
    public double[] constants(double[] before, int release, NoisySum released) {
        return new HistogramFit(
                        released.value(),
                        columns,
                        cells,
                        low,
                        (high - low) / cells,
                        deviation,
                        publicSize / (double) components)
                .means(components);
    }
}
