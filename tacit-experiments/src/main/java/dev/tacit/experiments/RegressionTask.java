package dev.tacit.experiments;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.DatasetEntry;
import dev.tacit.data.catalogue.DatasetException;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.Schema;
import dev.tacit.diagnostics.RegressionScores;
import dev.tacit.model.Prediction;
import dev.tacit.model.Predictor;
import dev.tacit.privacy.data.DenseBlock;
import dev.tacit.privacy.data.LocalDataset;
import dev.tacit.privacy.data.RecordBlock;
import dev.tacit.privacy.data.RecordsInMemory;
import dev.tacit.privacy.unit.Neighbours;
import dev.tacit.privacy.unit.PrivacyUnit;
import dev.tacit.run.DataShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One published split of a regression set: training records behind the door and, for methods that are not private, in the
 * clear; and a test table.
 */
final class RegressionTask implements AutoCloseable {
    private static final double LEVEL = 0.9;

    private final DataShape shape;
    private final LocalDataset train;
    private final Standardised standardised;
    private final Standardised scaledByBounds;
    private final EncodedTable training;
    private final EncodedTable test;

    private RegressionTask(DataShape shape, EncodedTable training, EncodedTable test, int threads) {
        this.shape = shape;
        this.training = training;
        this.test = test;
        this.train = new LocalDataset(
                new RecordsInMemory(training.encoder().columns(), true, training.blocks(), null),
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                training.rows(),
                threads);
        this.standardised = Standardised.of(training);
        this.scaledByBounds =
                Standardised.byBounds(training, shape.numberTarget().orElseThrow());
    }

    /** Prepares a published split in the experiment's work folder. */
    static RegressionTask open(String dataset, int split, ExperimentOptions options) {
        return open(dataset, Map.of("split", String.valueOf(split)), options);
    }

    /** A split of a generator of its own, as in scikit-learn; number i has seed i + 1. */
    static RegressionTask openSeeded(String dataset, int split, ExperimentOptions options) {
        return open(dataset, Map.of("split", String.valueOf(split), "rule", "seeded"), options);
    }

    private static RegressionTask open(String dataset, Map<String, String> split, ExperimentOptions options) {
        Path folder = options.workDirectory().resolve(dataset + "-" + String.join("-", split.values()));
        try {
            DatasetEntry entry = Catalogue.find(dataset);
            entry.prepare(options.dataDirectory(), folder, entry.options().isEmpty() ? Map.of() : split);
        } catch (DatasetException e) {
            throw new MissingDataException(e.getMessage(), e);
        }
        Schema schema = VipsLogisticAdult.schema(folder.resolve("schema.yaml"));
        EncodedTable training = table(folder, "train", schema);
        EncodedTable test = table(folder, "test", schema);
        FeatureEncoder encoder = FeatureEncoder.of(schema);
        Bounds bounds = encoder.targetBounds().orElseThrow();
        DataShape shape = new DataShape(
                encoder.names(),
                encoder.largestNorm(),
                new DataShape.Target.Numeric(bounds.lower(), bounds.upper()),
                training.rows());
        return new RegressionTask(shape, training, test, options.threads());
    }

    /** Whether the raw files of a data set are there. */
    static boolean isPresent(String dataset, ExperimentOptions options) {
        try {
            Catalogue.find(dataset).locate(options.dataDirectory());
            return true;
        } catch (DatasetException e) {
            return false;
        }
    }

    private static EncodedTable table(Path folder, String name, Schema schema) {
        Path plain = folder.resolve(name + ".csv");
        return EncodedTable.read(Files.exists(plain) ? plain : folder.resolve(name + ".csv.gz"), schema, true);
    }

    DataShape shape() {
        return shape;
    }

    /** The training records, as a private method sees them. */
    LocalDataset train() {
        return train;
    }

    /** The training records, as published code that is not private sees them. */
    Standardised standardised() {
        return standardised;
    }

    /**
     * The training records as the code of Vinaroz and Park 2022 standardises them: a constant column whose computed mean is not exact
     * comes out as 1, being divided by the error of its mean.
     *
     * @param constant the number of such a column, or less than 0 if there is none
     */
    Standardised standardisedWithOnes(int constant) {
        return constant < 0 ? standardised : standardised.withOnes(training, constant);
    }

    /** The training records, scaled by their declared bounds as if they were uniform between them. */
    Standardised scaledByBounds() {
        return scaledByBounds;
    }

    /** Scores on the test table of rows as the door has them. */
    Map<String, Double> scores(Predictor predictor) {
        return scores(predictor, test);
    }

    /** Scores on the test table of rows in the units of a table made from this task. */
    Map<String, Double> scores(Standardised units, Predictor predictor) {
        double[] means = new double[Math.toIntExact(test.rows())];
        double[] deviations = new double[means.length];
        DenseBlock rows = units.apply(test);
        for (int row = 0; row < means.length; row++) {
            Prediction.Numeric prediction = (Prediction.Numeric) predictor.predict(rows, row);
            means[row] = units.targetMean + units.targetDeviation * prediction.mean();
            deviations[row] = units.targetDeviation * prediction.standardDeviation();
        }
        return scores(means, deviations, test.labels());
    }

    private static Map<String, Double> scores(Predictor predictor, EncodedTable table) {
        double[] means = new double[Math.toIntExact(table.rows())];
        double[] deviations = new double[means.length];
        int next = 0;
        for (RecordBlock block : table.blocks()) {
            for (int row = 0; row < block.rows(); row++) {
                Prediction.Numeric prediction = (Prediction.Numeric) predictor.predict(block, row);
                means[next] = prediction.mean();
                deviations[next] = prediction.standardDeviation();
                next++;
            }
        }
        return scores(means, deviations, table.labels());
    }

    private static Map<String, Double> scores(double[] means, double[] deviations, double[] targets) {
        RegressionScores scores = RegressionScores.of(means, deviations, targets, LEVEL);
        Map<String, Double> byName = new LinkedHashMap<>();
        byName.put("rmse", scores.rmse());
        byName.put("logLikelihood", scores.logLikelihood());
        byName.put("coverage90", scores.coverage());
        return byName;
    }

    @Override
    public void close() {
        train.close();
    }

    /** Rows in units of their own: those of the training table, computed exactly, or those of declared bounds. */
    static final class Standardised {
        private final double[] means;
        private final double[] deviations;
        private final double targetMean;
        private final double targetDeviation;
        private final DenseBlock rows;

        private Standardised(EncodedTable table, double[] means, double[] deviations) {
            this.means = means;
            this.deviations = deviations;
            this.targetMean = means[means.length - 1];
            this.targetDeviation = deviations[means.length - 1];
            this.rows = apply(table);
        }

        /** Columns stand in [−1, 1] already; a uniform number there has variance 1/3. */
        private static Standardised byBounds(EncodedTable table, DataShape.Target.Numeric target) {
            int columns = inputs(table);
            double[] centres = new double[columns + 1];
            double[] deviations = new double[columns + 1];
            Arrays.fill(deviations, 1 / Math.sqrt(3));
            centres[columns] = (target.low() + target.high()) / 2;
            deviations[columns] *= (target.high() - target.low()) / 2;
            return new Standardised(table, centres, deviations);
        }

        /** Mean 0 and standard deviation 1 in this table; not private. */
        private static Standardised of(EncodedTable table) {
            int columns = inputs(table);
            double[] sums = new double[columns + 1];
            double[] squares = new double[columns + 1];
            double[] row = new double[table.encoder().columns()];
            for (RecordBlock block : table.blocks()) {
                for (int r = 0; r < block.rows(); r++) {
                    Arrays.fill(row, 0);
                    block.addTo(r, 1, row, 0);
                    for (int j = 0; j <= columns; j++) {
                        double value = j < columns ? row[j] : block.label(r);
                        sums[j] += value;
                        squares[j] += value * value;
                    }
                }
            }
            for (int j = 0; j <= columns; j++) {
                sums[j] /= table.rows();
                double variance = squares[j] / table.rows() - sums[j] * sums[j];
                squares[j] = variance > 1e-12 ? Math.sqrt(variance) : 1;
            }
            return new Standardised(table, sums, squares);
        }

        /** The same with one column, which is constant, moved to 1. */
        private Standardised withOnes(EncodedTable table, int column) {
            double[] moved = means.clone();
            moved[column] -= deviations[column];
            return new Standardised(table, moved, deviations);
        }

        /** Without the intercept, which is last. */
        private static int inputs(EncodedTable table) {
            return table.encoder().columns() - 1;
        }

        /** Rows in standard units, with the target in standard units as label. */
        DenseBlock apply(EncodedTable table) {
            int columns = inputs(table);
            int count = Math.toIntExact(table.rows());
            double[] values = new double[count * columns];
            double[] labels = new double[count];
            double[] row = new double[columns + 1];
            int next = 0;
            for (RecordBlock block : table.blocks()) {
                for (int r = 0; r < block.rows(); r++) {
                    Arrays.fill(row, 0);
                    block.addTo(r, 1, row, 0);
                    for (int j = 0; j < columns; j++) {
                        values[next * columns + j] = (row[j] - means[j]) / deviations[j];
                    }
                    labels[next] = (block.label(r) - targetMean) / targetDeviation;
                    next++;
                }
            }
            return DenseBlock.of(count, columns, values, labels);
        }

        DenseBlock rows() {
            return rows;
        }
    }
}
