package dev.tacit.fit.predict;

import dev.tacit.fit.base.FitException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Which records are to be predicted, and what is wanted beside the predictions.
 *
 * @param file the records, with the schema's columns; no target is needed
 * @param level the probability that an interval of the expected response holds; empty for 0.95 where there are intervals
 * @param identifier a column of the file that stands beside each prediction; it need not be in the schema
 * @param times at which survival is predicted; none for the ends of the fit's intervals
 */
public record PredictionRequest(String file, OptionalDouble level, Optional<String> identifier, List<Double> times) {
    /** The level that everybody reports. */
    public static final double USUAL_LEVEL = 0.95;

    public PredictionRequest {
        times = List.copyOf(times);
        level.ifPresent(PredictionRequest::requireLevel);
    }

    /** Of the records in a file. */
    public static PredictionRequest of(Path file) {
        return of(file.toString());
    }

    /** Of the records in a file or at an address. */
    public static PredictionRequest of(String location) {
        return new PredictionRequest(location, OptionalDouble.empty(), Optional.empty(), List.of());
    }

    /** With intervals of this level, which only fits by a formula have. */
    public PredictionRequest withLevel(double probability) {
        return new PredictionRequest(file, OptionalDouble.of(probability), identifier, times);
    }

    /** With the value of a column beside each prediction. */
    public PredictionRequest identifiedBy(String column) {
        return new PredictionRequest(file, level, Optional.of(column), times);
    }

    /** Of survival at these times. */
    public PredictionRequest at(double... when) {
        return new PredictionRequest(
                file, level, identifier, Arrays.stream(when).boxed().toList());
    }

    /** The one check of a level. */
    public static double requireLevel(double probability) {
        if (!(probability > 0 && probability < 1)) {
            throw FitException.usage("a level must be a number between 0 and 1, for example 0.95.");
        }
        return probability;
    }
}
