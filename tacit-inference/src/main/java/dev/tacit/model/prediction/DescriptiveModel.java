package dev.tacit.model.prediction;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.posterior.Posterior;
import java.util.List;
import java.util.Map;

/**
 * A model of whole records without a target, such as topics or images: what it finds in a new record, how well it
 * explains records, and what a report shows of it in place of a list of parameters.
 */
public non-sealed interface DescriptiveModel extends ModelUse {
    /** Describes one new record at a time; it may be used by one thread at a time. */
    @FunctionalInterface
    interface Describer {
        /** Writes the description of a row, one number for each of {@link #descriptionNames}. */
        void describe(RecordBlock block, int row, double[] description);
    }

    /** What the numbers of a description are called, for example {@code topic-1}. */
    List<String> descriptionNames();

    /** Describes new records from a posterior alone. */
    Describer describer(Posterior posterior);

    /** How well records that somebody hands in for this purpose are explained, by the name of the score. */
    Map<String, Double> scores(Posterior posterior, List<RecordBlock> records);

    /** What was learned, in a form that can be printed and drawn. */
    List<Finding> findings(Posterior posterior);
}
