package dev.tacit.glm.model;

import dev.tacit.text.Spelling;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was believed about coefficients before: normal on the scale of standardised columns, unless said otherwise in natural
 * units.
 *
 * <pre>
 *   z-coefficients N(0, columnDeviation²), also those of levels;   the intercept at the centre N(start, interceptDeviation²)
 *   a term of its own:  β ~ N(mean, deviation²) in natural units
 *   effects of groups:  b ~ N(0, sd²), sd half-normal with scale 1 on the scale of standardised columns, or as said
 * </pre>
 *
 * Independent of how many columns there are. For a standardised target deviations are in units of its spread.
 *
 * @param columnDeviation of a coefficient of a standardised column
 * @param interceptDeviation of the intercept at the centre of all numbers
 * @param terms by the name of a column, in natural units
 * @param groupScales of half-normal standard deviations of groups, by their name ({@code sd(g)}), in natural units
 */
public record GlmPrior(
        double columnDeviation, double interceptDeviation, Map<String, Normal> terms, Map<String, Double> groupScales)
        implements Serializable {
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
        groupScales = Map.copyOf(groupScales);
        if (!(columnDeviation > 0 && columnDeviation < 1e9 && interceptDeviation > 0 && interceptDeviation < 1e9)) {
            throw new IllegalArgumentException("the standard deviations of a prior are positive numbers");
        }
    }

    /** normal(0, 2.5) on standardised columns, 5 on the intercept at the centre. */
    public static GlmPrior standard() {
        return new GlmPrior(2.5, 5, Map.of(), Map.of());
    }

    private static final Pattern TERM =
            Pattern.compile("\\s*(.+?)\\s*~\\s*normal\\(\\s*([^,()]+)\\s*,\\s*([^,()]+)\\s*\\)\\s*");

    private static final Pattern GROUP_TERM =
            Pattern.compile("\\s*(sd\\(.+\\))\\s*~\\s*halfnormal\\(\\s*([^,()]+)\\s*\\)\\s*");

    /** Scale of the half-normal standard deviation of groups, where columns are standardised. */
    private static final double GROUP_SCALE = 1;

    /** All slopes, in a text. */
    private static final String SLOPES = "b";

    /**
     * Reads terms like {@code age ~ normal(0, 0.1); b ~ normal(0, 1)}: a column in natural units, or {@code b} for all
     * columns at once on their standardised scale, around 0; {@code sd(g) ~ halfnormal(0.5)} for groups.
     *
     * @param text empty for {@link #standard}
     */
    public static GlmPrior parse(String text) {
        GlmPrior prior = standard();
        if (text.isBlank()) {
            return prior;
        }
        for (String part : text.split(";", -1)) {
            Matcher group = GROUP_TERM.matcher(part);
            if (group.matches()) {
                prior = prior.withGroups(group.group(1), number(group.group(2)));
                continue;
            }
            Matcher term = TERM.matcher(part);
            if (!term.matches()) {
                throw new IllegalArgumentException(
                        "a prior is written NAME ~ normal(MEAN, SD), and sd(GROUP) ~ halfnormal(SCALE) for groups,"
                                + " several of them with ; between; not so: " + part.strip());
            }
            double mean = number(term.group(2));
            double deviation = number(term.group(3));
            if (term.group(1).equals(SLOPES)) {
                if (mean != 0) {
                    throw new IllegalArgumentException("the prior of all slopes together has mean 0");
                }
                prior = new GlmPrior(deviation, prior.interceptDeviation, prior.terms, prior.groupScales);
            } else {
                prior = prior.with(term.group(1), mean, deviation);
            }
        }
        return prior;
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a prior has numbers for its mean and standard deviation", e);
        }
    }

    /** The same with another prior for one column. */
    public GlmPrior with(String column, double mean, double standardDeviation) {
        Map<String, Normal> more = new LinkedHashMap<>(terms);
        more.put(column, new Normal(mean, standardDeviation));
        return new GlmPrior(columnDeviation, interceptDeviation, more, groupScales);
    }

    /** The same with another scale for the standard deviation of a group term. */
    public GlmPrior withGroups(String deviation, double scale) {
        if (!(scale > 0 && scale < 1e9)) {
            throw new IllegalArgumentException("the scale of a half-normal prior is a positive number");
        }
        Map<String, Double> more = new LinkedHashMap<>(groupScales);
        more.put(deviation, scale);
        return new GlmPrior(columnDeviation, interceptDeviation, terms, more);
    }

    /** Refuses priors of columns that there are not; with several linear predictors a coefficient can have its own. */
    public void requireColumns(GlmModel model) {
        GlmDesign design = model.design();
        for (String name : terms.keySet()) {
            if (!design.names().contains(name) && !model.coefficientNames().contains(name)) {
                throw new IllegalArgumentException(
                        "there is no column " + name + Spelling.hint(name, model.coefficientNames())
                                + " to have a prior; the columns are "
                                + String.join(", ", design.names())
                                + (model.coefficientNames().equals(design.names())
                                        ? ""
                                        : ", and of one level "
                                                + model.coefficientNames().get(design.size() - 1)));
            }
        }
        List<String> deviations =
                design.groups().stream().map(GroupEffects::deviationName).toList();
        for (String name : groupScales.keySet()) {
            if (!deviations.contains(name)) {
                throw new IllegalArgumentException("there is no " + name + " to have a prior; "
                        + (deviations.isEmpty()
                                ? "the formula has no groups"
                                : "standard deviations of groups are " + String.join(", ", deviations)));
            }
        }
    }

    /** Precisions and means of z-coefficients. */
    public Standard toStandard(GlmModel model, Standardisation standard, double startIntercept) {
        GlmDesign design = model.design();
        int d = design.size();
        List<String> names = model.coefficientNames();
        double[] precision = new double[names.size()];
        double[] mean = new double[names.size()];
        int[] numbers = design.numbers();
        double unit = model.family().fitsStandardised() ? standard.scale()[standard.scale().length - 1] : 1;
        double[] scale = new double[d];
        java.util.Arrays.fill(scale, 1 / unit);
        for (int k = 0; k < numbers.length; k++) {
            scale[numbers[k]] = standard.scale()[k] / unit;
        }
        for (int i = 0; i < names.size(); i++) {
            int j = i % d;
            Normal own =
                    terms.getOrDefault(names.get(i), terms.get(design.names().get(j)));
            double deviation = j == 0 ? interceptDeviation : columnDeviation;
            mean[i] = j == 0 ? startIntercept : 0;
            if (own != null) {
                deviation = own.standardDeviation() * scale[j];
                mean[i] = own.mean() * scale[j];
            }
            precision[i] = 1 / (deviation * deviation);
        }
        double[] groups = new double[design.groups().size()];
        for (int t = 0; t < groups.length; t++) {
            GroupEffects term = design.groups().get(t);
            Double own = groupScales.get(term.deviationName());
            groups[t] = own == null ? GROUP_SCALE : own * scale[term.slope()];
        }
        return new Standard(precision, mean, groups);
    }

    /**
     * Of z-coefficients, independent.
     *
     * @param groupScales of the half-normal standard deviations of groups' effects on z
     */
    public record Standard(double[] precision, double[] mean, double[] groupScales) {
        /** Whether it is the same prior. */
        public boolean sameAs(Standard other) {
            return java.util.Arrays.equals(precision, other.precision)
                    && java.util.Arrays.equals(mean, other.mean)
                    && java.util.Arrays.equals(groupScales, other.groupScales);
        }
    }
}
