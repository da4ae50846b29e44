package dev.tacit.model.prediction;

import dev.tacit.door.record.RecordBlock;

/** Predicts targets of records that somebody has at hand. */
@FunctionalInterface
public interface Predictor {
    /** What is to be expected of one row. */
    Prediction predict(RecordBlock block, int row);
}
