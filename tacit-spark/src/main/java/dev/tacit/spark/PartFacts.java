package dev.tacit.spark;

import dev.tacit.data.prepare.RecordSketch;
import java.io.Serializable;

/**
 * What the driver knows of a part; private, and never shown.
 *
 * @param units how many there are
 * @param digest by which the part is recognised when it is computed again
 * @param sketch what its records are, or null
 */
record PartFacts(long units, long digest, RecordSketch.Part sketch) implements Serializable {}
