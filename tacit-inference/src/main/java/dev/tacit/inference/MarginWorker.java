package dev.tacit.inference;

import dev.tacit.model.MarginModel;
import dev.tacit.privacy.data.Contribution;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordSum;
import dev.tacit.privacy.data.SparseBlock;
import java.util.Arrays;

/**
 * {@link MeanFieldGradient} for a {@link MarginModel}: one margin and one residual for each draw, then two numbers for
 * each non-zero of the record.
 *
 * <p>Draws are taken {@value #LANES} at a time, in as many local variables; missing ones have residual 0.
 */
final class MarginWorker implements RecordSum.Worker {
    private static final int LANES = 5;

    private final MarginModel margin;
    private final int draws;
    private final int columns;

    /** {@link #draws}, rounded up to whole groups of lanes. */
    private final int stride;

    /** Parameter after parameter, the draws of each side by side. */
    private final double[] points;

    private final double[] directions;
    private final double[] residuals;
    private final double[] pairs;

    MarginWorker(MarginModel margin, MeanFieldGradient.Draws sample) {
        this.margin = margin;
        this.draws = sample.count();
        this.columns = sample.dimension();
        this.stride = (draws + LANES - 1) / LANES * LANES;
        this.points = new double[stride * columns];
        this.directions = new double[stride * columns];
        for (int k = 0; k < draws; k++) {
            for (int j = 0; j < columns; j++) {
                points[j * stride + k] = sample.points()[k * columns + j];
                directions[j * stride + k] = sample.directions()[k * columns + j];
            }
        }
        this.residuals = new double[stride];
        this.pairs = new double[2 * columns];
    }

    @Override
    public void contribute(RecordBlock block, int row, Contribution contribution) {
        if (block instanceof SparseBlock sparse) {
            sparse(sparse, row, contribution);
        } else {
            dense((DenseBlock) block, row, contribution);
        }
    }

    private void sparse(SparseBlock block, int row, Contribution contribution) {
        int[] indices = block.columnIndices();
        double[] values = block.values();
        int start = block.start(row);
        int end = block.end(row);
        for (int lane = 0; lane < stride; lane += LANES) {
            double first = 0;
            double second = 0;
            double third = 0;
            double fourth = 0;
            double fifth = 0;
            for (int entry = start; entry < end; entry++) {
                double value = values[entry];
                int at = indices[entry] * stride + lane;
                first += value * points[at];
                second += value * points[at + 1];
                third += value * points[at + 2];
                fourth += value * points[at + 3];
                fifth += value * points[at + 4];
            }
            residuals[lane] = first;
            residuals[lane + 1] = second;
            residuals[lane + 2] = third;
            residuals[lane + 3] = fourth;
            residuals[lane + 4] = fifth;
        }
        double mean = toResiduals(block.label(row));
        for (int entry = start; entry < end; entry++) {
            int at = 2 * (entry - start);
            pairs[at] = mean * values[entry];
            pairs[at + 1] = along(indices[entry]) * values[entry];
        }
        contribution.addColumns(0, 2, pairs);
    }

    private void dense(DenseBlock block, int row, Contribution contribution) {
        double[] values = block.values();
        int start = block.start(row);
        Arrays.fill(residuals, 0);
        for (int j = 0; j < columns; j++) {
            double value = values[start + j];
            int at = j * stride;
            for (int k = 0; k < draws; k++) {
                residuals[k] += value * points[at + k];
            }
        }
        double mean = toResiduals(block.label(row));
        for (int j = 0; j < columns; j++) {
            pairs[2 * j] = mean * values[start + j];
            pairs[2 * j + 1] = along(j) * values[start + j];
        }
        contribution.addAll(0, pairs, 0, 2 * columns);
    }

    private double toResiduals(double label) {
        double sum = 0;
        for (int k = 0; k < draws; k++) {
            residuals[k] = margin.residual(label, residuals[k]);
            sum += residuals[k];
        }
        for (int k = draws; k < stride; k++) {
            residuals[k] = 0;
        }
        return sum / draws;
    }

    private double along(int column) {
        int at = column * stride;
        double sum = 0;
        for (int k = 0; k < stride; k += LANES) {
            double left = residuals[k] * directions[at + k] + residuals[k + 1] * directions[at + k + 1];
            double right = residuals[k + 2] * directions[at + k + 2] + residuals[k + 3] * directions[at + k + 3];
            sum += left + (right + residuals[k + 4] * directions[at + k + 4]);
        }
        return sum;
    }
}
