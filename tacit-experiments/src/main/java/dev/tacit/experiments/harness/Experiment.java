package dev.tacit.experiments.harness;

/** One table or figure of a paper, run again. */
public interface Experiment {
    /** The name on the command line. */
    String name();

    /** What it shows, in one line. */
    String about();

    /** Whether it reads raw data files. */
    default boolean needsData() {
        return true;
    }

    /** Runs it. */
    ExperimentResult run(ExperimentOptions options, ExperimentListener listener);
}
