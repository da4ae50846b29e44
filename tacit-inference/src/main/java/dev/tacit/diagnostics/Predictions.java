package dev.tacit.diagnostics;

/** What every score asks of its rows; messages name a row, never a value. */
final class Predictions {
    private Predictions() {}

    static int check(double[] probabilities, double[] labels) {
        int n = sameSize(probabilities, labels, "labels");
        for (int i = 0; i < n; i++) {
            if (!(probabilities[i] >= 0 && probabilities[i] <= 1)) {
                throw new IllegalArgumentException("the predicted probability of row " + i + " is not between 0 and 1");
            }
            checkLabel(labels[i], i);
        }
        return n;
    }

    static void checkLabel(double label, int row) {
        if (label != 0 && label != 1) {
            throw new IllegalArgumentException("the label of row " + row + " is neither 0 nor 1");
        }
    }

    static int sameSize(double[] predictions, double[] others, String what) {
        if (predictions.length != others.length) {
            throw new IllegalArgumentException(
                    "there are " + predictions.length + " predictions and " + others.length + " " + what);
        }
        if (predictions.length == 0) {
            throw new IllegalArgumentException("there are no rows to score");
        }
        return predictions.length;
    }
}
