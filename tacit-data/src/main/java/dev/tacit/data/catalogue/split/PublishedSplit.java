package dev.tacit.data.catalogue.split;

/**
 * Training and test rows of a benchmark, regenerated.
 *
 * <p>The rule of the published lists (Hernández-Lobato and Adams 2015; Gal and Ghahramani 2016): one generator,
 * {@code numpy.random.RandomState(1)}; for each split one permutation of all rows; its first round(0.9 n) rows train,
 * the others test. Sets without published lists use the same rule with a share of their own.
 */
public final class PublishedSplit {
    private static final int SEED = 1;

    private final int[] training;
    private final int[] test;

    private PublishedSplit(int[] training, int[] test) {
        this.training = training;
        this.test = test;
    }

    /** Row numbers from 0 of the training rows, in the published order. */
    public int[] training() {
        return training.clone();
    }

    /** Row numbers from 0 of the test rows, in the published order. */
    public int[] test() {
        return test.clone();
    }

    /** Split number {@code index} of this many rows, with 0.9 of them for training. */
    public static PublishedSplit of(int rows, int index) {
        return of(rows, index, 0.9);
    }

    /** Split number {@code index} of this many rows, with the given share of them for training. */
    public static PublishedSplit of(int rows, int index, double trainingShare) {
        MersenneTwister twister = new MersenneTwister(SEED);
        int[] order = twister.permutation(rows);
        for (int i = 0; i < index; i++) {
            order = twister.permutation(rows);
        }
        int boundary = trainingRows(rows, trainingShare);
        int[] training = new int[boundary];
        int[] test = new int[rows - boundary];
        System.arraycopy(order, 0, training, 0, boundary);
        System.arraycopy(order, boundary, test, 0, test.length);
        return new PublishedSplit(training, test);
    }

    /**
     * A split of its own for each seed, as scikit-learn's {@code train_test_split} makes it: one permutation of
     * {@code RandomState(seed)}, its first ⌈0.1 n⌉ rows test, the next ⌊0.9 n⌋ train.
     */
    public static PublishedSplit seeded(int rows, int seed) {
        int[] order = new MersenneTwister(seed).permutation(rows);
        int testRows = (rows + 9) / 10;
        int[] training = new int[seededTrainingRows(rows)];
        int[] test = new int[testRows];
        System.arraycopy(order, 0, test, 0, testRows);
        System.arraycopy(order, testRows, training, 0, training.length);
        return new PublishedSplit(training, test);
    }

    public static int seededTrainingRows(int rows) {
        return (int) (9L * rows / 10);
    }

    /** How many rows train; halves go to the even neighbour, as in Python. */
    public static int trainingRows(int rows, double trainingShare) {
        return (int) Math.rint(rows * trainingShare);
    }
}
