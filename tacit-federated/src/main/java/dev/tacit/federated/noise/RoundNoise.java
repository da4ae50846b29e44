package dev.tacit.federated.noise;

import java.util.OptionalInt;

/** What a coordinator needs to know about noise to take layers off: a public number of the study and the request. */
@FunctionalInterface
public interface RoundNoise {
    /** For studies without layers. */
    RoundNoise NONE = (round, request) -> 0;

    /** The standard deviation of the whole noise of a request, in steps of its grid ({@link LayeredNoiseShare#wholeSteps}). */
    double wholeSteps(int round, byte[] request);

    /** How many numbers the vectors of a round have, as its request implies; empty if the study does not say. */
    default OptionalInt numbers(int round) {
        return OptionalInt.empty();
    }
}
