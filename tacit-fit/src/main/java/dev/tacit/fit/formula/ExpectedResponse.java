package dev.tacit.fit.formula;

import dev.tacit.data.formula.Formula;
import dev.tacit.data.formula.design.DesignColumn;
import dev.tacit.data.formula.design.DesignMatrix;
import dev.tacit.data.formula.design.GroupTerm;
import dev.tacit.door.record.RecordBlock;
import dev.tacit.fit.artefact.StoredPosterior;
import dev.tacit.numerics.SpecialFunctions;
import dev.tacit.posterior.Posterior;
import dev.tacit.posterior.family.GaussianPosterior;
import dev.tacit.posterior.family.GroupedPosterior;
import dev.tacit.query.Rows;
import java.util.List;
import java.util.Optional;

/**
 * Between which numbers the expected response of a record lies, given what the fit knows: the interval of its linear
 * predictor, carried through the link.
 *
 * <pre>
 *   η = xᵀβ + offset ~ N(xᵀμ + offset, xᵀΣx),   [g(η_lower), g(η_upper)],   g the inverse of the link
 * </pre>
 *
 * It is the interval of a mean or of a probability, not of one new record's response.
 */
public final class ExpectedResponse implements MarginalPredictions.Expected {
    private final Family family;
    private final double[] mean;
    private final double[] covariance;
    private final int parameters;
    private final int columns;
    private final int[] firstOfGroup;
    private final int[] slopeOfGroup;
    private final List<GroupedPosterior.Deviation> deviations;
    private final boolean hasOffset;
    private final double reach;
    private final double[] row;

    private ExpectedResponse(
            Family family, Posterior posterior, DesignMatrix design, int[] firstOfGroup, double level) {
        GaussianPosterior linear =
                posterior instanceof GroupedPosterior grouped ? grouped.linear() : (GaussianPosterior) posterior;
        this.family = family;
        this.mean = linear.mean();
        this.covariance = linear.covariance();
        this.parameters = linear.dimension();
        this.columns = design.width();
        this.firstOfGroup = firstOfGroup;
        this.slopeOfGroup = design.groups().stream()
                .mapToInt(group -> group.slope()
                        .map(name -> posterior.parameterNames().indexOf(name))
                        .orElse(0))
                .toArray();
        this.deviations = posterior instanceof GroupedPosterior grouped ? grouped.deviations() : List.of();
        this.reach = -SpecialFunctions.normalQuantile((1 - level) / 2);
        this.hasOffset = design.hasOffset();
        this.row = new double[columns + firstOfGroup.length + (hasOffset ? 1 : 0)];
    }

    /** For a fit by a formula whose effects are Gaussian; empty for others. */
    public static Optional<ExpectedResponse> of(StoredPosterior fitted, double level) {
        Optional<Family> family = Family.ofModel(fitted.model());
        Posterior posterior = fitted.posterior();
        if (!FormulaOutcome.is(fitted)
                || family.isEmpty()
                || family.get() == Family.ORDINAL
                || family.get() == Family.MULTINOMIAL
                || family.get() == Family.PIECEWISE_EXPONENTIAL
                || !(posterior instanceof GaussianPosterior || posterior instanceof GroupedPosterior)) {
            return Optional.empty();
        }
        DesignMatrix design = DesignMatrix.of(
                Formula.parse(fitted.schema().encoding().formula().orElseThrow()), fitted.schema());
        List<String> names = posterior.parameterNames();
        List<String> expected =
                design.columns().stream().map(DesignColumn::name).toList();
        if (!names.subList(0, Math.min(names.size(), expected.size())).equals(expected)) {
            return Optional.empty();
        }
        int[] firstOfGroup = new int[design.groups().size()];
        for (int i = 0; i < firstOfGroup.length; i++) {
            GroupTerm group = design.groups().get(i);
            firstOfGroup[i] = names.indexOf(group.name() + "[" + group.levels().get(0) + "]"
                    + group.slope().map(name -> ":" + name).orElse(""));
            if (firstOfGroup[i] < 0) {
                return Optional.empty();
            }
        }
        return Optional.of(new ExpectedResponse(family.get(), posterior, design, firstOfGroup, level));
    }

    /** The two ends for a record; the effect of a group that is not known is drawn like those of others. */
    public double[] interval(RecordBlock block, int record) {
        double[] three = at(block, record);
        return new double[] {three[0], three[2]};
    }

    @Override
    public List<String> outcomes() {
        return List.of("");
    }

    @Override
    public double[] at(RecordBlock block, int record) {
        java.util.Arrays.fill(row, 0);
        Rows.addTo(block, record, 1, row, 0);
        int[] places = new int[columns + firstOfGroup.length];
        double[] values = new double[places.length];
        int used = columns;
        double variance = 0;
        for (int i = 0; i < columns; i++) {
            places[i] = i;
            values[i] = row[i];
        }
        for (int t = 0; t < firstOfGroup.length; t++) {
            double value = row[slopeOfGroup[t]];
            int group = (int) row[columns + t];
            if (group >= 0) {
                places[used] = firstOfGroup[t] + group;
                values[used++] = value;
            } else {
                double off =
                        slopeOfGroup[t] == 0 ? 1 : value - deviations.get(t).centre();
                variance += off * off * deviations.get(t).meanSquare();
            }
        }
        double eta = hasOffset ? row[row.length - 1] : 0;
        for (int i = 0; i < used; i++) {
            eta += values[i] * mean[places[i]];
            for (int j = 0; j < used; j++) {
                variance += values[i] * values[j] * covariance[places[i] * parameters + places[j]];
            }
        }
        double half = reach * Math.sqrt(Math.max(0, variance));
        return new double[] {family.response(eta - half), family.response(eta), family.response(eta + half)};
    }
}
