package dev.tacit.model.network;

import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.RecordBlock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How an encoded record becomes the input and the target of a network.
 *
 * <pre>
 *   scales   centre and spread of each input; then, for a numeric target, its centre and spread and the log of the noise variance
 *   input    clamp((u_j − centre_j)/spread_j, ±3)          target   clamp((u_y − centre)/spread, ±3)
 *   u_y      the target by its declared bounds, low ↦ −1, high ↦ 1, clamped
 * </pre>
 *
 * The column of ones that encoders add is left out, since every layer has a bias of its own. What is not a number stays
 * so; the door counts it as zero.
 */
final class NetworkInputs {
    private static final String INTERCEPT = "intercept";
    private static final double LARGEST = 3;
    private static final double PUBLIC_SPREAD = 0.5;
    private static final double START_NOISE = 0.5;

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
        this.columns = Arrays.copyOf(places, names.size());
        this.numericTarget = numericTarget;
        this.targetLow = targetLow;
        this.targetHigh = targetHigh;
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
        return 2 * columns.length + (numericTarget ? 3 : 0);
    }

    /** Where the log of the noise variance stands. */
    int noisePlace() {
        return 2 * columns.length + 2;
    }

    /** Before anything is known: the middle of the range, and half of its half-width. */
    double[] publicScales() {
        double[] scales = new double[scaleCount()];
        for (int j = 0; 2 * j + 1 < scales.length; j++) {
            scales[2 * j + 1] = PUBLIC_SPREAD;
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
            block.addTo(row, 1, whole, 0);
            for (int j = 0; j < columns.length; j++) {
                target[j] = whole[columns[j]];
            }
        }
    }

    /** The input of a network, into the start of {@code input}. */
    void scaled(RecordBlock block, int row, double[] scales, double[] input) {
        encoded(block, row, input);
        for (int j = 0; j < columns.length; j++) {
            input[j] = clamp((input[j] - scales[2 * j]) / scales[2 * j + 1]);
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
