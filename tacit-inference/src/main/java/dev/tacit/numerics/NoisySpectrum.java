package dev.tacit.numerics;

/**
 * Eigenvalues of a positive semi-definite matrix, from those of the matrix plus symmetric Gaussian noise.
 *
 * <pre>
 *   edge = sd √(2n): the largest eigenvalue of the noise          sd: of a diagonal number; others have sd/√2
 *   bulk: the most of the smallest k eigenvalues that lie within one edge of their mean μ      ← E(x | x > 0), x ~ N(μ, sd²/k)
 *   e above it, d = e − μ                                                                     ← μ + (d + √(d² − edge²)) / 2
 * </pre>
 *
 * Noise spreads equal eigenvalues over a semicircle of radius edge, so within it nothing is known of each but their mean, which the
 * trace tells well (Laloux, Cizeau, Bouchaud, Potters 1999 clip spectra in the same way). An eigenvalue that stands out of the bulk by
 * ℓ is seen at ℓ + edge²/(4ℓ) (Benaych-Georges, Nadakuditi 2011, Theorem 2.1 for the semicircle law). Post-processing of released numbers.
 */
public final class NoisySpectrum {
    private NoisySpectrum() {}

    /**
     * What eigenvalues would be without noise.
     *
     * @param values ascending
     * @param edge the largest eigenvalue of the noise; with 0 negative values are set to 0 and others stay
     */
    public static double[] cleaned(double[] values, double edge) {
        int n = values.length;
        double[] cleaned = new double[n];
        double sum = 0;
        double mean = 0;
        int bulk = 0;
        for (int k = 0; k < n && edge > 0; k++) {
            sum += values[k];
            if (values[k] - sum / (k + 1) <= edge) {
                bulk = k + 1;
                mean = sum / bulk;
            }
        }
        double least = bulk > 0 ? positive(mean, edge / Math.sqrt(2.0 * n * bulk)) : 0;
        for (int k = 0; k < n; k++) {
            double above = values[k] - mean;
            double value = k < bulk ? least : mean + (above + Math.sqrt(Math.max(0, above * above - edge * edge))) / 2;
            cleaned[k] = Math.max(least, value);
        }
        return cleaned;
    }

    /** E(x | x > 0), x ~ N(mean, deviation²). */
    private static double positive(double mean, double deviation) {
        double z = mean / deviation;
        return mean
                + deviation * Math.exp(-0.5 * z * z - 0.5 * Math.log(2 * Math.PI) - SpecialFunctions.logNormalCdf(z));
    }
}
