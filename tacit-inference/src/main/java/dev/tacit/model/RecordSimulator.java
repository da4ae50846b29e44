package dev.tacit.model;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.numerics.RandomStream;

/** Draws whole records with their targets, for simulations. */
public interface RecordSimulator {
    /**
     * Records of the model.
     *
     * @param parameters in the order of the posterior's parameters
     */
    RecordBlock drawRecords(double[] parameters, int rows, RandomStream random);
}
