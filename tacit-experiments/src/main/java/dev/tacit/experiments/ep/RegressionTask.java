package dev.tacit.experiments.ep;

import dev.tacit.data.catalogue.Catalogue;
import dev.tacit.data.catalogue.entry.DatasetEntry;
import dev.tacit.data.catalogue.entry.DatasetException;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.prepare.FeatureEncoder;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.session.PrivateDataset;
import dev.tacit.door.unit.Neighbours;
import dev.tacit.door.unit.PrivacyUnit;
import dev.tacit.engine.LocalSummation;
import dev.tacit.engine.RecordsInMemory;
import dev.tacit.experiments.bayes.VipsLogisticAdult;
import dev.tacit.experiments.harness.ExperimentOptions;
import dev.tacit.experiments.harness.MissingDataException;
import dev.tacit.model.prediction.Prediction;
import dev.tacit.model.prediction.Predictor;
import dev.tacit.query.Rows;
import dev.tacit.run.method.DataShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * One published split of a regression set: training records behind the door and, for methods that are not private, in the
 * clear; and a test table.
 */
public final class RegressionTask implements AutoCloseable {
    private final DataShape shape;
    private final PrivateDataset train;
    private final StandardisedRegression standardised;
    private final StandardisedRegression scaledByBounds;
    private final EncodedTable test;

    private RegressionTask(DataShape shape, EncodedTable training, EncodedTable test, int threads) {
        this.shape = shape;
        this.test = test;
        this.train = LocalSummation.dataset(
                new RecordsInMemory(training.names().size(), true, training.blocks(), null),
                PrivacyUnit.record(Neighbours.ADD_REMOVE),
                training.rows(),
                threads);
        this.standardised = standardised(training, test);
        this.scaledByBounds =
                scaledByBounds(training, test, shape.numberTarget().orElseThrow());
    }

    /** Prepares a published split in the experiment's work folder. */
    static RegressionTask open(String dataset, int split, ExperimentOptions options) {
        Path folder = options.workDirectory().resolve(dataset + "-" + split);
        Map<String, String> chosen = Map.of("split", String.valueOf(split));
        try {
            DatasetEntry entry = Catalogue.find(dataset);
            entry.prepare(options.dataDirectory(), folder, entry.options().isEmpty() ? Map.of() : chosen);
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
    public static boolean isPresent(String dataset, ExperimentOptions options) {
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
    PrivateDataset train() {
        return train;
    }

    /** The training records, as published code that is not private sees them. */
    StandardisedRegression standardised() {
        return standardised;
    }

    /** The training records, scaled by their declared bounds as if they were uniform between them. */
    StandardisedRegression scaledByBounds() {
        return scaledByBounds;
    }

    /** Scores on the test table of rows as the door has them. */
    Map<String, Double> scores(Predictor predictor) {
        double[] means = new double[Math.toIntExact(test.rows())];
        double[] deviations = new double[means.length];
        int next = 0;
        for (RecordBlock block : test.blocks()) {
            for (int row = 0; row < block.rows(); row++) {
                Prediction.Numeric prediction = (Prediction.Numeric) predictor.predict(block, row);
                means[next] = prediction.mean();
                deviations[next] = prediction.standardDeviation();
                next++;
            }
        }
        return StandardisedRegression.scores(means, deviations, test.labels());
    }

    @Override
    public void close() {
        train.close();
    }

    private static StandardisedRegression inUnits(
            EncodedTable training, EncodedTable test, double[] means, double[] deviations) {
        return new StandardisedRegression(
                apply(training, means, deviations),
                apply(test, means, deviations),
                test.labels(),
                means[means.length - 1],
                deviations[means.length - 1]);
    }

    /** Columns stand in [−1, 1] already; a uniform number there has variance 1/3. */
    private static StandardisedRegression scaledByBounds(
            EncodedTable training, EncodedTable test, DataShape.Target.Numeric target) {
        int columns = inputs(training);
        double[] centres = new double[columns + 1];
        double[] deviations = new double[columns + 1];
        Arrays.fill(deviations, 1 / Math.sqrt(3));
        centres[columns] = (target.low() + target.high()) / 2;
        deviations[columns] *= (target.high() - target.low()) / 2;
        return inUnits(training, test, centres, deviations);
    }

    /** Mean 0 and standard deviation 1 in this table; not private. */
    private static StandardisedRegression standardised(EncodedTable table, EncodedTable test) {
        int columns = inputs(table);
        double[] sums = new double[columns + 1];
        double[] squares = new double[columns + 1];
        double[] row = new double[table.names().size()];
        for (RecordBlock block : table.blocks()) {
            for (int r = 0; r < block.rows(); r++) {
                Arrays.fill(row, 0);
                Rows.addTo(block, r, 1, row, 0);
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
        return inUnits(table, test, sums, squares);
    }

    /** Without the intercept, which is last. */
    private static int inputs(EncodedTable table) {
        return table.names().size() - 1;
    }

    /** Rows in standard units, with the target in standard units as label. */
    private static DenseBlock apply(EncodedTable table, double[] means, double[] deviations) {
        int columns = inputs(table);
        int count = Math.toIntExact(table.rows());
        double[] values = new double[count * columns];
        double[] labels = new double[count];
        double[] row = new double[columns + 1];
        int next = 0;
        for (RecordBlock block : table.blocks()) {
            for (int r = 0; r < block.rows(); r++) {
                Arrays.fill(row, 0);
                Rows.addTo(block, r, 1, row, 0);
                for (int j = 0; j < columns; j++) {
                    values[next * columns + j] = (row[j] - means[j]) / deviations[j];
                }
                labels[next] = (block.label(r) - means[columns]) / deviations[columns];
                next++;
            }
        }
        return DenseBlock.of(count, columns, values, labels);
    }
}
