package dev.tacit.report.section;

import java.util.Comparator;
import java.util.List;

/** In which order parameters are shown. */
public enum ParameterOrder {
    /** As the model has them. */
    AS_GIVEN,
    /** The most standard deviations away from 0 first. */
    BY_STRENGTH,
    /** The largest mean first. */
    BY_MEAN;

    /** The parameters in this order; those that it does not tell apart stay as given. */
    public List<ParameterRow> sorted(List<ParameterRow> parameters) {
        return switch (this) {
            case AS_GIVEN -> parameters;
            case BY_STRENGTH ->
                parameters.stream()
                        .sorted(Comparator.comparingDouble(ParameterRow::strength)
                                .reversed())
                        .toList();
            case BY_MEAN ->
                parameters.stream()
                        .sorted(Comparator.comparingDouble(ParameterRow::mean).reversed())
                        .toList();
        };
    }
}
