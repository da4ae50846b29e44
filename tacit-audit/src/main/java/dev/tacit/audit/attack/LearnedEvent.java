package dev.tacit.audit.attack;

import java.util.function.Predicate;

/**
 * A set of outputs that a search found too likely on one of two tables.
 *
 * @param name in words
 * @param event what is in it
 * @param likelyOnData on which side it looked too likely
 * @param standardErrors above what the claim allows
 */
public record LearnedEvent(String name, Predicate<double[]> event, boolean likelyOnData, double standardErrors) {}
