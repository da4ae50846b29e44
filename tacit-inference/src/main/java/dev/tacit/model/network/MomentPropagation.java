package dev.tacit.model.network;

/**
 * Carries means and variances through a network of Gaussian weights, and gradients of a function of the output's back.
 *
 * <pre>
 *   into a layer of n = columns numbers with means z and variances u (the constant 1 has u = 0), weights N(M, V):
 *   m = M z / √n,     v = (M² u + V (u + z²)) / n;     hidden units: {@link RectifiedMoments}
 *   back, from ∂/∂m and ∂/∂v:
 *     ∂M = ∂m z/√n + 2 ∂v M u/n,   ∂V = ∂v (u + z²)/n,   ∂z = Σ_h ∂m M/√n + 2 ∂v V z/n,   ∂u = Σ_h ∂v (M² + V)/n
 * </pre>
 *
 * Hernández-Lobato, Adams 2015, Section 3.1. Every array is made once; a record allocates nothing, and nothing of one
 * record is left for the next. For one thread.
 */
public final class MomentPropagation {
    /** Columns that are summed at once. */
    private static final int FOUR = 4;

    private final NetworkShape shape;

    /** For each layer what comes in: means, variances, and u + z². */
    private final double[][] means;

    private final double[][] variances;
    private final double[][] squares;

    /** For each layer its sums, before rectification. */
    private final double[][] sumMeans;

    private final double[][] sumVariances;
    private final RectifiedMoments[] rectified;

    /** ∂/∂m and ∂/∂v of the layer at hand, scaled by 1/√n and 1/n, and ∂z and ∂u of what came into it. */
    private final double[] byMean;

    private final double[] byVariance;
    private final double[] byInputMean;
    private final double[] byInputVariance;

    private final double[] weightMeanGradient;
    private final double[] weightVarianceGradient;

    /** For networks of one shape. */
    public MomentPropagation(NetworkShape shape) {
        this.shape = shape;
        int layers = shape.layers();
        means = new double[layers][];
        variances = new double[layers][];
        squares = new double[layers][];
        sumMeans = new double[layers][];
        sumVariances = new double[layers][];
        rectified = new RectifiedMoments[layers - 1];
        int widest = 0;
        for (int layer = 0; layer < layers; layer++) {
            int columns = shape.columns(layer);
            means[layer] = new double[columns];
            variances[layer] = new double[columns];
            squares[layer] = new double[columns];
            means[layer][columns - 1] = 1;
            squares[layer][columns - 1] = 1;
            sumMeans[layer] = new double[shape.units(layer)];
            sumVariances[layer] = new double[shape.units(layer)];
            if (layer < layers - 1) {
                rectified[layer] = new RectifiedMoments(shape.units(layer));
            }
            widest = Math.max(widest, Math.max(columns, shape.units(layer)));
        }
        byMean = new double[widest];
        byVariance = new double[widest];
        byInputMean = new double[widest];
        byInputVariance = new double[widest];
        weightMeanGradient = new double[shape.size()];
        weightVarianceGradient = new double[shape.size()];
    }

    /** The input, to be written before {@link #forward}; behind it stands the constant 1. */
    public double[] input() {
        return means[0];
    }

    /** From the input to the output, under weights with these means and variances. */
    public void forward(double[] weightMean, double[] weightVariance) {
        double[] input = means[0];
        double[] inputSquares = squares[0];
        for (int j = 0; j < input.length - 1; j++) {
            inputSquares[j] = input[j] * input[j];
        }
        for (int layer = 0; layer < shape.layers(); layer++) {
            sums(layer, weightMean, weightVariance);
            if (layer < rectified.length) {
                rectified[layer].of(sumMeans[layer], sumVariances[layer], shape.units(layer));
                pass(layer);
            }
        }
    }

    private void sums(int layer, double[] weightMean, double[] weightVariance) {
        int columns = shape.columns(layer);
        double n = columns;
        double root = 1 / Math.sqrt(n);
        double[] sumMean = sumMeans[layer];
        double[] sumVariance = sumVariances[layer];
        if (shape.units(layer) == 1) {
            outputSums(layer, weightMean, weightVariance);
        } else {
            for (int h = 0; h < sumMean.length; h++) {
                sumMean[h] = 0;
                sumVariance[h] = 0;
            }
            if (layer == 0) {
                addAll(means[0], weightMean, sumMean);
                addAll(squares[0], weightVariance, sumVariance);
            } else {
                for (int j = 0; j < columns - 1; j++) {
                    int start = shape.offset(layer) + j * sumMean.length;
                    addUncertain(layer, j, weightMean, weightVariance, start, sumMean, sumVariance);
                }
                int constant = shape.offset(layer) + (columns - 1) * sumMean.length;
                add(1, weightMean, constant, sumMean);
                add(1, weightVariance, constant, sumVariance);
            }
        }
        for (int h = 0; h < sumMean.length; h++) {
            sumMean[h] *= root;
            sumVariance[h] /= n;
        }
    }

    /** Adds factor times weight for every column, four columns at once, so that sums are read and written a quarter as often. */
    private static void addAll(double[] factors, double[] weights, double[] sums) {
        int units = sums.length;
        int j = 0;
        for (; j + FOUR <= factors.length; j += FOUR) {
            addFour(factors, j, weights, sums);
        }
        for (; j < factors.length; j++) {
            add(factors[j], weights, j * units, sums);
        }
    }

    private static void addFour(double[] factors, int first, double[] weights, double[] sums) {
        int units = sums.length;
        int start = first * units;
        double a = factors[first];
        double b = factors[first + 1];
        double c = factors[first + 2];
        double d = factors[first + 3];
        for (int h = 0; h < units; h++) {
            sums[h] += (a * weights[start + h] + b * weights[start + units + h])
                    + (c * weights[start + 2 * units + h] + d * weights[start + 3 * units + h]);
        }
    }

    private static void add(double factor, double[] weights, int start, double[] sums) {
        for (int h = 0; h < sums.length; h++) {
            sums[h] += factor * weights[start + h];
        }
    }

    private void addUncertain(
            int layer,
            int j,
            double[] weightMean,
            double[] weightVariance,
            int start,
            double[] sumMean,
            double[] sumVariance) {
        double z = means[layer][j];
        double u = variances[layer][j];
        double square = squares[layer][j];
        add(z, weightMean, start, sumMean);
        for (int h = 0; h < sumMean.length; h++) {
            double mean = weightMean[start + h];
            sumVariance[h] += square * weightVariance[start + h] + u * mean * mean;
        }
    }

    private void outputSums(int layer, double[] weightMean, double[] weightVariance) {
        double[] z = means[layer];
        double[] u = variances[layer];
        double[] square = squares[layer];
        int start = shape.offset(layer);
        double sumMean = 0;
        double sumVariance = 0;
        for (int j = 0; j < z.length; j++) {
            double mean = weightMean[start + j];
            sumMean += z[j] * mean;
            sumVariance += square[j] * weightVariance[start + j] + u[j] * mean * mean;
        }
        sumMeans[layer][0] = sumMean;
        sumVariances[layer][0] = sumVariance;
    }

    /** Hands rectified units to the next layer. */
    private void pass(int layer) {
        RectifiedMoments moments = rectified[layer];
        double[] z = means[layer + 1];
        double[] u = variances[layer + 1];
        double[] square = squares[layer + 1];
        for (int h = 0; h < moments.mean.length; h++) {
            z[h] = moments.mean[h];
            u[h] = moments.variance[h];
            square[h] = moments.variance[h] + moments.mean[h] * moments.mean[h];
        }
    }

    /** The mean of the output after {@link #forward}. */
    public double outputMean() {
        return sumMeans[shape.layers() - 1][0];
    }

    /** The variance of the output after {@link #forward}. */
    public double outputVariance() {
        return sumVariances[shape.layers() - 1][0];
    }

    /**
     * From the derivatives of a function by the output's mean and variance to {@link #weightMeanGradient} and
     * {@link #weightVarianceGradient}.
     *
     * @param weightMean as given to {@link #forward}
     * @param weightVariance as given to {@link #forward}
     */
    public void backward(double byOutputMean, double byOutputVariance, double[] weightMean, double[] weightVariance) {
        backward(byOutputMean, byOutputVariance, weightMean, weightVariance, true);
    }

    /** The same without {@link #weightVarianceGradient}. */
    public void backwardByMeans(
            double byOutputMean, double byOutputVariance, double[] weightMean, double[] weightVariance) {
        backward(byOutputMean, byOutputVariance, weightMean, weightVariance, false);
    }

    private void backward(
            double byOutputMean,
            double byOutputVariance,
            double[] weightMean,
            double[] weightVariance,
            boolean variancesToo) {
        byMean[0] = byOutputMean;
        byVariance[0] = byOutputVariance;
        for (int layer = shape.layers() - 1; layer >= 0; layer--) {
            int columns = shape.columns(layer);
            int units = shape.units(layer);
            double root = 1 / Math.sqrt(columns);
            double share = 1.0 / columns;
            for (int h = 0; h < units; h++) {
                byMean[h] *= root;
                byVariance[h] *= share;
            }
            if (units == 1) {
                fromOutput(layer, weightMean, weightVariance, variancesToo);
            } else {
                fromHidden(layer, weightMean, weightVariance, variancesToo);
            }
            if (layer > 0) {
                throughRectifier(layer);
            }
        }
    }

    private void fromHidden(int layer, double[] weightMean, double[] weightVariance, boolean variancesToo) {
        int units = shape.units(layer);
        if (layer > 0) {
            toInputs(layer, weightMean, weightVariance);
        }
        for (int j = 0; j < shape.columns(layer); j++) {
            int start = shape.offset(layer) + j * units;
            weightMeans(units, means[layer][j], 2 * variances[layer][j], weightMean, start);
            if (variancesToo) {
                weightVariances(units, squares[layer][j], start);
            }
        }
    }

    /** The same for one unit, whose weights stand side by side. */
    private void fromOutput(int layer, double[] weightMean, double[] weightVariance, boolean variancesToo) {
        double[] z = means[layer];
        double[] u = variances[layer];
        double[] square = squares[layer];
        double[] gradient = weightMeanGradient;
        double[] varianceGradient = weightVarianceGradient;
        double[] toMean = byInputMean;
        double[] toVariance = byInputVariance;
        double slope = byMean[0];
        double spread = byVariance[0];
        int start = shape.offset(layer);
        for (int j = 0; j < z.length; j++) {
            gradient[start + j] = slope * z[j] + 2 * spread * u[j] * weightMean[start + j];
        }
        if (variancesToo) {
            for (int j = 0; j < z.length; j++) {
                varianceGradient[start + j] = spread * square[j];
            }
        }
        for (int j = 0; j < z.length; j++) {
            toMean[j] = slope * weightMean[start + j] + 2 * spread * z[j] * weightVariance[start + j];
        }
        for (int j = 0; j < z.length; j++) {
            double mean = weightMean[start + j];
            toVariance[j] = spread * (weightVariance[start + j] + mean * mean);
        }
    }

    private void weightMeans(int units, double z, double twiceVariance, double[] weightMean, int start) {
        double[] gradient = weightMeanGradient;
        if (twiceVariance == 0) {
            for (int h = 0; h < units; h++) {
                gradient[start + h] = z * byMean[h];
            }
        } else {
            for (int h = 0; h < units; h++) {
                gradient[start + h] = z * byMean[h] + twiceVariance * byVariance[h] * weightMean[start + h];
            }
        }
    }

    private void weightVariances(int units, double square, int start) {
        double[] gradient = weightVarianceGradient;
        for (int h = 0; h < units; h++) {
            gradient[start + h] = square * byVariance[h];
        }
    }

    private void toInputs(int layer, double[] weightMean, double[] weightVariance) {
        int units = shape.units(layer);
        int inputs = shape.columns(layer) - 1;
        for (int j = 0; j < inputs; j++) {
            int start = shape.offset(layer) + j * units;
            double first = 0;
            double second = 0;
            double third = 0;
            for (int h = 0; h < units; h++) {
                double mean = weightMean[start + h];
                double spread = byVariance[h] * weightVariance[start + h];
                first += byMean[h] * mean;
                second += spread;
                third += spread + byVariance[h] * mean * mean;
            }
            byInputMean[j] = first + 2 * means[layer][j] * second;
            byInputVariance[j] = third;
        }
    }

    /** From the inputs of a layer to the sums of the layer before it. */
    private void throughRectifier(int layer) {
        RectifiedMoments moments = rectified[layer - 1];
        for (int h = 0; h < moments.mean.length; h++) {
            byMean[h] = byInputMean[h] * moments.meanByMean[h] + byInputVariance[h] * moments.varianceByMean[h];
            byVariance[h] =
                    byInputMean[h] * moments.meanByVariance[h] + byInputVariance[h] * moments.varianceByVariance[h];
        }
    }

    /** Derivatives by the means of weights; valid until the next call of {@link #backward}. */
    public double[] weightMeanGradient() {
        return weightMeanGradient;
    }

    /** Derivatives by the variances of weights; valid until the next call of {@link #backward}. */
    public double[] weightVarianceGradient() {
        return weightVarianceGradient;
    }
}
