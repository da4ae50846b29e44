package dev.tacit.fit.federation;

import dev.tacit.fit.base.FitException;
import java.util.ServiceLoader;

/**
 * The runtime of several parties, if its module is there. What it needs beside Tacit, a network library and one of cryptography, is loaded
 * when it is first asked for something.
 */
public interface Federation {
    /** The module that has the runtime. */
    String MODULE = "tacit-federated";

    /**
     * Does what is asked.
     *
     * @param progress hears what is going on while it takes long
     * @throws FitException if it cannot be done
     */
    FederationAnswer perform(FederationRequest request, Progress progress);

    /** Hears what is going on. */
    @FunctionalInterface
    interface Progress {
        /** One sentence about public values. */
        void says(String sentence);
    }

    /** The runtime on the class path. */
    static Federation find() {
        return ServiceLoader.load(Federation.class)
                .findFirst()
                .orElseThrow(() -> new FitException(
                        FitException.Kind.CONFIGURATION,
                        "the module " + MODULE
                                + " is not there; start the program by the launcher tacit, which adds it,"
                                + " or put it on the class path."));
    }
}
