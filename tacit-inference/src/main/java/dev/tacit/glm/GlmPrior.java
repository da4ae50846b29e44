package dev.tacit.glm;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was believed about coefficients before: normal on the scale of standardised columns, unless said otherwise in natural
 * units.
 *
 * <pre>
 *   z-coefficients N(0, columnDeviation²), also those of levels;   the intercept at the centre N(start, interceptDeviation²)
 *   a term of its own:  β ~ N(mean, deviation²) in natural units
 * </pre>
 *
 * Independent of how many columns there are. For a standardised target deviations are in units of its spread.
 *
 * @param columnDeviation of a coefficient of a standardised column
 * @param interceptDeviation of the intercept at the centre of all numbers
 * @param terms by the name of a column, in natural units
 */
public record GlmPrior(double columnDeviation, double interceptDeviation, Map<String, Normal> terms) {
    /** A normal distribution in natural units. */
    public record Normal(double mean, double standardDeviation) {
        public Normal {
            if (!Double.isFinite(mean) || !(standardDeviation > 0) || Double.isInfinite(standardDeviation)) {
                throw new IllegalArgumentException("a prior has a finite mean and a positive standard deviation");
            }
        }
    }

    public GlmPrior {
        terms = Map.copyOf(terms);
        if (!(columnDeviation > 0 && columnDeviation < 1e9 && interceptDeviation > 0 && interceptDeviation < 1e9)) {
            throw new IllegalArgumentException("the standard deviations of a prior are positive numbers");
        }
    }

    /** normal(0, 2.5) on standardised columns, 5 on the intercept at the centre. */
    public static GlmPrior standard() {
        return new GlmPrior(2.5, 5, Map.of());
    }

    /** The same with another prior for one column. */
    public GlmPrior with(String column, double mean, double standardDeviation) {
        Map<String, Normal> more = new LinkedHashMap<>(terms);
        more.put(column, new Normal(mean, standardDeviation));
        return new GlmPrior(columnDeviation, interceptDeviation, more);
    }

    /** Precisions and means of z-coefficients. */
    Standard toStandard(GlmModel model, Standardisation standard, double startIntercept) {
        GlmDesign design = model.design();
        int d = design.size();
        double[] precision = new double[d];
        double[] mean = new double[d];
        int[] numbers = design.numbers();
        double unit = model.family().fitsStandardised() ? standard.scale()[numbers.length] : 1;
        double[] scale = new double[d];
        java.util.Arrays.fill(scale, 1 / unit);
        for (int k = 0; k < numbers.length; k++) {
            scale[numbers[k]] = standard.scale()[k] / unit;
        }
        for (String name : terms.keySet()) {
            if (!design.names().contains(name)) {
                throw new IllegalArgumentException("there is no column " + name + " to have a prior; the columns are "
                        + String.join(", ", design.names()));
            }
        }
        for (int j = 0; j < d; j++) {
            Normal own = terms.get(design.columns().get(j).name());
            double deviation = j == 0 ? interceptDeviation : columnDeviation;
            mean[j] = j == 0 ? startIntercept : 0;
            if (own != null) {
                deviation = own.standardDeviation() * scale[j];
                mean[j] = own.mean() * scale[j];
            }
            precision[j] = 1 / (deviation * deviation);
        }
        return new Standard(precision, mean);
    }

    /** Of z-coefficients, independent. */
    record Standard(double[] precision, double[] mean) {}
}
