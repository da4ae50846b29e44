package dev.tacit.inference.noiseaware;

import dev.tacit.json.JsonFieldException;
import dev.tacit.json.JsonFields;
import dev.tacit.json.PackedNumbers;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@link NoiseAwarePosterior} needs of a trace of pairs (φ_t, g̃_t): six numbers for each coordinate, whatever the
 * length.
 *
 * <pre>
 *   n,  φ̄,  ḡ,  Σ(φ − φ̄)²,  Σ(g − ḡ)(φ − φ̄),  Σ(g − ḡ)²        Welford's updates
 * </pre>
 *
 * φ_t is the parameter at which the gradient was released, g̃_t the released sum of gradients of the objective that is
 * minimised, in the units of φ (scale factors that were applied before the clip are taken out again). Both are public
 * once released.
 *
 * @param steps n
 * @param parameterMeans φ̄
 * @param gradientMeans ḡ
 * @param parameterSquares Σ(φ − φ̄)²
 * @param crossProducts Σ(g − ḡ)(φ − φ̄)
 * @param gradientSquares Σ(g − ḡ)²
 */
public record TraceStatistics(
        long steps,
        double[] parameterMeans,
        double[] gradientMeans,
        double[] parameterSquares,
        double[] crossProducts,
        double[] gradientSquares) {

    /** Of no steps. */
    public static TraceStatistics empty(int dimension) {
        return new TraceStatistics(
                0,
                new double[dimension],
                new double[dimension],
                new double[dimension],
                new double[dimension],
                new double[dimension]);
    }

    /** How many coordinates there are. */
    public int dimension() {
        return parameterMeans.length;
    }

    /** With one more step. */
    public TraceStatistics plus(double[] parameters, double[] gradient) {
        int d = dimension();
        if (parameters.length != d || gradient.length != d) {
            throw new IllegalArgumentException("a step of this trace has " + d + " coordinates");
        }
        TraceStatistics sum = new TraceStatistics(
                steps + 1,
                parameterMeans.clone(),
                gradientMeans.clone(),
                parameterSquares.clone(),
                crossProducts.clone(),
                gradientSquares.clone());
        double weight = 1.0 / (steps + 1);
        for (int i = 0; i < d; i++) {
            double parameterGap = parameters[i] - parameterMeans[i];
            double gradientGap = gradient[i] - gradientMeans[i];
            sum.parameterMeans[i] += weight * parameterGap;
            sum.gradientMeans[i] += weight * gradientGap;
            double after = parameters[i] - sum.parameterMeans[i];
            sum.parameterSquares[i] += parameterGap * after;
            sum.crossProducts[i] += gradientGap * after;
            sum.gradientSquares[i] += gradientGap * (gradient[i] - sum.gradientMeans[i]);
        }
        return sum;
    }

    /** The JSON of a checkpoint. */
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("steps", steps);
        json.put("parameterMeans", PackedNumbers.write(parameterMeans));
        json.put("gradientMeans", PackedNumbers.write(gradientMeans));
        json.put("parameterSquares", PackedNumbers.write(parameterSquares));
        json.put("crossProducts", PackedNumbers.write(crossProducts));
        json.put("gradientSquares", PackedNumbers.write(gradientSquares));
        return json;
    }

    /** Reads what {@link #toJson} wrote. */
    public static TraceStatistics fromJson(JsonFields json) {
        double steps = json.number("steps");
        TraceStatistics read = new TraceStatistics(
                (long) steps,
                PackedNumbers.read(json, "parameterMeans"),
                PackedNumbers.read(json, "gradientMeans"),
                PackedNumbers.read(json, "parameterSquares"),
                PackedNumbers.read(json, "crossProducts"),
                PackedNumbers.read(json, "gradientSquares"));
        json.end();
        int d = read.dimension();
        if (steps < 0
                || steps != read.steps
                || read.gradientMeans.length != d
                || read.parameterSquares.length != d
                || read.crossProducts.length != d
                || read.gradientSquares.length != d) {
            throw new JsonFieldException(json.path(), "is not the statistics of a trace");
        }
        return read;
    }
}
