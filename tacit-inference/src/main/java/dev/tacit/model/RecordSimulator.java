package dev.tacit.model;

import dev.tacit.numerics.RandomStream;
import dev.tacit.privacy.data.RecordBlock;

/** Draws whole records with their targets, for simulations. */
public interface RecordSimulator {
    /**
     * Records of the model.
     *
     * @param parameters in the order of the posterior's parameters
     */
    RecordBlock drawRecords(double[] parameters, int rows, RandomStream random);
}
