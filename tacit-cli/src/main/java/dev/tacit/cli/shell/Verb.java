package dev.tacit.cli.shell;

/** What one command does once its options are read. */
public interface Verb {
    /** Does it. Anything that goes wrong is a {@link CommandFailure}. */
    ExitCode run(Console console) throws Exception;
}
