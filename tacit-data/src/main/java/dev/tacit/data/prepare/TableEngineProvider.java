package dev.tacit.data.prepare;

import java.nio.file.Path;
import java.util.Map;

/** Starts engines of one kind; found by {@link java.util.ServiceLoader}, so that what a fit does not ask for is not loaded. */
public interface TableEngineProvider {
    /** Whether an address names an engine of this kind. */
    boolean knows(String address);

    /**
     * Starts an engine, or connects to one.
     *
     * @param address for example {@code spark://head:7077}
     * @param settings of the engine, by name
     * @param secret 256 secret bits of this run, under which the engine recognises what it read before
     * @throws EngineException if it cannot be reached, or is not safe to use
     */
    TableEngine start(String address, Map<String, String> settings, byte[] secret);

    /**
     * Starts a small cluster of its own on this machine, of several processes, for somebody who has none.
     *
     * @param folder for its files; what is in it may be deleted afterwards
     * @param secret that its processes know each other by
     * @throws EngineException if it does not start
     */
    Trial trial(Path folder, String secret);

    /** A cluster that is there until it is closed. */
    interface Trial extends AutoCloseable {
        /** Where it is, for {@link #start}. */
        String address();

        /** What must be set to use it. */
        Map<String, String> settings();

        /** How many processes it has. */
        int processes();

        @Override
        void close();
    }
}
