package dev.tacit.model;

import dev.tacit.posterior.Posterior;

/** A model that predicts the target of a new record from a posterior alone. */
public interface PredictiveModel {
    /** A predictor with the parameters integrated out; it may be used by one thread at a time. */
    Predictor predictor(Posterior posterior);
}
