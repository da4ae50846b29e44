package dev.tacit.experiments.partitioned;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.door.record.SparseBlock;
import dev.tacit.numerics.LogisticPredictive;
import dev.tacit.numerics.RandomStream;
import dev.tacit.partitioned.gaussian.NaturalGaussian;

/**
 * Predictions of a network of rectified units for two classes whose weights are independent Gaussians.
 *
 * <pre>
 *   u_h ~ N(xᵀE w_h + E b_h, Σ_j x_j² Var w_jh + Var b_h),  independent        drawn, the same standard draws for all rows
 *   f | u ~ N(Σ_h E v_h a_h + E c, Σ_h Var v_h a_h² + Var c),  a = max(0, u)      averaged without draws
 * </pre>
 *
 * The same law as drawing all weights, for a tenth of the work; not what a joint prediction of several rows would need.
 */
final class NetworkPredictive {
    private static final int DRAWS = 128;
    private static final long SEED = 20261115;

    private final int units;
    private final double[] means;
    private final double[] variances;
    private final double[] normals;

    /** @param q over weights unit after unit for each column, then biases, output weights and output bias */
    NetworkPredictive(NaturalGaussian q, int units) {
        this.units = units;
        this.means = q.weightedMean();
        this.variances = q.precisionDiagonal();
        for (int i = 0; i < means.length; i++) {
            means[i] /= variances[i];
            variances[i] = 1 / variances[i];
        }
        this.normals = new double[DRAWS * units];
        RandomStream.ofSeed(SEED).fillNormal(normals);
    }

    /** The probability of the first class for a row. */
    double probability(RecordBlock rows, int row) {
        SparseBlock block = (SparseBlock) rows;
        int biases = block.columns() * units;
        int outputs = biases + units;
        double[] inputMeans = new double[units];
        double[] inputScales = new double[units];
        System.arraycopy(means, biases, inputMeans, 0, units);
        System.arraycopy(variances, biases, inputScales, 0, units);
        for (int entry = block.start(row); entry < block.end(row); entry++) {
            int at = block.columnIndices()[entry] * units;
            double x = block.values()[entry];
            for (int h = 0; h < units; h++) {
                inputMeans[h] += x * means[at + h];
                inputScales[h] += x * x * variances[at + h];
            }
        }
        for (int h = 0; h < units; h++) {
            inputScales[h] = Math.sqrt(inputScales[h]);
        }
        double sum = 0;
        for (int k = 0; k < DRAWS; k++) {
            double mean = means[outputs + units];
            double variance = variances[outputs + units];
            for (int h = 0; h < units; h++) {
                double active = Math.max(0, inputMeans[h] + inputScales[h] * normals[k * units + h]);
                mean += means[outputs + h] * active;
                variance += variances[outputs + h] * active * active;
            }
            sum += LogisticPredictive.quick(mean, variance);
        }
        return sum / DRAWS;
    }
}
