package dev.tacit.federated.noise;

/** What a coordinator needs to know about noise to take layers off: a public number of the study and the request. */
@FunctionalInterface
public interface RoundNoise {
    /** For studies without layers. */
    RoundNoise NONE = (round, request) -> 0;

    /** The standard deviation of the whole noise of a request, in steps of its grid ({@link LayeredNoiseShare#wholeSteps}). */
    double wholeSteps(int round, byte[] request);
}
