package dev.tacit.experiments;

/** One table or figure of a paper, run again. */
public interface Experiment {
    /** The name on the command line. */
    String name();

    /** What it shows, in one line. */
    String about();

    /** Runs it. */
    ExperimentResult run(ExperimentOptions options, ExperimentListener listener);
}
