package dev.tacit.federated.transport;

import java.util.logging.Level;
import java.util.logging.Logger;

/** The log of gRPC, and of Netty within it, which is not for people: what they have to know is said in sentences. */
final class GrpcLog {
    /** Kept, because the JDK forgets a logger that nobody holds, and its level with it. */
    private static final Logger LOGGER = Logger.getLogger("io.grpc");

    private GrpcLog() {}

    /** Turns it off, unless whoever runs this program has set its level; to be called before gRPC is. */
    static void silence() {
        if (LOGGER.getLevel() == null) {
            LOGGER.setLevel(Level.OFF);
        }
    }
}
