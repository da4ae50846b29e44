package dev.tacit.model.belief;

import dev.tacit.door.record.DenseBlock;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.query.Rows;
import java.util.Arrays;

/**
 * Mean-field inference of the hidden units of one record in a sigmoid belief network.
 *
 * <pre>
 *   ψ_j = c_j + Σ_k w_kj (z_k − ½),   q(z_k) = Bernoulli(π_k),   m_j = ⟨ψ_j⟩,   ⟨ψ_j²⟩ = m_j² + Σ_k w_kj² π_k (1 − π_k) + s_j
 *   ξ_j = tanh(√⟨ψ_j²⟩ / 2) / (2 √⟨ψ_j²⟩)                                    mean of the Pólya-Gamma variable of column j
 *   logit π_k = b_k + Σ_j w_kj (y_j − ½ − ξ_j m_j) + (π_k − ½) Σ_j ξ_j w_kj²             one k after the other
 *   bound = Σ_j (y_j − ½) m_j − log(2 cosh(√⟨ψ_j²⟩ / 2)) + Σ_k π_k b_k − log(1 + e^b_k) + H(π_k)
 * </pre>
 *
 * Gan, Henao, Carlson, Carin 2015; Park, Foulds, Chaudhuri, Welling 2020, Section 6. Differs from the papers: hidden units
 * are centred, which halves the length of features and, since (z − ½)² = ¼, leaves uncertain weights only the constant
 * s_j; ξ is taken at ⟨ψ²⟩, not at ⟨ψ⟩², so that no update lowers the bound; every record starts from π = sigmoid(b) and
 * takes a fixed number of sweeps. So nothing is carried from another record (the papers' code starts from the hidden
 * units of the batch before, which is a leak), and no record decides how long it takes.
 *
 * <p>A column counts as 1 above the cut and as 0 otherwise, whatever it holds. Columns that are not observed have no
 * part. One object belongs to one thread.
 */
public final class HiddenUnits {
    private final NetworkWeights weights;
    private final double cut;
    private final int columns;
    private final int hidden;

    public final double[] probabilities;
    final double[] margins;
    public final double[] augmentation;
    private final double[] targets;
    private final double[] squares;
    private final double[] residuals;
    private final double[] line;
    private boolean[] observed;

    /** Where every record starts, which depends on the parameters alone. */
    private final double[] startProbabilities;

    private final double[] startMargins;
    private final double[] startSquares;
    private final double[] startAugmentation;

    public HiddenUnits(NetworkWeights weights, double cut) {
        this.weights = weights;
        this.cut = cut;
        columns = weights.columns();
        hidden = weights.hiddenUnits();
        probabilities = new double[hidden];
        margins = new double[columns];
        augmentation = new double[columns];
        targets = new double[columns];
        squares = new double[columns];
        residuals = new double[columns];
        line = new double[columns];
        SpecialFunctions.sigmoid(weights.hiddenBiases(), probabilities, hidden);
        refresh();
        startProbabilities = probabilities.clone();
        startMargins = margins.clone();
        startSquares = squares.clone();
        startAugmentation = augmentation.clone();
    }

    /** Infers from all columns of a record. */
    public void infer(RecordBlock block, int row, int sweeps) {
        infer(block, row, null, sweeps);
    }

    /** Infers from the observed columns of a record; from all if {@code observedColumns} is null. */
    public void infer(RecordBlock block, int row, boolean[] observedColumns, int sweeps) {
        load(block, row, observedColumns);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            sweep();
            refresh();
        }
    }

    /** Takes a record and starts its hidden units at their prior. */
    public void load(RecordBlock block, int row, boolean[] observedColumns) {
        observed = observedColumns;
        readTargets(block, row);
        System.arraycopy(startProbabilities, 0, probabilities, 0, hidden);
        System.arraycopy(startMargins, 0, margins, 0, columns);
        System.arraycopy(startSquares, 0, squares, 0, columns);
        for (int j = 0; j < columns; j++) {
            augmentation[j] = isHidden(j) ? 0 : startAugmentation[j];
        }
        refreshResiduals();
    }

    private void readTargets(RecordBlock block, int row) {
        if (block instanceof DenseBlock dense) {
            System.arraycopy(dense.values(), dense.start(row), line, 0, columns);
        } else {
            Arrays.fill(line, 0);
            Rows.addTo(block, row, 1, line, 0);
        }
        for (int j = 0; j < columns; j++) {
            targets[j] = observed != null && !observed[j] ? 0 : line[j] > cut ? 0.5 : -0.5;
        }
    }

    /** Margins, Pólya-Gamma means and residuals at the current probabilities. */
    public void refresh() {
        double[] w = weights.weights();
        System.arraycopy(weights.biases(), 0, margins, 0, columns);
        System.arraycopy(weights.marginVariances(), 0, squares, 0, columns);
        for (int k = 0; k < hidden; k++) {
            double feature = probabilities[k] - 0.5;
            double spread = probabilities[k] * (1 - probabilities[k]);
            int start = k * columns;
            for (int j = 0; j < columns; j++) {
                double weight = w[start + j];
                margins[j] += feature * weight;
                squares[j] += spread * weight * weight;
            }
        }
        for (int j = 0; j < columns; j++) {
            squares[j] += margins[j] * margins[j];
            augmentation[j] = isHidden(j) ? 0 : SpecialFunctions.polyaGammaMean(Math.sqrt(squares[j]));
        }
        refreshResiduals();
    }

    public void refreshResiduals() {
        for (int j = 0; j < columns; j++) {
            residuals[j] = targets[j] - augmentation[j] * margins[j];
        }
    }

    private boolean isHidden(int column) {
        return observed != null && !observed[column];
    }

    /** Moves every hidden unit once, in order; the residuals follow, margins do not. */
    public void sweep() {
        double[] w = weights.weights();
        for (int k = 0; k < hidden; k++) {
            int start = k * columns;
            double along0 = 0;
            double along1 = 0;
            double along2 = 0;
            double along3 = 0;
            double curve0 = 0;
            double curve1 = 0;
            double curve2 = 0;
            double curve3 = 0;
            int j = 0;
            for (; j + 3 < columns; j += 4) {
                double w0 = w[start + j];
                double w1 = w[start + j + 1];
                double w2 = w[start + j + 2];
                double w3 = w[start + j + 3];
                along0 += w0 * residuals[j];
                along1 += w1 * residuals[j + 1];
                along2 += w2 * residuals[j + 2];
                along3 += w3 * residuals[j + 3];
                curve0 += w0 * w0 * augmentation[j];
                curve1 += w1 * w1 * augmentation[j + 1];
                curve2 += w2 * w2 * augmentation[j + 2];
                curve3 += w3 * w3 * augmentation[j + 3];
            }
            for (; j < columns; j++) {
                along0 += w[start + j] * residuals[j];
                curve0 += w[start + j] * w[start + j] * augmentation[j];
            }
            double along = along0 + along1 + (along2 + along3);
            double curve = curve0 + curve1 + (curve2 + curve3);
            double logit = weights.hiddenBiases()[k] + along + (probabilities[k] - 0.5) * curve;
            double next = SpecialFunctions.sigmoid(logit);
            double move = next - probabilities[k];
            probabilities[k] = next;
            for (int i = 0; i < columns; i++) {
                residuals[i] -= move * augmentation[i] * w[start + i];
            }
        }
    }

    /** Σ_j log-likelihood bound of the observed columns plus the hidden units' prior and entropy; after an inference. */
    public double bound() {
        double sum = 0;
        for (int j = 0; j < columns; j++) {
            if (!isHidden(j)) {
                double c = Math.sqrt(squares[j]);
                sum += targets[j] * margins[j] + c / 2 - SpecialFunctions.softplus(c);
            }
        }
        for (int k = 0; k < hidden; k++) {
            double p = probabilities[k];
            double bias = weights.hiddenBiases()[k];
            sum += p * bias - SpecialFunctions.softplus(bias) - plogp(p) - plogp(1 - p);
        }
        return sum;
    }

    private static double plogp(double p) {
        return p > 0 ? p * Math.log(p) : 0;
    }

    /** P(z_k = 1 | record), one for each hidden unit. Not to be written to. */
    public double[] probabilities() {
        return probabilities;
    }

    /** ⟨ψ_j⟩, positive where the reconstruction is 1. Not to be written to. */
    public double[] margins() {
        return margins;
    }

    /** ⟨ξ_j⟩. Not to be written to. */
    public double[] augmentation() {
        return augmentation;
    }

    /** y_j − ½ − ⟨ξ_j⟩⟨ψ_j⟩, the derivative of the bound by c_j. Not to be written to. */
    public double[] residuals() {
        return residuals;
    }

    /** Whether a column of the record counts as 1. */
    public boolean isOne(int column) {
        return line[column] > cut;
    }
}
