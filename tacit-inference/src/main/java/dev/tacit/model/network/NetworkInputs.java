package dev.tacit.model.network;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.query.Rows;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How an encoded record becomes the input and the target of a network.
 *
 * <pre>
 *   scales   centre and spread of each input; then, for a numeric target, its centre and spread and the log of the noise variance;
 *            then, if inputs are whitened, a symmetric matrix W, row after row
 *   z        clamp((u_j − centre_j)/spread_j, ±3)          target   clamp((u_y − centre)/spread, ±3)
 *   input    z, or clamp(W z, ±3)
 *   u_y      the target by its declared bounds, low ↦ −1, high ↦ 1, clamped
 * </pre>
 *
 * The column of ones that encoders add is left out, since every layer has a bias of its own. What is not a number stays
 * so; the door counts it as zero.
 */
final class NetworkInputs implements Serializable {
    private static final long serialVersionUID = 1;

    private static final String INTERCEPT = "intercept";
    private static final double LARGEST = 3;
    private static final double PUBLIC_SPREAD = 0.5;
    private static final double START_NOISE = 0.5;

    /** Of more columns nothing is whitened: so many numbers would drown in their noise. */
    private static final int MOST_WHITENED = 100;

    private final List<String> encodedColumns;
    private final List<String> names = new ArrayList<>();
    private final int[] columns;
    private final boolean numericTarget;
    private final double targetLow;
    private final double targetHigh;

    /**
     * @param encodedColumns names of all encoded columns
     * @param numericTarget false for one of two classes
     * @param targetLow declared bound of a numeric target
     * @param targetHigh declared bound of a numeric target
     */
    NetworkInputs(List<String> encodedColumns, boolean numericTarget, double targetLow, double targetHigh) {
        int[] places = new int[encodedColumns.size()];
        for (int column = 0; column < places.length; column++) {
            if (!encodedColumns.get(column).equals(INTERCEPT)) {
                places[names.size()] = column;
                names.add(encodedColumns.get(column));
            }
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("a network needs at least one column beside the intercept");
        }
        if (numericTarget && (!(targetLow < targetHigh) || Double.isInfinite(targetHigh - targetLow))) {
            throw new IllegalArgumentException("the bounds of the target are two numbers, the lower one first");
        }
        this.encodedColumns = List.copyOf(encodedColumns);
        this.columns = Arrays.copyOf(places, names.size());
        this.numericTarget = numericTarget;
        this.targetLow = targetLow;
        this.targetHigh = targetHigh;
    }

    List<String> encodedColumns() {
        return encodedColumns;
    }

    double targetLow() {
        return targetLow;
    }

    double targetHigh() {
        return targetHigh;
    }

    int size() {
        return columns.length;
    }

    List<String> names() {
        return names;
    }

    boolean numericTarget() {
        return numericTarget;
    }

    int scaleCount() {
        return whiteningPlace() + (whitened() ? columns.length * columns.length : 0);
    }

    /** Whether collinear inputs are pulled apart: where a number is learned from a few columns. */
    boolean whitened() {
        return numericTarget && columns.length > 1 && columns.length <= MOST_WHITENED;
    }

    /** Where W begins. */
    int whiteningPlace() {
        return 2 * columns.length + (numericTarget ? 3 : 0);
    }

    /** Where the log of the noise variance stands. */
    int noisePlace() {
        return 2 * columns.length + 2;
    }

    /** Before anything is known: the middle of the range, and half of its half-width. */
    double[] publicScales() {
        double[] scales = new double[scaleCount()];
        for (int j = 0; 2 * j + 1 < whiteningPlace(); j++) {
            scales[2 * j + 1] = PUBLIC_SPREAD;
        }
        for (int j = 0; whitened() && j < columns.length; j++) {
            scales[whiteningPlace() + j * columns.length + j] = 1;
        }
        if (numericTarget) {
            scales[noisePlace()] = Math.log(START_NOISE);
        }
        return scales;
    }

    /** The columns of a row that go in. */
    void encoded(RecordBlock block, int row, double[] target) {
        if (block instanceof DenseBlock dense) {
            double[] values = dense.values();
            int start = dense.start(row);
            for (int j = 0; j < columns.length; j++) {
                target[j] = values[start + columns[j]];
            }
        } else {
            double[] whole = new double[block.columns()];
            Rows.addTo(block, row, 1, whole, 0);
            for (int j = 0; j < columns.length; j++) {
                target[j] = whole[columns[j]];
            }
        }
    }

    /** z of a row, into the start of {@code input}. */
    void standardised(RecordBlock block, int row, double[] scales, double[] input) {
        encoded(block, row, input);
        for (int j = 0; j < columns.length; j++) {
            input[j] = clamp((input[j] - scales[2 * j]) / scales[2 * j + 1]);
        }
    }

    /**
     * The input of a network, into the start of {@code input}.
     *
     * @param scratch at least as long as there are inputs
     */
    void scaled(RecordBlock block, int row, double[] scales, double[] scratch, double[] input) {
        if (!whitened()) {
            standardised(block, row, scales, input);
            return;
        }
        standardised(block, row, scales, scratch);
        int place = whiteningPlace();
        for (int i = 0; i < columns.length; i++) {
            double sum = 0;
            for (int j = 0; j < columns.length; j++) {
                sum += scales[place++] * scratch[j];
            }
            input[i] = clamp(sum);
        }
    }

    private static double clamp(double value) {
        return Math.max(-LARGEST, Math.min(LARGEST, value));
    }

    /** The target between −1 and 1. */
    double boundedTarget(double label) {
        double clamped = Math.max(targetLow, Math.min(targetHigh, label));
        return 2 * (clamped - targetLow) / (targetHigh - targetLow) - 1;
    }

    /** The target that a network with these scales learns. */
    double scaledTarget(double label, double[] scales) {
        return clamp((boundedTarget(label) - scales[2 * columns.length]) / scales[2 * columns.length + 1]);
    }

    /** From a network's output to the target's own units. */
    double targetOf(double output, double[] scales) {
        double u = scales[2 * columns.length] + scales[2 * columns.length + 1] * output;
        return targetLow + (u + 1) / 2 * (targetHigh - targetLow);
    }

    /** The target's own unit over a network's. */
    double targetUnit(double[] scales) {
        return scales[2 * columns.length + 1] * (targetHigh - targetLow) / 2;
    }
}
