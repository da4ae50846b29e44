package dev.tacit.experiments.ep;

import dev.tacit.data.catalogue.NamedRegression;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.catalogue.split.PublishedSplit;
import dev.tacit.data.catalogue.table.RegressionTable;
import dev.tacit.diagnostics.RegressionScores;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import java.util.LinkedHashMap;
import java.util.Map;

/** One split of a regression set in units of its own, in the clear, for methods that are not private. */
public final class StandardisedRegression {
    private static final double LEVEL = 0.9;

    private final DenseBlock rows;
    private final DenseBlock test;
    private final double[] targets;
    private final double targetMean;
    private final double targetDeviation;

    /**
     * @param rows that train, inputs and target in these units
     * @param test inputs in these units
     * @param targets of the test rows in units of the file
     * @param targetMean where the unit of the target begins
     * @param targetDeviation the unit of the target
     */
    StandardisedRegression(
            DenseBlock rows, DenseBlock test, double[] targets, double targetMean, double targetDeviation) {
        this.rows = rows;
        this.test = test;
        this.targets = targets;
        this.targetMean = targetMean;
        this.targetDeviation = targetDeviation;
    }

    /**
     * As the code of Vinaroz and Park 2022 reads it: numbers as the file has them, beyond declared bounds too; the split of
     * scikit-learn; means and deviations of the training rows, row after row. A deviation of 0 counts as 1. Where the mean of a
     * constant column is rounded, as that of naval's inlet pressure, the column is divided by its error and comes out as 1.
     *
     * @param seed of the split
     */
    public static StandardisedRegression published(String dataset, int seed, ExperimentOptions options) {
        RegressionTable table;
        try {
            table = NamedRegression.load(dataset, options.dataDirectory());
        } catch (DatasetException e) {
            throw new MissingDataException(e.getMessage(), e);
        }
        PublishedSplit split = PublishedSplit.seeded(table.target().length, seed);
        RegressionTable training = table.rows(split.training());
        RegressionTable test = table.rows(split.test());
        int columns = table.inputNames().size();
        double[] means = new double[columns + 1];
        double[] deviations = new double[columns + 1];
        for (int column = 0; column <= columns; column++) {
            means[column] = mean(training, column, 0, 1);
            double deviation = Math.sqrt(mean(training, column, means[column], 2));
            deviations[column] = deviation == 0 ? 1 : deviation;
        }
        return new StandardisedRegression(
                block(training, means, deviations),
                block(test, means, deviations),
                test.target(),
                means[columns],
                deviations[columns]);
    }

    /** The mean of (x − centre) to this power over all rows; the target is behind the inputs. */
    private static double mean(RegressionTable table, int column, double centre, int power) {
        double sum = 0;
        for (int row = 0; row < table.target().length; row++) {
            double distance = cell(table, row, column) - centre;
            sum += power == 2 ? distance * distance : distance;
        }
        return sum / table.target().length;
    }

    private static double cell(RegressionTable table, int row, int column) {
        double[] inputs = table.inputs()[row];
        return column < inputs.length ? inputs[column] : table.target()[row];
    }

    private static DenseBlock block(RegressionTable table, double[] means, double[] deviations) {
        int count = table.target().length;
        int columns = means.length - 1;
        double[] values = new double[count * columns];
        double[] labels = new double[count];
        for (int row = 0; row < count; row++) {
            for (int column = 0; column < columns; column++) {
                values[row * columns + column] = (cell(table, row, column) - means[column]) / deviations[column];
            }
            labels[row] = (cell(table, row, columns) - means[columns]) / deviations[columns];
        }
        return DenseBlock.of(count, columns, values, labels);
    }

    /** The rows that train. */
    public DenseBlock rows() {
        return rows;
    }

    /** Scores on the test rows of what predicts in these units. */
    Map<String, Double> scores(Predictor predictor) {
        double[] means = new double[targets.length];
        double[] deviations = new double[targets.length];
        for (int row = 0; row < means.length; row++) {
            Prediction.Numeric prediction = (Prediction.Numeric) predictor.predict(test, row);
            means[row] = targetMean + targetDeviation * prediction.mean();
            deviations[row] = targetDeviation * prediction.standardDeviation();
        }
        return scores(means, deviations, targets);
    }

    /** Scores of predictions in units of the file. */
    static Map<String, Double> scores(double[] means, double[] deviations, double[] targets) {
        RegressionScores scores = RegressionScores.of(means, deviations, targets, LEVEL);
        Map<String, Double> byName = new LinkedHashMap<>();
        byName.put("rmse", scores.rmse());
        byName.put("logLikelihood", scores.logLikelihood());
        byName.put("coverage90", scores.coverage());
        return byName;
    }
}
