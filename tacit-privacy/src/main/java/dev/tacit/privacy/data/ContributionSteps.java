package dev.tacit.privacy.data;

import java.util.Arrays;

/**
 * A unit's contribution in grid steps, clipped and not yet rounded: rows, their squares and products of two vectors, written one
 * behind the other and announced to the {@link UnitSum} that checks and adds them.
 */
final class ContributionSteps {
    private double[] steps = new double[64];
    private int count;

    /** Makes room for the whole unit. */
    void begin(UnitSum sum, int mostNumbers) {
        if (mostNumbers > steps.length) {
            steps = Arrays.copyOf(steps, Math.max(mostNumbers, 2 * steps.length));
        }
        count = 0;
        sum.begin(steps);
    }

    void write(UnitSum sum, int place, double number) {
        steps[count++] = number;
        sum.run(place, 1);
    }

    void writeOuter(UnitSum sum, int offset, double units, double[] factors, int left, int right, int rightCount) {
        double[] target = steps;
        int at = count;
        for (int i = left; i < right; i++) {
            double scale = units * factors[i];
            for (int j = 0; j < rightCount; j++) {
                target[at + j] = scale * factors[right + j];
            }
            at += rightCount;
        }
        sum.run(offset, at - count);
        count = at;
    }
}
