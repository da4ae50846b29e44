package dev.tacit.model;

/** A predictive distribution. */
public sealed interface Prediction {
    /** Of one of two classes: the probability of the positive one. */
    record Probability(double probability) implements Prediction {}

    /** Of a number, approximately normal, in the target's own units. */
    record Numeric(double mean, double standardDeviation) implements Prediction {}
}
