package dev.tacit.fit.plan;

import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.formula.design.Response;
import dev.tacit.data.prepare.EncodedTable;
import dev.tacit.data.schema.Bounds;
import dev.tacit.data.schema.ColumnSchema.NumberColumn;
import dev.tacit.data.schema.Schema;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.base.FitException;
import dev.tacit.fit.twin.SyntheticRows;
import dev.tacit.glm.family.GlmFamily;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table as it might be, drawn from declared facts alone: numbers are normal around the middle of their bounds with a sixth
 * of the range as standard deviation, categories are equally frequent, all are independent; coefficients have alternating
 * signs and one size per standard deviation of a column.
 */
final class PlannedTable {
    private static final double SPREAD = 1.0 / 6;

    private final DesignMatrix design;
    private final GlmModel model;
    private final List<RecordBlock> features;
    private final double[] deviations;

    PlannedTable(DesignMatrix design, Schema schema, GlmModel model, int rows, RandomStream random) {
        this.design = design;
        this.model = model;
        this.features = read(schema, rows, random);
        this.deviations = deviations();
    }

    private static List<RecordBlock> read(Schema schema, int rows, RandomStream random) {
        Schema plain = SyntheticRows.schema(schema);
        try {
            Path file = Files.createTempFile("tacit-plan", ".csv");
            try {
                Files.writeString(file, SyntheticRows.csv(plain, rows, random, PlannedTable::number));
                return EncodedTable.read(file.toString(), plain, false).blocks();
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new FitException(
                    FitException.Kind.CONFIGURATION, "cannot write a temporary file; check that the disk has room.", e);
        }
    }

    private static double number(NumberColumn column, RandomStream random) {
        Bounds bounds = column.bounds().orElseThrow();
        double range = bounds.upper() - bounds.lower();
        return bounds.clamp(bounds.lower() + range / 2 + SPREAD * range * random.normal());
    }

    private double[] deviations() {
        double[] sums = new double[design.width()];
        double[] squares = new double[sums.length];
        long rows = 0;
        double[] row = new double[features.get(0).columns()];
        for (RecordBlock block : features) {
            for (int i = 0; i < block.rows(); i++) {
                Arrays.fill(row, 0);
                Rows.addTo(block, i, 1, row, 0);
                for (int j = 0; j < sums.length; j++) {
                    sums[j] += row[j];
                    squares[j] += row[j] * row[j];
                }
                rows++;
            }
        }
        double[] found = new double[sums.length];
        for (int j = 0; j < found.length; j++) {
            double mean = sums[j] / rows;
            found[j] = Math.sqrt(Math.max(0, squares[j] / rows - mean * mean));
        }
        return found;
    }

    /** The standard deviation of a column's values in this table; 1 for a level, whose effect is against its reference. */
    double step(int column) {
        return design.columns().get(column).kind() == DesignColumn.Kind.NUMBER
                ? Math.max(deviations[column], Double.MIN_NORMAL)
                : 1;
    }

    /** What one unit of effect is: a standard deviation of the response's noise, or 1 on the scale of the link. */
    double unit() {
        Response response = design.response();
        return model.family().fitsStandardised() ? SPREAD * (response.upper() - response.lower()) : 1;
    }

    /**
     * Coefficients that a fit is to find, then the logarithms of extra parameters: what {@link GlmFamily#usualExtra} says, a
     * scale in units of the response.
     *
     * @param effect of a standard deviation of a column, less if there are so many columns that records would be certain
     * @param expected response on average
     */
    double[] truth(double effect, double expected) {
        double[] truth = new double[model.parameterNames().size()];
        int columns = design.width() - 1;
        double size = effect / Math.max(1, effect * Math.sqrt(columns));
        int coefficients = model.coefficientNames().size();
        for (int i = 0; i < coefficients; i++) {
            int j = i % design.width();
            int predictor = i / design.width();
            truth[i] = j == 0 ? 0 : ((j + predictor) % 2 == 0 ? -1 : 1) * size * unit() / step(j);
        }
        double[] extra = model.family().usualExtra();
        for (int k = 0; k < extra.length; k++) {
            truth[coefficients + k] = Math.log(extra[k]);
        }
        if (model.family().fitsStandardised()) {
            truth[design.width()] += Math.log(unit());
        }
        double low = -1e6;
        double high = 1e6;
        for (int step = 0; step < 100; step++) {
            double intercept = (low + high) / 2;
            for (int i = 0; i < coefficients; i += design.width()) {
                truth[i] = intercept;
            }
            if (average(truth) < expected) {
                low = intercept;
            } else {
                high = intercept;
            }
        }
        return truth;
    }

    private double average(double[] truth) {
        double sum = 0;
        long rows = 0;
        RecordBlock block = features.get(0);
        for (int i = 0; i < block.rows(); i++) {
            sum += model.expected(truth, block, i);
            rows++;
        }
        return sum / rows;
    }

    /** The rows with responses drawn from the model. */
    List<RecordBlock> labelled(double[] truth, RandomStream random) {
        List<RecordBlock> blocks = new ArrayList<>();
        for (RecordBlock block : features) {
            double[] labels = new double[block.rows()];
            for (int row = 0; row < labels.length; row++) {
                labels[row] = model.drawTarget(truth, block, row, random);
            }
            blocks.add(Rows.withLabels(block, labels));
        }
        return blocks;
    }
}
