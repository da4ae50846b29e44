package dev.tacit.data.catalogue.table;

import dev.tacit.data.catalogue.split.PublishedSplit;
import java.util.List;

/**
 * Inputs and target of a regression benchmark as the file gives them, for experiments that standardise by their own
 * rule.
 */
public final class RegressionTable {
    private final List<String> inputNames;
    private final double[][] inputs;
    private final double[] target;

    private RegressionTable(List<String> inputNames, double[][] inputs, double[] target) {
        this.inputNames = List.copyOf(inputNames);
        this.inputs = inputs;
        this.target = target;
    }

    /** One name for each input column. */
    public List<String> inputNames() {
        return inputNames;
    }

    /** One row for each record. Not to be written to. */
    public double[][] inputs() {
        return inputs;
    }

    /** One number for each record. Not to be written to. */
    public double[] target() {
        return target;
    }

    /** Split number {@code index} into training and test rows, as published. */
    public PublishedSplit split(int index) {
        return PublishedSplit.of(target.length, index);
    }

    /** The cells as numbers, after the columns that are not used were dropped. */
    static RegressionTable of(List<String> inputNames, List<List<String>> rows) {
        double[][] inputs = new double[rows.size()][inputNames.size()];
        double[] target = new double[rows.size()];
        for (int row = 0; row < target.length; row++) {
            List<String> cells = rows.get(row);
            for (int column = 0; column < inputNames.size(); column++) {
                inputs[row][column] = Double.parseDouble(cells.get(column));
            }
            target[row] = Double.parseDouble(cells.get(inputNames.size()));
        }
        return new RegressionTable(inputNames, inputs, target);
    }

    /** Some of the rows, in the given order. */
    public RegressionTable rows(int[] chosen) {
        double[][] chosenInputs = new double[chosen.length][];
        double[] chosenTarget = new double[chosen.length];
        for (int i = 0; i < chosen.length; i++) {
            chosenInputs[i] = inputs[chosen[i]];
            chosenTarget[i] = target[chosen[i]];
        }
        return new RegressionTable(inputNames, chosenInputs, chosenTarget);
    }
}
