package dev.tacit.model;

/** A predictive distribution. */
public sealed interface Prediction {
    /** Of one of two classes: the probability of the positive one. */
    record Probability(double probability) implements Prediction {}

    /** Of a number, approximately normal, in the target's own units. */
    record Numeric(double mean, double standardDeviation) implements Prediction {}

    /** Of one of several classes: the probability of each, in the order in which they are declared. */
    record Classes(double[] probabilities) implements Prediction {}
}
