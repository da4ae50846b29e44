package dev.tacit.inference;

import dev.tacit.door.session.NoisySum;

/**
 * What one step leaves behind.
 *
 * @param state the next state
 * @param released the sum that moved it there
 */
public record Step<S extends Record>(S state, NoisySum released) {}
