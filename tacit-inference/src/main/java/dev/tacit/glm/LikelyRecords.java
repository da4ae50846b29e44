package dev.tacit.glm;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.glm.model.GlmDesign;
import dev.tacit.glm.model.GlmModel;
import dev.tacit.glm.model.GroupLayout;
import dev.tacit.glm.model.Standardisation;
import dev.tacit.glm.twin.LongRows;
import dev.tacit.glm.twin.SecondMoments;
import dev.tacit.glm.twin.TwinTable;
import dev.tacit.model.RecordSimulator;
import dev.tacit.numerics.RandomStream;
import dev.tacit.query.Rows;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Records that look like those of a fit: rows with the released means and covariances ({@link TwinTable}, before its last map, so
 * that levels are levels), drawn with their weights, and targets drawn from the family.
 *
 * <p>Post-processing of released sums; no record is behind any row.
 */
final class LikelyRecords implements RecordSimulator {
    private final GlmModel model;
    private final Standardisation standard;
    private final SecondMoments moments;
    private final double records;
    private final LongRows longRows;

    LikelyRecords(GlmModel model, PrivateLikelihood likelihood) {
        this.model = model;
        this.standard = likelihood.standardisation();
        this.records = (double) likelihood.records();
        this.longRows = likelihood.longRows();
        this.moments = SecondMoments.of(
                model,
                standard,
                new Standardisation.NoisySums(
                        likelihood.moments().value(), likelihood.moments().noise()),
                records);
    }

    /** Means of the columns in natural units, by their names. */
    Map<String, Double> centre() {
        int[] numbers = model.design().numbers();
        Map<String, Double> centre = new HashMap<>();
        for (int j = 0; j < model.design().size(); j++) {
            int number = Arrays.binarySearch(numbers, j);
            double mean = moments.mean()[j];
            centre.put(
                    model.design().names().get(j),
                    number < 0 ? mean : standard.centre()[number] + standard.scale()[number] * mean);
        }
        return centre;
    }

    @Override
    public RecordBlock drawRecords(double[] parameters, int rows, RandomStream random) {
        TwinTable cut = TwinTable.drawn(model, standard, moments, records, rows, random.fork("rows"));
        TwinTable table = (longRows == LongRows.RESTORED ? cut.restored(model, moments, records) : cut)
                .withGroups(new GroupLayout(model.design()), moments.groups());
        GlmDesign design = model.design().table();
        int d = design.size();
        int columns = model.design().size();
        int terms = model.design().groups().size();
        int width = d + terms;
        int[] numbers = design.numbers();
        double[] shares = cumulative(table.weights());
        RandomStream picks = random.fork("picks");
        double[] natural = new double[rows * width];
        double[] row = new double[d];
        for (int r = 0; r < rows; r++) {
            int found = Arrays.binarySearch(shares, picks.uniform() * shares[rows - 1]);
            int from = Math.min(rows - 1, found < 0 ? -found - 1 : found);
            System.arraycopy(table.x(), from * d, row, 0, d);
            for (int k = 0; k < numbers.length; k++) {
                row[numbers[k]] = standard.centre()[k] + standard.scale()[k] * row[numbers[k]];
            }
            System.arraycopy(row, 0, natural, r * width, columns);
            for (int t = 0; t < terms; t++) {
                natural[r * width + columns + t] = table.levels()[t][from];
            }
            System.arraycopy(row, columns, natural, r * width + columns + terms, d - columns);
        }
        RecordBlock block = new DenseBlock(rows, width, natural, 0, null, null, 0);
        RandomStream targets = random.fork("targets");
        double[] labels = new double[rows];
        for (int r = 0; r < rows; r++) {
            labels[r] = model.drawTarget(parameters, block, r, targets);
        }
        return Rows.withLabels(block, labels);
    }

    private static double[] cumulative(double[] weights) {
        double[] sums = weights.clone();
        for (int r = 1; r < sums.length; r++) {
            sums[r] += sums[r - 1];
        }
        return sums;
    }
}
