package dev.tacit.model.prediction;

import dev.tacit.door.record.RecordBlock;
import dev.tacit.numerics.RandomStream;
import dev.tacit.posterior.Posterior;

/** A model that predicts the target of a new record from a posterior alone. */
public non-sealed interface PredictiveModel extends ModelUse {
    /** A predictor with the parameters integrated out; it may be used by one thread at a time. */
    Predictor predictor(Posterior posterior);

    /**
     * Whether data can tell parameters apart, so that an interval of one of them means something; false for networks, whose
     * units can change places.
     */
    default boolean identifiable() {
        return true;
    }

    /**
     * Draws the target of a row from the model itself, for simulations.
     *
     * @param parameters in the order of the posterior's parameters
     */
    double drawTarget(double[] parameters, RecordBlock block, int row, RandomStream random);
}
